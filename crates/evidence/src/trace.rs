//! Concrete runs: rational delays and chosen edges, nothing symbolic.
//!
//! Invariant: a trace names every choice that the semantics leaves open (initial locations, delays, edges, branches,
//! select values), so that it stands for exactly one run or for none; replaying it needs no search.

use tempora_model::{EdgeId, LocationId, ProcessId};

use crate::{Rational, RuntimeError};

/// A run of a network, from an initial state on.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    /// The location in which each process starts.
    pub initial: Vec<LocationId>,
    /// The steps, one after the other.
    pub steps: Vec<Step>,
    /// A last delay after all steps; zero if the run ends with a transition.
    pub final_delay: Rational,
    /// What the run shows at its end.
    pub ending: Ending,
}

/// A delay, then a transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// How much time passes first; may be zero.
    pub delay: Rational,
    /// What happens then.
    pub transition: Transition,
}

/// Edges that are taken together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Transition {
    /// How they come together.
    pub kind: TransitionKind,
    /// Who takes part, in the order of the updates.
    pub participants: Vec<Participation>,
}

/// How edges come together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TransitionKind {
    /// One edge alone.
    Internal,
    /// A sender and a receiver.
    Binary,
    /// A sender and all receivers that can, in the order of the system line.
    Broadcast,
    /// The synchronisation vector at this position of [`tempora_model::Network::vectors`].
    Vector(usize),
}

/// What one process does in a transition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Participation {
    /// The process.
    pub process: ProcessId,
    /// The edge that it takes.
    pub edge: EdgeId,
    /// Which branch of the edge.
    pub branch: usize,
    /// The values of the edge's selects.
    pub select_values: Vec<i32>,
}

/// What a run shows at its end.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    /// The last state satisfies the predicate that was searched for.
    Goal,
    /// No action is possible in the last state, nor after any delay that it allows.
    Deadlock,
    /// Time may pass for ever in the last state.
    DelayForever,
    /// The last state allows the same as the one before step `start`, so the steps from there can be repeated.
    Lasso {
        /// The position of the first step of the cycle.
        start: usize,
    },
    /// The last step is a move that another side cannot follow.
    RefusedMove,
    /// The last step leads to a state in which an invariant does not hold; without steps, the initial state is one.
    InvariantViolation,
    /// The last step fails with this error; or all steps succeed, and looking for what is possible in the last
    /// state does.
    RuntimeError(RuntimeError),
}
