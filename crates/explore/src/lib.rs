//! Search over the zone graph of a network: which states can be reached, what whole runs do, and runs that show it.
//!
//! [`ZoneEngine`] answers all symbolic queries and combinations of them. It compiles the network to a machine, works out
//! which constants each clock may still be compared with, and explores discrete states with exact zones; a state is
//! dropped only if a stored one can do all that it can, and, where the question is about branching, no more than it can.
//!
//! The crate knows no language and does not check its own answers: runs are replayed by others.

mod arrivals;
mod bounded_time;
mod bounds;
mod branching;
mod branching_bounds;
mod certificate;
mod choices;
mod clocks;
mod components;
mod cycles;
mod deadlock;
mod diagonals;
mod ends;
mod engine;
mod explorer;
mod extrema;
mod fastest;
mod follow;
mod goals;
mod hidden;
mod lasso;
mod linear;
mod liveness;
mod localise;
mod nested;
mod observer;
mod pack;
mod paths;
mod pieces;
mod placing;
mod restricted;
mod stay;
mod stopwatches;
mod store;
mod stuck;
mod successors;
mod support;
mod survey;
mod surveying;
mod surveyor;
mod taking;
mod trace;
mod waiting;
mod watched;

pub use branching::ZenoRuns;
pub use branching_bounds::BranchingBounds;
pub use certificate::{certificate, certificate_on_a_part, exact_certificate, stored_value};
pub use engine::{RunPreference, ZoneEngine, runtime_error};
pub use follow::{FollowFailure, run_along};
pub use localise::LocalEngine;
pub use survey::{SurveyOptions, exploration_without_observer, survey};
pub use surveyor::Until as SurveyUntil;
pub use waiting::SearchOrder;
