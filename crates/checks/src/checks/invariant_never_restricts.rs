//! Conjuncts of invariants that never block a delay or a transition.

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
    /// No delay is stopped by this conjunct of the invariant, because other invariants or urgency stop it earlier,
    /// and no transition is blocked by it. A conjunct without clocks can only block transitions. The check reports
    /// nothing unless all states were explored.
    ///
    /// ## Why it matters
    ///
    /// The conjunct looks like a deadline but has no effect. Perhaps the bound is wrong.
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
    /// Remove or correct the conjunct.
    ///
    /// To suppress the finding, write `// tempora: allow(invariant-never-restricts)` on the line before, or in the
    /// comment of the location or edge.
    pub static CODE = "invariant-never-restricts": "a conjunct of an invariant without effect";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: true, need: Need::Survey, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    // A partial exploration has evaluated most invariants in few states only.
    let Some(survey) = subject.survey.filter(|survey| survey.is_complete()) else { return };
    let network = subject.network;
    for (_, instances) in subject.templates() {
        // A conjunct is reported if it has no effect in any instance of the template that reaches the location.
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
            // A literal constant is intended.
            if text == "true" || text == "1" {
                continue;
            }
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, format!("`{text}` has no effect here"))
                .with_primary(span, "")
                .with_hint("remove or correct it");
            findings.push(Finding::new(diagnostic));
        }
    }
}
