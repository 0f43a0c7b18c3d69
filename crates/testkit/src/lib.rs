//! Tests as data: documents with cases, a runner that compares and rewrites expectations, and the files of the workspace.
//!
//! The crate does not depend on a language or an engine: a test provides the function that computes an expectation.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot run should panic")]

mod codes;
mod difference;
mod document;
mod files;
mod runner;
mod skipped;

pub use codes::declared_codes;
pub use difference::difference;
pub use document::{Block, DocumentFault, Section, blocks_of, cases_of};
pub use files::{files_below, workspace};
pub use runner::{DocumentResult, Expectation, compare, run_folder, run_sections};
pub use skipped::report_skipped;
