//! Declarations that hide another one of the same name.
//!
//! Invariant: only findings of this code.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// A name is declared where another declaration of the same name is visible, so that the outer one cannot be named
    /// there.
    ///
    /// ## Why it matters
    ///
    /// A reader, or the one who writes the next edge, takes one for the other.
    ///
    /// ## Example
    ///
    /// ```net
    /// clock x;
    /// process P { clock x; init location A; A -> A { guard x > 1; do x = 0; } }
    /// process Q { init location A; A -> A { guard x > 2; do x = 0; } }
    /// system P, Q;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Give one of them another name.
    ///
    /// If it is meant, `// tempora: allow(shadowed-name)` on the line before, or in the comment of the location or
    /// edge, silences it.
    pub static CODE = "shadowed-name": "a declaration that hides another";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in &subject.names.declared {
        // A bound name is visible in one expression only, which is easy to see.
        let Some(hidden) = declared.hides.filter(|_| declared.kind != SymbolKind::Bound) else { continue };
        let hidden = &subject.names.declared[hidden];
        let diagnostic =
            Diagnostic::new(&CODE, CHECK.severity, format!("this `{}` hides another one", declared.name))
                .with_primary(declared.span, "")
                .with_secondary(hidden.span, "the one that it hides")
                .with_hint("give one of them another name");
        findings.push(Finding::new(diagnostic));
    }
}
