//! Search over the zone graph of a network: which states can be reached, and runs that lead there.
//!
//! [`ZoneEngine`] answers `E<> p`, `A[] p` and combinations of them. It compiles the network to a machine, works out
//! which constants each clock may still be compared with, and explores discrete states with exact zones; a state is
//! dropped only if a stored one can do all that it can.
//!
//! The crate knows no language and does not check its own answers: runs are replayed by others.

mod bounds;
mod clocks;
mod diagonals;
mod engine;
mod explorer;
mod fastest;
mod follow;
mod goals;
mod localise;
mod pack;
mod pieces;
mod store;
mod successors;
mod support;
mod trace;
mod waiting;

pub use engine::{RunPreference, ZoneEngine};
pub use follow::{FollowFailure, run_along};
pub use localise::LocalEngine;
pub use waiting::SearchOrder;
