//! Findings of sanity checks (`docs/schemas/lint.json`).

use serde::Serialize;

use super::{DiagnosticRecord, DocumentVersion, TraceRecord};
use crate::findings::{Exploration, LocatedFinding, LocatedFindings, SkippedCheck};
use crate::words::CertaintyWord;

/// Findings of `tempora lint --output json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FindingsDocument<'finding> {
    version: DocumentVersion,
    /// The model, as named on the command line.
    model: &'finding str,
    /// The findings, in the order of the text.
    findings: Vec<FindingRecord<'finding>>,
    /// Selected checks that were not run or are undecided.
    skipped: &'finding [SkippedCheck],
    /// The number of findings that comments in the model allow.
    allowed: usize,
    /// The exploration; null if there was none.
    exploration: Option<&'finding Exploration>,
}

/// One finding.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FindingRecord<'finding> {
    #[serde(flatten)]
    record: &'finding DiagnosticRecord,
    /// The certainty of the finding.
    certainty: CertaintyWord,
    /// The number of explored states, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    /// A run that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<TraceRecord<'finding>>,
}

impl<'finding> FindingsDocument<'finding> {
    /// Returns the document with all findings about a model.
    pub fn new(model: &'finding str, located: &'finding LocatedFindings) -> FindingsDocument<'finding> {
        FindingsDocument {
            version: DocumentVersion,
            model,
            findings: located.findings.iter().map(FindingRecord::new).collect(),
            skipped: &located.skipped,
            allowed: located.allowed,
            exploration: located.exploration.as_ref(),
        }
    }
}

impl<'finding> FindingRecord<'finding> {
    /// Returns the record of a finding.
    pub(crate) fn new(finding: &'finding LocatedFinding) -> FindingRecord<'finding> {
        FindingRecord {
            record: &finding.record,
            certainty: finding.certainty,
            states: finding.states,
            trace: finding.run.as_ref().and_then(TraceRecord::new),
        }
    }
}
