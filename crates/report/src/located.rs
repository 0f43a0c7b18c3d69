//! Converts answers to plain data with places in the source.
//!
//! Invariant: a [`LocatedAnswer`] consists of text and numbers, without ids and origins. The states of its run are
//! those of the run that was replayed when the answer was checked.

use serde::Serialize;
use tempora_certify::CheckedAnswer;
use tempora_evidence::{
    Caveat, Estimate, Evidence, Limit, MeasuredValue, Statistics, System, Task, UnknownReason, Verdict,
};
use tempora_model::Query;
use tempora_source::{Files, Origins};

use crate::documents::SourcePlace;
use crate::show_network::show_network_run;
use crate::show_symbolic::show_symbolic_run;
use crate::shown_run::ShownRun;
use crate::words::{AssuranceWord, VerdictWord};

/// The source files of a model, and the origins of its elements.
#[derive(Clone, Copy)]
pub struct Source<'source> {
    /// The source files.
    pub files: &'source Files,
    /// The origins.
    pub origins: &'source Origins,
}

/// An answer to one query.
#[derive(Clone, PartialEq, Debug)]
pub struct LocatedAnswer {
    /// The text of the query.
    pub query: String,
    /// The verdict.
    pub verdict: VerdictWord,
    /// The reason for `unknown`.
    pub reason: Option<String>,
    /// The engine that answered.
    pub engine: String,
    /// Whether the verdict was checked independently of the engine.
    pub assurance: AssuranceWord,
    /// The requested values as text, one for each expression.
    pub value: Option<Vec<String>>,
    /// The elapsed time in seconds.
    pub seconds: f64,
    /// Statistics of the search.
    pub statistics: StatisticsRecord,
    /// The run that supports the verdict.
    pub run: Option<ShownRun>,
    /// A counterexample of a refinement, or the steps of a proof: one choice or rule per line, not independently
    /// checked.
    pub choices: Vec<String>,
    /// Further counterexamples of the same form.
    pub further_choices: Vec<Vec<String>>,
    /// Notes that limit or explain the answer.
    pub caveats: Vec<String>,
}

/// Statistics of a search.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StatisticsRecord {
    /// The number of stored states.
    pub stored: u64,
    /// The number of explored states, whose successors were computed.
    pub explored: u64,
    /// The number of computed transitions.
    pub transitions: u64,
    /// The peak memory in bytes; zero if unknown.
    pub peak_bytes: u64,
    /// The abstraction profile of the search, if the engine has several.
    #[serde(skip)]
    pub profile: Option<&'static str>,
    /// Statistics of the abstraction refinement, if the engine uses one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refinement: Option<RefinementRecord>,
    /// Statistics of the solver, if the engine used one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<SolverRecord>,
}

/// Statistics of an abstraction refinement.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RefinementRecord {
    /// The number of iterations.
    pub iterations: u64,
    /// The number of nodes of the abstract graph.
    pub nodes: u64,
    /// The number of tracked predicates and variables.
    pub precision: u64,
}

/// Statistics of a solver.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SolverRecord {
    /// The number of checks.
    pub checks: u64,
    /// The time spent waiting for the solver, in seconds.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub seconds: f64,
}

/// Returns an answer as plain data with places in the source. A run that was not replayed is omitted.
pub fn locate(source: Source<'_>, task: &Task, query: &Query, checked: &CheckedAnswer) -> LocatedAnswer {
    let run = match &task.system {
        System::Network(network) => {
            checked.run().map(|(trace, run)| show_network_run(source, network, trace, run))
        }
        System::Symbolic(system) => {
            checked.symbolic_run().and_then(|(trace, run)| show_symbolic_run(source, system, trace, run))
        }
    };
    locate_with_run(source, &query.text, checked, run)
}

