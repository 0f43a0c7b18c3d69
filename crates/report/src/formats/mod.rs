//! The formats, one file each.
//!
//! Invariant: a format reads a [`crate::LocatedAnswer`] and nothing else, so that all formats say the same.

pub mod json;
pub mod text;
