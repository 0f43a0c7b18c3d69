//! Edges of a process between which nothing decides.
//!
//! Invariant: only findings of this code.

use std::collections::BTreeSet;

use tempora_source::{Diagnostic, Severity};

use crate::check::{Check, Need};
use crate::finding::{Element, Finding, Mark};
use crate::subject::Subject;
use crate::wording;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// In some state the guards of two edges of a process hold together, and both edges synchronise in the same way, or not
    /// at all. Nothing in the model decides which of them is taken. States in which only somebody else may move, being
    /// committed, do not count, nor do the values of the selects of one edge.
    ///
    /// ## Why it matters
    ///
    /// A controller or a program that is built from the model has to decide. Often the guards were meant to exclude each
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
    /// Follow the run to where both guards hold, and let one of them end before the other begins. The check is run on
    /// request only: in an environment such choices are what is meant.
    ///
    /// If it is meant, `// tempora: allow(nondeterministic-choice)` on the line before, or in the comment of the location
    /// or edge, silences it.
    pub static CODE = "nondeterministic-choice": "two edges between which nothing decides";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: false, need: Need::Choices, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(survey) = subject.survey else { return };
    let network = subject.network;
    let mut told = BTreeSet::new();
    for choice in &survey.choices {
        let process = &network.processes[choice.process];
        let edges = choice.edges.map(|edge| &process.edges[edge]);
        // Once for all instances of a template.
        if !told.insert((&process.template, edges.map(|edge| edge.template_position))) {
            continue;
        }
        let [first, second] = choice.edges.map(|edge| wording::edge(network, choice.process, edge));
        let message = format!("`{}` may take `{first}` or `{second}`, and nothing decides", process.name);
        let mut diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
            .with_hint("follow the run, and let one guard end before the other begins");
        let [one, other] = edges.map(|edge| subject.span(edge.origin));
        if let Some(span) = one {
            diagnostic = diagnostic.with_primary(span, "");
        }
        if let Some(span) = other {
            diagnostic = diagnostic.with_secondary(span, "or this");
        }
        let mut finding = Finding::new(diagnostic).with_trace(choice.trace.clone());
        for edge in choice.edges {
            let mark = Mark { process: choice.process, element: Element::Edge(edge), is_in_all: false };
            finding = finding.with_mark(mark);
        }
        findings.push(finding);
    }
}
