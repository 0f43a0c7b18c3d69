//! Clocks that are set and never tested.
//!
//! Invariant: only findings of this code.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// The clock is set, but no guard, invariant, update or query looks at it.
    ///
    /// ## Why it matters
    ///
    /// It has no influence on anything. Perhaps another clock is tested where this one was meant.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     clock x;
    ///     init location A;
    ///     A -> A { do x = 0; }
    /// }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Remove it, or test it.
    ///
    /// If it is meant, `// tempora: allow(clock-never-tested)` on the line before, or in the comment of the location or
    /// edge, silences it.
    pub static CODE = "clock-never-tested": "a clock that is reset and never tested";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in subject.names.of_kind(|kind| kind == SymbolKind::Clock) {
        if declared.is_written && !declared.is_read && !declared.is_in_query {
            let message = format!("the clock `{}` is set and never tested", declared.qualified());
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("remove it, or test it");
            findings.push(Finding::new(diagnostic));
        }
    }
}
