//! Sanity checks of networks: what is probably not meant, before any verdict is trusted.
//!
//! A [`Check`] is a function of a [`Subject`]: what was written, what it means, and a survey of one exploration, if there is
//! one. Each is a file in `checks/`, with its manual page, and a line in [`ALL`]. [`run`] runs those that are selected.
//!
//! The crate knows no engine, no file on disk and no output format.

mod allowed;
mod check;
mod checks;
mod deadlocks;
mod finding;
mod names;
mod run;
mod subject;
mod wording;
mod written;

pub use check::{Check, Need};
pub use checks::{ALL, CODES, check_named};
pub use finding::{Certainty, Element, Finding, Mark};
pub use run::{Report, Selection, Skipped, UnknownCheck, run};
pub use subject::Subject;
