//! Channels with receivers but no sender.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// Edges receive on the channel, but none sends.
    ///
    /// ## Why it matters
    ///
    /// These edges can never be taken.
    ///
    /// ## Example
    ///
    /// ```net
    /// chan a;
    /// process P { init location A; A -> A { sync a?; } }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Add an edge that sends, or correct the name of the channel.
    ///
    /// To suppress the finding, write `// tempora: allow(channel-without-sender)` on the line before, or in the
    /// comment of the location or edge.
    pub static CODE = "channel-without-sender": "a channel with receivers but no sender";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in
        subject.names.of_kind(|kind| matches!(kind, SymbolKind::Channel | SymbolKind::BroadcastChannel))
    {
        if declared.is_received && !declared.is_sent {
            let message = format!("no edge sends on `{}`", declared.qualified());
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("add an edge that sends on it");
            findings.push(Finding::new(diagnostic));
        }
    }
}
