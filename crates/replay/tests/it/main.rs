//! Integration tests of `tempora-replay`, linked into a single binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod common;
mod delays;
mod expressions;
mod properties;
mod shown;
mod symbolic;
mod traces;
mod transitions;
