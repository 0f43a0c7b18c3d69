//! Answers as JSON, for programs.
//!
//! Invariant: the texts satisfy `docs/schemas/check.json`, `docs/schemas/trace.json` and `docs/schemas/symbolic-run.json`. One object;
//! field names do not change within a version.

use crate::documents::{AnswersDocument, RunDocument, SymbolicRunRecord, document_text};
use crate::{LocatedAnswer, ShownRun};

/// All answers about a model.
pub fn answers(model: &str, answers: &[LocatedAnswer]) -> String {
    document_text(&AnswersDocument::new(model, answers))
}

/// The run of an answer. Runs of symbolic systems have their keys in the order of the records.
pub fn run(model: &str, answer: &LocatedAnswer, run: &ShownRun) -> Result<String, String> {
    if let Some(document) = RunDocument::new(model, answer, run) {
        return Ok(document_text(&document));
    }
    let record = SymbolicRunRecord::new(run).ok_or("it is neither of a network nor of a symbolic system")?;
    serde_json::to_string_pretty(&record).map(|text| text + "\n").map_err(|error| error.to_string())
}
