//! Runs of symbolic systems.
//!
//! Invariant: a run names every choice that the semantics leaves open: the values at the start, the edges, the branches
//! and the values that variables get without an assignment. Replaying it needs no search and no solver.

use tempora_smt::Value;
use tempora_transition::ControlEdgeId;

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
