//! The subcommands, one file each.
//!
//! Invariant: a command prints through the console only and returns its exit status.

mod abstract_graphs;
mod abstraction;
mod answering;
pub(crate) mod check;
mod component_files;
pub(crate) mod convert;
pub(crate) mod draw;
pub(crate) mod ecdar;
pub(crate) mod explain;
pub(crate) mod inspect;
pub(crate) mod lint;
mod lint_settings;
mod model;
mod symbolic;
mod trace_files;
pub(crate) mod verify_certificate;
pub(crate) mod verifyta;

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum OutputFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
}
