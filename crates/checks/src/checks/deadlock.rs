//! Deadlocks of the whole system in which no process is where it may end.
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
    /// A run leads to a state from which no transition is possible, now or after any delay, although an edge leaves the
    /// location of every process. A location without outgoing edges, or one that `tempora.toml` names as an end, makes
    /// a deadlock a wanted one, which the check `wanted-deadlock` reports.
    ///
    /// ## Why it matters
    ///
    /// The system stops for good where it was not built to stop. Deadlocks with conditions on clocks at the receivers
    /// of broadcasts are found too.
    ///
    /// ## Example
    ///
    /// ```net
    /// chan a, b;
    /// process P { init location A; location B; A -> B { sync a!; } B -> A { sync b?; } }
    /// process Q { init location A; location B; A -> B { sync a?; } B -> A { sync b?; } }
    /// system P, Q;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Follow the run to the deadlock. If the system may end there, name the location under `ends` in `tempora.toml`.
    ///
    /// If it is meant, `// tempora: allow(deadlock)` on the line before, or in the comment of the location or edge,
    /// silences it.
    pub static CODE = "deadlock": "a state in which nothing can happen any more";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Survey, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(survey) = subject.survey else { return };
    let network = subject.network;
    // One for each vector of locations would be too many: the first, and how many more there are.
    let mut of_kind = survey.deadlocks.iter().filter(|deadlock| !is_wanted(subject, &deadlock.locations));
    let Some(deadlock) = of_kind.next() else { return };
    let more = of_kind.count();
    let mut diagnostic = Diagnostic::new(&CODE, CHECK.severity, "the system can deadlock")
        .with_note(format!("in {}", wording::vector(network, &deadlock.locations)))
        .with_hint("follow the run, or name the end in `tempora.toml`");
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
