//! Conditions that constants alone decide.

use std::collections::BTreeMap;

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;
use tempora_model::{Expression, evaluate_constant};
use tempora_source::{Diagnostic, Severity, Span};

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// A conjunct of a guard, an invariant or the condition of an `if` or a loop depends on constants only.
    ///
    /// ## Why it matters
    ///
    /// An edge whose guard is always false is never taken; a guard that is always true restricts nothing.
    ///
    /// ## Example
    ///
    /// ```net
    /// const int N = 3;
    /// process P {
    ///     init location A;
    ///     A -> A { guard N > 5; }
    /// }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Correct the condition. If a constant switches off a part of the model on purpose, suppress the finding: the
    /// check cannot tell such a switch from a mistake.
    ///
    /// To suppress the finding, write `// tempora: allow(constant-condition)` on the line before, or in the comment
    /// of the location or edge.
    pub static CODE = "constant-condition": "a condition that is always true or always false";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let network = subject.network;
    // The value may differ between instances, because their parameters differ.
    let mut values: BTreeMap<Span, (bool, bool, bool)> = BTreeMap::new();
    let mut record = |condition: &Expression| {
        let Some(span) = subject.span(condition.origin) else { return };
        let value = evaluate_constant(&network.variables, &network.functions, condition)
            .ok()
            .and_then(|value| value.as_integer());
        let seen = values.entry(span).or_default();
        match value {
            Some(0) => seen.0 = true,
            Some(_) => seen.1 = true,
            None => seen.2 = true,
        }
    };
    for process in network.processes.values() {
        for edge in process.edges.values() {
            edge.guard.data.iter().for_each(&mut record);
        }
        for location in process.locations.values() {
            location.invariant.data.iter().for_each(&mut record);
        }
    }
    for (span, (is_false, is_true, is_open)) in values {
        let text = subject.files.text_at(span).trim();
        // A literal constant is intended.
        let is_written_out = matches!(text, "true" | "false" | "0" | "1");
        if is_open || is_false == is_true || is_written_out {
            continue;
        }
        let value = if is_true { "true" } else { "false" };
        let diagnostic = Diagnostic::new(&CODE, CHECK.severity, format!("`{text}` is always {value}"))
            .with_primary(span, "")
            .with_hint("correct the condition");
        findings.push(Finding::new(diagnostic));
    }
}
