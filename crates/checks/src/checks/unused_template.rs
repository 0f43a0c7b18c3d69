//! Templates and processes that are not in the system.
//!
//! Invariant: only findings of this code.

use tempora_source::{Diagnostic, Severity, SymbolKind};
use tempora_syntax::ast;

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// No process of the template is in the system.
    ///
    /// ## Why it matters
    ///
    /// What it says has no part in any verdict.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P { init location A; A -> A { } }
    /// process Q { init location A; A -> A { } }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Put it into the system line, or remove it.
    ///
    /// If it is meant, `// tempora: allow(unused-template)` on the line before, or in the comment of the location or
    /// edge, silences it.
    pub static CODE = "unused-template": "a template without a process";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in subject.names.of_kind(|kind| matches!(kind, SymbolKind::Template | SymbolKind::Process)) {
        if declared.is_unused() && has_system_line(subject) {
            let message = format!("no process of `{}` is in the system", declared.name);
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("put it into the system line, or remove it");
            findings.push(Finding::new(diagnostic));
        }
    }
}

/// Whether the model says which processes there are; if not, there are all of them.
fn has_system_line(subject: &Subject<'_>) -> bool {
    let is_line =
        |declaration: &ast::Declaration| matches!(declaration.kind, ast::DeclarationKind::System(_));
    subject.tree.declarations.iter().any(is_line)
}
