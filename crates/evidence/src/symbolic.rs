//! Runs of symbolic systems.
//!
//! Invariant: a run names every choice that the semantics leaves open: the initial values, the edges, the branches and
//! the values of havocs. Replaying it needs no search and no solver.

use tempora_smt::Value;
use tempora_transition::ControlEdgeId;

/// A run of a symbolic system, from an initial state on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolicTrace {
    /// The initial value of each variable, in declaration order.
    pub initial: Vec<Value>,
    /// The steps.
    pub steps: Vec<SymbolicStep>,
}

/// One step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolicStep {
    /// The edge taken.
    pub edge: ControlEdgeId,
    /// The branch taken at each choice, in execution order.
    pub branches: Vec<usize>,
    /// The value of each havoc, in execution order.
    pub havocs: Vec<Value>,
}
