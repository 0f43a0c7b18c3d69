//! Errors that a run of the model ends with.
//!
//! Invariant: only findings of this code.

use std::collections::BTreeSet;

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;
use tempora_evidence::RuntimeErrorKind;
use tempora_source::{Diagnostic, Severity};

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// A run leads to where an expression cannot be evaluated: a value does not fit the range of its variable, an index
    /// is not one of the array, something is divided by zero, a clock becomes negative, a function does not end.
    ///
    /// ## Why it matters
    ///
    /// A failing model has no meaning from there on. UPPAAL stops with an error there.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     int[0,3] n;
    ///     init location A;
    ///     A -> A { do n++; }
    /// }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Follow the run; restrict the guard, or widen the range.
    ///
    /// If it is meant, `// tempora: allow(runtime-error)` on the line before, or in the comment of the location or
    /// edge, silences it.
    pub static CODE = "runtime-error": "the model fails when it is executed";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Error, is_default: true, need: Need::Errors, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(survey) = subject.survey else { return };
    let mut seen = BTreeSet::new();
    for fact in &survey.errors {
        let span = subject.span(fact.error.origin);
        let message = format!("a run fails here: {}", fact.error.kind);
        if !seen.insert((span, message.clone())) {
            continue;
        }
        let hint = match fact.error.kind {
            RuntimeErrorKind::StepLimit => "perhaps a loop does not end",
            _ => "follow the run, then restrict the guard or widen the range",
        };
        let mut diagnostic = Diagnostic::new(&CODE, CHECK.severity, message).with_hint(hint);
        if let Some(span) = span {
            diagnostic = diagnostic.with_primary(span, "");
        }
        findings.push(Finding::new(diagnostic).with_trace(fact.trace.clone()));
    }
}
