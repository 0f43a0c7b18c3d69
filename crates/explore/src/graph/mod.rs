//! The zone graph: states with zones, their successors, and the table in which they are stored.
//!
//! Invariant: every stored zone is exact, closed under delay, and not covered by another of its discrete state.

pub(crate) mod arrivals;
pub(crate) mod bounds;
pub(crate) mod branching_bounds;
pub(crate) mod clocks;
pub(crate) mod diagonals;
pub(crate) mod explorer;
pub(crate) mod insertion;
pub(crate) mod pack;
pub(crate) mod pieces;
pub(crate) mod stopwatches;
pub(crate) mod store;
pub(crate) mod successors;
pub(crate) mod transitions;
pub(crate) mod waiting;
