//! Parameters of templates and functions that nothing uses.
//!
//! Invariant: only findings of this code.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// Nothing in the template or function names the parameter.
    ///
    /// ## Why it matters
    ///
    /// All instances do the same whatever is given to them; or another name was written.
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
    /// Remove it, or use it. A template with a parameter that only counts its instances is a use that this check cannot
    /// see.
    ///
    /// If it is meant, `// tempora: allow(unused-parameter)` on the line before, or in the comment of the location or
    /// edge, silences it.
    pub static CODE = "unused-parameter": "a parameter that nothing uses";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in subject
        .names
        .of_kind(|kind| matches!(kind, SymbolKind::TemplateParameter | SymbolKind::FunctionParameter))
    {
        if declared.is_unused() {
            let message = format!("nothing uses the parameter `{}`", declared.qualified());
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("remove it, or use it");
            findings.push(Finding::new(diagnostic));
        }
    }
}
