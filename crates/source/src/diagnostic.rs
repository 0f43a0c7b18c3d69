//! What is told to the user: a finding of a known kind at one or several places.
//!
//! Invariant: every diagnostic has a [`Code`] and so a manual page. Diagnostics are data; only the renderers turn
//! places into lines and columns.

use crate::{Code, Files, Span};

/// How bad it is, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The input cannot be used as it is.
    Error,
    /// The input can be used but is probably not what was meant.
    Warning,
    /// Something worth knowing.
    Info,
}

/// A finding.
///
/// Compared field by field, labels in the order in which they were added.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    /// What kind of finding it is.
    pub code: &'static Code,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence without a full stop that names the thing at fault.
    pub message: String,
    /// The places it is about.
    pub labels: Vec<Label>,
    /// Further facts.
    pub notes: Vec<String>,
    /// What the user can do.
    pub hint: Option<String>,
}

/// A place that a diagnostic points at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    /// The place, possibly in an embedded text.
    pub span: Span,
    /// What is to be said about it; may be empty.
    pub text: String,
    /// Whether the finding is here, rather than something that explains it.
    pub is_primary: bool,
}

/// The findings of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostic {
    /// A finding without a place yet.
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

    /// An error without a place yet.
    pub fn error(code: &'static Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Severity::Error, message)
    }

    /// A warning without a place yet.
    pub fn warning(code: &'static Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Severity::Warning, message)
    }

    /// An information without a place yet.
    pub fn info(code: &'static Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Severity::Info, message)
    }

    /// Says where the finding is; `text` may be empty.
    #[must_use]
    pub fn with_primary(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into(), is_primary: true });
        self
    }

    /// Points at another place that explains the finding.
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

    /// Says what the user can do.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// The label that stands for the whole: the first primary one, or else the first.
    pub fn primary_label(&self) -> Option<&Label> {
        self.labels.iter().find(|label| label.is_primary).or(self.labels.first())
    }

    /// The place that stands for the whole.
    pub fn primary_span(&self) -> Option<Span> {
        self.primary_label().map(|label| label.span)
    }
}

impl Severity {
    /// The word for it in every output.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        }
    }
}

impl Diagnostics {
    /// No findings yet.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Whether one of them is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// All of them, in the order in which they were added or last sorted.
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Sorts and drops repetitions.
    ///
    /// The order does not depend on the order of addition: first those without a place, then by where the user reads
    /// them in the real files, then the worse before the better, then by everything else.
    pub fn sort(&mut self, files: &Files) {
        let place = |diagnostic: &Diagnostic| diagnostic.primary_span().map(|span| files.outermost(span));
        self.list.sort_by(|left, right| {
            (place(left), left.severity).cmp(&(place(right), right.severity)).then_with(|| left.cmp(right))
        });
        self.list.dedup();
    }

    /// All of them, sorted and without repetitions.
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
