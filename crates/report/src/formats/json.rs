//! Answers as JSON, for programs.
//!
//! Invariant: the texts satisfy `docs/schemas/check.json` and `docs/schemas/trace.json`. One object; field names do not change within a version.

use crate::LocatedAnswer;
use crate::documents::{AnswersDocument, RunDocument, document_text};

/// All answers about a model.
pub fn answers(model: &str, answers: &[LocatedAnswer]) -> String {
    document_text(&AnswersDocument::new(model, answers))
}

/// The run of one answer; `None` if it has none.
pub fn run(model: &str, answer: &LocatedAnswer) -> Option<String> {
    RunDocument::new(model, answer).map(|document| document_text(&document))
}

/// The run of an answer about a symbolic system, with its keys in the order of the records.
pub fn symbolic_run(answer: &LocatedAnswer) -> Option<String> {
    serde_json::to_string_pretty(&answer.evidence.run).ok().map(|text| text + "\n")
}
