//! Errors of a model or a command line (`docs/schemas/errors.json`).

use serde::Serialize;
use tempora_source::{Diagnostic, Files};

use super::{DiagnosticRecord, DocumentVersion};

/// Errors: the output of every command with `--output json` whose exit status is 2.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ErrorsDocument {
    version: DocumentVersion,
    /// The model, as named on the command line, if the command has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[cfg_attr(test, schemars(length(min = 1)))]
    errors: Vec<DiagnosticRecord>,
}

impl ErrorsDocument {
    /// Returns the document with these diagnostics, which may include warnings.
    pub fn new(model: Option<&str>, files: &Files, diagnostics: &[Diagnostic]) -> ErrorsDocument {
        let errors = diagnostics.iter().map(|diagnostic| DiagnosticRecord::new(files, diagnostic)).collect();
        ErrorsDocument { version: DocumentVersion, model: model.map(str::to_owned), errors }
    }
}
