//! Variables, constants, clocks and channels that are never used.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// Neither the model nor its queries mention the variable, constant, clock or channel.
    ///
    /// ## Why it matters
    ///
    /// The declaration is a leftover, or another name was used by mistake.
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
    /// Remove the declaration, or use it.
    ///
    /// To suppress the finding, write `// tempora: allow(unused-variable)` on the line before, or in the comment of
    /// the location or edge.
    pub static CODE = "unused-variable": "a variable, clock or channel that is never used";
}

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
            let message = format!("`{}` is never used", declared.qualified());
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("remove it or use it");
            findings.push(Finding::new(diagnostic));
        }
    }
}
