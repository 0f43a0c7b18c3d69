//! Explicit-state search, without a solver.
//!
//! A state assigns each variable a value, or leaves it open. A variable stays open until an assumption or an assignment
//! depends on it; then the search considers each of its values, if they can be enumerated. Nothing is approximated: if
//! values cannot be enumerated, the engine gives up with a reason.
//!
//! Invariant: a verdict requires an exact search.

mod evaluate;
mod execute;
mod range;
mod search;
mod trace;

pub(crate) use evaluate::PartialState;
pub(crate) use execute::{ExecutionAbort, Executor};
pub(crate) use search::search_keeping;

use tempora_evidence::{Budget, Engine, Prepared, Progress, Support, Task, UnknownReason};
use tempora_transition::{SafetyProperty, SymbolicSystem};

use crate::answers::PropertyResult;
use crate::properties::{self, PropertyEngine};

/// The explicit-state engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExplicitEngine {
    /// The limit on stored states, even if the budget allows more.
    pub most_states: Option<u64>,
}

impl Engine for ExplicitEngine {
    fn name(&self) -> &'static str {
        self.engine_name()
    }

    fn prepare<'task>(&'task self, task: &'task Task) -> Prepared<'task> {
        properties::prepare(self, task)
    }
}

impl PropertyEngine for ExplicitEngine {
    fn engine_name(&self) -> &'static str {
        "explicit"
    }

    fn support(&self) -> Support {
        Support::MayDecide("a variable may have values that cannot be enumerated".to_owned())
    }

    /// Returns the values of the clocks of a network cannot be enumerated.
    fn takes_networks(&self) -> bool {
        false
    }

    fn decide(
        &self,
        system: &SymbolicSystem,
        claim: &SafetyProperty,
        budget: &Budget,
        progress: &Progress,
    ) -> Result<PropertyResult, UnknownReason> {
        search::search(system, claim, self.most_states, budget, progress).map_err(reason)
    }
}

/// Converts a stop to the reason for an unknown verdict.
pub(crate) fn reason(stop: ExecutionAbort) -> UnknownReason {
    match stop {
        ExecutionAbort::Exhausted(exhausted) => exhausted.into(),
        ExecutionAbort::Open(why) => UnknownReason::Unsupported(why),
    }
}
