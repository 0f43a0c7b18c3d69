//! Conversion of results of the engines to answers.
//!
//! Invariant: every answer contains the statistics of the search.

use std::time::Duration;

use tempora_evidence::{Answer, Evidence, Progress, Statistics, SymbolicTrace, UnknownReason, Verdict};

/// The result of an engine for one property.
#[derive(Debug)]
pub(crate) enum PropertyResult {
    /// The property holds in every reachable state.
    Safe,
    /// This run violates it.
    Unsafe(SymbolicTrace),
    /// No verdict, for this reason.
    Unknown(UnknownReason),
}

/// Converts a result to an answer.
pub(crate) fn answer(
    engine: &str,
    finding: PropertyResult,
    progress: &Progress,
    elapsed: Duration,
) -> Answer {
    let (verdict, evidence) = match finding {
        PropertyResult::Safe => (Verdict::Holds, Vec::new()),
        PropertyResult::Unsafe(trace) => (Verdict::Fails, vec![Evidence::SymbolicTrace(trace)]),
        PropertyResult::Unknown(reason) => (Verdict::Unknown(reason), Vec::new()),
    };
    Answer {
        verdict,
        evidence,
        caveats: Vec::new(),
        statistics: Statistics { elapsed, ..progress.snapshot() },
        engine: engine.to_owned(),
    }
}
