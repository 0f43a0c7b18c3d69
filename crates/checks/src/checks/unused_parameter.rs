//! Parameters of templates and functions that are never used.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// The template or function never mentions its parameter.
    ///
    /// ## Why it matters
    ///
    /// The argument has no effect. Perhaps another name was used by mistake.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P(const int[0,1] id) { init location A; A -> A { } }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Remove the parameter, or use it. If the parameter only sets the number of instances, suppress the finding: the
    /// check does not recognise this use.
    ///
    /// To suppress the finding, write `// tempora: allow(unused-parameter)` on the line before, or in the comment of
    /// the location or edge.
    pub static CODE = "unused-parameter": "a parameter that is never used";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in subject
        .names
        .of_kind(|kind| matches!(kind, SymbolKind::TemplateParameter | SymbolKind::FunctionParameter))
    {
        if declared.is_unused() {
            let message = format!("the parameter `{}` is never used", declared.qualified());
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("remove it or use it");
            findings.push(Finding::new(diagnostic));
        }
    }
}
