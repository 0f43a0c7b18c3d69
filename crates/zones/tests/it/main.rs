//! Integration tests of `tempora-zones`, linked into a single binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod compact;
mod covering;
mod federations;
mod large_dimensions;
mod operations;
mod oracle;
mod overflow;
mod sequences;
