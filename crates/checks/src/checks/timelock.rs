//! States from which less than a unit of time can pass, whatever happens.
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
    /// A run leads to a state from which no run takes a unit of time: an invariant ends, and nothing that can happen
    /// lets time go on.
    ///
    /// ## Why it matters
    ///
    /// Time does not stop in what is modelled. Properties about all runs hold for the wrong reason behind such a state.
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
    /// See which invariant ends at the end of the run, and let an edge leave the location by then.
    ///
    /// If it is meant, `// tempora: allow(timelock)` on the line before, or in the comment of the location or edge,
    /// silences it.
    pub static CODE = "timelock": "a state from which time cannot go on";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Timelocks, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(Settled::Shown(trace)) = subject.survey.map(|survey| &survey.timelock) else { return };
    let mut diagnostic =
        Diagnostic::new(&CODE, CHECK.severity, "a state can be reached from which time cannot go on")
            .with_hint("see which invariant ends, and which edge should leave by then");
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
