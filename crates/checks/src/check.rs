//! The type of a sanity check.
//!
//! Invariant: a check reads only its subject and adds findings of its own code only. If it needs a survey, it is not
//! run without one.

use tempora_source::{Code, Severity};

use crate::finding::Finding;
use crate::subject::Subject;

/// A sanity check.
pub struct Check {
    /// The name and the manual page.
    pub code: &'static Code,
    /// The default severity of its findings.
    pub severity: Severity,
    /// Whether it runs without being named.
    pub is_default: bool,
    /// The input that it needs.
    pub need: Need,
    /// Adds its findings.
    pub find: fn(&Subject<'_>, &mut Vec<Finding>),
}

/// The input that a check needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// The syntax tree and the network, without exploration.
    Model,
    /// The reached locations.
    Locations,
    /// The taken edges.
    Edges,
    /// The observed values of variables.
    Values,
    /// The reached deadlocks.
    Deadlocks,
    /// The transitions that violate invariants.
    Violations,
    /// The evaluation errors.
    Errors,
    /// A whole survey.
    Survey,
    /// The nondeterministic choices of processes.
    Choices,
    /// Whether processes can get stuck for ever.
    Components,
    /// Whether a timelock is reachable.
    Timelocks,
    /// Whether a run is Zeno.
    Zeno,
}

impl Need {
    /// Returns whether the check only reports the absence of behaviour, which is sound on an over-approximation.
    pub(crate) fn is_for_absence(self) -> bool {
        matches!(self, Need::Model | Need::Locations | Need::Edges | Need::Values)
    }
}

impl Check {
    /// Returns the name.
    pub fn name(&self) -> &'static str {
        self.code.name()
    }
}
