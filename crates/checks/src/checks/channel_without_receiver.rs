//! Channels with senders but no receiver.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// Edges send on the channel, but none receives. For a broadcast channel this may be intended; on any other
    /// channel, the sending edges can never be taken.
    ///
    /// ## Why it matters
    ///
    /// The synchronisation that the model describes never happens.
    ///
    /// ## Example
    ///
    /// ```net
    /// chan a;
    /// process P { init location A; A -> A { sync a!; } }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Add an edge that receives, declare the channel as `broadcast`, or remove the synchronisation.
    ///
    /// To suppress the finding, write `// tempora: allow(channel-without-receiver)` on the line before, or in the
    /// comment of the location or edge.
    pub static CODE = "channel-without-receiver": "a channel with senders but no receiver";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in subject.names.of_kind(|kind| kind == SymbolKind::Channel) {
        if declared.is_sent && !declared.is_received {
            let message = format!("no edge receives on `{}`", declared.qualified());
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("add an edge that receives on it");
            findings.push(Finding::new(diagnostic));
        }
    }
}
