//! Runs on which infinitely many transitions happen in bounded time.

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;
use tempora_evidence::Settled;
use tempora_source::{Diagnostic, Severity};

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// The model has a run with infinitely many transitions on which less than a unit of time passes from some state
    /// on. The run shown ends with a cycle that can be repeated.
    ///
    /// ## Why it matters
    ///
    /// No real system has such a run. Zeno runs count in queries such as `A<>`, and may be the only reason why a
    /// query is violated; `tempora check --zeno exclude` excludes them.
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
    /// Limit the frequency of the cycle with a clock: reset it in the cycle, and require it to be at least one.
    ///
    /// To suppress the finding, write `// tempora: allow(zeno-run)` on the line before, or in the comment of the
    /// location or edge.
    pub static CODE = "zeno-run": "a run with infinitely many transitions in bounded time";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: true, need: Need::Zeno, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(Settled::Shown(trace)) = subject.survey.map(|survey| &survey.zeno) else { return };
    let mut diagnostic =
        Diagnostic::new(&CODE, CHECK.severity, "infinitely many transitions can happen in bounded time")
            .with_hint("limit the frequency of the cycle with a clock");
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
