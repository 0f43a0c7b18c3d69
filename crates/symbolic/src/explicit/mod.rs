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

use std::time::Instant;

use tempora_evidence::{
    Answer, Budget, Phase, Progress, Support, SymbolicEngine, SymbolicTask, UnknownReason,
};

use crate::answers::{Finding, answer};

/// Search over explicit states.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExplicitEngine {
    /// Give up when so many states are stored, even if the budget allows more.
    pub most_states: Option<u64>,
}

impl SymbolicEngine for ExplicitEngine {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn supports(&self, task: &SymbolicTask) -> Vec<Support> {
        let why = "a variable may have values that cannot be listed";
        vec![Support::MayDecide(why.to_owned()); task.system.properties.len()]
    }

    fn run(&self, task: &SymbolicTask, budget: &Budget, progress: &Progress) -> Vec<Answer> {
        progress.enter(Phase::Exploring);
        let answers = (0..task.system.properties.len())
            .map(|property| {
                let start = Instant::now();
                let finding = search::search(&task.system, property, self.most_states, budget, progress)
                    .unwrap_or_else(|stop| Finding::Unknown(reason(stop)));
                answer(self.name(), finding, progress, start.elapsed())
            })
            .collect();
        progress.enter(Phase::Finished);
        answers
    }
}

/// Why nothing is known after a stop.
pub(crate) fn reason(stop: Stop) -> UnknownReason {
    match stop {
        Stop::Exhausted(exhausted) => exhausted.into(),
        Stop::Open(why) => UnknownReason::Unsupported(why),
    }
}
