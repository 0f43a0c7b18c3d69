//! Explicit search over the zone graph of a network: reachability, deadlocks, liveness, extreme values, and runs as
//! evidence.
//!
//! [`ZoneEngine`] answers all symbolic queries and combinations of them. It compiles the network to a machine,
//! determines the constants that each clock may still be compared with, and explores discrete states with exact zones.
//! A state is dropped only if a stored state simulates it and, for branching queries, is bisimilar to it.
//!
//! The crate knows no input language and does not check its own answers: `replay` replays the runs.

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
