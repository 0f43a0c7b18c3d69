//! Search over explicit states, without a solver.
//!
//! A state says of each variable its value, or that it may have any. A variable stays open until an assumption or an
//! assignment depends on it; then there is one case for each of its values, if they can be listed. Nothing is
//! approximated: where values cannot be listed, the engine gives up and says so.
//!
//! Invariant: a verdict is given only after a search that was exact.

mod evaluate;
mod execute;
mod range;
mod search;
mod trace;

pub(crate) use evaluate::PartialState;
pub(crate) use execute::{Executor, Stop};
pub(crate) use search::search_keeping;

use tempora_evidence::{Budget, Engine, Prepared, Progress, Support, Task, UnknownReason};
use tempora_transition::{SafetyProperty, SymbolicSystem};

use crate::answers::Finding;
use crate::properties::{self, PropertyEngine};

/// Search over explicit states.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExplicitEngine {
    /// Give up when so many states are stored, even if the budget allows more.
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
        Support::MayDecide("a variable may have values that cannot be listed".to_owned())
    }

    /// The clocks of a network have values that cannot be listed.
    fn takes_networks(&self) -> bool {
        false
    }

    fn decide(
        &self,
        system: &SymbolicSystem,
        claim: &SafetyProperty,
        budget: &Budget,
        progress: &Progress,
    ) -> Result<Finding, UnknownReason> {
        search::search(system, claim, self.most_states, budget, progress).map_err(reason)
    }
}

/// Why nothing is known after a stop.
pub(crate) fn reason(stop: Stop) -> UnknownReason {
    match stop {
        Stop::Exhausted(exhausted) => exhausted.into(),
        Stop::Open(why) => UnknownReason::Unsupported(why),
    }
}
