//! Types that nothing uses.
//!
//! Invariant: only findings of this code.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// Nothing in the model names the type.
    ///
    /// ## Why it matters
    ///
    /// It is left over.
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
    /// Remove it, or use it.
    ///
    /// If it is meant, `// tempora: allow(unused-type)` on the line before, or in the comment of the location or edge,
    /// silences it.
    pub static CODE = "unused-type": "a type that nothing uses";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in subject.names.of_kind(|kind| kind == SymbolKind::Type) {
        if declared.is_unused() {
            let message = format!("nothing uses the type `{}`", declared.qualified());
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("remove it, or use it");
            findings.push(Finding::new(diagnostic));
        }
    }
}
