//! The facts that an exploration collects for sanity checks.
//!
//! Invariant: every positive fact of a survey belongs to some run of the network, unless the survey is an
//! over-approximation. The absence of a fact means something only if the survey is complete. Lists are indexed as in
//! the network: by process, then by location or edge.

use tempora_model::{EdgeId, Id, LocationId, ProcessId, VariableId};
use tempora_source::Origin;

use crate::{RuntimeError, Trace, UnknownReason};

/// The facts that an exploration collected.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Survey {
    /// Why the exploration stopped before all reachable states were visited; `None` if it is complete, so that absent
    /// facts are impossible.
    pub incomplete: Option<UnknownReason>,
    /// Why states were explored that may be unreachable; `None` if the exploration is exact. Otherwise only absence is
    /// certain: of locations, edges and values.
    pub over_approximation: Option<String>,
    /// The number of stored states.
    pub states: u64,
    /// The facts about each process.
    pub processes: Vec<ProcessSurvey>,
    /// The least and the greatest value of each part of each integer variable, over all states explored.
    pub ranges: Vec<ObservedRange>,
    /// Deadlocks, one for each vector of locations.
    pub deadlocks: Vec<DeadlockFact>,
    /// Transitions whose target violates an invariant.
    pub violations: Vec<ViolationFact>,
    /// Runtime errors of the model.
    pub errors: Vec<ErrorFact>,
    /// Pairs of edges between which a process chooses non-deterministically, each pair once; empty if not requested.
    pub choices: Vec<ChoiceFact>,
    /// For each process, whether it can be stuck for ever; empty if not requested.
    pub stuck: Vec<Settled>,
    /// Whether some reachable state is a timelock: time can never again pass by one unit.
    pub timelock: Settled,
    /// Whether infinitely many transitions can happen in bounded time.
    pub zeno: Settled,
}

/// The facts about one process.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ProcessSurvey {
    /// Whether each location is reachable.
    pub locations: Vec<bool>,
    /// The furthest stage of each edge.
    pub edges: Vec<EdgeSurvey>,
    /// Conjuncts of invariants that never blocked time or a transition: the location, and the position in the list that
    /// [`conjunct_origins`] returns.
    pub idle_invariants: Vec<(LocationId, usize)>,
}

/// The facts about one edge.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EdgeSurvey {
    /// The furthest stage it reached.
    pub stage: EdgeStage,
    /// A run to that stage; `None` for edges that are taken and for those with an unreachable source.
    pub nearest: Option<Trace>,
    /// The truth values observed for each conjunct of the guard, those without clocks first; empty if not requested.
    pub conjuncts: Vec<ConjunctSurvey>,
    /// For each select, the values with which the edge was taken, among the first 64.
    pub taken_selects: Vec<Vec<i32>>,
}

/// The truth values observed for a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ConjunctSurvey {
    /// It was true in some state.
    pub was_true: bool,
    /// It was false in some state.
    pub was_false: bool,
}

/// The stages of an edge on its way to being taken, in the order in which a transition is computed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum EdgeStage {
    /// Its source is unreachable.
    #[default]
    Unreached,
    /// Its source is reachable, but its guard on data never holds there.
    InSource,
    /// Its guard on data holds in some state, but its guard on clocks never holds at the same time.
    DataHolds,
    /// Its guard holds in some state, but no partner is enabled or other transitions have priority.
    GuardHolds,
    /// Partners exist, but the guards of all participants never hold together.
    HasPartners,
    /// All guards hold together, but the updates always fail.
    AllGuardsHold,
    /// The updates succeed, but the target always violates an invariant.
    Updated,
    /// It is taken in some run.
    Taken,
}

/// The range of values observed for a part of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObservedRange {
    /// The variable.
    pub variable: VariableId,
    /// The least and the greatest value over all its parts.
    pub least: i32,
    /// The greatest value over all its parts.
    pub greatest: i32,
}

/// A reachable deadlock.
#[derive(Clone, PartialEq, Debug)]
pub struct DeadlockFact {
    /// The location of each process.
    pub locations: Vec<LocationId>,
    /// A run to it; `None` if no concrete delays were computed.
    pub trace: Option<Trace>,
}

/// A transition whose target violates an invariant.
#[derive(Clone, PartialEq, Debug)]
pub struct ViolationFact {
    /// The edges of the transition; empty for an initial state.
    pub edges: Vec<(ProcessId, EdgeId)>,
    /// The location whose invariant is violated, if known.
    pub location: Option<(ProcessId, LocationId)>,
    /// A run whose last step is the transition; `None` if no concrete delays were computed.
    pub trace: Option<Trace>,
}

/// Two edges of a process that are enabled in the same state and synchronise in the same way.
#[derive(Clone, PartialEq, Debug)]
pub struct ChoiceFact {
    /// The process.
    pub process: ProcessId,
    /// The edges, whose guards hold together.
    pub edges: [EdgeId; 2],
    /// A run to such a state; `None` if no concrete delays were computed.
    pub trace: Option<Trace>,
}

/// A runtime error of the model.
#[derive(Clone, PartialEq, Debug)]
pub struct ErrorFact {
    /// The error.
    pub error: RuntimeError,
    /// A run that ends with it; `None` if the error precedes the initial state, or if no concrete delays were computed.
    pub trace: Option<Trace>,
}

/// The answer to a question that needs a search of its own.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Settled {
    /// Not requested.
    #[default]
    NotAsked,
    /// Impossible in every run.
    Never,
    /// Possible; with a run, if concrete delays were computed.
    Shown(Option<Trace>),
    /// Undecided, for this reason.
    Open(UnknownReason),
}

impl Survey {
    /// Returns the facts about an edge.
    pub fn edge(&self, process: ProcessId, edge: EdgeId) -> Option<&EdgeSurvey> {
        self.processes.get(process.index())?.edges.get(edge.index())
    }

    /// Returns whether a location is reachable.
    pub fn reaches(&self, process: ProcessId, location: LocationId) -> bool {
        let facts = self.processes.get(process.index());
        facts.and_then(|facts| facts.locations.get(location.index())).copied().unwrap_or(false)
    }

    /// Returns whether the survey covers all reachable states.
    pub fn is_complete(&self) -> bool {
        self.incomplete.is_none()
    }
}

/// Returns the origins of the conjuncts of a condition, those without clocks first, as in [`EdgeSurvey::conjuncts`].
pub fn conjunct_origins(condition: &tempora_model::Condition) -> Vec<Origin> {
    condition.data.iter().chain(&condition.clocks).map(|conjunct| conjunct.origin).collect()
}
