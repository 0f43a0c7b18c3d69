//! Integration tests of `tempora-workbench`, linked into a single binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod agreement;
mod assurance;
mod best_runs;
mod boxes;
mod cases;
mod conversion;
mod documents;
mod ecdar_writers;
mod examples;
mod hostile;
mod jobs;
mod languages;
mod shared_models;
mod shown_runs;
mod stopwatches;
mod support;
mod survey_agreement;
mod symbolic_networks;
mod tchecker_verdicts;
mod workspaces;
mod write_steps;
