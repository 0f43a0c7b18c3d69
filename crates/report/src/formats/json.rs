//! Answers as JSON, for programs.
//!
//! Invariant: the text satisfies `docs/schemas/check.json`. One object; field names do not change within a version.

use serde_json::json;

use crate::LocatedAnswer;

/// All answers about a model.
pub fn answers(model: &str, answers: &[LocatedAnswer]) -> String {
    format!("{:#}\n", json!({ "version": 1, "model": model, "results": answers }))
}
