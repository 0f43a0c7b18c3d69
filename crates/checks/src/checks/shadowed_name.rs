//! Declarations that shadow another declaration.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// A name is declared in the scope of another declaration of the same name, so that the outer declaration cannot be
    /// used there.
    ///
    /// ## Why it matters
    ///
    /// It is easy to mistake one declaration for the other.
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
    /// Rename one of them.
    ///
    /// To suppress the finding, write `// tempora: allow(shadowed-name)` on the line before, or in the comment of the
    /// location or edge.
    pub static CODE = "shadowed-name": "a declaration that shadows another";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in &subject.names.declared {
        // The scope of a bound name is a single expression, so shadowing is easy to see.
        let Some(hidden) = declared.hides.filter(|_| declared.kind != SymbolKind::Bound) else { continue };
        let hidden = &subject.names.declared[hidden];
        let diagnostic = Diagnostic::new(
            &CODE,
            CHECK.severity,
            format!("this `{}` shadows another declaration", declared.name),
        )
        .with_primary(declared.span, "")
        .with_secondary(hidden.span, "the shadowed declaration")
        .with_hint("rename one of them");
        findings.push(Finding::new(diagnostic));
    }
}
