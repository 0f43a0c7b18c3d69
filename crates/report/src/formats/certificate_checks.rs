//! Results of certificate checks as text.
//!
//! Invariant: the text contains only information of the JSON document.

use std::fmt::Write as _;

use super::text::Emphasis;
use crate::documents::{CertificateCheck, CertificateVerdict};

/// The kind of certificates, which determines the name of their parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertificateKind {
    /// Sets of states of a network, or relations of specifications.
    States,
    /// Inductive invariants of a symbolic system.
    Invariants,
}

/// Returns the text for the certificates in a file of this name and size.
pub fn checks(
    file: &str,
    bytes: usize,
    kind: CertificateKind,
    checks: &[CertificateCheck],
    emphasis: &impl Emphasis,
) -> String {
    let mut text = format!("{file}: {bytes} bytes\n");
    if checks.is_empty() {
        text += "refused: the file has no certificate\n";
    }
    for check in checks {
        let CertificateCheck { query, nodes, seconds, .. } = check;
        let (passed, transitions) = (check.passed.unwrap_or(0), check.transitions.unwrap_or(0));
        // Writing to a string cannot fail.
        let _ = match (check.verdict, kind) {
            (CertificateVerdict::Refused, _) => {
                let reason = check.reason.as_deref().unwrap_or_default();
                writeln!(text, "{}: {query}\n  {reason}", emphasis.bad("refused"))
            }
            (CertificateVerdict::Certified, CertificateKind::States) => {
                let (verdict, nodes) = (emphasis.good("certified"), counted_nodes(*nodes, passed));
                writeln!(text, "{verdict}: {query}\n  {nodes}, {transitions} transitions, {seconds:.3} s")
            }
            (CertificateVerdict::Certified, CertificateKind::Invariants) => {
                let verdict = emphasis.good("certified");
                writeln!(
                    text,
                    "{verdict}: {query}\n  {nodes} locations, {transitions} obligations, {seconds:.3} s"
                )
            }
        };
    }
    text
}

/// Returns the number of nodes of a certificate and of the committed states that the checker passed between them.
pub fn counted_nodes(nodes: usize, passed: usize) -> String {
    match passed {
        0 => format!("{nodes} nodes"),
        _ => format!("{nodes} nodes and {passed} committed states between them"),
    }
}
