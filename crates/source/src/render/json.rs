//! Diagnostics for programs.
//!
//! Invariant: the field names are a contract. Lines and columns are those of [`Location`]; a diagnostic without a place
//! has `null` for all of them.

use serde::Serialize;

use super::embedding_description;
use crate::{Diagnostic, Files, Label, Location};

/// A diagnostic as programs read it, to be put into larger JSON documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiagnosticRecord {
    /// The name of the code.
    pub code: &'static str,
    /// `error`, `warning` or `info`.
    pub severity: &'static str,
    /// What is wrong.
    pub message: String,
    /// The real file of the primary label.
    pub file: Option<String>,
    /// The line of its first character, from one.
    pub line: Option<u32>,
    /// The column of its first character in Unicode scalar values, from one.
    pub column: Option<u32>,
    /// The line after its last character.
    pub end_line: Option<u32>,
    /// The column after its last character.
    pub end_column: Option<u32>,
    /// What the text is that the primary label is in, if it is embedded in the file.
    pub embedded_in: Option<String>,
    /// What the user can do.
    pub hint: Option<String>,
    /// Further facts.
    pub notes: Vec<String>,
    /// All places, the primary one among them.
    pub labels: Vec<LabelRecord>,
}

/// A label as programs read it; the fields are those of [`DiagnosticRecord`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the fields are those of DiagnosticRecord")]
pub struct LabelRecord {
    pub primary: bool,
    pub text: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    pub embedded_in: Option<String>,
}

/// A JSON array of [`DiagnosticRecord`]s in the order given.
pub fn render_json(files: &Files, diagnostics: &[Diagnostic]) -> String {
    let records: Vec<DiagnosticRecord> =
        diagnostics.iter().map(|diagnostic| DiagnosticRecord::new(files, diagnostic)).collect();
    // Serialising fails for maps with odd keys and failing writers only; there is neither.
    serde_json::to_string_pretty(&records).unwrap_or_else(|_| "[]".to_owned())
}

impl DiagnosticRecord {
    /// The diagnostic with all its places looked up.
    pub fn new(files: &Files, diagnostic: &Diagnostic) -> DiagnosticRecord {
        let primary = diagnostic.primary_label().map(|label| LabelRecord::new(files, label));
        let (file, embedded_in) =
            primary.clone().map_or((None, None), |label| (Some(label.file), label.embedded_in));
        let position = |number: fn(&LabelRecord) -> u32| primary.as_ref().map(number);
        DiagnosticRecord {
            code: diagnostic.code.name(),
            severity: diagnostic.severity.name(),
            message: diagnostic.message.clone(),
            file,
            line: position(|label| label.line),
            column: position(|label| label.column),
            end_line: position(|label| label.end_line),
            end_column: position(|label| label.end_column),
            embedded_in,
            hint: diagnostic.hint.clone(),
            notes: diagnostic.notes.clone(),
            labels: diagnostic.labels.iter().map(|label| LabelRecord::new(files, label)).collect(),
        }
    }
}

impl LabelRecord {
    fn new(files: &Files, label: &Label) -> LabelRecord {
        let Location { file, line, column, end_line, end_column } = files.locate(label.span);
        let embedded_in = embedding_description(files, label.span.file);
        LabelRecord {
            primary: label.is_primary,
            text: label.text.clone(),
            file,
            line,
            column,
            end_line,
            end_column,
            embedded_in,
        }
    }
}
