//! Functions that are never called.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// Neither the model nor its queries call the function.
    ///
    /// ## Why it matters
    ///
    /// The function is a leftover, or a call is missing.
    ///
    /// ## Example
    ///
    /// ```net
    /// int twice(int n) { return n * 2; }
    /// process P { init location A; A -> A { } }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Remove the function, or call it.
    ///
    /// To suppress the finding, write `// tempora: allow(unused-function)` on the line before, or in the comment of
    /// the location or edge.
    pub static CODE = "unused-function": "a function that is never called";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in subject.names.of_kind(|kind| kind == SymbolKind::Function) {
        if declared.is_unused() {
            let message = format!("`{}` is never called", declared.qualified());
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("remove it or call it");
            findings.push(Finding::new(diagnostic));
        }
    }
}
