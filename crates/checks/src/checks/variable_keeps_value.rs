//! Variables that have the same value in all states, although the model assigns to them.

use std::collections::BTreeMap;

use tempora_source::{Diagnostic, Severity, Span, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// The model assigns to the variable, but in all reachable states the variable has its initial value. The check
    /// reports nothing unless all states were explored.
    ///
    /// ## Why it matters
    ///
    /// The assignments never happen, or they assign the value that the variable already has.
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
    /// Find out why the assignments do not happen.
    ///
    /// To suppress the finding, write `// tempora: allow(variable-keeps-value)` on the line before, or in the comment
    /// of the location or edge.
    pub static CODE = "variable-keeps-value": "a variable that is assigned but never changes";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: true, need: Need::Values, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    // In a partial exploration, most variables still have their initial values.
    let Some(survey) = subject.survey.filter(|survey| survey.is_complete()) else { return };
    let mut observed_ranges: BTreeMap<Span, (i32, i32)> = BTreeMap::new();
    for observed in &survey.ranges {
        let Some(span) = subject.span(subject.network.variables[observed.variable].origin) else { continue };
        let known = observed_ranges.entry(span).or_insert((i32::MAX, i32::MIN));
        *known = (known.0.min(observed.least), known.1.max(observed.greatest));
    }
    for declared in
        subject.names.of_kind(|kind| kind == SymbolKind::Variable).filter(|declared| declared.is_written)
    {
        let mut same = observed_ranges.iter().filter(|(span, _)| {
            span.file == declared.span.file
                && span.start <= declared.span.start
                && declared.span.end <= span.end
        });
        if let Some((_, (least, greatest))) = same.next()
            && least == greatest
        {
            let message = format!(
                "`{}` is {least} in all states, although the model assigns to it",
                declared.qualified()
            );
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("find out why its assignments do not happen");
            findings.push(Finding::new(diagnostic));
        }
    }
}
