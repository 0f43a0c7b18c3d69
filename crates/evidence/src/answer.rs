//! Answers as data: a verdict, its evidence and its caveats.
//!
//! Invariant: a verdict is never a bare truth value. "Unknown" has a reason, and an answer that rests on an
//! approximation says so in its caveats.

use tempora_model::ComputedComponent;
use tempora_source::Origin;

use crate::{
    Certificate, Exhausted, InductiveInvariant, Rational, RefusedRun, RuntimeError, SpecificationCertificate,
    SpecificationRun, Statistics, SymbolicTrace, Trace,
};

/// The answer of an engine to one query.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// The evidence for it, the most informative first.
    pub evidence: Vec<Evidence>,
    /// Notes that limit the answer.
    pub caveats: Vec<Caveat>,
    /// The cost of the computation.
    pub statistics: Statistics,
    /// The engine that answered.
    pub engine: String,
}

/// The verdict on a query.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// The query is satisfied.
    Holds,
    /// The query is violated.
    Fails,
    /// The values requested, one for each expression of the query.
    Value(Vec<MeasuredValue>),
    /// A probability or expectation that was estimated from random runs.
    Estimated(Estimate),
    /// There is no verdict.
    Unknown(UnknownReason),
}

/// Why there is no verdict.
#[derive(Clone, PartialEq, Debug)]
pub enum UnknownReason {
    /// The time limit of the budget was reached.
    Timeout,
    /// The memory limit of the budget was reached.
    Memory,
    /// The limit on stored states was reached.
    StateLimit,
    /// The user interrupted the computation.
    Cancelled,
    /// The system or another program ended the computation.
    Terminated,
    /// The terminal of the program was closed.
    HungUp,
    /// The engine does not support the named construct.
    Unsupported(String),
    /// A runtime error of the model; a trace in the evidence leads to it.
    ModelError(RuntimeError),
    /// The engine over-approximates, for this reason, so its result may not hold for the model.
    OverApproximation(String),
    /// A proof attempt failed, for this reason.
    NotDerived(String),
    /// The engine contradicts itself or the semantics, as the text explains.
    EngineBug(String),
}

impl UnknownReason {
    /// Returns whether a limit of the budget, or a request to stop, is the reason.
    pub fn is_exhausted(&self) -> bool {
        match self {
            UnknownReason::Timeout
            | UnknownReason::Memory
            | UnknownReason::StateLimit
            | UnknownReason::Cancelled
            | UnknownReason::Terminated
            | UnknownReason::HungUp => true,
            UnknownReason::Unsupported(_)
            | UnknownReason::ModelError(_)
            | UnknownReason::OverApproximation(_)
            | UnknownReason::NotDerived(_)
            | UnknownReason::EngineBug(_) => false,
        }
    }

    /// Returns a phrase without full stop, such as "timeout reached".
    pub fn describe(&self) -> String {
        match self {
            UnknownReason::Timeout => Exhausted::Timeout.describe().to_owned(),
            UnknownReason::Memory => Exhausted::Memory.describe().to_owned(),
            UnknownReason::StateLimit => Exhausted::StateLimit.describe().to_owned(),
            UnknownReason::Cancelled => Exhausted::Cancelled.describe().to_owned(),
            UnknownReason::Terminated => Exhausted::Terminated.describe().to_owned(),
            UnknownReason::HungUp => Exhausted::HungUp.describe().to_owned(),
            UnknownReason::ModelError(error) => format!("model error: {error}"),
            UnknownReason::Unsupported(what)
            | UnknownReason::OverApproximation(what)
            | UnknownReason::NotDerived(what)
            | UnknownReason::EngineBug(what) => what.clone(),
        }
    }
}

/// An item of evidence for a verdict.
#[derive(Clone, PartialEq, Debug)]
pub enum Evidence {
    /// A run of a network.
    Trace(Trace),
    /// A run of a symbolic system.
    SymbolicTrace(SymbolicTrace),
    /// A counterexample to a refinement.
    RefusedRun(RefusedRun),
    /// A run of one specification.
    SpecificationRun(SpecificationRun),
    /// The component that was requested.
    Component(ComputedComponent),
    /// A winning strategy of a game.
    Strategy(Strategy),
    /// A certificate that no bad state is reachable.
    Certificate(Certificate),
    /// A certificate that one specification refines or implements another.
    SpecificationCertificate(SpecificationCertificate),
    /// An inductive invariant that excludes every bad state of a symbolic system.
    Invariant(InductiveInvariant),
    /// Random runs.
    Samples(Samples),
    /// The reason why nothing was computed.
    Refusal(Refusal),
}

/// A winning strategy of a game, for human readers; it has no form yet that could be checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy {
    /// One rule a line.
    pub rules: Vec<String>,
}

/// The result of random runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Samples {
    /// How many runs there were.
    pub runs: u64,
    /// How many of them satisfied the query.
    pub satisfied: u64,
    /// The seed that reproduces the runs.
    pub seed: u64,
}

/// The reason why nothing was computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The reason, as a phrase without full stop.
    pub reason: String,
    /// The construct to which it applies, if any.
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

/// A bound of a set of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// A value that is attained.
    Attained(Rational),
    /// A value that is approached but not attained.
    Approached(Rational),
    /// No bound.
    Unbounded,
}

/// An estimate from random runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// The probability that the value is in the interval, between 0 and 1.
    pub confidence: f64,
    /// The number of runs.
    pub runs: u64,
}

/// A note that limits an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Caveat {
    /// The engine may have explored unreachable states, for this reason: its trace may not be a run.
    OverApproximates(String),
    /// The engine may have missed reachable states, for this reason: an unsuccessful search proves nothing.
    UnderApproximates(String),
    /// Any other note, as a phrase without full stop.
    Remark(String),
}

impl Answer {
    /// Creates the answer for an unsupported query.
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

    /// Returns the first trace of the evidence.
    pub fn trace(&self) -> Option<&Trace> {
        self.evidence.iter().find_map(|evidence| match evidence {
            Evidence::Trace(trace) => Some(trace),
            _ => None,
        })
    }

    /// Returns the first run of a symbolic system in the evidence.
    pub fn symbolic_trace(&self) -> Option<&SymbolicTrace> {
        self.evidence.iter().find_map(|evidence| match evidence {
            Evidence::SymbolicTrace(trace) => Some(trace),
            _ => None,
        })
    }

    /// Returns the reason why the engine over-approximates, if it does.
    pub fn over_approximation(&self) -> Option<&str> {
        self.caveats.iter().find_map(|caveat| match caveat {
            Caveat::OverApproximates(why) => Some(why.as_str()),
            _ => None,
        })
    }
}
