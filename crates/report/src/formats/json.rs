//! Answers as JSON.
//!
//! Invariant: the texts satisfy `docs/schemas/check.json`, `docs/schemas/trace.json` and
//! `docs/schemas/symbolic-run.json`; field names are stable within a version.

use tempora_evidence::SystemKind;

use super::{RunFormat, RunToWrite};
use crate::LocatedAnswer;
use crate::documents::{AnswersDocument, RunDocument, SymbolicRunRecord, document_text};

/// The format JSON, the only one that supports every run.
pub(super) static FORMAT: RunFormat = RunFormat {
    name: "json",
    extension: "json",
    summary: "JSON, which `tempora draw --trace` reads",
    systems: &[SystemKind::Network, SystemKind::Symbolic],
    write: run,
};

/// Returns all answers about a model as JSON.
pub fn answers(model: &str, answers: &[LocatedAnswer]) -> String {
    document_text(&AnswersDocument::new(model, answers))
}

/// Returns the run of an answer as JSON. Runs of symbolic systems have their keys in the order of declaration.
fn run(written: &RunToWrite<'_>) -> Result<String, String> {
    let RunToWrite { model, answer, run } = *written;
    if let Some(document) = RunDocument::new(model, answer, run) {
        return Ok(document_text(&document));
    }
    let record =
        SymbolicRunRecord::new(run).ok_or("it is neither a run of a network nor of a symbolic system")?;
    serde_json::to_string_pretty(&record).map(|text| text + "\n").map_err(|error| error.to_string())
}
