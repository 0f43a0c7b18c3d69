//! Variables that have the same value in all states, although something assigns to them.
//!
//! Invariant: only findings of this code.

use std::collections::BTreeMap;

use tempora_source::{Diagnostic, Severity, Span, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// Something assigns to the variable, but in all states of all runs it has the value that it starts with. The check
    /// looks only at models of which all states were explored.
    ///
    /// ## Why it matters
    ///
    /// What should change it never happens, or assigns what is there already.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     int[0,3] n;
    ///     init location A;
    ///     A -> A { guard n > 1; do n = 2; }
    /// }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// See which of the assignments should happen, and why it does not.
    ///
    /// If it is meant, `// tempora: allow(variable-keeps-value)` on the line before, or in the comment of the location
    /// or edge, silences it.
    pub static CODE = "variable-keeps-value": "a variable that is assigned and never changes";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: true, need: Need::Values, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    // Where not all states were explored, most parts of a model have not changed yet.
    let Some(survey) = subject.survey.filter(|survey| survey.is_complete()) else { return };
    let mut met: BTreeMap<Span, (i32, i32)> = BTreeMap::new();
    for observed in &survey.ranges {
        let Some(span) = subject.span(subject.network.variables[observed.variable].origin) else { continue };
        let known = met.entry(span).or_insert((i32::MAX, i32::MIN));
        *known = (known.0.min(observed.least), known.1.max(observed.greatest));
    }
    for declared in
        subject.names.of_kind(|kind| kind == SymbolKind::Variable).filter(|declared| declared.is_written)
    {
        let mut same = met.iter().filter(|(span, _)| {
            span.file == declared.span.file
                && span.start <= declared.span.start
                && declared.span.end <= span.end
        });
        if let Some((_, (least, greatest))) = same.next()
            && least == greatest
        {
            let message = format!(
                "`{}` is {least} in all states, although something assigns to it",
                declared.qualified()
            );
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("see why its assignments do not happen");
            findings.push(Finding::new(diagnostic));
        }
    }
}
