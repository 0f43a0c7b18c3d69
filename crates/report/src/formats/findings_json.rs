//! Findings of sanity checks as JSON.
//!
//! Invariant: the text satisfies `docs/schemas/lint.json`; field names are stable within a version.

use crate::LocatedFindings;
use crate::documents::{FindingsDocument, document_text};

/// Returns all findings about a model as JSON.
pub fn findings(model: &str, located: &LocatedFindings) -> String {
    document_text(&FindingsDocument::new(model, located))
}
