//! Variables, constants, clocks and channels that nothing uses.
//!
//! Invariant: only findings of this code.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// Nothing in the model or its queries names the variable, constant, clock or channel.
    ///
    /// ## Why it matters
    ///
    /// It is left over, or another name was written where it was meant.
    ///
    /// ## Example
    ///
    /// ```net
    /// int[0,3] n;
    /// process P { init location A; A -> A { } }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Remove it, or use it.
    ///
    /// If it is meant, `// tempora: allow(unused-variable)` on the line before, or in the comment of the location or
    /// edge, silences it.
    pub static CODE = "unused-variable": "a variable, clock or channel that nothing uses";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in subject.names.of_kind(|kind| {
        matches!(
            kind,
            SymbolKind::Variable
                | SymbolKind::Constant
                | SymbolKind::Clock
                | SymbolKind::Channel
                | SymbolKind::BroadcastChannel
                | SymbolKind::Local
        )
    }) {
        if declared.is_unused() {
            let message = format!("nothing uses `{}`", declared.qualified());
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("remove it, or use it");
            findings.push(Finding::new(diagnostic));
        }
    }
}
