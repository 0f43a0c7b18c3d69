//! Edges that no run takes, for each instance and for each template, and why.
//!
//! Invariant: only findings of this code.

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
    /// No run of the model ever takes the edge: in no instance of the template, or in some instances only. The finding
    /// says how far the edge gets: whether a run is in its source, whether its guard without clocks and that on clocks
    /// hold, whether there is a partner, whether the updates succeed and the target is within its invariants. A run
    /// leads to where it gets furthest.
    ///
    /// ## Why it matters
    ///
    /// What the edge is for does not happen. Often a guard can never hold, or a partner is missing.
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
    /// Look at the run to where the edge gets furthest, and change what is in the way. Remove the edge if it is not
    /// needed.
    ///
    /// If it is meant, `// tempora: allow(edge-never-taken)` on the line before, or in the comment of the location or
    /// edge, silences it.
    pub static CODE = "edge-never-taken": "an edge that no run takes";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Edges, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(survey) = subject.survey else { return };
    let network = subject.network;
    for (template, instances) in subject.templates() {
        let Some(&first) = instances.first() else { continue };
        for (edge, written) in network.processes[first].edges.iter() {
            // Edges of instances correspond by their position in the template; one may be missing where it can never be.
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
            // Where the source is never reached, the location is reported and not each edge of it.
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
                    "no run takes the edge `{name}` in {}, though other instances do",
                    wording::listed(&names)
                )
            };
            let mut diagnostic = Diagnostic::new(&CODE, CHECK.severity, message);
            if let Some(span) = subject.span(written.origin) {
                diagnostic = diagnostic.with_primary(span, "");
            }
            // How far it gets is sure only if nothing was explored that runs do not meet.
            if survey.over_approximation.is_none() {
                diagnostic = explained(subject, diagnostic, process, furthest_edge, facts);
            }
            let mut certainty = subject.certainty_of_absence();
            if survey.is_complete()
                && let Some(query) = declared_untaken(subject, &untaken)
            {
                diagnostic.severity = Severity::Info;
                diagnostic = diagnostic
                    .with_note(format!("it leads to where the query `{}` says that no run is", query.text));
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

/// The query that declares unreachable where these edges lead, if it does so for all of them.
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

/// Adds how far the edge gets, and what is in the way.
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
        EdgeStage::InSource => {
            ("its source is reached, but its guard without clocks never holds there", "look at the guard")
        }
        EdgeStage::DataHolds => (
            "its guard without clocks holds somewhere, but that on clocks never holds then",
            "compare the guard with the invariant of its source",
        ),
        EdgeStage::GuardHolds if written.synchronisation.is_some() => (
            "its guard holds somewhere, but nobody is ready to synchronise then",
            "look at who uses the other end of the channel",
        ),
        EdgeStage::GuardHolds => (
            "its guard holds somewhere, but others go first then: they are committed or have a higher priority",
            "look at the committed locations and the priorities",
        ),
        EdgeStage::HasPartners => (
            "there is a partner, but the guards on clocks never hold together, or others go first",
            "compare the guards of both sides",
        ),
        EdgeStage::AllGuardsHold => {
            ("it is enabled somewhere, but its updates always fail", "see the check `runtime-error`")
        }
        EdgeStage::Updated => (
            "it is enabled somewhere, but an invariant of where it leads never holds then",
            "see the check `invariant-violation`",
        ),
    };
    for (conjunct, origin) in facts.conjuncts.iter().zip(conjunct_origins(&written.guard)) {
        if conjunct.was_false
            && !conjunct.was_true
            && let Some(span) = subject.span(origin)
        {
            let is_never = subject.certainty_of_absence() == Certainty::Definite;
            let text = if is_never { "this never holds" } else { "this was not seen to hold" };
            diagnostic = diagnostic.with_secondary(span, text);
        }
    }
    diagnostic.with_note(note).with_hint(hint)
}
