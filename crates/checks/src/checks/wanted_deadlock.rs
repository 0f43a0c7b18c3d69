//! Deadlocks of the whole system in which some process is where it may end.
//!
//! Invariant: only findings of this code.

use tempora_model::LocationId;
use tempora_source::{Diagnostic, Severity};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;
use crate::wording;

tempora_source::declare_code! {
    /// ## What it means
    ///
    /// A run leads to a state from which no transition is possible any more, and some process is in a location without
    /// outgoing edges, or in one that `tempora.toml` names as an end.
    ///
    /// ## Why it matters
    ///
    /// That is what a system with an end looks like. It is worth knowing, for properties about what happens again and
    /// again do not hold then.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P { init location A; location End; A -> End { } }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Nothing, if the system is to end there. Else lead an edge on.
    ///
    /// If it is meant, `// tempora: allow(wanted-deadlock)` on the line before, or in the comment of the location or
    /// edge, silences it.
    pub static CODE = "wanted-deadlock": "the system can end";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: true, need: Need::Survey, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(survey) = subject.survey else { return };
    let network = subject.network;
    // One for each vector of locations would be too many: the first, and how many more there are.
    let mut of_kind = survey.deadlocks.iter().filter(|deadlock| is_wanted(subject, &deadlock.locations));
    let Some(deadlock) = of_kind.next() else { return };
    let more = of_kind.count();
    let mut diagnostic = Diagnostic::new(&CODE, CHECK.severity, "the system can end")
        .with_note(format!("in {}", wording::vector(network, &deadlock.locations)))
        .with_hint("the run shows how");
    if more > 0 {
        let what = if more == 1 { "vector of locations" } else { "vectors of locations" };
        diagnostic = diagnostic.with_note(format!("and in {more} more {what}"));
    }
    for (process, &location) in network.processes.ids().zip(&deadlock.locations) {
        if let Some(span) = subject.span(network.processes[process].locations[location].origin) {
            let text = format!("`{}` is here", network.processes[process].name);
            diagnostic = if diagnostic.labels.is_empty() {
                diagnostic.with_primary(span, text)
            } else if diagnostic.labels.len() < MOST_PLACES {
                diagnostic.with_secondary(span, text)
            } else {
                diagnostic
            };
        }
    }
    findings.push(Finding::new(diagnostic).with_trace(deadlock.trace.clone()));
}

/// So many places are pointed at.
const MOST_PLACES: usize = 4;

/// Whether a process is where it may end.
fn is_wanted(subject: &Subject<'_>, locations: &[LocationId]) -> bool {
    subject
        .network
        .processes
        .ids()
        .zip(locations)
        .any(|(process, &location)| subject.is_end(process, location))
}
