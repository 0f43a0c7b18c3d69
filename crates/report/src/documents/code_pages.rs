//! The manual pages of codes (`docs/schemas/explain.json`).

use serde::Serialize;
use tempora_source::Code;

use super::VERSION;

/// All codes.
#[derive(Clone, Debug, Serialize)]
pub struct CodeListDocument {
    version: u32,
    codes: Vec<CodeSummary>,
}

/// A code in the list of all.
#[derive(Clone, Debug, Serialize)]
pub struct CodeSummary {
    code: &'static str,
    summary: &'static str,
}

/// One code with its page.
#[derive(Clone, Debug, Serialize)]
pub struct CodePageDocument {
    version: u32,
    code: &'static str,
    summary: &'static str,
    page: String,
}

impl CodeListDocument {
    /// The list of some codes.
    pub fn new(codes: &[&'static Code]) -> CodeListDocument {
        let codes = codes.iter().map(|code| CodeSummary { code: code.name(), summary: code.summary() });
        CodeListDocument { version: VERSION, codes: codes.collect() }
    }
}

impl CodePageDocument {
    /// The page of a code.
    pub fn new(code: &'static Code) -> CodePageDocument {
        let (name, summary) = (code.name(), code.summary());
        CodePageDocument { version: VERSION, code: name, summary, page: code.page() }
    }
}
