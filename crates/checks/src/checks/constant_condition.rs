//! Conditions whose value is the same whatever the state.
//!
//! Invariant: only findings of this code.

use std::collections::BTreeMap;

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;
use tempora_model::{Expression, evaluate_constant};
use tempora_source::{Diagnostic, Severity, Span};

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// A guard, an invariant or the condition of an `if` or a loop has a part with a value that constants alone decide.
    ///
    /// ## Why it matters
    ///
    /// An edge whose guard is always false is never taken; one that is always true restricts nothing.
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
    /// Write what was meant. A constant that switches a part of the model off is a use that this check cannot tell from
    /// a mistake.
    ///
    /// If it is meant, `// tempora: allow(constant-condition)` on the line before, or in the comment of the location or
    /// edge, silences it.
    pub static CODE = "constant-condition": "a condition that is always true, or always false";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let network = subject.network;
    // The value may differ between instances, since parameters do.
    let mut values: BTreeMap<Span, (bool, bool, bool)> = BTreeMap::new();
    let mut look = |condition: &Expression| {
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
            edge.guard.data.iter().for_each(&mut look);
        }
        for location in process.locations.values() {
            location.invariant.data.iter().for_each(&mut look);
        }
    }
    for (span, (is_false, is_true, is_open)) in values {
        let text = subject.files.text_at(span).trim();
        // Who writes a constant means it.
        let is_written_out = matches!(text, "true" | "false" | "0" | "1");
        if is_open || is_false == is_true || is_written_out {
            continue;
        }
        let value = if is_true { "true" } else { "false" };
        let diagnostic = Diagnostic::new(&CODE, CHECK.severity, format!("`{text}` is always {value}"))
            .with_primary(span, "")
            .with_hint("write what was meant");
        findings.push(Finding::new(diagnostic));
    }
}
