//! Answers as plain data in terms of what the user wrote.
//!
//! Invariant: everything in a [`LocatedAnswer`] is text and numbers: no ids, no origins. The states between the steps of a trace are
//! those of the run that was executed when the answer was checked.

use serde::Serialize;
use tempora_certify::CheckedAnswer;
use tempora_evidence::{
    Caveat, Estimate, Evidence, Limit, MeasuredValue, Statistics, System, Task, UnknownReason, Verdict,
};
use tempora_model::Query;
use tempora_source::{Files, Origins};

use crate::documents::Place;
use crate::show_network::show_network_run;
use crate::show_symbolic::show_symbolic_run;
use crate::shown_run::ShownRun;
use crate::words::{AssuranceWord, VerdictWord};

/// Where the user's text is.
#[derive(Clone, Copy)]
pub struct Source<'source> {
    /// The texts.
    pub files: &'source Files,
    /// Where everything comes from.
    pub origins: &'source Origins,
}

/// An answer to one query.
#[derive(Clone, PartialEq, Debug)]
pub struct LocatedAnswer {
    /// The query, as it was asked.
    pub query: String,
    /// What is known about the query.
    pub verdict: VerdictWord,
    /// Why there is no verdict, or what else has to be known.
    pub reason: Option<String>,
    /// The engine that answered.
    pub engine: String,
    /// Whether the verdict was checked independently of the engine.
    pub assurance: AssuranceWord,
    /// The values that were asked for, as text, one for each expression.
    pub value: Option<Vec<String>>,
    /// The time it took.
    pub seconds: f64,
    /// What it took.
    pub statistics: StatisticsRecord,
    /// The run that shows the verdict.
    pub run: Option<ShownRun>,
    /// How it comes about, one choice a line; not checked independently.
    pub choices: Vec<String>,
    /// Other ways in which it comes about.
    pub further_choices: Vec<Vec<String>>,
    /// Further remarks.
    pub caveats: Vec<String>,
}

/// What an answer took.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StatisticsRecord {
    /// States that were kept.
    pub stored: u64,
    /// States whose successors were computed.
    pub explored: u64,
    /// Transitions that were computed.
    pub transitions: u64,
    /// The most memory that was used; zero if it is not known.
    pub peak_bytes: u64,
    /// What the search preserved, if the engine has a choice.
    #[serde(skip)]
    pub profile: Option<&'static str>,
    /// What the abstraction became, if the engine refines one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refinement: Option<RefinementRecord>,
    /// What a solver was asked, if one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<SolverRecord>,
}

/// An abstraction that was refined.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RefinementRecord {
    /// How many times its graph was built, or a part of it.
    pub iterations: u64,
    /// How many nodes the graph has.
    pub nodes: u64,
    /// How many predicates and variables it speaks about.
    pub precision: u64,
}

/// What a solver was asked.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SolverRecord {
    /// How many checks were asked for.
    pub checks: u64,
    /// How long it was waited for.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub seconds: f64,
}

/// Returns an answer in terms of what the user wrote. A run that was not executed is left out.
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

/// Returns the answer to a question with this text, with a run of the model that was executed.
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
        Verdict::Unknown(reason) => (Some(unknown(source, reason)), None),
    };
    let statistics = &answer.statistics;
    let Statistics { stored, explored, transitions, peak_bytes, elapsed, profile, refinement, solver } =
        *statistics;
    // For an impossible run the reason of the missing verdict names the fault.
    let is_refuted = matches!(
        answer.verdict,
        Verdict::Unknown(UnknownReason::EngineBug(_) | UnknownReason::OverApproximation(_))
    );
    let is_left_out = answer.trace().is_some() && run.is_none() && !is_refuted;
    let mut stories = answer.evidence.iter().filter_map(|evidence| match evidence {
        Evidence::Strategy(strategy) => Some(strategy.rules.clone()),
        _ => None,
    });
    let mut caveats: Vec<String> = answer
        .caveats
        .iter()
        .map(|caveat| match caveat {
            Caveat::OverApproximates(why) => format!("explored more than the model allows: {why}"),
            Caveat::UnderApproximates(why) => format!("explored less than the model allows: {why}"),
            Caveat::Remark(remark) => remark.clone(),
        })
        .collect();
    if is_left_out {
        caveats.push("the run is not shown: there was no time to execute it again".to_owned());
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
        choices: stories.next().unwrap_or_default(),
        further_choices: stories.collect(),
        caveats,
    }
}

pub(crate) fn unknown(source: Source<'_>, reason: &UnknownReason) -> String {
    match reason {
        UnknownReason::Timeout | UnknownReason::Memory | UnknownReason::StateLimit => reason.describe(),
        UnknownReason::Cancelled => "stopped by the user".to_owned(),
        UnknownReason::Unsupported(what) => format!("not supported: {what}"),
        UnknownReason::ModelError(error) => match Place::of(source, error.origin) {
            Some(place) => format!("model error: {error} ({}:{}:{})", place.file, place.line, place.column),
            None => format!("model error: {error}"),
        },
        UnknownReason::OverApproximation(why) => format!("the engine explores too much: {why}"),
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
