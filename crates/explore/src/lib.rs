//! Search over the zone graph of a network: which states can be reached, what whole runs do, and runs that show it.
//!
//! [`ZoneEngine`] answers all symbolic queries and combinations of them. It compiles the network to a machine, works out
//! which constants each clock may still be compared with, and explores discrete states with exact zones; a state is
//! dropped only if a stored one can do all that it can, and, where the question is about branching, no more than it can.
//!
//! The crate knows no language and does not check its own answers: runs are replayed by others.

mod graph;
mod liveness;
mod runs;
mod search;
mod survey;
mod values;

pub use graph::branching_bounds::BranchingBounds;
pub use graph::waiting::SearchOrder;
pub use liveness::branching::ZenoRuns;
pub use runs::follow::{FollowFailure, run_along};
pub use search::certificate::{certificate, certificate_on_a_part, exact_certificate, stored_value};
pub use search::engine::{RunPreference, ZoneEngine, runtime_error};
pub use search::localise::LocalEngine;
pub use survey::exploration::{SurveyOptions, exploration_without_observer, survey};
pub use survey::surveyor::Until as SurveyUntil;
