//! Sanity checks of networks, which report likely mistakes in a model.
//!
//! A [`Check`] is a function of a [`Subject`]: the syntax tree, the network and, if available, the survey of one
//! exploration. Each check is a file in `checks/`, with its manual page, and a line in [`ALL`]. [`run`] runs the
//! selected checks.
//!
//! The crate knows no engine, no file on disk and no output format.

mod allowed;
mod blocks;
mod check;
mod checks;
mod deadlocks;
mod finding;
mod names;
mod run;
mod subject;
mod wording;

pub use check::{Check, Need};
pub use checks::{ALL, CODES, check_named};
pub use finding::{Certainty, Element, Finding, Mark};
pub use run::{Report, Selection, Skipped, UnknownCheck, run};
pub use subject::Subject;
