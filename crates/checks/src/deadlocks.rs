//! Deadlocks of the whole system, wanted and unwanted.
//!
//! Invariant: a deadlock is wanted if and only if some process is in an end location.

use tempora_model::LocationId;
use tempora_source::Diagnostic;

use crate::finding::Finding;
use crate::subject::Subject;
use crate::wording;

/// The maximal number of labels of a finding.
const MOST_LABELS: usize = 4;

/// Returns the first wanted or the first unwanted deadlock, with the number of the others in a note.
pub(crate) fn first_deadlock(
    subject: &Subject<'_>,
    is_wanted: bool,
    mut diagnostic: Diagnostic,
) -> Option<Finding> {
    let network = subject.network;
    let deadlocks = subject.survey?.deadlocks.iter();
    let mut of_kind = deadlocks.filter(|deadlock| may_end(subject, &deadlock.locations) == is_wanted);
    let deadlock = of_kind.next()?;
    let more = of_kind.count();
    diagnostic = diagnostic.with_note(format!("in {}", wording::vector(network, &deadlock.locations)));
    if more > 0 {
        let vectors = if more == 1 { "location vector" } else { "location vectors" };
        diagnostic = diagnostic.with_note(format!("and in {more} more {vectors}"));
    }
    for (process, &location) in network.processes.ids().zip(&deadlock.locations) {
        if let Some(span) = subject.span(network.processes[process].locations[location].origin) {
            let text = format!("`{}` is here", network.processes[process].name);
            diagnostic = if diagnostic.labels.is_empty() {
                diagnostic.with_primary(span, text)
            } else if diagnostic.labels.len() < MOST_LABELS {
                diagnostic.with_secondary(span, text)
            } else {
                diagnostic
            };
        }
    }
    Some(Finding::new(diagnostic).with_trace(deadlock.trace.clone()))
}

/// Returns whether some process is in an end location.
fn may_end(subject: &Subject<'_>, locations: &[LocationId]) -> bool {
    let mut places = subject.network.processes.ids().zip(locations);
    places.any(|(process, &location)| subject.is_end(process, location))
}
