//! Answers as JSON, for programs.
//!
//! Invariant: the texts satisfy `docs/schemas/check.json` and `docs/schemas/trace.json`. One object; field names do not change within a version.

use serde_json::json;

use crate::LocatedAnswer;

/// All answers about a model.
pub fn answers(model: &str, answers: &[LocatedAnswer]) -> String {
    format!("{:#}\n", json!({ "version": 1, "model": model, "results": answers }))
}

/// The run of one answer; `None` if it has none.
pub fn run(model: &str, answer: &LocatedAnswer) -> Option<String> {
    let trace = answer.evidence.trace.as_ref()?;
    let (query, verdict) = (&answer.query, answer.verdict);
    let file = json!({ "version": 1, "model": model, "query": query, "verdict": verdict, "trace": trace });
    Some(format!("{file:#}\n"))
}

/// The run of an answer about a symbolic system, with its keys in the order of the records.
pub fn symbolic_run(answer: &LocatedAnswer) -> Option<String> {
    serde_json::to_string_pretty(&answer.evidence.run).ok().map(|text| text + "\n")
}
