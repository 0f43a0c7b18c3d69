//! Integer variables that use a part of their range only.

use std::collections::BTreeMap;

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;
use tempora_model::{Range, Type};
use tempora_source::{Diagnostic, Severity, Span};

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// In all reachable states the value of the variable is in a part of its range only. The finding says in which.
    ///
    /// ## Why it matters
    ///
    /// Perhaps an update that should increase the variable never happens. A tighter range also reveals mistakes.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     int[0,100] n;
    ///     init location A;
    ///     A -> A { guard n < 2; do n++; }
    /// }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Declare the range that is used, or find out why the other values do not occur.
    ///
    /// To suppress the finding, write `// tempora: allow(range-too-wide)` on the line before, or in the comment of
    /// the location or edge.
    pub static CODE = "range-too-wide": "an integer variable that uses a part of its range only";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: false, need: Need::Values, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(survey) = subject.survey else { return };
    let mut observed_ranges: BTreeMap<Span, (String, Range, i32, i32)> = BTreeMap::new();
    for observed in &survey.ranges {
        let variable = &subject.network.variables[observed.variable];
        let mut element = &variable.value_type;
        while let Type::Array(array) = element {
            element = &array.element;
        }
        let (Type::Integer(range), Some(span)) = (element, subject.span(variable.origin)) else { continue };
        // The user has not declared a range.
        if *range == Range::DEFAULT {
            continue;
        }
        let known = observed_ranges
            .entry(span)
            .or_insert_with(|| (variable.name.clone(), *range, i32::MAX, i32::MIN));
        known.2 = known.2.min(observed.least);
        known.3 = known.3.max(observed.greatest);
    }
    for (span, (name, range, least, greatest)) in observed_ranges {
        if least == greatest || (least == range.least && greatest == range.greatest) {
            continue;
        }
        let message = format!(
            "`{name}` has the range {}..{}, but its values are in {least}..{greatest} only",
            range.least, range.greatest
        );
        let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
            .with_primary(span, "")
            .with_hint("declare the range that is used");
        findings.push(Finding::new(diagnostic).with_certainty(subject.certainty_of_absence()));
    }
}
