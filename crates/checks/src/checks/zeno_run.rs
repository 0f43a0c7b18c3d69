//! Runs on which infinitely many transitions happen in bounded time.
//!
//! Invariant: only findings of this code.

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;
use tempora_evidence::Settled;
use tempora_source::{Diagnostic, Severity};

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// The model has a run on which infinitely many transitions happen and less than a unit of time passes from some
    /// moment on. The run shown ends with a cycle that can be repeated.
    ///
    /// ## Why it matters
    ///
    /// Nothing real does that. Such runs count in queries such as `A<>`, and may be the only reason why one does not
    /// hold; `tempora check --zeno exclude` leaves them out.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     init location A;
    ///     A -> A { }
    /// }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Let a clock limit how often the cycle can happen: reset it in the cycle, and ask for at least one.
    ///
    /// If it is meant, `// tempora: allow(zeno-run)` on the line before, or in the comment of the location or edge,
    /// silences it.
    pub static CODE = "zeno-run": "infinitely many transitions in bounded time";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: true, need: Need::Zeno, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(Settled::Shown(trace)) = subject.survey.map(|survey| &survey.zeno) else { return };
    let mut diagnostic =
        Diagnostic::new(&CODE, CHECK.severity, "infinitely many transitions can happen in bounded time")
            .with_hint("let a clock limit how often the cycle can happen");
    let at_end = trace
        .as_ref()
        .and_then(|trace| trace.steps.last())
        .and_then(|step| step.transition.participants.first());
    let origin = match at_end {
        Some(part) => Some(subject.network.processes[part.process].edges[part.edge].origin),
        None => subject.network.processes.values().next().map(|process| process.origin),
    };
    if let Some(span) = origin.and_then(|origin| subject.span(origin)) {
        diagnostic = diagnostic.with_primary(span, "");
    }
    findings.push(Finding::new(diagnostic).with_trace(trace.clone()));
}
