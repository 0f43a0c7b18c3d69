//! Deadlocks of the whole system in which some process is where it may end.
//!
//! Invariant: only findings of this code.

use tempora_source::{Diagnostic, Severity};

use crate::check::{Check, Need};
use crate::deadlocks::first_deadlock;
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// A run leads to a state from which no transition is possible any more, and some process is in a location without
    /// outgoing edges, or in one that `tempora.toml` names as an end.
    ///
    /// ## Why it matters
    ///
    /// That is what a system with an end looks like. It is worth knowing, for properties about what happens again and
    /// again do not hold then.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P { init location A; location End; A -> End { } }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Nothing, if the system is to end there. Else lead an edge on.
    ///
    /// If it is meant, `// tempora: allow(wanted-deadlock)` on the line before, or in the comment of the location or
    /// edge, silences it.
    pub static CODE = "wanted-deadlock": "the system can end";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: true, need: Need::Deadlocks, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let diagnostic =
        Diagnostic::new(&CODE, CHECK.severity, "the system can end").with_hint("the run shows how");
    findings.extend(first_deadlock(subject, true, diagnostic));
}
