//! Clocks that are tested and never set.
//!
//! Invariant: only findings of this code.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// The clock is tested, but nothing ever sets it, so it is the time since the start.
    ///
    /// ## Why it matters
    ///
    /// That is right for a clock of the whole system. For others a reset is missing.
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
    /// Reset the clock where the time that it measures begins.
    ///
    /// If it is meant, `// tempora: allow(clock-never-reset)` on the line before, or in the comment of the location or
    /// edge, silences it.
    pub static CODE = "clock-never-reset": "a clock that is tested and never reset";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in subject.names.of_kind(|kind| kind == SymbolKind::Clock) {
        if declared.is_read && !declared.is_written {
            let message = format!("nothing resets the clock `{}`", declared.qualified());
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("reset it where the time that it measures begins");
            findings.push(Finding::new(diagnostic));
        }
    }
}
