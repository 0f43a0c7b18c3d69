//! From a network of timed automata to a symbolic system.
//!
//! The system has one control location in which runs go on, and one in which the model has failed. Variables are taken apart
//! into cells; where a process is, is a cell too. One edge lets time pass: all clocks grow by the same real number, within the
//! invariants, unless something is urgent. Every transition of the network is an edge: who takes part, with which values of
//! selects and which branches, is decided when the system is built, and also which receivers of a broadcast stay behind. Where an
//! evaluation may fail, another edge leads to the failure.
//!
//! Invariant: the system can do exactly what the network can, step by step; what it cannot be made to do is declined by name.

mod cells;
mod intervals;
mod state;
mod terms;
mod transitions;

use tempora_smt::{TermId, TermStore};
use tempora_source::Origin;

use cells::Cells;
use state::Lowering;
use tempora_model::{EdgeId, Expression, Network, ProcessId, Table};
use tempora_transition::{
    ControlEdge, ControlLocation, ControlLocationId, EdgeKind, Observation, SafetyProperty,
    SymbolicStatement, SymbolicSystem,
};

/// A network as a symbolic system, and what the edges of the system are in the network.
#[derive(Clone, Debug)]
pub struct LoweredNetwork {
    /// The system. Its last property says that the model does not fail; the others are those that were asked about.
    pub system: SymbolicSystem,
    /// What each edge is.
    pub moves: Vec<LoweredMove>,
}

/// What an edge of the system is in the network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoweredMove {
    /// Time passes, by the only value that the edge leaves open.
    Delay,
    /// A transition.
    Transition(LoweredTransition),
    /// An evaluation fails.
    Failure,
}

/// A transition of the network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoweredTransition {
    /// How many take part.
    pub kind: LoweredKind,
    /// Who takes part, in the order of their updates.
    pub participants: Vec<LoweredParticipant>,
}

/// What brings the participants of a transition together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoweredKind {
    /// One process moves by itself.
    Internal,
    /// One sends and one receives.
    Binary,
    /// One sends, and all receive that can.
    Broadcast,
}

/// A process that takes part in a transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoweredParticipant {
    /// The process.
    pub process: ProcessId,
    /// The edge that it takes.
    pub edge: EdgeId,
    /// Which branch of it.
    pub branch: usize,
    /// The values of its selects.
    pub select_values: Vec<i32>,
}

/// Why there is no system for a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotLowered {
    /// Something has no form as a symbolic system here.
    Declined {
        /// What it is.
        what: String,
        /// Where it is, if it is somewhere.
        origin: Option<Origin>,
    },
    /// The one who asked does not want to wait any longer.
    Stopped,
}

impl NotLowered {
    pub(crate) fn new(what: &str, origin: Origin) -> NotLowered {
        NotLowered::nowhere(what, Some(origin))
    }

    pub(crate) fn nowhere(what: &str, origin: Option<Origin>) -> NotLowered {
        NotLowered::Declined { what: what.to_owned(), origin }
    }
}

/// A predicate that has to hold in all states, or that has to hold in none.
#[derive(Clone, Copy, Debug)]
pub struct LoweredClaim<'query> {
    /// How it was asked.
    pub text: &'query str,
    /// The predicate.
    pub predicate: &'query Expression,
    /// What it has to be in all states.
    pub value: bool,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where runs go on, and where the model has failed.
const RUNNING: ControlLocationId = ControlLocationId(0);
const FAILED: ControlLocationId = ControlLocationId(1);

/// The network as a symbolic system, with these claims as its properties. It is asked again and again whether to stop.
pub fn lower_network(
    network: &Network,
    claims: &[LoweredClaim<'_>],
    stop: &mut dyn FnMut() -> bool,
) -> Result<LoweredNetwork, NotLowered> {
    let Some(process) = network.processes.values().next() else {
        return Err(NotLowered::nowhere("a network without processes", None));
    };
    let origin = process.origin;
    for (is_there, what) in [
        (network.channel_priorities.is_some(), "priorities"),
        (network.processes.values().any(|process| process.priority != 0), "priorities"),
        (!network.vectors.is_empty(), "synchronisation vectors"),
        (!network.omissions.is_empty(), "what the network does not say"),
    ] {
        if is_there {
            return Err(NotLowered::new(what, origin));
        }
    }
    let mut store = TermStore::new();
    let cells = Cells::new(network, &mut store)?;
    let mut lowering = Lowering::new(network, store, cells, stop);
    let mut properties = Vec::new();
    for claim in claims {
        let holds = lowering.predicate(claim.predicate)?;
        let condition = if claim.value { holds } else { lowering.store.not(holds) };
        properties.push(SafetyProperty {
            text: claim.text.to_owned(),
            condition,
            observation: Observation::At(vec![RUNNING]),
            origin: claim.origin,
        });
    }
    let never = lowering.store.truth(false);
    properties.push(SafetyProperty {
        text: "the model does not fail".to_owned(),
        condition: never,
        observation: Observation::At(vec![FAILED]),
        origin,
    });
    let initial = lowering.initial()?;
    let steps = lowering.steps(origin)?;
    let mut edges = Table::new();
    let mut moves = Vec::new();
    for LoweredStep { what, statement, origin } in steps {
        let target = if what == LoweredMove::Failure { FAILED } else { RUNNING };
        let kind = if what == LoweredMove::Delay { EdgeKind::Delay } else { EdgeKind::Step };
        edges.push(ControlEdge { source: RUNNING, target, kind, statement, origin });
        moves.push(what);
    }
    let mut locations = Table::new();
    for name in ["running", "failed"] {
        locations.push(ControlLocation { name: name.to_owned(), origin });
    }
    let Lowering { store, cells, .. } = lowering;
    let system = SymbolicSystem {
        store,
        variables: cells.variables,
        locations,
        initial_location: RUNNING,
        initial,
        edges,
        properties,
    };
    Ok(LoweredNetwork { system, moves })
}

/// An edge of the system that is still to be added.
struct LoweredStep {
    what: LoweredMove,
    statement: SymbolicStatement,
    origin: Origin,
}

/// A value while it is worked out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Worked {
    Boolean(TermId),
    Integer(TermId),
    Clock(TermId),
}
