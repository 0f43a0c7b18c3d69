//! How engines say what they found.
//!
//! Invariant: an answer carries what the search took, whatever it says.

use std::time::Duration;

use tempora_evidence::{Answer, Evidence, Progress, Statistics, SymbolicTrace, UnknownReason, Verdict};

/// What an engine found out about one property.
#[derive(Debug)]
pub(crate) enum Finding {
    /// It holds in every state that can be reached.
    Safe,
    /// This run violates it.
    Unsafe(SymbolicTrace),
    /// Nothing, for this reason.
    Unknown(UnknownReason),
}

/// The answer for a finding.
pub(crate) fn answer(engine: &str, finding: Finding, progress: &Progress, elapsed: Duration) -> Answer {
    let (verdict, evidence) = match finding {
        Finding::Safe => (Verdict::Holds, Vec::new()),
        Finding::Unsafe(trace) => (Verdict::Fails, vec![Evidence::SymbolicTrace(trace)]),
        Finding::Unknown(reason) => (Verdict::Unknown(reason), Vec::new()),
    };
    Answer {
        verdict,
        evidence,
        caveats: Vec::new(),
        statistics: Statistics { elapsed, ..progress.snapshot() },
        engine: engine.to_owned(),
    }
}
