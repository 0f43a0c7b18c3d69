//! Deadlocks of the whole system in which no process is where it may end.
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
    /// A run leads to a state from which no transition is possible, now or after any delay, although an edge leaves the
    /// location of every process. A location without outgoing edges, or one that `tempora.toml` names as an end, makes
    /// a deadlock a wanted one, which the check `wanted-deadlock` reports.
    ///
    /// ## Why it matters
    ///
    /// The system stops for good where it was not built to stop. Deadlocks with conditions on clocks at the receivers
    /// of broadcasts are found too.
    ///
    /// ## Example
    ///
    /// ```net
    /// chan a, b;
    /// process P { init location A; location B; A -> B { sync a!; } B -> A { sync b?; } }
    /// process Q { init location A; location B; A -> B { sync a?; } B -> A { sync b?; } }
    /// system P, Q;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Follow the run to the deadlock. If the system may end there, name the location under `ends` in `tempora.toml`.
    ///
    /// If it is meant, `// tempora: allow(deadlock)` on the line before, or in the comment of the location or edge,
    /// silences it.
    pub static CODE = "deadlock": "a state in which nothing can happen any more";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Deadlocks, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let hint = "follow the run, or name the end in `tempora.toml`";
    let diagnostic = Diagnostic::new(&CODE, CHECK.severity, "the system can deadlock").with_hint(hint);
    findings.extend(first_deadlock(subject, false, diagnostic));
}
