//! Conjuncts of guards that are true whenever they are evaluated.

use std::collections::BTreeMap;

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;
use tempora_evidence::conjunct_origins;
use tempora_source::{Diagnostic, Severity, Span};

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// This conjunct of the guard holds in every state in which the process is in the source of the edge and the
    /// preceding conjuncts hold. The check reports nothing unless all states were explored.
    ///
    /// ## Why it matters
    ///
    /// The conjunct looks like a restriction but has no effect. Perhaps the bound is wrong.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     clock x;
    ///     init location A { invariant x <= 3; }
    ///     A -> A { guard x <= 7 && x >= 1; do x = 0; }
    /// }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Remove or correct the conjunct.
    ///
    /// To suppress the finding, write `// tempora: allow(guard-always-true)` on the line before, or in the comment of
    /// the location or edge.
    pub static CODE = "guard-always-true": "a conjunct of a guard that is always true";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: false, need: Need::Survey, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    // A partial exploration has evaluated most conjuncts in few states only.
    let Some(survey) = subject.survey.filter(|survey| survey.is_complete()) else { return };
    let network = subject.network;
    for (_, instances) in subject.templates() {
        // A conjunct is reported if it is never false in any instance of the template.
        let mut parts: BTreeMap<Span, (bool, bool)> = BTreeMap::new();
        for &process in &instances {
            for (edge, written) in network.processes[process].edges.iter() {
                let Some(facts) = survey.edge(process, edge) else { continue };
                for (conjunct, origin) in facts.conjuncts.iter().zip(conjunct_origins(&written.guard)) {
                    let Some(span) = subject.span(origin) else { continue };
                    let truth = parts.entry(span).or_default();
                    truth.0 |= conjunct.was_true;
                    truth.1 |= conjunct.was_false;
                }
            }
        }
        for (span, (was_true, was_false)) in parts {
            let text = subject.files.text_at(span).trim();
            // A literal constant is intended.
            if was_true && !was_false && text != "true" && text != "1" {
                let diagnostic =
                    Diagnostic::new(&CODE, CHECK.severity, format!("`{text}` is always true here"))
                        .with_primary(span, "")
                        .with_hint("remove or correct it");
                findings.push(Finding::new(diagnostic));
            }
        }
    }
}
