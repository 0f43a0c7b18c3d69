//! Locations that no run reaches, per instance and per template.

use tempora_model::{Id, ProcessId};
use tempora_source::{Diagnostic, Severity};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::finding::{Certainty, Element, Mark};
use crate::subject::Subject;
use crate::wording::listed;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// No run of the model reaches the location, either in all instances of the template or in some of them. If not all
    /// states were explored, the finding gives the number of explored states.
    ///
    /// ## Why it matters
    ///
    /// The behaviour that the location describes never happens, and properties of the location hold vacuously.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     int[0,3] n;
    ///     init location A;
    ///     location B;
    ///     A -> A { guard n < 2; do n++; }
    ///     A -> B { guard n > 2; }
    /// }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Find out why the edges into it are never taken: the check `edge-never-taken` says which condition of each edge
    /// fails. If the location is an error state, add a query such as `A[] not P.B`; the finding is then confirmed.
    ///
    /// To suppress the finding, write `// tempora: allow(unreachable-location)` on the line before, or in the comment
    /// of the location or edge.
    pub static CODE = "unreachable-location": "a location that no run reaches";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Locations, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(survey) = subject.survey else { return };
    let network = subject.network;
    for (template, instances) in subject.templates() {
        let Some(&first) = instances.first() else { continue };
        for (location, written) in network.processes[first].locations.iter() {
            let unreached: Vec<ProcessId> = instances
                .iter()
                .copied()
                .filter(|&process| {
                    location.index() < network.processes[process].locations.len()
                        && !survey.reaches(process, location)
                })
                .collect();
            if unreached.is_empty() {
                continue;
            }
            let name = network.location_name(first, location);
            let is_in_all = unreached.len() == instances.len();
            let message = if is_in_all {
                format!("no run reaches the location `{template}.{name}`")
            } else {
                let names: Vec<String> = unreached
                    .iter()
                    .map(|&process| format!("`{}.{name}`", network.processes[process].name))
                    .collect();
                format!("no run reaches {}, though other instances reach it", listed(&names))
            };
            let confirming = unreached.iter().map(|&process| subject.declared_unreachable(process, location));
            let confirming: Option<Vec<_>> = confirming.collect();
            let mut diagnostic = Diagnostic::new(&CODE, CHECK.severity, message);
            if let Some(span) = subject.span(written.origin) {
                diagnostic = diagnostic.with_primary(span, "");
            }
            let certainty = match confirming.as_deref().and_then(<[_]>::first) {
                Some(query) if survey.is_complete() => {
                    diagnostic.severity = Severity::Info;
                    diagnostic = diagnostic.with_note(format!("the query `{}` says so", query.text));
                    Certainty::Confirmed
                }
                _ => {
                    diagnostic = diagnostic
                        .with_hint("check the edges into it, or add a query that declares it unreachable");
                    subject.certainty_of_absence()
                }
            };
            let mark = Mark { process: first, element: Element::Location(location), is_in_all };
            findings.push(Finding::new(diagnostic).with_certainty(certainty).with_mark(mark));
        }
    }
}
