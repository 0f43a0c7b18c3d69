//! Conversion of results of the engines to answers.
//!
//! Invariant: every answer contains the statistics of the search.

use std::time::Duration;

use tempora_evidence::{Answer, Evidence, Progress, Statistics, SymbolicTrace, UnknownReason, Verdict};

/// The result of an engine for one property.
#[derive(Debug)]
pub(crate) enum Finding {
    /// The property holds in every reachable state.
    Safe,
    /// This run violates it.
    Unsafe(SymbolicTrace),
    /// No verdict, for this reason.
    Unknown(UnknownReason),
}

/// Converts a result to an answer.
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
