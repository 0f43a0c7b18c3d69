//! Concrete runs of networks: rational delays and edges.
//!
//! Invariant: a trace names every choice that the semantics leaves open (initial locations, delays, edges, branches,
//! select values), so it denotes at most one run and replaying it needs no search.

use tempora_model::{EdgeId, LocationId, ProcessId};

use crate::{Rational, RuntimeError};

/// A run of a network, from an initial state on.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    /// The initial location of each process.
    pub initial: Vec<LocationId>,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The delay after the last step; zero if the run ends with a transition.
    pub final_delay: Rational,
    /// The property of its end that the run shows.
    pub ending: Ending,
}

/// A delay, then a transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The delay; may be zero.
    pub delay: Rational,
    /// The transition after the delay.
    pub transition: Transition,
}

/// A transition of the system: the edges that are taken together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Transition {
    /// The kind of synchronisation.
    pub kind: TransitionKind,
    /// The participants, in the order of their updates.
    pub participants: Vec<Participation>,
}

/// How the edges of a transition synchronise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TransitionKind {
    /// One edge without synchronisation.
    Internal,
    /// A sender and a receiver.
    Binary,
    /// A sender and all receivers that are enabled, in the order of the system line.
    Broadcast,
    /// The synchronisation vector at this position of [`tempora_model::Network::vectors`].
    Vector(usize),
}

/// The part of one process in a transition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Participation {
    /// The process.
    pub process: ProcessId,
    /// The edge taken.
    pub edge: EdgeId,
    /// The branch of the edge.
    pub branch: usize,
    /// The values of the edge's selects.
    pub select_values: Vec<i32>,
}

/// The property of its end that a run shows.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    /// The last state satisfies the goal.
    Goal,
    /// The last state is a deadlock.
    Deadlock,
    /// Time can pass for ever in the last state.
    DelayForever,
    /// The last state is equivalent to the one before step `start`, so the steps from there can be repeated for ever.
    Lasso {
        /// The position of the first step of the cycle.
        start: usize,
    },
    /// The last step is a move that the other side refuses.
    RefusedMove,
    /// The last step leads to a state that violates an invariant; without steps, the initial state does.
    InvariantViolation,
    /// The last step fails with this error, or the computation of the successors of the last state does.
    RuntimeError(RuntimeError),
}
