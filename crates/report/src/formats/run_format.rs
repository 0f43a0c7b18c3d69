//! A format that runs are written in.
//!
//! Invariant: a format looks at nothing but the answer and its run, so that all formats say the same.

use tempora_evidence::SystemKind;

use crate::{LocatedAnswer, ShownRun};

/// A format of runs.
#[derive(Debug)]
pub struct RunFormat {
    /// The name that the user chooses it by.
    pub name: &'static str,
    /// The end of the names of its files, without the dot.
    pub extension: &'static str,
    /// One line of help.
    pub summary: &'static str,
    /// The kinds of system whose runs it can hold.
    pub systems: &'static [SystemKind],
    /// Returns the text of a file, or why the format cannot hold the run.
    pub write: fn(&RunToWrite<'_>) -> Result<String, String>,
}

/// A run that is written to a file.
#[derive(Clone, Copy, Debug)]
pub struct RunToWrite<'run> {
    /// The model, as the user named it.
    pub model: &'run str,
    /// The answer that the run belongs to.
    pub answer: &'run LocatedAnswer,
    /// The run.
    pub run: &'run ShownRun,
}

impl RunFormat {
    /// Whether runs of systems of this kind can be written.
    pub fn takes(&self, kind: SystemKind) -> bool {
        self.systems.contains(&kind)
    }
}
