//! Answers (`docs/schemas/check.json`) and the run of one of them (`docs/schemas/trace.json`).

use serde::Serialize;

use super::DocumentVersion;
use crate::words::VerdictWord;
use crate::{LocatedAnswer, LocatedTrace};

/// Answers of `tempora check --output json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnswersDocument<'answer> {
    version: DocumentVersion,
    /// The model, as it was named on the command line.
    model: &'answer str,
    /// One answer for each query, in their order.
    #[cfg_attr(test, schemars(length(min = 1)))]
    results: &'answer [LocatedAnswer],
}

/// A run in a file, written by `tempora check --save-trace PREFIX` and read by `tempora draw --trace`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunDocument<'answer> {
    version: DocumentVersion,
    /// The model, as it was named on the command line.
    model: &'answer str,
    /// The query, as it was asked.
    query: &'answer str,
    /// What the run shows about the query.
    verdict: VerdictWord,
    trace: &'answer LocatedTrace,
}

impl<'answer> AnswersDocument<'answer> {
    /// All answers about a model.
    pub fn new(model: &'answer str, results: &'answer [LocatedAnswer]) -> AnswersDocument<'answer> {
        AnswersDocument { version: DocumentVersion, model, results }
    }
}

impl<'answer> RunDocument<'answer> {
    /// The run of an answer about a network; `None` if it has none.
    pub fn new(model: &'answer str, answer: &'answer LocatedAnswer) -> Option<RunDocument<'answer>> {
        let trace = answer.evidence.trace.as_ref()?;
        let (query, verdict) = (answer.query.as_str(), answer.verdict);
        Some(RunDocument { version: DocumentVersion, model, query, verdict, trace })
    }
}
