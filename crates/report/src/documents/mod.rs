//! The JSON documents of commands whose results are no answers: typed records, whose form is derived.
//!
//! Invariant: each satisfies its schema in `docs/schemas/`; keys are sorted, and do not change within a version.

mod abstract_graph;
mod certificate_checks;
mod code_pages;
mod diagnostic;
mod errors;
mod inspection;
mod relation;

pub use abstract_graph::{AbstractGraphDocument, AbstractNodeRecord};
pub use certificate_checks::{CertificateCheck, CertificateChecksDocument, CertificateVerdict};
pub use code_pages::{CodeListDocument, CodePageDocument, CodeSummary};
pub use diagnostic::{DiagnosticRecord, LabelRecord};
pub use errors::ErrorsDocument;
pub use inspection::{
    ChannelRecord, InspectionDocument, ProcessRecord, QueryRecord, TemplateRecord, VariableRecord,
};
pub use relation::{RelationMove, RelationPair};

use serde::Serialize;

/// The version of all documents.
pub const VERSION: u32 = 1;

/// A document as text.
pub fn document_text(document: &impl Serialize) -> String {
    // A value sorts its keys, and these documents have only texts for keys.
    let value = serde_json::to_value(document).unwrap_or_default();
    format!("{value:#}\n")
}
