//! Diagnostics in documents, for errors and findings.
//!
//! Invariant: field names are stable. Lines and columns are those of [`tempora_source::SourceRange`]; a diagnostic without
//! a place has `null` for all of them.

use serde::Serialize;

use tempora_source::{Diagnostic, Files, Label, SourceRange, embedding_description};

use crate::words::SeverityWord;

/// A diagnostic. Lines and columns count from 1, columns in characters; all are null if it has no place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiagnosticRecord {
    /// The code, which `tempora explain` documents.
    pub code: &'static str,
    /// The severity.
    pub severity: SeverityWord,
    /// The message.
    pub message: String,
    /// The file of the primary label, on disk.
    pub file: Option<String>,
    /// The line of its first character, from 1.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub line: Option<u32>,
    /// The column of its first character in Unicode scalar values, from 1.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub column: Option<u32>,
    /// The line after its last character.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub end_line: Option<u32>,
    /// The column after its last character.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub end_column: Option<u32>,
    /// A description of the text with the primary label, if it is embedded in the file.
    pub embedded_in: Option<String>,
    /// A hint on how to fix it.
    pub hint: Option<String>,
    /// Additional notes.
    pub notes: Vec<String>,
    /// All places, including the primary one.
    pub labels: Vec<LabelRecord>,
}

/// A place of a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LabelRecord {
    /// Whether it is the main place of the diagnostic.
    pub primary: bool,
    /// The text of the label.
    pub text: String,
    /// The file on disk.
    pub file: String,
    /// The line of its first character, from 1.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub line: u32,
    /// The column of its first character in Unicode scalar values, from 1.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub column: u32,
    /// The line after its last character.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub end_line: u32,
    /// The column after its last character.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub end_column: u32,
    /// A description of the text, if it is embedded in the file.
    pub embedded_in: Option<String>,
}

impl DiagnosticRecord {
    /// Returns the record of a diagnostic, with its places resolved.
    pub fn new(files: &Files, diagnostic: &Diagnostic) -> DiagnosticRecord {
        let primary = diagnostic.primary_label().map(|label| LabelRecord::new(files, label));
        let (file, embedded_in) =
            primary.clone().map_or((None, None), |label| (Some(label.file), label.embedded_in));
        let position = |number: fn(&LabelRecord) -> u32| primary.as_ref().map(number);
        DiagnosticRecord {
            code: diagnostic.code.name(),
            severity: diagnostic.severity.into(),
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
        let SourceRange { file, line, column, end_line, end_column } = files.locate(label.span);
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

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tempora_source::{Diagnostic, Files, Span, codes, decode_xml_text};

    use super::DiagnosticRecord;

    /// Returns a guard inside a model, and a query file that mentions it.
    fn example() -> (Files, Diagnostic) {
        let mut files = Files::new();
        let model = files.add("model.xml", "<label>x &lt; y</label>\n<label>y &lt; z</label>\n").unwrap();
        let queries = files.add("model.q", "A[] y\n").unwrap();
        let [first, second] =
            [7..15, 31..39].map(|raw| decode_xml_text(&files, Span::new(model, raw.start, raw.end)).0);
        let first = files.add_embedded("guard of edge 1", first);
        let second = files.add_embedded("guard of edge 2", second);
        let diagnostic = Diagnostic::warning(&codes::xml::XML_UNKNOWN_ENTITY, "`y` is used in many places")
            .with_secondary(Span::new(queries, 4, 5), "queried here")
            .with_secondary(Span::new(second, 0, 1), "and here")
            .with_primary(Span::new(first, 2, 5), "first here")
            .with_note("a note\nof two lines")
            .with_hint("use another name");
        (files, diagnostic)
    }

    #[test]
    fn record_has_all_fields() {
        let (files, diagnostic) = example();
        let found = serde_json::to_value(DiagnosticRecord::new(&files, &diagnostic)).unwrap();
        let label = |primary: bool, text: &str, file: &str, place: [u32; 4], embedded_in: Option<&str>| {
            json!({
                "primary": primary, "text": text, "file": file, "line": place[0], "column": place[1],
                "end_line": place[2], "end_column": place[3], "embedded_in": embedded_in,
            })
        };
        let expected = json!({
            "code": "xml-unknown-entity",
            "severity": "warning",
            "message": "`y` is used in many places",
            "file": "model.xml",
            "line": 1,
            "column": 10,
            "end_line": 1,
            "end_column": 16,
            "embedded_in": "guard of edge 1",
            "hint": "use another name",
            "notes": ["a note\nof two lines"],
            "labels": [
                label(false, "queried here", "model.q", [1, 5, 1, 6], None),
                label(false, "and here", "model.xml", [2, 8, 2, 9], Some("guard of edge 2")),
                label(true, "first here", "model.xml", [1, 10, 1, 16], Some("guard of edge 1")),
            ],
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn diagnostic_without_place_has_no_lines() {
        let diagnostic = Diagnostic::info(&codes::files::FILE_TOO_LARGE, "nowhere");
        let record = DiagnosticRecord::new(&Files::new(), &diagnostic);
        assert_eq!((record.file, record.line, record.column), (None, None, None));
    }
}
