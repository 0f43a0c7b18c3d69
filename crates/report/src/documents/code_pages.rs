//! The manual pages of codes (`docs/schemas/explain.json`).

use serde::Serialize;
use tempora_source::Code;

use super::DocumentVersion;

/// All codes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CodeListDocument {
    version: DocumentVersion,
    /// All codes, by name.
    #[cfg_attr(test, schemars(length(min = 1)))]
    codes: Vec<CodeSummary>,
}

/// A code in the list of all codes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CodeSummary {
    code: &'static str,
    summary: &'static str,
}

/// One code with its page.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CodePageDocument {
    version: DocumentVersion,
    code: &'static str,
    summary: &'static str,
    /// The page, as Markdown.
    page: String,
}

impl CodeListDocument {
    /// Returns the document with a list of codes.
    pub fn new(codes: &[&'static Code]) -> CodeListDocument {
        let codes = codes.iter().map(|code| CodeSummary { code: code.name(), summary: code.summary() });
        CodeListDocument { version: DocumentVersion, codes: codes.collect() }
    }
}

impl CodePageDocument {
    /// Returns the document with the page of a code.
    pub fn new(code: &'static Code) -> CodePageDocument {
        let (name, summary) = (code.name(), code.summary());
        CodePageDocument { version: DocumentVersion, code: name, summary, page: code.page() }
    }
}
