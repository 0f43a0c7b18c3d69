//! Pairs of edges of a process that are enabled in the same state.

use std::collections::BTreeSet;

use tempora_source::{Diagnostic, Severity};

use crate::check::{Check, Need};
use crate::finding::{Element, Finding, Mark};
use crate::subject::Subject;
use crate::wording;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// In some state the guards of two edges of a process hold together, and both edges synchronise in the same way or
    /// not at all, so the model does not determine which of them is taken. States in which committed locations of other
    /// processes take precedence do not count, nor do different select values of the same edge.
    ///
    /// ## Why it matters
    ///
    /// An implementation of the model has to choose one of the edges. Often the guards were meant to exclude each
    /// other, and a bound is off by one.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     clock x;
    ///     init location A { invariant x <= 5; }
    ///     location B;
    ///     A -> A { guard x <= 3; do x = 0; }
    ///     A -> B { guard x >= 3; }
    /// }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Follow the run to a state in which both guards hold, and make the guards disjoint. The check runs only on
    /// request, because such choices are normal in a model of an environment.
    ///
    /// To suppress the finding, write `// tempora: allow(nondeterministic-choice)` on the line before, or in the
    /// comment of the location or edge.
    pub static CODE = "nondeterministic-choice": "two edges that are enabled in the same state";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: false, need: Need::Choices, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(survey) = subject.survey else { return };
    let network = subject.network;
    let mut reported = BTreeSet::new();
    for choice in &survey.choices {
        let process = &network.processes[choice.process];
        let edges = choice.edges.map(|edge| &process.edges[edge]);
        // One finding for all instances of a template.
        if !reported.insert((&process.template, edges.map(|edge| edge.template_position))) {
            continue;
        }
        let [first, second] = choice.edges.map(|edge| wording::edge(network, choice.process, edge));
        let message = format!("`{}` can take `{first}` or `{second}` in the same state", process.name);
        let mut diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
            .with_hint("follow the run, and make the guards disjoint");
        let [one, other] = edges.map(|edge| subject.span(edge.origin));
        if let Some(span) = one {
            diagnostic = diagnostic.with_primary(span, "");
        }
        if let Some(span) = other {
            diagnostic = diagnostic.with_secondary(span, "or this edge");
        }
        let mut finding = Finding::new(diagnostic).with_trace(choice.trace.clone());
        for edge in choice.edges {
            let mark = Mark { process: choice.process, element: Element::Edge(edge), is_in_all: false };
            finding = finding.with_mark(mark);
        }
        findings.push(finding);
    }
}
