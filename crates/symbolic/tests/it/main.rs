//! Integration tests of `tempora-symbolic`, linked into a single binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod agreement;
mod components;
mod languages;
mod support;
mod sym_models;
mod systems;
mod writers;
