//! Selects with values with which the edge is never taken.
//!
//! Invariant: only findings of this code.

use std::collections::{BTreeMap, BTreeSet};

use tempora_source::{Diagnostic, Severity, Span};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;
use crate::wording::listed;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// The edge is taken, but with some values of a select only. The check looks at selects of up to 64 values, in
    /// models of which all states were explored.
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
    /// Select from the values that can be taken, or look why the others cannot.
    ///
    /// If it is meant, `// tempora: allow(select-value-never-taken)` on the line before, or in the comment of the
    /// location or edge, silences it.
    pub static CODE = "select-value-never-taken": "a select with values that no run takes";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: false, need: Need::Survey, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(survey) = subject.survey.filter(|survey| survey.is_complete()) else { return };
    let network = subject.network;
    for (_, instances) in subject.templates() {
        // What one instance never takes, another may.
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
                .with_hint("select from the values that can be taken");
            findings.push(Finding::new(diagnostic));
        }
    }
}
