//! Integration tests of `tempora-frontends`, linked into a single binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod code_pages;
mod corpus;
mod languages;
mod symbolic;
mod symbolic_symbols;
mod symbols;
mod tck_limits;
