//! Integration tests of `tempora-games`, linked into a single binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod built_networks;
mod components;
mod environment_strategies;
mod examples;
mod inconsistent;
mod known;
mod laws;
mod oracle;
mod replayed;
mod support;
mod written_components;
