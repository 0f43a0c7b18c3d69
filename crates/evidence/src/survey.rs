//! What an exploration met on its way, whatever it was looking for: the facts that sanity checks are functions of.
//!
//! Invariant: what is in a survey was met by a run of the network, unless the survey says that it is an over-approximation.
//! That something is not in it means something only if the survey is complete. Positions of lists are those of the network: the process, then its location or edge.

use tempora_model::{EdgeId, Id, LocationId, ProcessId, VariableId};
use tempora_source::Origin;

use crate::{RuntimeError, Trace, UnknownReason};

/// What an exploration met.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Survey {
    /// Why not all reachable states were visited; `None` if all were, so that what was not met cannot be.
    pub incomplete: Option<UnknownReason>,
    /// Why more was explored than runs meet; `None` if only that. Then only what was not met is sure: locations, edges, values.
    pub over_approximation: Option<String>,
    /// How many states were stored.
    pub states: u64,
    /// What was met of each process.
    pub processes: Vec<ProcessSurvey>,
    /// The least and the greatest value of each part of each integer variable, over all states that were met.
    pub ranges: Vec<ObservedRange>,
    /// States in which nothing can happen any more, one for each vector of locations.
    pub deadlocks: Vec<DeadlockFact>,
    /// Transitions that would enter a state outside of its invariants.
    pub violations: Vec<ViolationFact>,
    /// Where the model fails.
    pub errors: Vec<ErrorFact>,
    /// Edges between which a process chooses by itself, each pair once; empty if that was not asked.
    pub choices: Vec<ChoiceFact>,
    /// For each process, whether it is stuck in some state for ever; empty if that was not asked.
    pub stuck: Vec<Settled>,
    /// Whether in some state time can never pass by one unit any more.
    pub timelock: Settled,
    /// Whether infinitely many transitions can happen in bounded time.
    pub zeno: Settled,
}

/// What was met of one process.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ProcessSurvey {
    /// Whether some run is in each location.
    pub locations: Vec<bool>,
    /// How far each edge got.
    pub edges: Vec<EdgeSurvey>,
    /// Parts of invariants that never kept time from passing or a transition from happening: the location, and the position in
    /// what [`conjunct_origins`] gives.
    pub idle_invariants: Vec<(LocationId, usize)>,
}

/// What was met of one edge.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EdgeSurvey {
    /// The furthest stage.
    pub stage: EdgeStage,
    /// A run to where it got that far; none for edges that are taken or whose source is not reached.
    pub nearest: Option<Trace>,
    /// For each conjunct of the guard, those without clocks first, which truth values were met; empty if that was not
    /// looked at.
    pub conjuncts: Vec<ConjunctSurvey>,
    /// For each select, the values with which the edge was taken, as far as they are among the first 64.
    pub taken_selects: Vec<Vec<i32>>,
}

/// Which truth values of a condition were met.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ConjunctSurvey {
    /// It was true in some state.
    pub was_true: bool,
    /// It was false in some state.
    pub was_false: bool,
}

/// How far an edge got, in the order in which a transition is worked out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum EdgeStage {
    /// No run is in its source.
    #[default]
    Unreached,
    /// A run is in its source, but the guard without clocks never holds.
    InSource,
    /// The guard without clocks holds somewhere, but that on clocks never at the same time.
    DataHolds,
    /// Its guard holds somewhere, but nobody is there to take part, or others go first.
    GuardHolds,
    /// There are partners, but the guards of all never hold together.
    HasPartners,
    /// All guards hold together, but the updates always fail.
    AllGuardsHold,
    /// The updates succeed, but the target is never within the invariants.
    Updated,
    /// It is taken.
    Taken,
}

/// The values that a part of a variable takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObservedRange {
    /// The variable.
    pub variable: VariableId,
    /// The least and the greatest value over all its parts.
    pub least: i32,
    /// The greatest value over all its parts.
    pub greatest: i32,
}

/// A state in which nothing can happen any more.
#[derive(Clone, PartialEq, Debug)]
pub struct DeadlockFact {
    /// Where each process is.
    pub locations: Vec<LocationId>,
    /// A run there; `None` if its times were not worked out.
    pub trace: Option<Trace>,
}

/// A transition that would enter a state outside of its invariants.
#[derive(Clone, PartialEq, Debug)]
pub struct ViolationFact {
    /// The edges of the transition; empty for an initial state.
    pub edges: Vec<(ProcessId, EdgeId)>,
    /// The location whose invariant it is, if that is known.
    pub location: Option<(ProcessId, LocationId)>,
    /// A run whose last step is the transition; `None` if its times were not worked out.
    pub trace: Option<Trace>,
}

/// Two edges of a process that can be taken from the same state, and synchronise in the same way.
#[derive(Clone, PartialEq, Debug)]
pub struct ChoiceFact {
    /// The process.
    pub process: ProcessId,
    /// The edges; their guards hold together.
    pub edges: [EdgeId; 2],
    /// A run to where they do; `None` if its times were not worked out.
    pub trace: Option<Trace>,
}

/// Where the model fails.
#[derive(Clone, PartialEq, Debug)]
pub struct ErrorFact {
    /// The error.
    pub error: RuntimeError,
    /// A run that ends with it; `None` if it fails before there is a state, or if its times were not worked out.
    pub trace: Option<Trace>,
}

/// The answer to a question that has a search of its own.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Settled {
    /// It was not asked.
    #[default]
    NotAsked,
    /// It cannot be.
    Never,
    /// It can; with a run, if its times were worked out.
    Shown(Option<Trace>),
    /// It is not known, for this reason.
    Open(UnknownReason),
}

impl Survey {
    /// What was met of an edge.
    pub fn edge(&self, process: ProcessId, edge: EdgeId) -> Option<&EdgeSurvey> {
        self.processes.get(process.index())?.edges.get(edge.index())
    }

    /// Whether some run is in a location.
    pub fn reaches(&self, process: ProcessId, location: LocationId) -> bool {
        let facts = self.processes.get(process.index());
        facts.and_then(|facts| facts.locations.get(location.index())).copied().unwrap_or(false)
    }

    /// Whether what was not met cannot be.
    pub fn is_complete(&self) -> bool {
        self.incomplete.is_none()
    }
}

/// Where the conjuncts of a condition are written, those without clocks first, as in [`EdgeSurvey::conjuncts`].
pub fn conjunct_origins(condition: &tempora_model::Condition) -> Vec<Origin> {
    condition.data.iter().chain(&condition.clocks).map(|conjunct| conjunct.origin).collect()
}
