//! The description of a format of runs.

use tempora_evidence::SystemKind;

use crate::{LocatedAnswer, ShownRun};

/// A format of runs.
#[derive(Debug)]
pub struct RunFormat {
    /// Its name on the command line.
    pub name: &'static str,
    /// The extension of its files, without the dot.
    pub extension: &'static str,
    /// One line of help.
    pub summary: &'static str,
    /// The kinds of system whose runs it supports.
    pub systems: &'static [SystemKind],
    /// Returns the text of a file, or why the format does not support the run.
    pub write: fn(&RunToWrite<'_>) -> Result<String, String>,
}

/// A run that is written to a file.
#[derive(Clone, Copy, Debug)]
pub struct RunToWrite<'run> {
    /// The model, as named on the command line.
    pub model: &'run str,
    /// The answer that the run belongs to.
    pub answer: &'run LocatedAnswer,
    /// The run.
    pub run: &'run ShownRun,
}

impl RunFormat {
    /// Returns whether the format supports runs of systems of this kind.
    pub fn takes(&self, kind: SystemKind) -> bool {
        self.systems.contains(&kind)
    }
}
