//! Clocks that are reset but never tested.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// The clock is set, but no guard, invariant, update or query reads it.
    ///
    /// ## Why it matters
    ///
    /// The clock has no effect. Perhaps another clock is tested by mistake.
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
    /// Remove the clock, or test it.
    ///
    /// To suppress the finding, write `// tempora: allow(clock-never-tested)` on the line before, or in the comment
    /// of the location or edge.
    pub static CODE = "clock-never-tested": "a clock that is reset but never tested";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in subject.names.of_kind(|kind| kind == SymbolKind::Clock) {
        if declared.is_written && !declared.is_read && !declared.is_in_query {
            let message = format!("the clock `{}` is set but never tested", declared.qualified());
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("remove it or test it");
            findings.push(Finding::new(diagnostic));
        }
    }
}
