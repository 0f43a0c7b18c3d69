//! Transitions whose guards hold but whose target state violates an invariant.

use std::collections::BTreeSet;

use tempora_source::{Diagnostic, Severity};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;
use crate::wording;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// All guards of a transition hold, but an invariant of its target state does not. The transition is therefore
    /// blocked, although its guards allow it. The run ends with the blocked transition.
    ///
    /// ## Why it matters
    ///
    /// Invariants are meant to limit the time spent in a location, not to block transitions. Often the reset of a clock
    /// is missing.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     clock x;
    ///     init location A;
    ///     location B { invariant x <= 5; }
    ///     A -> B { guard x >= 2; }
    ///     B -> A { do x = 0; }
    /// }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Reset the clock on the edge, or restrict the guard of the edge.
    ///
    /// To suppress the finding, write `// tempora: allow(invariant-violation)` on the line before, or in the comment
    /// of the location or edge.
    pub static CODE = "invariant-violation": "a transition that an invariant of its target blocks";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Violations, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(survey) = subject.survey else { return };
    let network = subject.network;
    // Violations by corresponding edges of several instances give one finding.
    let mut seen: BTreeSet<(Vec<InTemplate<'_>>, Option<InTemplate<'_>>)> = BTreeSet::new();
    for violation in &survey.violations {
        let edges: Vec<InTemplate<'_>> = violation
            .edges
            .iter()
            .map(|&(process, edge)| {
                let process = &network.processes[process];
                (process.template.as_str(), process.edges[edge].template_position)
            })
            .collect();
        let location = violation
            .location
            .map(|(process, location)| (network.processes[process].template.as_str(), location.0));
        if !seen.insert((edges, location)) {
            continue;
        }
        let whose = match violation.location {
            Some((process, location)) => format!(
                "the invariant of `{}.{}`",
                network.processes[process].name,
                network.location_name(process, location)
            ),
            None => "an invariant".to_owned(),
        };
        let message = match violation.edges.first() {
            Some(&(process, edge)) => {
                let name = wording::edge(network, process, edge);
                format!(
                    "`{}` cannot take `{name}`, which would violate {whose}",
                    network.processes[process].name
                )
            }
            None => format!("{whose} does not hold in the initial state"),
        };
        let mut diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
            .with_hint("reset the clock on the edge, or restrict its guard");
        let edge =
            violation.edges.first().map(|&(process, edge)| network.processes[process].edges[edge].origin);
        let invariant = violation.location.and_then(|(process, location)| {
            let invariant = &network.processes[process].locations[location].invariant;
            Some(invariant.clocks.first().or(invariant.data.first())?.origin)
        });
        if let Some(span) = edge.and_then(|origin| subject.span(origin)) {
            diagnostic = diagnostic.with_primary(span, "");
        }
        if let Some(span) = invariant.and_then(|origin| subject.span(origin)) {
            let text = "this would be violated";
            diagnostic = if edge.is_some() {
                diagnostic.with_secondary(span, text)
            } else {
                diagnostic.with_primary(span, text)
            };
        }
        findings.push(Finding::new(diagnostic).with_trace(violation.trace.clone()));
    }
}

/// An edge or a location of a template, by its position.
type InTemplate<'model> = (&'model str, u32);
