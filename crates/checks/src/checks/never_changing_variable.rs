//! Variables that are read but never assigned.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// The variable is read but never assigned.
    ///
    /// ## Why it matters
    ///
    /// Either the variable is a constant and should be declared `const`, or an assignment is missing.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     int n = 3;
    ///     clock x;
    ///     init location A;
    ///     A -> A { guard x > n; do x = 0; }
    /// }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Declare it as `const`, or add the missing assignment.
    ///
    /// To suppress the finding, write `// tempora: allow(never-changing-variable)` on the line before, or in the
    /// comment of the location or edge.
    pub static CODE = "never-changing-variable": "a variable that could be a constant";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in subject.names.of_kind(|kind| kind == SymbolKind::Variable) {
        if declared.is_read && !declared.is_written {
            let message = format!("`{}` is never assigned", declared.qualified());
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("declare it as `const`");
            findings.push(Finding::new(diagnostic));
        }
    }
}
