//! Variables that are written but never read.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// The model assigns to the variable, but no guard, update or query reads it.
    ///
    /// ## Why it matters
    ///
    /// The variable has no effect but enlarges the state space.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     int[0,1] n;
    ///     init location A;
    ///     A -> A { do n = 1 - 0; }
    /// }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Remove the variable, or read it. In UPPAAL, `meta` excludes a variable from the state.
    ///
    /// To suppress the finding, write `// tempora: allow(write-only-variable)` on the line before, or in the comment
    /// of the location or edge.
    pub static CODE = "write-only-variable": "a variable that is written but never read";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in subject.names.of_kind(|kind| matches!(kind, SymbolKind::Variable | SymbolKind::Local)) {
        if declared.is_written && !declared.is_read && !declared.is_in_query {
            let message = format!("`{}` is written but never read", declared.qualified());
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("remove it or read it");
            findings.push(Finding::new(diagnostic));
        }
    }
}
