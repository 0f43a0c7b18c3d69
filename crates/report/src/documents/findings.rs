//! Findings of sanity checks (`docs/schemas/lint.json`).

use serde::Serialize;

use super::DocumentVersion;
use crate::{Exploration, LocatedFinding, LocatedFindings, SkippedCheck};

/// Findings of `tempora lint --output json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FindingsDocument<'finding> {
    version: DocumentVersion,
    /// The model, as it was named on the command line.
    model: &'finding str,
    /// The findings, in the order of the text.
    findings: &'finding [LocatedFinding],
    /// Checks that were asked for and not run, or whose answer is open.
    skipped: &'finding [SkippedCheck],
    /// How many findings the text of the model allows.
    allowed: usize,
    /// What was explored; null if nothing was.
    exploration: Option<&'finding Exploration>,
}

impl<'finding> FindingsDocument<'finding> {
    /// All findings about a model.
    pub fn new(model: &'finding str, located: &'finding LocatedFindings) -> FindingsDocument<'finding> {
        FindingsDocument {
            version: DocumentVersion,
            model,
            findings: &located.findings,
            skipped: &located.skipped,
            allowed: located.allowed,
            exploration: located.exploration.as_ref(),
        }
    }
}
