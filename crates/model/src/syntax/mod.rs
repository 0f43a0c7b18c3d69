//! The written form of UPPAAL-like languages: tokens, trees with spans, the parser, the printer.
//!
//! Invariant: nothing here resolves names or knows types, and every text gives a tree, however wrong the text is.

pub mod ast;

/// No tree is higher than this, so that recursion over trees is safe.
pub const HEIGHT_LIMIT: u32 = 1000;
