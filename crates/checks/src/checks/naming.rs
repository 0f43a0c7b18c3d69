//! Names that do not follow the conventions of most models.
//!
//! Invariant: only findings of this code.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// A template or process does not begin with a capital letter, or a variable, clock, channel or function does. The
    /// conventions are those of most published models.
    ///
    /// ## Why it matters
    ///
    /// Readers tell apart at a glance what is written alike.
    ///
    /// ## Example
    ///
    /// ```net
    /// process worker { init location A; A -> A { } }
    /// system worker;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Rename it. The check is run on request only.
    ///
    /// If it is meant, `// tempora: allow(naming)` on the line before, or in the comment of the location or edge,
    /// silences it.
    pub static CODE = "naming": "a name that does not follow the usual conventions";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: false, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in &subject.names.declared {
        let first = declared.name.chars().next().unwrap_or('a');
        let (is_other, wanted) = match declared.kind {
            SymbolKind::Template => (first.is_lowercase(), "templates begin with a capital letter"),
            SymbolKind::Variable
            | SymbolKind::Clock
            | SymbolKind::Channel
            | SymbolKind::BroadcastChannel
            | SymbolKind::Function => {
                let is_capital = first.is_uppercase() && declared.name.chars().any(char::is_lowercase);
                (is_capital, "what changes begins with a small letter")
            }
            _ => (false, ""),
        };
        if is_other {
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, format!("`{}`: {wanted}", declared.name))
                .with_primary(declared.span, "")
                .with_hint("rename it");
            findings.push(Finding::new(diagnostic));
        }
    }
}
