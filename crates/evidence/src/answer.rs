//! Answers as data: a verdict, what supports it, and what has to be known about it.
//!
//! Invariant: never a truth value alone. "Unknown" has a reason, and an answer that rests on an approximation says so
//! in its caveats.

use tempora_model::MadeComponent;
use tempora_source::Origin;

use crate::{
    Certificate, InductiveInvariant, Rational, RefusedRun, RuntimeError, SpecificationCertificate,
    SpecificationRun, Statistics, SymbolicTrace, Trace,
};

/// What an engine says about one query.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// What supports it, the most telling first.
    pub evidence: Vec<Evidence>,
    /// What has to be known about it.
    pub caveats: Vec<Caveat>,
    /// What it took.
    pub statistics: Statistics,
    /// The engine that gave it.
    pub engine: String,
}

/// The verdict on a query.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// It holds.
    Holds,
    /// It does not hold.
    Fails,
    /// The values that were asked for, one for each expression of the query.
    Value(Vec<MeasuredValue>),
    /// A probability or expectation that was estimated from random runs.
    Estimated(Estimate),
    /// There is no verdict.
    Unknown(UnknownReason),
}

/// Why there is no verdict.
#[derive(Clone, PartialEq, Debug)]
pub enum UnknownReason {
    /// The time of the budget is over.
    Timeout,
    /// The memory of the budget is used up.
    Memory,
    /// As many states as the budget allows have been stored.
    StateLimit,
    /// The user stopped it.
    Cancelled,
    /// The engine does not support something, which this names.
    Unsupported(String),
    /// The model fails when it is executed; a trace in the evidence leads there.
    ModelError(RuntimeError),
    /// The approximation of the engine allows what the model may not; this says what.
    OverApproximation(String),
    /// A proof does not show it; this says why.
    NotDerived(String),
    /// The engine contradicts itself or the semantics; this says how.
    EngineBug(String),
}

impl UnknownReason {
    /// A sentence without full stop, such as "the time is over".
    pub fn describe(&self) -> String {
        match self {
            UnknownReason::Timeout => "the time is over".to_owned(),
            UnknownReason::Memory => "the memory is used up".to_owned(),
            UnknownReason::StateLimit => "the limit on states is reached".to_owned(),
            UnknownReason::Cancelled => "it was stopped".to_owned(),
            UnknownReason::ModelError(error) => format!("the model fails: {error}"),
            UnknownReason::Unsupported(what)
            | UnknownReason::OverApproximation(what)
            | UnknownReason::NotDerived(what)
            | UnknownReason::EngineBug(what) => what.clone(),
        }
    }
}

/// What supports a verdict.
#[derive(Clone, PartialEq, Debug)]
pub enum Evidence {
    /// A run of a network.
    Trace(Trace),
    /// A run of a symbolic system.
    SymbolicTrace(SymbolicTrace),
    /// A run that shows why a specification does not refine another.
    RefusedRun(RefusedRun),
    /// A run of one specification.
    SpecificationRun(SpecificationRun),
    /// A component that was asked for.
    Component(MadeComponent),
    /// How to win a game.
    Strategy(Strategy),
    /// Why nothing bad can be reached.
    Certificate(Certificate),
    /// Why one specification refines another, or why something implements one.
    SpecificationCertificate(SpecificationCertificate),
    /// Why nothing bad can be reached in a symbolic system.
    Invariant(InductiveInvariant),
    /// Random runs.
    Samples(Samples),
    /// Why nothing was computed.
    Refusal(Refusal),
}

/// How to win a game, for a human reader; there is no form yet that could be checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy {
    /// One rule a line.
    pub rules: Vec<String>,
}

/// What random runs showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Samples {
    /// How many runs there were.
    pub runs: u64,
    /// How many of them satisfied the query.
    pub satisfied: u64,
    /// The seed that makes the same runs again.
    pub seed: u64,
}

/// Why nothing was computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The reason, as a sentence without full stop.
    pub reason: String,
    /// The construct that is the reason, if there is one.
    pub origin: Option<Origin>,
}

/// The values of one expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MeasuredValue {
    /// There is no state to take a value from.
    NoState,
    /// The least upper bound.
    Supremum(Limit),
    /// The greatest lower bound.
    Infimum(Limit),
    /// All values, as disjoint intervals from the least up.
    Intervals(Vec<(Limit, Limit)>),
}

/// An end of a set of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// A value that is taken.
    Attained(Rational),
    /// A value that is not taken, but values as near to it as one likes are.
    Approached(Rational),
    /// There is no end.
    Unbounded,
}

/// An estimate from random runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// How sure it is that the value is in the interval, between 0 and 1.
    pub confidence: f64,
    /// From how many runs.
    pub runs: u64,
}

/// What has to be known about an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Caveat {
    /// The engine explored more than the model allows, for this reason: a trace of its may not be a run.
    OverApproximates(String),
    /// The engine explored less than the model allows, for this reason: that it found nothing proves nothing.
    UnderApproximates(String),
    /// Anything else, as a sentence without full stop.
    Remark(String),
}

impl Answer {
    /// An answer that says that the query is not supported.
    pub fn unsupported(engine: &str, reason: impl Into<String>, origin: Option<Origin>) -> Answer {
        let reason = reason.into();
        Answer {
            verdict: Verdict::Unknown(UnknownReason::Unsupported(reason.clone())),
            evidence: vec![Evidence::Refusal(Refusal { reason, origin })],
            caveats: Vec::new(),
            statistics: Statistics::default(),
            engine: engine.to_owned(),
        }
    }

    /// The first trace of the evidence.
    pub fn trace(&self) -> Option<&Trace> {
        self.evidence.iter().find_map(|evidence| match evidence {
            Evidence::Trace(trace) => Some(trace),
            _ => None,
        })
    }

    /// The first run of a symbolic system of the evidence.
    pub fn symbolic_trace(&self) -> Option<&SymbolicTrace> {
        self.evidence.iter().find_map(|evidence| match evidence {
            Evidence::SymbolicTrace(trace) => Some(trace),
            _ => None,
        })
    }

    /// Why the engine explored more than the model allows, if it says that it did.
    pub fn over_approximation(&self) -> Option<&str> {
        self.caveats.iter().find_map(|caveat| match caveat {
            Caveat::OverApproximates(why) => Some(why.as_str()),
            _ => None,
        })
    }
}
