//! What a check is.
//!
//! Invariant: a check looks only at its subject and adds findings of its own code. If it needs a survey, it is not run
//! without one.

use tempora_source::{Code, Severity};

use crate::finding::Finding;
use crate::subject::Subject;

/// A sanity check.
pub struct Check {
    /// Its name and manual page.
    pub code: &'static Code,
    /// How bad its findings are, unless they say otherwise.
    pub severity: Severity,
    /// Whether it is run without being asked for.
    pub is_default: bool,
    /// What it needs to know.
    pub need: Need,
    /// Adds what it finds.
    pub find: fn(&Subject<'_>, &mut Vec<Finding>),
}

/// What a check needs to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// What was written and what it means.
    Model,
    /// Which locations an exploration met.
    Locations,
    /// Which edges an exploration met.
    Edges,
    /// Which values variables had.
    Values,
    /// Deadlocks that an exploration met.
    Deadlocks,
    /// Invariants that an exploration met broken.
    Violations,
    /// Errors that an exploration met.
    Errors,
    /// Whatever an exploration met.
    Survey,
    /// Between which edges processes choose by themselves.
    Choices,
    /// Whether processes can be stuck for ever.
    Components,
    /// Whether time can be stuck.
    Timelocks,
    /// Whether runs are Zeno.
    Zeno,
}

impl Need {
    /// Whether it is only about what is never met, so that it may be looked for where more was explored than runs meet.
    pub(crate) fn is_for_absence(self) -> bool {
        matches!(self, Need::Model | Need::Locations | Need::Edges | Need::Values)
    }
}

impl Check {
    /// Its name.
    pub fn name(&self) -> &'static str {
        self.code.name()
    }
}
