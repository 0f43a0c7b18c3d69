//! Values of selects with which the edge is never taken.

use std::collections::{BTreeMap, BTreeSet};

use tempora_source::{Diagnostic, Severity, Span};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;
use crate::wording::listed;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// The edge is taken, but only with some of the values of a select. The check covers selects of up to 64 values and
    /// reports nothing unless all states were explored.
    ///
    /// ## Why it matters
    ///
    /// The range of the select is wider than needed, or the other values are blocked by mistake.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     init location A;
    ///     A -> A { select i : int[0,3]; guard i < 2; }
    /// }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Restrict the select to the values that are taken, or find out why the others are blocked.
    ///
    /// To suppress the finding, write `// tempora: allow(select-value-never-taken)` on the line before, or in the
    /// comment of the location or edge.
    pub static CODE = "select-value-never-taken": "a select with values that are never taken";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: false, need: Need::Survey, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(survey) = subject.survey.filter(|survey| survey.is_complete()) else { return };
    let network = subject.network;
    for (_, instances) in subject.templates() {
        // Another instance may take a value that one instance never takes.
        let mut taken: BTreeMap<Span, (String, Vec<i32>, BTreeSet<i32>)> = BTreeMap::new();
        for &process in &instances {
            for (edge, written) in network.processes[process].edges.iter() {
                let Some(facts) = survey.edge(process, edge) else { continue };
                for (binder, values) in written.selects.iter().zip(&facts.taken_selects) {
                    let Some(span) = subject.span(binder.origin) else { continue };
                    if binder.domain.size() > 64 {
                        continue;
                    }
                    let known = taken.entry(span).or_insert_with(|| {
                        (binder.name.clone(), binder.domain.values().collect(), BTreeSet::new())
                    });
                    known.2.extend(values);
                }
            }
        }
        for (span, (name, all, taken)) in taken {
            let never: Vec<String> =
                all.iter().filter(|value| !taken.contains(value)).map(ToString::to_string).collect();
            if never.is_empty() || taken.is_empty() {
                continue;
            }
            let message = format!("the edge is never taken with `{name}` = {}", listed(&never));
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(span, "")
                .with_hint("restrict the select to the values that are taken");
            findings.push(Finding::new(diagnostic));
        }
    }
}
