//! States from which time cannot advance by a unit on any run.

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;
use tempora_evidence::Settled;
use tempora_source::{Diagnostic, Severity};

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// A run leads to a state from which time cannot advance by one unit: an invariant stops the delay, and no
    /// transition that is possible before lets more time pass.
    ///
    /// ## Why it matters
    ///
    /// Time does not stop in a real system. After such a state, properties about all runs hold for the wrong reason.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     clock x;
    ///     init location A { invariant x <= 5; }
    ///     location B;
    ///     A -> B { guard x < 2; }
    /// }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Find the invariant that stops time at the end of the run, and enable an edge out of the location before then.
    ///
    /// To suppress the finding, write `// tempora: allow(timelock)` on the line before, or in the comment of the
    /// location or edge.
    pub static CODE = "timelock": "a state from which time cannot advance";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Timelocks, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(Settled::Shown(trace)) = subject.survey.map(|survey| &survey.timelock) else { return };
    let mut diagnostic =
        Diagnostic::new(&CODE, CHECK.severity, "the system can reach a state from which time cannot advance")
            .with_hint("find the invariant that stops time, and enable an edge before then");
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
