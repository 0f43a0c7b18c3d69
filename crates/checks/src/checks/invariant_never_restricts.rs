//! Conjuncts of invariants that never keep time from passing or a transition from happening.
//!
//! Invariant: only findings of this code.

use std::collections::BTreeMap;

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;
use tempora_evidence::conjunct_origins;
use tempora_model::Id;
use tempora_source::{Diagnostic, Severity, Span};

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// No run ever waits in the location until this part of the invariant ends: other invariants or urgency end the
    /// wait before, and no transition is forbidden by it. A part without clocks never forbids a transition. The check
    /// looks only at models of which all states were explored.
    ///
    /// ## Why it matters
    ///
    /// It says nothing, and readers take it for a deadline. Perhaps another bound was meant.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     clock x;
    ///     init location A { invariant x <= 3 && x <= 7; }
    ///     A -> A { guard x >= 1; do x = 0; }
    /// }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Leave it out, or write what was meant.
    ///
    /// If it is meant, `// tempora: allow(invariant-never-restricts)` on the line before, or in the comment of the
    /// location or edge, silences it.
    pub static CODE = "invariant-never-restricts": "a part of an invariant that restricts nothing";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: true, need: Need::Survey, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    // Where not all states were explored, most invariants have not been tried yet.
    let Some(survey) = subject.survey.filter(|survey| survey.is_complete()) else { return };
    let network = subject.network;
    for (_, instances) in subject.templates() {
        // A part is reported if it is without effect in all instances of the template that get there.
        let mut parts: BTreeMap<Span, bool> = BTreeMap::new();
        for &process in &instances {
            let Some(facts) = survey.processes.get(process.index()) else { continue };
            for (location, written) in network.processes[process].locations.iter() {
                if !survey.reaches(process, location) {
                    continue;
                }
                for (number, origin) in conjunct_origins(&written.invariant).into_iter().enumerate() {
                    if let Some(span) = subject.span(origin) {
                        let is_idle = facts.idle_invariants.contains(&(location, number));
                        *parts.entry(span).or_insert(true) &= is_idle;
                    }
                }
            }
        }
        for (span, _) in parts.into_iter().filter(|(_, is_idle)| *is_idle) {
            let text = subject.files.text_at(span).trim();
            // Who writes a constant means it.
            if text == "true" || text == "1" {
                continue;
            }
            let diagnostic =
                Diagnostic::new(&CODE, CHECK.severity, format!("`{text}` never restricts anything here"))
                    .with_primary(span, "")
                    .with_hint("leave it out, or write what was meant");
            findings.push(Finding::new(diagnostic));
        }
    }
}
