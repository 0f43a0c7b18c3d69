//! What a check finds.
//!
//! Invariant: a finding that is definite is true of the model. One that is not says so, and how much was looked at.

use tempora_evidence::Trace;
use tempora_model::{EdgeId, LocationId, ProcessId};
use tempora_source::Diagnostic;

/// Something that is probably not meant.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// What is told to the user, and where.
    pub diagnostic: Diagnostic,
    /// How sure it is.
    pub certainty: Certainty,
    /// A run that shows it.
    pub trace: Option<Trace>,
    /// What to mark in a diagram.
    pub marks: Vec<Mark>,
}

/// How sure a finding is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Certainty {
    /// It is so.
    Definite,
    /// It was so in all states that were looked at, but not all were.
    NotSeen {
        /// How many were.
        states: u64,
    },
    /// A query of the model says that it has to be so.
    Confirmed,
}

/// An element of a template to mark in a diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// An instance of the template.
    pub process: ProcessId,
    /// The element.
    pub element: Element,
    /// Whether it concerns all instances of the template, or only some.
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
    /// A definite finding without a run.
    pub fn new(diagnostic: Diagnostic) -> Finding {
        Finding { diagnostic, certainty: Certainty::Definite, trace: None, marks: Vec::new() }
    }

    /// With a run that shows it.
    #[must_use]
    pub fn with_trace(mut self, trace: Option<Trace>) -> Finding {
        self.trace = trace;
        self
    }

    /// With an element to mark.
    #[must_use]
    pub fn with_mark(mut self, mark: Mark) -> Finding {
        self.marks.push(mark);
        self
    }

    /// As sure as this.
    #[must_use]
    pub fn with_certainty(mut self, certainty: Certainty) -> Finding {
        self.certainty = certainty;
        self
    }
}
