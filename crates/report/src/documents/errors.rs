//! The errors of a model or of a command line (`docs/schemas/errors.json`).

use serde::Serialize;
use tempora_source::{Diagnostic, Files};

use super::{DiagnosticRecord, VERSION};

/// Errors, with the model that they are about.
#[derive(Clone, Debug, Serialize)]
pub struct ErrorsDocument {
    version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    errors: Vec<DiagnosticRecord>,
}

impl ErrorsDocument {
    /// The errors among some diagnostics, and the warnings with them.
    pub fn new(model: Option<&str>, files: &Files, diagnostics: &[Diagnostic]) -> ErrorsDocument {
        let errors = diagnostics.iter().map(|diagnostic| DiagnosticRecord::new(files, diagnostic)).collect();
        ErrorsDocument { version: VERSION, model: model.map(str::to_owned), errors }
    }
}
