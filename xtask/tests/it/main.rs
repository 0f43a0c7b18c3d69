//! Integration tests of `xtask`, linked into a single binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod guide;
mod mutants;
mod readme;
mod record;
mod tidy;
mod tree;
