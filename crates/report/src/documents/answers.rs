//! Answers (`docs/schemas/check.json`) and the run of a single answer (`docs/schemas/trace.json`).

use serde::Serialize;

use super::{DocumentVersion, SymbolicRunRecord, TraceRecord};
use crate::located::{LocatedAnswer, StatisticsRecord};
use crate::shown_run::ShownRun;
use crate::words::{AssuranceWord, VerdictWord};

/// Answers of `tempora check --output json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnswersDocument<'answer> {
    version: DocumentVersion,
    /// The model, as named on the command line.
    model: &'answer str,
    /// One answer per query, in the order of the queries.
    #[cfg_attr(test, schemars(length(min = 1)))]
    results: Vec<AnswerRecord<'answer>>,
}

/// An answer to one query.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnswerRecord<'answer> {
    /// The text of the query.
    query: &'answer str,
    /// The verdict.
    verdict: VerdictWord,
    /// The reason for `unknown`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'answer str>,
    /// The engine that answered; `none` if all engines declined.
    engine: &'answer str,
    /// Whether the verdict was checked independently of the engine.
    assurance: AssuranceWord,
    /// The requested values, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'answer [String]>,
    /// The elapsed time in seconds.
    #[cfg_attr(test, schemars(range(min = 0)))]
    seconds: f64,
    /// Statistics of the search.
    statistics: StatisticsRecord,
    /// The evidence that supports the verdict.
    evidence: EvidenceRecord<'answer>,
    /// Notes that limit or explain the answer.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    caveats: &'answer [String],
}

/// The evidence that supports an answer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EvidenceRecord<'answer> {
    /// A run of a network.
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<TraceRecord<'answer>>,
    /// A run of a symbolic system.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<SymbolicRunRecord<'answer>>,
    /// A counterexample of a refinement, or the steps of a proof: one choice or rule per line, not independently
    /// checked.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    choices: &'answer [String],
    /// Further counterexamples of the same form.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    further_choices: &'answer [Vec<String>],
}

/// A run in a file, written by `tempora check --save-trace PREFIX` and read by `tempora draw --trace`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunDocument<'answer> {
    version: DocumentVersion,
    /// The model, as named on the command line.
    model: &'answer str,
    /// The text of the query.
    query: &'answer str,
    /// The verdict that the run supports.
    verdict: VerdictWord,
    trace: TraceRecord<'answer>,
}

impl<'answer> AnswersDocument<'answer> {
    /// Returns the document with all answers about a model.
    pub fn new(model: &'answer str, answers: &'answer [LocatedAnswer]) -> AnswersDocument<'answer> {
        let results = answers.iter().map(AnswerRecord::new).collect();
        AnswersDocument { version: DocumentVersion, model, results }
    }
}

impl<'answer> AnswerRecord<'answer> {
    fn new(answer: &'answer LocatedAnswer) -> AnswerRecord<'answer> {
        AnswerRecord {
            query: &answer.query,
            verdict: answer.verdict,
            reason: answer.reason.as_deref(),
            engine: &answer.engine,
            assurance: answer.assurance,
            value: answer.value.as_deref(),
            seconds: answer.seconds,
            statistics: answer.statistics,
            evidence: EvidenceRecord {
                trace: answer.run.as_ref().and_then(TraceRecord::new),
                run: answer.run.as_ref().and_then(SymbolicRunRecord::new),
                choices: &answer.choices,
                further_choices: &answer.further_choices,
            },
            caveats: &answer.caveats,
        }
    }
}

impl<'answer> RunDocument<'answer> {
    /// Returns the document with a run of a network; `None` for a run of another system.
    pub fn new(
        model: &'answer str,
        answer: &'answer LocatedAnswer,
        run: &'answer ShownRun,
    ) -> Option<RunDocument<'answer>> {
        let (query, verdict) = (answer.query.as_str(), answer.verdict);
        Some(RunDocument { version: DocumentVersion, model, query, verdict, trace: TraceRecord::new(run)? })
    }
}
