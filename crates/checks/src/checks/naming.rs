//! Names that do not follow the usual conventions.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// The name of a template or process does not begin with a capital letter, or the name of a variable, clock,
    /// channel or function does. Most published models follow these conventions.
    ///
    /// ## Why it matters
    ///
    /// With consistent names, readers recognise templates at a glance.
    ///
    /// ## Example
    ///
    /// ```net
    /// process worker { init location A; A -> A { } }
    /// system worker;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Rename it. The check runs only on request.
    ///
    /// To suppress the finding, write `// tempora: allow(naming)` on the line before, or in the comment of the
    /// location or edge.
    pub static CODE = "naming": "a name that does not follow the usual conventions";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: false, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in &subject.names.declared {
        let first = declared.name.chars().next().unwrap_or('a');
        let (is_other, wanted) = match declared.kind {
            SymbolKind::Template => (first.is_lowercase(), "names of templates begin with a capital letter"),
            SymbolKind::Variable
            | SymbolKind::Clock
            | SymbolKind::Channel
            | SymbolKind::BroadcastChannel
            | SymbolKind::Function => {
                let is_capital = first.is_uppercase() && declared.name.chars().any(char::is_lowercase);
                (is_capital, "names of variables, clocks, channels and functions begin with a small letter")
            }
            _ => (false, ""),
        };
        if is_other {
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, format!("`{}`: {wanted}", declared.name))
                .with_primary(declared.span, "")
                .with_hint("rename it");
            findings.push(Finding::new(diagnostic));
        }
    }
}
