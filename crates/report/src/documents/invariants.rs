//! The parts of a file of inductive invariants (`docs/schemas/invariants.json`).
//!
//! Invariant: fields are declared in the order of their names, because a location is written in the order of its fields and all keys
//! in documents are sorted.

use serde::Serialize;

/// What holds whenever a run is at a control location.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LocationInvariantRecord<'text> {
    /// A formula of the text form `.sym`.
    pub(crate) formula: &'text str,
    /// The name of the control location.
    pub(crate) location: &'text str,
}
