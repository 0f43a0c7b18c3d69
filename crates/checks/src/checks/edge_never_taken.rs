//! Edges that no run takes, per instance and per template, with the reason.

use tempora_evidence::{EdgeStage, EdgeSurvey, conjunct_origins};
use tempora_model::{EdgeId, ProcessId, Query};
use tempora_source::{Diagnostic, Severity};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::finding::{Certainty, Element, Mark};
use crate::subject::Subject;
use crate::wording;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// No run of the model takes the edge, either in all instances of the template or in some of them. The finding says
    /// which condition fails: the clock-free part of the guard, its clock constraints, a partner to synchronise with,
    /// the updates, or the invariants of the target. A run leads to a state in which the conditions before it in this
    /// list hold.
    ///
    /// ## Why it matters
    ///
    /// The behaviour that the edge describes never happens. Often its guard can never hold, or a partner is missing.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     clock x;
    ///     init location A { invariant x <= 3; }
    ///     location B;
    ///     A -> A { guard x >= 2; do x = 0; }
    ///     A -> B { guard x > 3; }
    /// }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Follow the run to its last state, and correct the condition that blocks the edge there. Remove the edge if it is
    /// not needed.
    ///
    /// To suppress the finding, write `// tempora: allow(edge-never-taken)` on the line before, or in the comment of
    /// the location or edge.
    pub static CODE = "edge-never-taken": "an edge that no run takes";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Edges, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(survey) = subject.survey else { return };
    let network = subject.network;
    for (template, instances) in subject.templates() {
        let Some(&first) = instances.first() else { continue };
        for (edge, written) in network.processes[first].edges.iter() {
            // Edges of instances correspond by their position in the template. An instance may lack an edge that it can
            // never take.
            let position = written.template_position;
            let same: Vec<(ProcessId, EdgeId)> = instances
                .iter()
                .filter_map(|&process| {
                    let edges = network.processes[process].edges.iter();
                    let mut same = edges.filter(|(_, other)| other.template_position == position);
                    same.next().map(|(edge, _)| (process, edge))
                })
                .collect();
            let untaken: Vec<(ProcessId, EdgeId, &EdgeSurvey)> = same
                .iter()
                .filter_map(|&(process, edge)| Some((process, edge, survey.edge(process, edge)?)))
                .filter(|(_, _, facts)| facts.stage != EdgeStage::Taken)
                .collect();
            let Some(&(process, furthest_edge, facts)) =
                untaken.iter().max_by_key(|(_, _, facts)| facts.stage)
            else {
                continue;
            };
            let is_in_all = untaken.len() == same.len();
            // An unreachable source is reported once, as a location, not once per edge.
            if facts.stage == EdgeStage::Unreached {
                continue;
            }
            let name = wording::edge(network, first, edge);
            let message = if is_in_all {
                format!("no run takes the edge `{name}` of `{template}`")
            } else {
                let names: Vec<String> = untaken
                    .iter()
                    .map(|(process, _, _)| format!("`{}`", network.processes[*process].name))
                    .collect();
                format!(
                    "no run takes the edge `{name}` in {}, unlike in other instances",
                    wording::listed(&names)
                )
            };
            let mut diagnostic = Diagnostic::new(&CODE, CHECK.severity, message);
            if let Some(span) = subject.span(written.origin) {
                diagnostic = diagnostic.with_primary(span, "");
            }
            // In an over-approximation, a condition may hold in states that are not reachable.
            if survey.over_approximation.is_none() {
                diagnostic = explained(subject, diagnostic, process, furthest_edge, facts);
            }
            let mut certainty = subject.certainty_of_absence();
            if survey.is_complete()
                && let Some(query) = declared_untaken(subject, &untaken)
            {
                diagnostic.severity = Severity::Info;
                diagnostic = diagnostic
                    .with_note(format!("its target is unreachable according to the query `{}`", query.text));
                certainty = Certainty::Confirmed;
            }
            let mark = Mark { process: first, element: Element::Edge(edge), is_in_all };
            findings.push(
                Finding::new(diagnostic)
                    .with_certainty(certainty)
                    .with_trace(facts.nearest.clone())
                    .with_mark(mark),
            );
        }
    }
}

/// Returns the first query that declares a target of these edges unreachable, if every target is declared unreachable.
fn declared_untaken<'model>(
    subject: &Subject<'model>,
    untaken: &[(ProcessId, EdgeId, &EdgeSurvey)],
) -> Option<&'model Query> {
    let mut first = None;
    for (process, edge, _) in untaken {
        for branch in &subject.network.processes[*process].edges[*edge].branches {
            if subject.survey?.reaches(*process, branch.target) {
                return None;
            }
            let query = subject.declared_unreachable(*process, branch.target)?;
            first.get_or_insert(query);
        }
    }
    first
}

/// Adds the first condition of the edge that never holds, and a hint.
fn explained(
    subject: &Subject<'_>,
    mut diagnostic: Diagnostic,
    process: ProcessId,
    edge: EdgeId,
    facts: &EdgeSurvey,
) -> Diagnostic {
    let written = &subject.network.processes[process].edges[edge];
    let (note, hint) = match facts.stage {
        EdgeStage::Unreached | EdgeStage::Taken => return diagnostic,
        EdgeStage::InSource => (
            "its source is reached, but the clock-free part of its guard never holds there",
            "check the guard",
        ),
        EdgeStage::DataHolds => (
            "the clock-free part of its guard can hold, but its clock constraints never hold at the same time",
            "compare the guard with the invariant of its source",
        ),
        EdgeStage::GuardHolds if written.synchronisation.is_some() => (
            "its guard can hold, but no partner is then ready to synchronise",
            "check the edges at the other end of the channel",
        ),
        EdgeStage::GuardHolds => (
            "its guard can hold, but committed locations or transitions of higher priority then take precedence",
            "check the committed locations and the priorities",
        ),
        EdgeStage::HasPartners => (
            "a partner is ready, but the clock constraints never hold together, or other transitions take precedence",
            "compare the guards of both sides",
        ),
        EdgeStage::AllGuardsHold => {
            ("it is enabled in some state, but its updates always fail", "see the check `runtime-error`")
        }
        EdgeStage::Updated => (
            "it is enabled in some state, but always violates an invariant of its target state",
            "see the check `invariant-violation`",
        ),
    };
    for (conjunct, origin) in facts.conjuncts.iter().zip(conjunct_origins(&written.guard)) {
        if conjunct.was_false
            && !conjunct.was_true
            && let Some(span) = subject.span(origin)
        {
            let is_never = subject.certainty_of_absence() == Certainty::Definite;
            let text = if is_never { "this never holds" } else { "this held in no explored state" };
            diagnostic = diagnostic.with_secondary(span, text);
        }
    }
    diagnostic.with_note(note).with_hint(hint)
}
