//! Integration tests of `tempora-draw`, linked into a single binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod element_refs;
mod large;
mod properties;
mod quality;
mod snapshots;
mod support;
