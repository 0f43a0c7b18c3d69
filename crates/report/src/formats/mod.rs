//! The formats, one file each.
//!
//! Invariant: a format for people reads a [`crate::LocatedAnswer`] and nothing else, so that all formats say the same. One for
//! other programs may need the numbers of the model, and then reads the network and the run.

pub mod certificate_checks;
pub mod findings_html;
pub mod findings_json;
pub mod findings_text;
pub mod inspection;
pub mod json;
pub mod sarif;
pub mod sequence;
pub mod states;
pub mod text;
pub mod verifyta;
pub mod xtr;
