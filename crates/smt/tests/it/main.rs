//! Integration tests of `tempora-smt`, linked into a single binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod floats;
mod solvers;
mod support;
mod terms;