/// Returns an answer to a query with this text and with this replayed run.
pub fn locate_with_run(
    source: Source<'_>,
    query: &str,
    checked: &CheckedAnswer,
    run: Option<ShownRun>,
) -> LocatedAnswer {
    let answer = checked.answer();
    let (reason, value) = match &answer.verdict {
        Verdict::Holds | Verdict::Fails => (None, None),
        Verdict::Value(values) => (None, Some(values.iter().map(measured).collect())),
        Verdict::Estimated(estimate) => (None, Some(vec![estimated(estimate)])),
        Verdict::Unknown(reason) => (Some(unknown_reason(source, reason)), None),
    };
    let statistics = &answer.statistics;
    let Statistics { stored, explored, transitions, peak_bytes, elapsed, profile, refinement, solver } =
        *statistics;
    // For an impossible run, the reason of `unknown` already names the fault.
    let is_refuted = matches!(
        answer.verdict,
        Verdict::Unknown(UnknownReason::EngineBug(_) | UnknownReason::OverApproximation(_))
    );
    let is_omitted = answer.trace().is_some() && run.is_none() && !is_refuted;
    let mut explanations = answer.evidence.iter().filter_map(|evidence| match evidence {
        Evidence::Strategy(strategy) => Some(strategy.rules.clone()),
        _ => None,
    });
    let mut caveats: Vec<String> = answer
        .caveats
        .iter()
        .map(|caveat| match caveat {
            Caveat::OverApproximates(why) => format!("the engine over-approximates: {why}"),
            Caveat::UnderApproximates(why) => format!("the engine under-approximates: {why}"),
            Caveat::Remark(remark) => remark.clone(),
        })
        .collect();
    if is_omitted {
        caveats.push("the run is not shown: it was not replayed".to_owned());
    }
    LocatedAnswer {
        query: query.to_owned(),
        verdict: VerdictWord::from(&answer.verdict),
        reason,
        engine: answer.engine.clone(),
        assurance: checked.assurance().into(),
        value,
        seconds: elapsed.as_secs_f64(),
        statistics: StatisticsRecord {
            stored,
            explored,
            transitions,
            peak_bytes,
            profile,
            refinement: refinement.map(|refinement| RefinementRecord {
                iterations: refinement.iterations,
                nodes: refinement.nodes,
                precision: refinement.precision,
            }),
            solver: solver
                .map(|solver| SolverRecord { checks: solver.checks, seconds: solver.waited.as_secs_f64() }),
        },
        run,
        choices: explanations.next().unwrap_or_default(),
        further_choices: explanations.collect(),
        caveats,
    }
}

pub(crate) fn unknown_reason(source: Source<'_>, reason: &UnknownReason) -> String {
    match reason {
        UnknownReason::Timeout
        | UnknownReason::Memory
        | UnknownReason::StateLimit
        | UnknownReason::Cancelled
        | UnknownReason::Terminated
        | UnknownReason::HungUp => reason.describe(),
        UnknownReason::Unsupported(what) => format!("not supported: {what}"),
        UnknownReason::ModelError(error) => match SourcePlace::of(source, error.origin) {
            Some(place) => format!("model error: {error} ({}:{}:{})", place.file, place.line, place.column),
            None => format!("model error: {error}"),
        },
        UnknownReason::OverApproximation(why) => format!("the engine over-approximates: {why}"),
        UnknownReason::NotDerived(why) => format!("not proved: {why}"),
        UnknownReason::EngineBug(why) => format!("a defect of the engine: {why}"),
    }
}

fn measured(value: &MeasuredValue) -> String {
    match value {
        MeasuredValue::NoState => "no state".to_owned(),
        MeasuredValue::Supremum(limit) => match limit {
            Limit::Attained(value) => format!("<= {value}"),
            Limit::Approached(value) => format!("< {value}"),
            Limit::Unbounded => "unbounded".to_owned(),
        },
        MeasuredValue::Infimum(limit) => match limit {
            Limit::Attained(value) => format!(">= {value}"),
            Limit::Approached(value) => format!("> {value}"),
            Limit::Unbounded => "unbounded".to_owned(),
        },
        MeasuredValue::Intervals(intervals) => {
            let texts: Vec<String> = intervals.iter().map(|(low, high)| interval(*low, *high)).collect();
            texts.join(" or ")
        }
    }
}

fn interval(low: Limit, high: Limit) -> String {
    let low = match low {
        Limit::Attained(value) => format!("[{value}"),
        Limit::Approached(value) => format!("({value}"),
        Limit::Unbounded => "(-inf".to_owned(),
    };
    let high = match high {
        Limit::Attained(value) => format!("{value}]"),
        Limit::Approached(value) => format!("{value})"),
        Limit::Unbounded => "inf)".to_owned(),
    };
    format!("{low},{high}")
}

fn estimated(estimate: &Estimate) -> String {
    format!(
        "[{}, {}] with confidence {}, {} runs",
        estimate.low, estimate.high, estimate.confidence, estimate.runs
    )
}
