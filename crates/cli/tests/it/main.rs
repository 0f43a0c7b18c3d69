//! Integration tests of `tempora-cli`, linked into a single binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod budgets;
mod certificates;
mod check;
mod convert;
mod draw;
mod ecdar;
mod explain;
mod guide;
mod hostile_inputs;
mod input_files;
mod itf;
mod lint;
mod lint_page;
mod outputs;
mod processes;
mod queries_beside;
mod schemas;
mod support;
mod symbolic;
mod trace_files;
mod verifyta;
