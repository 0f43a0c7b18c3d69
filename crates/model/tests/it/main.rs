//! Integration tests of `tempora-model`, linked into a single binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod code_pages;
mod net_round_trip;
