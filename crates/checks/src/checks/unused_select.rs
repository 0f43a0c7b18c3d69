//! Selects whose value is never used.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// The edge selects a value but never uses it.
    ///
    /// ## Why it matters
    ///
    /// The model gets one copy of the edge per value, and all copies behave the same.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P { init location A; A -> A { select i : int[0,3]; } }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Remove the select, or use its value.
    ///
    /// To suppress the finding, write `// tempora: allow(unused-select)` on the line before, or in the comment of the
    /// location or edge.
    pub static CODE = "unused-select": "a select whose value is never used";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in subject.names.of_kind(|kind| kind == SymbolKind::Select) {
        if declared.is_unused() {
            let message = format!("the selected value `{}` is never used", declared.name);
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("remove it or use it");
            findings.push(Finding::new(diagnostic));
        }
    }
}
