//! Templates and processes that are not part of the system.

use tempora_source::{Diagnostic, Severity, SymbolKind};
use tempora_syntax::ast;

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// The system line names no process of the template.
    ///
    /// ## Why it matters
    ///
    /// The template has no influence on any verdict.
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
    /// Add the process to the system line, or remove the template.
    ///
    /// To suppress the finding, write `// tempora: allow(unused-template)` on the line before, or in the comment of
    /// the location or edge.
    pub static CODE = "unused-template": "a template or process that is not part of the system";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in subject.names.of_kind(|kind| matches!(kind, SymbolKind::Template | SymbolKind::Process)) {
        if declared.is_unused() && has_system_line(subject) {
            let message = format!("`{}` is not part of the system", declared.name);
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("add it to the system line or remove it");
            findings.push(Finding::new(diagnostic));
        }
    }
}

/// Returns whether the model has a system line. Without one, all processes are part of the system.
fn has_system_line(subject: &Subject<'_>) -> bool {
    let is_line =
        |declaration: &ast::Declaration| matches!(declaration.kind, ast::DeclarationKind::System(_));
    subject.tree.declarations.iter().any(is_line)
}
