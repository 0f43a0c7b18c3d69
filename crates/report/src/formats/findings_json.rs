//! Findings of sanity checks as JSON, for programs.
//!
//! Invariant: the text satisfies `docs/schemas/lint.json`. One object; field names do not change within a version.

use serde_json::json;

use crate::LocatedFindings;

/// All findings about a model.
pub fn findings(model: &str, located: &LocatedFindings) -> String {
    let object = json!({
        "version": 1,
        "model": model,
        "findings": located.findings,
        "skipped": located.skipped,
        "allowed": located.allowed,
        "exploration": located.exploration,
    });
    format!("{object:#}\n")
}
