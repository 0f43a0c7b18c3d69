//! Conjuncts of guards that hold in every state in which they are looked at.
//!
//! Invariant: only findings of this code.

use std::collections::BTreeMap;

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;
use tempora_evidence::conjunct_origins;
use tempora_source::{Diagnostic, Severity, Span};

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// In all states in which the process is in the source of the edge and the parts of the guard before it hold, this
    /// part of the guard holds too. The check looks only at models of which all states were explored.
    ///
    /// ## Why it matters
    ///
    /// It says nothing, and readers take it for a restriction. Perhaps another bound was meant.
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
    /// Leave it out, or write what was meant.
    ///
    /// If it is meant, `// tempora: allow(guard-always-true)` on the line before, or in the comment of the location or
    /// edge, silences it.
    pub static CODE = "guard-always-true": "a part of a guard that is never false";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: false, need: Need::Survey, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    // Where not all states were explored, most parts of a model have not changed yet.
    let Some(survey) = subject.survey.filter(|survey| survey.is_complete()) else { return };
    let network = subject.network;
    for (_, instances) in subject.templates() {
        // A part is reported if it is never false in any instance of the template.
        let mut parts: BTreeMap<Span, (bool, bool)> = BTreeMap::new();
        for &process in &instances {
            for (edge, written) in network.processes[process].edges.iter() {
                let Some(facts) = survey.edge(process, edge) else { continue };
                for (conjunct, origin) in facts.conjuncts.iter().zip(conjunct_origins(&written.guard)) {
                    let Some(span) = subject.span(origin) else { continue };
                    let met = parts.entry(span).or_default();
                    met.0 |= conjunct.was_true;
                    met.1 |= conjunct.was_false;
                }
            }
        }
        for (span, (was_true, was_false)) in parts {
            let text = subject.files.text_at(span).trim();
            // Who writes a constant means it.
            if was_true && !was_false && text != "true" && text != "1" {
                let diagnostic =
                    Diagnostic::new(&CODE, CHECK.severity, format!("`{text}` is never false here"))
                        .with_primary(span, "")
                        .with_hint("leave it out, or write what was meant");
                findings.push(Finding::new(diagnostic));
            }
        }
    }
}
