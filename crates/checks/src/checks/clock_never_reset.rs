//! Clocks that are tested but never reset.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// The clock is tested but never reset, so its value is the time since the start.
    ///
    /// ## Why it matters
    ///
    /// This is right for a clock that measures the total time. Otherwise a reset is missing.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     clock x;
    ///     init location A;
    ///     A -> A { guard x > 2; }
    /// }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Reset the clock on the edge at which the measured time starts.
    ///
    /// To suppress the finding, write `// tempora: allow(clock-never-reset)` on the line before, or in the comment of
    /// the location or edge.
    pub static CODE = "clock-never-reset": "a clock that is tested but never reset";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in subject.names.of_kind(|kind| kind == SymbolKind::Clock) {
        if declared.is_read && !declared.is_written {
            let message = format!("the clock `{}` is never reset", declared.qualified());
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("reset it on the edge at which the measured time starts");
            findings.push(Finding::new(diagnostic));
        }
    }
}
