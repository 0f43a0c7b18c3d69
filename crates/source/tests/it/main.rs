//! Integration tests of `tempora-source`, linked into a single binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod cases;
mod code_pages;
mod files;
mod properties;
mod rendering;
