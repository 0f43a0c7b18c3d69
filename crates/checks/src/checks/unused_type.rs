//! Types that are never used.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// The model never mentions the type.
    ///
    /// ## Why it matters
    ///
    /// The type is a leftover, or another type was used by mistake.
    ///
    /// ## Example
    ///
    /// ```net
    /// typedef int[0,7] small;
    /// process P { init location A; A -> A { } }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Remove the type, or use it.
    ///
    /// To suppress the finding, write `// tempora: allow(unused-type)` on the line before, or in the comment of the
    /// location or edge.
    pub static CODE = "unused-type": "a type that is never used";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in subject.names.of_kind(|kind| kind == SymbolKind::Type) {
        if declared.is_unused() {
            let message = format!("the type `{}` is never used", declared.qualified());
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("remove it or use it");
            findings.push(Finding::new(diagnostic));
        }
    }
}
