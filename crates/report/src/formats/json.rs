//! Answers as JSON, for programs.
//!
//! Invariant: the texts satisfy `docs/schemas/check.json`, `docs/schemas/trace.json` and `docs/schemas/symbolic-run.json`. One object;
//! field names do not change within a version.

use tempora_evidence::SystemKind;

use super::{RunFormat, RunToWrite};
use crate::LocatedAnswer;
use crate::documents::{AnswersDocument, RunDocument, SymbolicRunRecord, document_text};

/// Runs for programs; the only format that holds every run.
pub(super) static FORMAT: RunFormat = RunFormat {
    name: "json",
    extension: "json",
    summary: "For programs, and for `tempora draw --trace`",
    systems: &[SystemKind::Network, SystemKind::Symbolic],
    write: run,
};

/// All answers about a model.
pub fn answers(model: &str, answers: &[LocatedAnswer]) -> String {
    document_text(&AnswersDocument::new(model, answers))
}

/// The run of an answer. Runs of symbolic systems have their keys in the order of the records.
fn run(written: &RunToWrite<'_>) -> Result<String, String> {
    let RunToWrite { model, answer, run } = *written;
    if let Some(document) = RunDocument::new(model, answer, run) {
        return Ok(document_text(&document));
    }
    let record = SymbolicRunRecord::new(run).ok_or("it is neither of a network nor of a symbolic system")?;
    serde_json::to_string_pretty(&record).map(|text| text + "\n").map_err(|error| error.to_string())
}
