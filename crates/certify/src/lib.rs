//! An independent checker of certificates: sets of states that contain the initial ones, that no run leaves, and in which
//! nothing is bad.
//!
//! It is written to be believed, not to be fast. It has its own zones, which are plain matrices, and its own way to put
//! edges together; what expressions mean it asks the reference interpreter. No bounds of clocks and no simulation enter
//! the argument: a successor is covered if all its clock values are among those of a node. [`verify`] checks a
//! certificate, and [`certify`] makes a checked answer of one that was accepted.
//!
//! The crate does not know the zones of the engines, the machine, any engine, or the form of files.

mod checker;
mod delay;
mod formula;
mod nodes;
mod refusal;
mod transitions;
mod zone;

pub use checker::{Accepted, certify, verify};
pub use refusal::{Reason, Refusal};
