//! Lowers networks of timed automata to symbolic systems.
//!
//! The system has one control location for regular runs, and one for failures of the model. Variables are split into
//! cells; the location of each process is a cell too. One edge lets time pass: all clocks grow by the same real number,
//! within the invariants, unless something is urgent. Every transition of the network is an edge: its participants,
//! select values and branches, and the receivers that stay out of a broadcast, are fixed when the system is built. If
//! an evaluation may fail, another edge leads to the failure.
//!
//! Invariant: the system and the network have the same behaviour, step by step; unsupported constructs are declined by
//! name.

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

/// A network as a symbolic system, with the transition of the network for each edge.
#[derive(Clone, Debug)]
pub struct LoweredNetwork {
    /// The system. Its last property states that the model does not fail; the others are the claims.
    pub system: SymbolicSystem,
    /// The meaning of each edge.
    pub moves: Vec<LoweredMove>,
}

/// The meaning of an edge of the system in the network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoweredMove {
    /// A delay; its length is the only value that the edge leaves open.
    Delay,
    /// A transition.
    Transition(LoweredTransition),
    /// An evaluation fails.
    Failure,
}

/// A transition of the network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoweredTransition {
    /// The kind of synchronisation.
    pub kind: LoweredKind,
    /// The participants, in the order of their updates.
    pub participants: Vec<LoweredParticipant>,
}

/// The kind of synchronisation of a transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoweredKind {
    /// One process without synchronisation.
    Internal,
    /// A sender and a receiver.
    Binary,
    /// A sender and all receivers that are enabled.
    Broadcast,
}

/// A process that takes part in a transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoweredParticipant {
    /// The process.
    pub process: ProcessId,
    /// The edge taken.
    pub edge: EdgeId,
    /// The branch of the edge.
    pub branch: usize,
    /// The values of its selects.
    pub select_values: Vec<i32>,
}

/// Why a network cannot be lowered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotLowered {
    /// A construct that lowering does not support.
    Declined {
        /// The construct.
        what: String,
        /// Its origin, if it has one.
        origin: Option<Origin>,
    },
    /// The caller stopped the lowering.
    Stopped,
}

impl NotLowered {
    pub(crate) fn new(what: &str, origin: Origin) -> NotLowered {
        NotLowered::declined(what, Some(origin))
    }

    pub(crate) fn declined(what: &str, origin: Option<Origin>) -> NotLowered {
        NotLowered::Declined { what: what.to_owned(), origin }
    }
}

/// A predicate that must hold in all states, or in none.
#[derive(Clone, Copy, Debug)]
pub struct LoweredClaim<'query> {
    /// The text of the query.
    pub text: &'query str,
    /// The predicate.
    pub predicate: &'query Expression,
    /// The truth value required in all states.
    pub value: bool,
    /// Where it comes from.
    pub origin: Origin,
}

/// The location of regular runs, and the location of failures.
const RUNNING: ControlLocationId = ControlLocationId(0);
const FAILED: ControlLocationId = ControlLocationId(1);

/// Lowers a network, with these claims as properties. It regularly calls `stop` to determine whether to stop.
pub fn lower_network(
    network: &Network,
    claims: &[LoweredClaim<'_>],
    stop: &mut dyn FnMut() -> bool,
) -> Result<LoweredNetwork, NotLowered> {
    let Some(process) = network.processes.values().next() else {
        return Err(NotLowered::declined("a network without processes", None));
    };
    let origin = process.origin;
    for (is_there, what) in [
        (network.channel_priorities.is_some(), "priorities"),
        (network.processes.values().any(|process| process.priority != 0), "priorities"),
        (!network.vectors.is_empty(), "synchronisation vectors"),
        (!network.omissions.is_empty(), "constructs that the network omits"),
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

/// An edge of the system under construction.
struct LoweredStep {
    what: LoweredMove,
    statement: SymbolicStatement,
    origin: Origin,
}

/// A value during lowering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LoweredValue {
    Boolean(TermId),
    Integer(TermId),
    Clock(TermId),
}
