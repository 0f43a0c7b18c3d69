//! The subcommands, one file each.
//!
//! Invariant: a command prints only through the console, and returns its exit status.

pub(crate) mod check;
mod check_arguments;
pub(crate) mod convert;
pub(crate) mod draw;
pub(crate) mod ecdar;
mod engine_arguments;
pub(crate) mod explain;
pub(crate) mod inspect;
mod job_runner;
pub(crate) mod lint;
mod model;
mod progress_line;
pub(crate) mod verify_certificate;
pub(crate) mod verifyta;

/// The output format of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum OutputFormat {
    /// Plain text.
    Text,
    /// JSON.
    Json,
}
