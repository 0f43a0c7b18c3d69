//! The findings of checks.
//!
//! Invariant: a definite finding is true of the model. Any other finding carries the number of explored states.

use tempora_evidence::Trace;
use tempora_model::{EdgeId, LocationId, ProcessId};
use tempora_source::Diagnostic;

/// A likely mistake in a model.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The message with its labels.
    pub diagnostic: Diagnostic,
    /// How certain it is.
    pub certainty: Certainty,
    /// A run that shows it.
    pub trace: Option<Trace>,
    /// The elements to mark in a diagram.
    pub marks: Vec<Mark>,
}

/// The certainty of a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Certainty {
    /// True of the model.
    Definite,
    /// True in all explored states, but the exploration is incomplete.
    NotSeen {
        /// The number of explored states.
        states: u64,
    },
    /// Intended: a query of the model requires it.
    Confirmed,
}

/// An element of a template to mark in a diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// An instance of the template.
    pub process: ProcessId,
    /// The element.
    pub element: Element,
    /// Whether the finding concerns all instances of the template.
    pub is_in_all: bool,
}

/// An element of a template.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Element {
    /// A location.
    Location(LocationId),
    /// An edge.
    Edge(EdgeId),
}

impl Finding {
    /// Creates a definite finding without a run.
    pub fn new(diagnostic: Diagnostic) -> Finding {
        Finding { diagnostic, certainty: Certainty::Definite, trace: None, marks: Vec::new() }
    }

    /// Sets the run that shows it.
    #[must_use]
    pub fn with_trace(mut self, trace: Option<Trace>) -> Finding {
        self.trace = trace;
        self
    }

    /// Adds an element to mark.
    #[must_use]
    pub fn with_mark(mut self, mark: Mark) -> Finding {
        self.marks.push(mark);
        self
    }

    /// Sets the certainty.
    #[must_use]
    pub fn with_certainty(mut self, certainty: Certainty) -> Finding {
        self.certainty = certainty;
        self
    }
}
