//! Reachable locations that no run leaves, although they have outgoing edges.

use std::collections::BTreeMap;

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;
use tempora_evidence::EdgeStage;
use tempora_model::{EdgeId, LocationId, Process, ProcessId};
use tempora_source::{Diagnostic, Severity};

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// The location is reachable and has outgoing edges, but no run takes any of them.
    ///
    /// ## Why it matters
    ///
    /// The process stops there for good, which is rarely intended if the location has outgoing edges.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     clock x;
    ///     init location A;
    ///     location B;
    ///     A -> B { guard x > 3; }
    ///     B -> A { guard x < 2; }
    /// }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Find out why the edges are never taken: the check `edge-never-taken` says which condition of each edge fails.
    ///
    /// To suppress the finding, write `// tempora: allow(location-never-left)` on the line before, or in the comment
    /// of the location or edge.
    pub static CODE = "location-never-left": "a location that is reached but never left";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Survey, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(survey) = subject.survey else { return };
    let network = subject.network;
    for (template, instances) in subject.templates() {
        let Some(&first) = instances.first() else { continue };
        let leaving: BTreeMap<ProcessId, BTreeMap<LocationId, Vec<EdgeId>>> = instances
            .iter()
            .map(|&process| (process, edges_by_source(&network.processes[process])))
            .collect();
        for (location, written) in network.processes[first].locations.iter() {
            let reached: Vec<_> =
                instances.iter().copied().filter(|&process| survey.reaches(process, location)).collect();
            let is_never_left = !reached.is_empty()
                && reached.iter().all(|&process| {
                    leaving[&process].get(&location).is_some_and(|leaving| {
                        leaving.iter().all(|&edge| {
                            survey.edge(process, edge).is_some_and(|facts| facts.stage != EdgeStage::Taken)
                        })
                    })
                });
            if !is_never_left {
                continue;
            }
            let name = network.location_name(first, location);
            let message = format!("runs reach the location `{template}.{name}` but never leave it");
            let mut diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_hint("find out why its edges are never taken");
            if let Some(span) = subject.span(written.origin) {
                diagnostic = diagnostic.with_primary(span, "");
            }
            findings.push(Finding::new(diagnostic).with_certainty(subject.certainty_of_absence()));
        }
    }
}

/// Returns the edges of a process that leave each location.
fn edges_by_source(process: &Process) -> BTreeMap<LocationId, Vec<EdgeId>> {
    let mut edges: BTreeMap<LocationId, Vec<EdgeId>> = BTreeMap::new();
    for (id, edge) in process.edges.iter() {
        edges.entry(edge.source).or_default().push(id);
    }
    edges
}
