//! Processes that can never take part in a transition again, exactly: `A[] E<> it moves`.
//!
//! Invariant: only findings of this code.

use tempora_evidence::Settled;
use tempora_model::Id;
use tempora_source::{Diagnostic, Severity};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;
use crate::wording;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// A run leads to a state from which the process never takes part in any transition again, whatever happens,
    /// although an edge leaves its location. What other processes do may go on. In a system with an end, where some
    /// process can be in a location without outgoing edges, the others are often done at some time; there the finding
    /// is for information only.
    ///
    /// ## Why it matters
    ///
    /// A part of the system has stopped for good, which a deadlock of the whole system would not show.
    ///
    /// ## Example
    ///
    /// ```net
    /// chan a;
    /// process P { clock x; init location A; location B; A -> B { guard x > 5; } A -> A { guard x < 2; sync a!; } B -> B { } }
    /// process Q { init location A; A -> A { sync a?; } }
    /// system P, Q;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Follow the run to where the process is stuck, and see what it waits for. If it may stay there, name the location
    /// under `ends` in `tempora.toml`.
    ///
    /// If it is meant, `// tempora: allow(component-deadlock)` on the line before, or in the comment of the location or
    /// edge, silences it.
    pub static CODE = "component-deadlock": "a process that can never move again";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Components, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(survey) = subject.survey else { return };
    let network = subject.network;
    let terminates = network.processes.iter().any(|(id, process)| {
        process.locations.ids().any(|location| subject.is_end(id, location) && survey.reaches(id, location))
    });
    for (_, instances) in subject.templates() {
        let stuck: Vec<_> = instances
            .iter()
            .filter_map(|&process| match survey.stuck.get(process.index()) {
                Some(Settled::Shown(trace)) => Some((process, trace)),
                _ => None,
            })
            .collect();
        let Some(&(process, trace)) = stuck.first() else { continue };
        let names: Vec<String> =
            stuck.iter().map(|(process, _)| format!("`{}`", network.processes[*process].name)).collect();
        let message = format!("{} can be stuck for ever where edges lead on", wording::listed(&names));
        let mut diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
            .with_hint("follow the run, and see what the process waits for");
        if terminates {
            diagnostic.severity = diagnostic.severity.max(Severity::Info);
            diagnostic = diagnostic.with_note("the system has an end, so the process may just be done");
        }
        if let Some(span) = subject.span(network.processes[process].origin) {
            diagnostic = diagnostic.with_primary(span, "");
        }
        findings.push(Finding::new(diagnostic).with_trace(trace.clone()));
    }
}
