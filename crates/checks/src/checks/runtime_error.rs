//! Runs that end with an evaluation error.

use std::collections::BTreeSet;

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;
use tempora_evidence::RuntimeErrorKind;
use tempora_source::{Diagnostic, Severity};

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// A run leads to a state in which an expression cannot be evaluated: a value is outside the range of its variable,
    /// an array index is out of bounds, a divisor is zero, a clock becomes negative, or a function does not terminate.
    ///
    /// ## Why it matters
    ///
    /// The model has no defined behaviour after the error. UPPAAL stops with an error at such a state.
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
    /// Follow the run, then restrict the guard or widen the range.
    ///
    /// To suppress the finding, write `// tempora: allow(runtime-error)` on the line before, or in the comment of the
    /// location or edge.
    pub static CODE = "runtime-error": "an expression that fails when it is evaluated";
}

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
            RuntimeErrorKind::StepLimit => "check that every loop terminates",
            _ => "follow the run, then restrict the guard or widen the range",
        };
        let mut diagnostic = Diagnostic::new(&CODE, CHECK.severity, message).with_hint(hint);
        if let Some(span) = span {
            diagnostic = diagnostic.with_primary(span, "");
        }
        findings.push(Finding::new(diagnostic).with_trace(fact.trace.clone()));
    }
}
