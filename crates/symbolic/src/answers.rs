//! How engines say what they found.
//!
//! Invariant: an answer carries what the search took, whatever it says.

use std::time::{Duration, Instant};

use tempora_evidence::{
    Answer, Evidence, Phase, Progress, RefinementStatistics, Statistics, SymbolicTask, SymbolicTrace,
    UnknownReason, Verdict,
};
use tempora_transition::SafetyProperty;

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

/// Decides the properties of a task one after the other.
pub(crate) fn answer_each(
    engine: &str,
    task: &SymbolicTask,
    progress: &Progress,
    decide: impl Fn(&SafetyProperty) -> Result<Finding, UnknownReason>,
) -> Vec<Answer> {
    progress.enter(Phase::Exploring);
    let properties = task.system.properties.iter();
    let answers = properties
        .map(|claim| {
            let start = Instant::now();
            progress.note_refinement(RefinementStatistics::default());
            let finding = decide(claim).unwrap_or_else(Finding::Unknown);
            answer(engine, finding, progress, start.elapsed())
        })
        .collect();
    progress.enter(Phase::Finished);
    answers
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
