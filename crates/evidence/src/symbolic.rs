//! Questions about symbolic systems, and runs of them.
//!
//! Invariant: a run names every choice that the semantics leaves open: the values at the start, the edges, the branches
//! and the values that variables get without an assignment. Replaying it needs no search and no solver.

use std::sync::Arc;

use tempora_smt::Value;
use tempora_transition::{ControlEdgeId, SymbolicSystem};

use crate::{Answer, Budget, Progress, Support};

/// A system whose properties are asked about, all of them.
#[derive(Clone, Debug)]
pub struct SymbolicTask {
    /// The system.
    pub system: Arc<SymbolicSystem>,
}

/// A run of a symbolic system, from an initial state on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolicTrace {
    /// The value of each variable at the start, in their order.
    pub initial: Vec<Value>,
    /// The steps.
    pub steps: Vec<SymbolicStep>,
}

/// One step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolicStep {
    /// The edge that is taken.
    pub edge: ControlEdgeId,
    /// Which branch each choice takes, in the order in which they are met.
    pub branches: Vec<usize>,
    /// The value that each havoc gives, in the order in which they are met.
    pub havocs: Vec<Value>,
}

/// Something that answers questions about symbolic systems.
pub trait SymbolicEngine: Sync {
    /// Its name, as users choose it.
    fn name(&self) -> &'static str;

    /// Which of the properties it can decide.
    fn supports(&self, task: &SymbolicTask) -> Vec<Support>;

    /// Decides all properties; those that it declines with [`crate::UnknownReason::Unsupported`].
    fn run(&self, task: &SymbolicTask, budget: &Budget, progress: &Progress) -> Vec<Answer>;
}
