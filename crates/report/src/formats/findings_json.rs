//! Findings of sanity checks as JSON, for programs.
//!
//! Invariant: the text satisfies `docs/schemas/lint.json`. One object; field names do not change within a version.

use crate::LocatedFindings;
use crate::documents::{FindingsDocument, document_text};

/// All findings about a model.
pub fn findings(model: &str, located: &LocatedFindings) -> String {
    document_text(&FindingsDocument::new(model, located))
}
