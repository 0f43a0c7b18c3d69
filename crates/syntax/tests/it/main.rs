//! Integration tests of `tempora-syntax`, linked into a single binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod cases;
mod code_pages;
mod corpus;
mod guide;
mod properties;
mod reading;
