//! The JSON documents of all commands, as serialisable types.
//!
//! Invariant: each document satisfies its schema in `docs/schemas/`; keys are sorted and stable within a version.

mod abstract_graph;
mod answers;
mod certificate;
mod certificate_checks;
mod code_pages;
mod diagnostic;
mod errors;
mod findings;
mod inspection;
mod invariants;
mod relation;
mod runs;
pub(crate) mod sarif;
mod version;

pub use abstract_graph::{AbstractGraphDocument, AbstractNodeRecord};
pub use answers::{AnswerRecord, AnswersDocument, EvidenceRecord, RunDocument};
pub(crate) use certificate::{BoundRecord, LeavesRecord, NodeRecord, PartRecord, ValueRecord};
pub use certificate_checks::{CertificateCheck, CertificateChecksDocument, CertificateVerdict};
pub use code_pages::{CodeListDocument, CodePageDocument, CodeSummary};
pub use diagnostic::{DiagnosticRecord, LabelRecord};
pub use errors::ErrorsDocument;
pub use findings::{FindingRecord, FindingsDocument};
pub use inspection::{
    ChannelRecord, InspectionDocument, ProcessRecord, QueryRecord, TemplateRecord, VariableRecord,
};
pub(crate) use invariants::LocationInvariantRecord;
pub use relation::{RelationMove, RelationPair};
pub use runs::{
    ChangeRecord, ErrorRecord, MoveRecord, SourcePlace, StateRecord, StepRecord, SymbolicRunRecord,
    SymbolicStepRecord, TraceRecord,
};
pub use version::DocumentVersion;

use serde::Serialize;

/// Returns a document as text.
pub fn document_text(document: &impl Serialize) -> String {
    format!("{:#}\n", sorted_value(document))
}

/// Returns a record as a JSON value with sorted keys.
pub(crate) fn sorted_value(record: &impl Serialize) -> serde_json::Value {
    // A JSON value sorts its keys. Serialising fails only for keys that are not strings, which these records do not
    // have.
    serde_json::to_value(record).unwrap_or_default()
}

/// Returns a record on one line, with keys in the order of declaration.
pub(crate) fn record_line(record: &impl Serialize) -> String {
    // Serialising does not fail, as above.
    serde_json::to_string(record).unwrap_or_default()
}
