//! Integration tests of `tempora-certify`, linked into a single binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod derivations;
mod invariants;
mod obligations;
mod parts;
mod random_networks;
mod refinements;
mod refusals;
mod runs;
#[path = "../../../games/tests/it/support/mod.rs"]
#[allow(dead_code, reason = "the tests of games use more of it")]
mod support;
