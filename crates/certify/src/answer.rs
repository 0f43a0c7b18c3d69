//! Checked answers: an engine's answer, its assurance, and the runs executed for it.
//!
//! Invariant: only this crate creates a [`CheckedAnswer`] or raises its assurance. [`Assurance::Replayed`] means that
//! the reference interpreter has executed a run that proves the verdict; [`Assurance::Certified`] means that the
//! checker accepted a certificate of the verdict, or a derivation from certified answers.

use tempora_evidence::{Answer, Caveat, Evidence, SymbolicTrace, Trace, UnknownReason, Verdict};
use tempora_replay::{ExecutedRun, Run, SymbolicRun};

/// An answer with its assurance.
///
/// It has no public constructor: an engine, or any other crate, has to pass an answer through
/// [`check_answer`](crate::check_answer).
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
    /// The executed run of each piece of evidence; `None` if it was not executed or added later.
    runs: Vec<Option<ExecutedRun>>,
}

/// The assurance of an answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Assurance {
    /// The reference interpreter executed a run that shows the verdict; for values, each is attained or approached.
    Replayed,
    /// A checker that shares no code with the engine accepted a certificate of the verdict, or a derivation from
    /// certified refinements.
    Certified,
    /// The verdict was not independently checked.
    Unchecked,
}

impl CheckedAnswer {
    pub(crate) fn new(answer: Answer, assurance: Assurance, runs: Vec<Option<ExecutedRun>>) -> CheckedAnswer {
        CheckedAnswer { answer, assurance, runs }
    }

    /// Returns the answer; its verdict may differ from the engine's.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// Returns the assurance of the answer.
    pub fn assurance(&self) -> Assurance {
        self.assurance
    }

    /// Returns the first trace of a network and its run; `None` without a trace, or if it could not be executed.
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

    /// Returns the first trace of a symbolic system and its run; `None` without a trace, or if it could not be
    /// executed.
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

    /// Bases the answer on the premises of an accepted derivation: its assurance is the lowest of theirs, or unchecked
    /// without any.
    #[must_use]
    pub(crate) fn derived<'answer>(
        mut self,
        premises: impl IntoIterator<Item = &'answer CheckedAnswer>,
    ) -> CheckedAnswer {
        let premises = premises.into_iter().map(|premise| premise.assurance.max(Assurance::Certified));
        self.assurance = premises.max().unwrap_or(Assurance::Unchecked);
        self
    }

    /// Marks the answer as certified by the checker's own reasoning, without premises or certificate.
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
    fn derived_answer_has_lowest_assurance_of_premises() {
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
