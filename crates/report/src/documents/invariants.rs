//! Records of a file with inductive invariants (`docs/schemas/invariants.json`).
//!
//! Invariant: fields are declared in alphabetical order, because a location is written in the order of its fields and
//! keys in documents are sorted.

use serde::Serialize;

/// The invariant at a control location.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LocationInvariantRecord<'text> {
    /// A formula in the language `.sym`.
    pub(crate) formula: &'text str,
    /// The name of the control location.
    pub(crate) location: &'text str,
}
