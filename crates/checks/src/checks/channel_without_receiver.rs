//! Channels that nobody receives on.
//!
//! Invariant: only findings of this code.

use tempora_source::{Diagnostic, Severity, SymbolKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// Edges send on the channel, but none receives. For a broadcast channel that is a choice; for others the edges can
    /// never be taken.
    ///
    /// ## Why it matters
    ///
    /// What should happen together cannot.
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
    /// Write the edge that receives, declare the channel as `broadcast`, or take the synchronisation away.
    ///
    /// If it is meant, `// tempora: allow(channel-without-receiver)` on the line before, or in the comment of the
    /// location or edge, silences it.
    pub static CODE = "channel-without-receiver": "a channel that is sent on and never received on";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for declared in subject.names.of_kind(|kind| kind == SymbolKind::Channel) {
        if declared.is_sent && !declared.is_received {
            let message = format!("nobody receives on `{}`", declared.qualified());
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(declared.span, "")
                .with_hint("write the edge that receives");
            findings.push(Finding::new(diagnostic));
        }
    }
}
