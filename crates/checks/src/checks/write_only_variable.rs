//! Variables that are written and never read.
//!
//! Invariant: only findings of this code.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// Something assigns to the variable, but nothing reads it: no guard, no update, no query.
    ///
    /// ## Why it matters
    ///
    /// It has no influence on anything, but makes more states.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     int[0,1] n;
    ///     init location A;
    ///     A -> A { do n = 1 - 0; }
    /// }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Remove it, or read it. In UPPAAL `meta` keeps a variable out of the states.
    ///
    /// If it is meant, `// tempora: allow(write-only-variable)` on the line before, or in the comment of the location
    /// or edge, silences it.
    pub static CODE = "write-only-variable": "a variable that is written and never read";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in subject.names.of_kind(|kind| matches!(kind, SymbolKind::Variable | SymbolKind::Local)) {
        if declared.is_written && !declared.is_read && !declared.is_in_query {
            let message = format!("`{}` is written and never read", declared.qualified());
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("remove it, or read it");
            findings.push(Finding::new(diagnostic));
        }
    }
}
