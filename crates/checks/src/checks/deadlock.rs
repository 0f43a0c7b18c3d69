//! Deadlocks of the whole system in which no process is in an end location.

use tempora_source::{Diagnostic, Severity};

use crate::check::{Check, Need};
use crate::deadlocks::first_deadlock;
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// A run leads to a state in which no transition is possible, now or after any delay, although an edge leaves the
    /// location of every process. If a process is in a location without outgoing edges, or in one that `tempora.toml`
    /// lists as an end, the deadlock counts as wanted, and the check `wanted-deadlock` reports it.
    ///
    /// ## Why it matters
    ///
    /// The system stops for good in an unintended state. The check also handles receivers of broadcasts with clock
    /// guards.
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
    /// Follow the run to the deadlock. If the system may stop there, list the location under `ends` in `tempora.toml`.
    ///
    /// To suppress the finding, write `// tempora: allow(deadlock)` on the line before, or in the comment of the
    /// location or edge.
    pub static CODE = "deadlock": "a state in which no transition is possible any more";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Deadlocks, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let hint = "follow the run, or declare the location as an end in `tempora.toml`";
    let diagnostic = Diagnostic::new(&CODE, CHECK.severity, "the system can deadlock").with_hint(hint);
    findings.extend(first_deadlock(subject, false, diagnostic));
}
