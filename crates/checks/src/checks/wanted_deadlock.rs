//! Deadlocks of the whole system in which some process is in an end location.

use tempora_source::{Diagnostic, Severity};

use crate::check::{Check, Need};
use crate::deadlocks::first_deadlock;
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// A run leads to a state in which no transition is possible any more, and some process is in a location without
    /// outgoing edges, or in one that `tempora.toml` lists as an end.
    ///
    /// ## Why it matters
    ///
    /// This is expected of a system that terminates. It matters because liveness properties about recurring events do
    /// not hold in such a system.
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
    /// Nothing needs to be fixed if the system is meant to terminate there. Otherwise add an edge out of the location.
    ///
    /// To suppress the finding, write `// tempora: allow(wanted-deadlock)` on the line before, or in the comment of
    /// the location or edge.
    pub static CODE = "wanted-deadlock": "a deadlock in which a process has reached its end";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: true, need: Need::Deadlocks, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let diagnostic = Diagnostic::new(&CODE, CHECK.severity, "the system can terminate")
        .with_hint("follow the run to see how");
    findings.extend(first_deadlock(subject, true, diagnostic));
}
