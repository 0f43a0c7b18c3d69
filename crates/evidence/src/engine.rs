//! What is asked of an engine, and the one interface of all of them.
//!
//! Invariant: `supports` and `run` give one result for each query of the task, in their order.

use std::sync::Arc;

use tempora_model::{Network, Query};

use crate::{Answer, Budget, Progress};

/// A network and the questions about it; questions that can share an exploration do.
#[derive(Clone, PartialEq, Debug)]
pub struct Task {
    /// The network.
    pub network: Arc<Network>,
    /// The questions, with predicates over this network.
    pub queries: Vec<Query>,
}

/// Whether an engine can answer a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Support {
    /// It answers, if the budget suffices.
    Decides,
    /// It may answer "unknown" however large the budget; this is why.
    MayDecide(String),
    /// It does not try; this is why.
    Declines(String),
}

/// Something that answers questions about networks.
///
/// Called once per task: whatever is hot happens inside of `run`.
pub trait Engine: Sync {
    /// Its name, as users choose it.
    fn name(&self) -> &'static str;

    /// Whether it asks a solver, which may take long, or may not be there.
    fn needs_solver(&self) -> bool {
        false
    }

    /// Which of the questions it can answer.
    fn supports(&self, task: &Task) -> Vec<Support>;

    /// Answers all questions; those that it declines with [`crate::UnknownReason::Unsupported`].
    fn run(&self, task: &Task, budget: &Budget, progress: &Progress) -> Vec<Answer>;
}
