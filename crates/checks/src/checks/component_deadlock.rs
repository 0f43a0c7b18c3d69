//! Processes that can get stuck for ever, decided exactly as a violation of `A[] E<> it moves`.

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
    /// A run leads to a state after which the process can never take part in a transition again, although an edge
    /// leaves its location. Other processes may continue. In a system that can terminate, where some process can reach
    /// a location without outgoing edges, other processes are often simply done. The finding is then for information
    /// only.
    ///
    /// ## Why it matters
    ///
    /// A part of the system has stopped for good. A check for deadlocks of the whole system does not detect this.
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
    /// Follow the run to the state in which the process is stuck, and find out why no edge can be taken. If the process
    /// may stay there, list the location under `ends` in `tempora.toml`.
    ///
    /// To suppress the finding, write `// tempora: allow(component-deadlock)` on the line before, or in the comment
    /// of the location or edge.
    pub static CODE = "component-deadlock": "a process that can get stuck for ever";
}

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
        let message =
            format!("{} can get stuck for ever in a location with outgoing edges", wording::listed(&names));
        let mut diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
            .with_hint("follow the run, and find out why no edge of the process can be taken");
        if terminates {
            diagnostic.severity = diagnostic.severity.max(Severity::Info);
            diagnostic = diagnostic.with_note("the system can terminate, so the process may simply be done");
        }
        if let Some(span) = subject.span(network.processes[process].origin) {
            diagnostic = diagnostic.with_primary(span, "");
        }
        findings.push(Finding::new(diagnostic).with_trace(trace.clone()));
    }
}
