//! Diagnostics: messages to the user about places in files.
//!
//! Invariant: every diagnostic has a [`Code`] and thus a manual page. Diagnostics are data; only the renderers turn
//! spans into lines and columns.

use crate::{Code, Files, Span};

/// The severity of a diagnostic, most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used but is probably wrong.
    Warning,
    /// Something worth knowing.
    Info,
}

/// A message to the user.
///
/// Diagnostics are compared field by field, with labels in the order in which they were added.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    /// The kind of the finding.
    pub code: &'static Code,
    /// The severity.
    pub severity: Severity,
    /// One sentence without a full stop that names the faulty construct.
    pub message: String,
    /// The labelled places.
    pub labels: Vec<Label>,
    /// Further facts.
    pub notes: Vec<String>,
    /// The suggested fix.
    pub hint: Option<String>,
}

/// A place that a diagnostic points at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    /// The place, possibly in an embedded text.
    pub span: Span,
    /// The text at the place; may be empty.
    pub text: String,
    /// Whether the finding is here; a secondary label explains it.
    pub is_primary: bool,
}

/// A collection of diagnostics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostic {
    /// Creates a diagnostic without labels.
    pub fn new(code: &'static Code, severity: Severity, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            hint: None,
        }
    }

    /// Creates an error without labels.
    pub fn error(code: &'static Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Severity::Error, message)
    }

    /// Creates a warning without labels.
    pub fn warning(code: &'static Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Severity::Warning, message)
    }

    /// Creates an information without labels.
    pub fn info(code: &'static Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Severity::Info, message)
    }

    /// Adds a primary label; `text` may be empty.
    #[must_use]
    pub fn with_primary(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into(), is_primary: true });
        self
    }

    /// Adds a secondary label, which explains the finding.
    #[must_use]
    pub fn with_secondary(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into(), is_primary: false });
        self
    }

    /// Adds a further fact.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Diagnostic {
        self.notes.push(note.into());
        self
    }

    /// Sets the suggested fix.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// Returns the first primary label, or else the first label.
    pub fn primary_label(&self) -> Option<&Label> {
        self.labels.iter().find(|label| label.is_primary).or(self.labels.first())
    }

    /// Returns the span of the primary label.
    pub fn primary_span(&self) -> Option<Span> {
        self.primary_label().map(|label| label.span)
    }
}

impl Severity {
    /// Returns the word for the severity in every output.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        }
    }
}

impl Diagnostics {
    /// Creates an empty collection.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds a diagnostic.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Returns whether some diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Returns whether the collection is empty.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the number of diagnostics.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns the diagnostics in the order in which they were added or last sorted.
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Sorts the diagnostics and removes duplicates.
    ///
    /// The order does not depend on the order of addition: diagnostics without labels come first, the others are
    /// ordered by their positions in the real files, then by severity, then by all other fields.
    pub fn sort(&mut self, files: &Files) {
        let place = |diagnostic: &Diagnostic| diagnostic.primary_span().map(|span| files.outermost(span));
        self.list.sort_by(|left, right| {
            (place(left), left.severity).cmp(&(place(right), right.severity)).then_with(|| left.cmp(right))
        });
        self.list.dedup();
    }

    /// Returns the diagnostics, sorted and without duplicates.
    pub fn into_sorted(mut self, files: &Files) -> Vec<Diagnostic> {
        self.sort(files);
        self.list
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<Iterator: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: Iterator) {
        self.list.extend(diagnostics);
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<Iterator: IntoIterator<Item = Diagnostic>>(diagnostics: Iterator) -> Diagnostics {
        Diagnostics { list: diagnostics.into_iter().collect() }
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}
