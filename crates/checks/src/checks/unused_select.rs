//! Selects whose value nothing uses.
//!
//! Invariant: only findings of this code.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// The edge selects a value, and nothing on the edge names it.
    ///
    /// ## Why it matters
    ///
    /// The edge exists many times, and all of them do the same.
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
    /// Remove it, or use it.
    ///
    /// If it is meant, `// tempora: allow(unused-select)` on the line before, or in the comment of the location or
    /// edge, silences it.
    pub static CODE = "unused-select": "a select whose value nothing uses";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in subject.names.of_kind(|kind| kind == SymbolKind::Select) {
        if declared.is_unused() {
            let message = format!("nothing uses the selected `{}`", declared.name);
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("remove it, or use it");
            findings.push(Finding::new(diagnostic));
        }
    }
}
