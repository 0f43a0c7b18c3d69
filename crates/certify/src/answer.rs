//! Checked answers: an engine's answer, how much of it was checked, and the runs that were executed for it.
//!
//! Invariant: only this crate makes or raises a [`CheckedAnswer`]. [`Assurance::Replayed`] means that a run of the answer was executed
//! by the reference interpreter and by itself shows the verdict; [`Assurance::Certified`] that the checker accepted a certificate of
//! the verdict, or a derivation from certified answers.

use tempora_evidence::{Answer, Caveat, Evidence, SymbolicTrace, Trace, UnknownReason, Verdict};
use tempora_replay::{ExecutedRun, Run, SymbolicRun};

/// An answer, and how much of it was checked.
///
/// It has no public constructor: an engine, or any other crate, has to pass an answer through [`check_answer`](crate::check_answer).
///
/// ```
/// use tempora_certify::{Assurance, CheckedAnswer};
///
/// fn is_certified(answer: CheckedAnswer) -> bool {
///     answer.with_remark("seen".to_owned()).assurance() == Assurance::Certified
/// }
/// ```
///
/// ```compile_fail,E0451
/// use tempora_certify::{Assurance, CheckedAnswer};
///
/// fn forge(answer: tempora_evidence::Answer) -> CheckedAnswer {
///     CheckedAnswer { answer, assurance: Assurance::Certified, runs: Vec::new() }
/// }
/// ```
///
/// Nor can another crate raise the assurance of an answer, or derive one.
///
/// ```compile_fail,E0624
/// fn forge(answer: tempora_certify::CheckedAnswer, by: tempora_evidence::Evidence) -> tempora_certify::CheckedAnswer {
///     answer.certified(by)
/// }
/// ```
///
/// ```compile_fail,E0624
/// fn forge(answer: tempora_certify::CheckedAnswer) -> tempora_certify::CheckedAnswer {
///     answer.derived([])
/// }
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct CheckedAnswer {
    answer: Answer,
    assurance: Assurance,
    /// The run of each piece of evidence, as far as it was executed; evidence that was added later has none.
    runs: Vec<Option<ExecutedRun>>,
}

/// How much of an answer was checked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Assurance {
    /// A trace was executed by the plain semantics and shows the verdict; of values, that each is attained or approached.
    Replayed,
    /// A certificate was checked by a program that shares no code with the engine, and shows the verdict; or a derivation from
    /// refinements that were certified.
    Certified,
    /// The verdict was not independently checked.
    Unchecked,
}

impl CheckedAnswer {
    pub(crate) fn new(answer: Answer, assurance: Assurance, runs: Vec<Option<ExecutedRun>>) -> CheckedAnswer {
        CheckedAnswer { answer, assurance, runs }
    }

    /// The answer; its verdict may be another than the one that the engine gave.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// How much of it was checked.
    pub fn assurance(&self) -> Assurance {
        self.assurance
    }

    /// The first trace of a network with its run; `None` if there is no trace, or if it could not be executed.
    pub fn run(&self) -> Option<(&Trace, &Run)> {
        let mut traces = self.answer.evidence.iter().enumerate();
        let (position, trace) = traces.find_map(|(position, evidence)| match evidence {
            Evidence::Trace(trace) => Some((position, trace)),
            _ => None,
        })?;
        match self.runs.get(position)? {
            Some(ExecutedRun::Network(run)) => Some((trace, run)),
            _ => None,
        }
    }

    /// The first trace of a symbolic system with its run; `None` if there is no trace, or if it could not be executed.
    pub fn symbolic_run(&self) -> Option<(&SymbolicTrace, &SymbolicRun)> {
        let mut traces = self.answer.evidence.iter().enumerate();
        let (position, trace) = traces.find_map(|(position, evidence)| match evidence {
            Evidence::SymbolicTrace(trace) => Some((position, trace)),
            _ => None,
        })?;
        match self.runs.get(position)? {
            Some(ExecutedRun::Symbolic(run)) => Some((trace, run)),
            _ => None,
        }
    }

    /// Adds an accepted certificate.
    #[must_use]
    pub(crate) fn certified(mut self, certificate: Evidence) -> CheckedAnswer {
        self.answer.evidence.push(certificate);
        self.assurance = self.assurance.min(Assurance::Certified);
        self
    }

    /// Rests the answer on the premises of an accepted derivation: it is as sure as the least sure of them, and unchecked without any.
    #[must_use]
    pub(crate) fn derived<'answer>(
        mut self,
        premises: impl IntoIterator<Item = &'answer CheckedAnswer>,
    ) -> CheckedAnswer {
        let premises = premises.into_iter().map(|premise| premise.assurance.max(Assurance::Certified));
        self.assurance = premises.max().unwrap_or(Assurance::Unchecked);
        self
    }

    /// Marks the answer as certified by the reasoning of the checker alone, without a premise or a certificate.
    #[must_use]
    pub(crate) fn certified_without_premises(mut self) -> CheckedAnswer {
        self.assurance = Assurance::Certified;
        self
    }

    /// Withdraws the verdict and drops the evidence.
    #[must_use]
    pub(crate) fn refuted(mut self, why: String) -> CheckedAnswer {
        self.answer.verdict = Verdict::Unknown(UnknownReason::EngineBug(why));
        self.answer.evidence.clear();
        self.runs.clear();
        self.assurance = Assurance::Unchecked;
        self
    }

    /// Returns the same answer with one more remark.
    #[must_use]
    pub fn with_remark(mut self, remark: String) -> CheckedAnswer {
        self.answer.caveats.push(Caveat::Remark(remark));
        self
    }
}

/// Withdraws the verdict of an answer whose certificates were all refused, or contradict it.
///
/// It is public since the caller decides which certificates to try. It can only lower the assurance of an answer.
#[must_use]
pub fn withdraw(answer: CheckedAnswer, why: String) -> CheckedAnswer {
    answer.refuted(why)
}

#[cfg(test)]
mod tests {
    use tempora_evidence::Statistics;

    use super::*;

    fn answer(assurance: Assurance) -> CheckedAnswer {
        let answer = Answer {
            verdict: Verdict::Holds,
            evidence: Vec::new(),
            caveats: Vec::new(),
            statistics: Statistics::default(),
            engine: "test".to_owned(),
        };
        CheckedAnswer::new(answer, assurance, Vec::new())
    }

    #[test]
    fn derived_answer_is_as_sure_as_its_premises() {
        let [replayed, certified, unchecked] =
            [Assurance::Replayed, Assurance::Certified, Assurance::Unchecked].map(answer);
        let derived = |premises: &[&CheckedAnswer]| unchecked.clone().derived(premises.iter().copied());
        assert_eq!(derived(&[]).assurance(), Assurance::Unchecked);
        assert_eq!(derived(&[&replayed]).assurance(), Assurance::Certified);
        assert_eq!(derived(&[&certified, &replayed]).assurance(), Assurance::Certified);
        assert_eq!(derived(&[&certified, &unchecked]).assurance(), Assurance::Unchecked);
    }

    #[test]
    fn withdrawn_answer_has_no_evidence_and_no_run() {
        let withdrawn = withdraw(answer(Assurance::Certified), "a reason".to_owned());
        assert_eq!(withdrawn.assurance(), Assurance::Unchecked);
        assert!(withdrawn.answer().evidence.is_empty() && withdrawn.run().is_none());
        let expected = Verdict::Unknown(UnknownReason::EngineBug("a reason".to_owned()));
        assert_eq!(withdrawn.answer().verdict, expected);
    }
}
