//! Judges whether the runs of an answer prove its verdict.
//!
//! Invariant: [`Showing::Shown`] means that a run of the answer was executed here and alone proves the verdict. No run
//! proves unreachability. The crate `certify`, not this module, decides how far an answer is trusted.

use tempora_evidence::{
    Answer, Budget, Ending, Evidence, Rational, RefusedRun, RuntimeError, SpecificationRun, Trace,
    UnknownReason, Verdict,
};
use tempora_model::{Expression, Formula, Network, Query, QueryKind, SpecificationQuery};

use crate::bounded_response::violates_deadline;
use crate::delay_set::{Cut, DelaySet};
use crate::evaluate::Evaluator;
use crate::interpreter::Interpreter;
use crate::region::Granularity;
use crate::shown_values::{Measured, measured};
use crate::specification::{Replayed, replay_refusal, replay_runs};
use crate::state::ConcreteState;
use crate::stretches::{Predicates, Stretch, holds_throughout, infinitely_often, premise_without_conclusion};
use crate::symbolic::SymbolicRun;
use crate::trace::{FailureCause, Position, ReplayFailure, Run};

/// The judgement on the runs of an answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// The executed run of each item of evidence, in their order; `None` for evidence other than traces and for traces
    /// that were not executed to their end.
    pub runs: Vec<Option<ExecutedRun>>,
    /// Whether the runs prove the verdict.
    pub showing: Showing,
    /// Notes about runs that were not executed or not judged in full, as phrases without full stop.
    pub remarks: Vec<String>,
}

/// The states of an executed trace of either kind of system.
#[derive(Clone, PartialEq, Debug)]
pub enum ExecutedRun {
    /// A run of a network.
    Network(Box<Run>),
    /// A run of a symbolic system.
    Symbolic(SymbolicRun),
}

/// Whether runs prove a verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Showing {
    /// They prove it; for values, that each is attained or approached.
    Shown,
    /// They neither prove nor contradict it.
    NotShown,
    /// A run is impossible or shows something else; a phrase without full stop.
    Refuted(String),
}

/// Executes the runs of an answer to a query about a network, and judges them.
///
/// Each trace is executed once. A trace that is not a run of the network, or does not show the verdict, refutes the
/// answer. A trace that exceeds a limit of the interpreter or the remaining time adds a remark.
pub fn judge_network(network: &Network, asked: &Query, answer: &Answer, budget: &Budget) -> Judgement {
    let interpreter = Interpreter::new(network).within(&budget.grace());
    let demand = demand(&asked.kind, &answer.verdict);
    let granularity = Granularity::of(network, demand.predicates());
    let mut is_shown = false;
    let mut remarks = Vec::new();
    let mut refutation = None;
    for replayed in runs_of_specifications(&asked.kind, answer, &budget.grace()) {
        match replayed {
            Replayed::Shown => is_shown = true,
            Replayed::Executed(rest) => remarks.push(format!("the run was executed; {rest}")),
            Replayed::NotTried(why) => remarks.push(format!("the run was not replayed: {why}")),
            Replayed::Refuted(why) => refutation = Some(why),
        }
    }
    let mut runs: Vec<Option<Run>> = vec![None; answer.evidence.len()];
    for (evidence, kept) in answer.evidence.iter().zip(&mut runs) {
        let Evidence::Trace(trace) = evidence else { continue };
        let judged = interpreter.execute(trace).and_then(|run| {
            let judged = judge(&interpreter, trace, &run, &demand, &granularity);
            // A failed step is part of the run only if the trace ends with this failure.
            if run.stopped.is_none() || judged.is_ok() {
                *kept = Some(run);
            }
            judged
        });
        match judged {
            Ok(shows) => is_shown |= shows,
            Err(failure) if failure.is_own_limit() => {
                remarks.push(format!("the trace was not replayed: {}", failure.describe(network)));
            }
            Err(failure) => {
                refutation = Some(failure.describe(network));
                break;
            }
        }
    }
    let executed = ExecutedTraces { interpreter: &interpreter, answer, runs: &runs };
    if let (None, Verdict::Value(values)) = (&refutation, &answer.verdict) {
        match executed.show_values(&measured(&asked.kind, values)) {
            Ok(shows) => is_shown |= shows,
            Err(failure) => refutation = Some(failure.describe(network)),
        }
    }
    if let (None, QueryKind::Formula(formula), Verdict::Holds | Verdict::Fails) =
        (&refutation, &asked.kind, &answer.verdict)
        && matches!(demand, Demand::Nothing)
    {
        is_shown |= executed.show(formula, answer.verdict == Verdict::Holds);
    }
    let showing = match refutation {
        Some(why) => Showing::Refuted(why),
        None if is_shown => Showing::Shown,
        None => Showing::NotShown,
    };
    let runs = runs.into_iter().map(|run| run.map(|run| ExecutedRun::Network(Box::new(run)))).collect();
    Judgement { runs, showing, remarks }
}

/// Executes the runs of specifications in an answer.
fn runs_of_specifications(kind: &QueryKind, answer: &Answer, budget: &Budget) -> Vec<Replayed> {
    let mut refused: Vec<&RefusedRun> = Vec::new();
    let mut runs: Vec<&SpecificationRun> = Vec::new();
    for evidence in &answer.evidence {
        match evidence {
            Evidence::RefusedRun(run) => refused.push(run),
            Evidence::SpecificationRun(run) => runs.push(run),
            _ => {}
        }
    }
    if refused.is_empty() && runs.is_empty() {
        return Vec::new();
    }
    let QueryKind::Specification { components, question } = kind else {
        return vec![Replayed::Refuted("the run does not belong to this kind of query".to_owned())];
    };
    let mut found: Vec<Replayed> = refused
        .into_iter()
        .map(|run| match (question, &answer.verdict) {
            (
                SpecificationQuery::Refinement(left, right) | SpecificationQuery::Satisfaction(left, right),
                Verdict::Fails,
            ) => replay_refusal(components, left, right, run, budget),
            _ => Replayed::Refuted("a refused move does not support this verdict".to_owned()),
        })
        .collect();
    if !runs.is_empty() {
        found.push(replay_runs(components, question, &answer.verdict, &runs, budget));
    }
    found
}

/// The executed traces of an answer.
struct ExecutedTraces<'judged> {
    interpreter: &'judged Interpreter<'judged>,
    answer: &'judged Answer,
    /// For each item of evidence.
    runs: &'judged [Option<Run>],
}

impl<'judged> ExecutedTraces<'judged> {
    fn traces(&self) -> impl Iterator<Item = (&'judged Trace, Option<&'judged Run>)> {
        self.answer.evidence.iter().zip(self.runs).filter_map(|(evidence, run)| match evidence {
            Evidence::Trace(trace) => Some((trace, run.as_ref())),
            _ => None,
        })
    }

    /// Returns whether the traces prove a combination of formulas: each part on which the verdict rests is shown by one
    /// of them.
    fn show(&self, formula: &Formula, holds: bool) -> bool {
        match (formula, holds) {
            (Formula::Not(inner), _) => self.show(inner, !holds),
            (Formula::And(parts), true) | (Formula::Or(parts), false) => {
                !parts.is_empty() && parts.iter().all(|part| self.show(part, holds))
            }
            (Formula::And(parts), false) | (Formula::Or(parts), true) => {
                parts.iter().any(|part| self.show(part, holds))
            }
            (part, _) => {
                let demand = formula_demand(part, holds);
                let granularity = Granularity::of(self.interpreter.network(), demand.predicates());
                self.traces().any(|(trace, run)| {
                    run.is_some_and(|run| {
                        judge(self.interpreter, trace, run, &demand, &granularity) == Ok(true)
                    })
                })
            }
        }
    }

    /// Returns whether every value is shown by a trace. A trace that shows no value, although all are bounded, is an
    /// error. One trace may show several values.
    fn show_values(&self, values: &[Measured<'_>]) -> Result<bool, ReplayFailure> {
        let has_unbounded = values.iter().any(Measured::is_value_unbounded);
        let mut is_shown = vec![false; values.len()];
        for (trace, run) in self.traces() {
            let Some(run) = run.filter(|run| run.stopped.is_none()) else { return Ok(false) };
            let mut is_conclusive = true;
            let mut shows_some = false;
            for (value, is_shown) in values.iter().zip(&mut is_shown) {
                match value.is_shown_by(self.interpreter, trace, run) {
                    Ok(shows) => {
                        shows_some |= shows;
                        *is_shown |= shows;
                    }
                    // A value whose evaluation fails neither proves nor refutes.
                    Err(_) => is_conclusive = false,
                }
            }
            if is_conclusive && !shows_some && !has_unbounded {
                let cause = FailureCause::OtherEnding("the run shows no value of the answer".to_owned());
                return Err(ReplayFailure { position: Position::Ending, cause });
            }
        }
        Ok(!values.is_empty() && is_shown.iter().all(|&shown| shown))
    }
}

/// The condition that a trace must meet to prove a verdict.
pub(crate) enum Demand<'query> {
    /// The predicate has this truth value at the end.
    AtEnd(&'query Expression, bool),
    /// The predicate has this truth value throughout a maximal run.
    Throughout(&'query Expression, bool),
    /// The premise holds at some instant, and from then on the conclusion never holds in a maximal run.
    WithoutConclusion { premise: &'query Expression, conclusion: &'query Expression },
    /// The premise holds at some instant, and the conclusion does not hold from then until after the deadline.
    Late { premise: &'query Expression, conclusion: &'query Expression, within: &'query Expression },
    /// The run is infinite and satisfies each of the predicates infinitely often.
    InfinitelyOften(&'query [Expression]),
    /// The run ends with this error.
    Fails(&'query RuntimeError),
    /// No trace can prove it; any trace is an illustration.
    Nothing,
}

impl<'query> Demand<'query> {
    pub(crate) fn predicates(&self) -> Vec<&'query Expression> {
        match *self {
            Demand::AtEnd(predicate, _) | Demand::Throughout(predicate, _) => vec![predicate],
            Demand::WithoutConclusion { premise, conclusion } | Demand::Late { premise, conclusion, .. } => {
                vec![premise, conclusion]
            }
            Demand::InfinitelyOften(predicates) => predicates.iter().collect(),
            Demand::Fails(_) | Demand::Nothing => Vec::new(),
        }
    }
}

fn demand<'query>(kind: &'query QueryKind, verdict: &'query Verdict) -> Demand<'query> {
    match (kind, verdict) {
        (_, Verdict::Unknown(UnknownReason::ModelError(error))) => Demand::Fails(error),
        (QueryKind::Formula(formula), Verdict::Holds) => formula_demand(formula, true),
        (QueryKind::Formula(formula), Verdict::Fails) => formula_demand(formula, false),
        _ => Demand::Nothing,
    }
}

pub(crate) fn formula_demand(formula: &Formula, holds: bool) -> Demand<'_> {
    match (formula, holds) {
        (Formula::Possibly(predicate), true) => Demand::AtEnd(predicate, true),
        (Formula::Always(predicate), false) => Demand::AtEnd(predicate, false),
        (Formula::PotentiallyAlways(predicate), true) => Demand::Throughout(predicate, true),
        (Formula::Eventually(predicate), false) => Demand::Throughout(predicate, false),
        (Formula::LeadsTo { premise, conclusion, within: None }, false) => {
            Demand::WithoutConclusion { premise, conclusion }
        }
        (Formula::LeadsTo { premise, conclusion, within: Some(within) }, false) => {
            Demand::Late { premise, conclusion, within }
        }
        (Formula::InfinitelyOften(predicates), true) => Demand::InfinitelyOften(predicates),
        (Formula::Not(inner), _) => formula_demand(inner, !holds),
        _ => Demand::Nothing,
    }
}

/// Judges an executed run: whether it ends as its trace claims and meets the demand. Returns whether it proves the
/// verdict; an error if it contradicts the trace or the demand.
fn judge(
    interpreter: &Interpreter<'_>,
    trace: &Trace,
    run: &Run,
    demand: &Demand<'_>,
    granularity: &Granularity,
) -> Result<bool, ReplayFailure> {
    let at_end = |cause: FailureCause| ReplayFailure { position: Position::Ending, cause };
    match &trace.ending {
        // Below it is known whether the goal is the predicate or its negation, so it is checked there.
        Ending::Goal => run.check_complete()?,
        _ => interpreter.check_ending(trace, run, None, granularity)?,
    }
    let shown = match demand {
        Demand::AtEnd(predicate, expected) => {
            interpreter.holds(&run.last, predicate).map(|value| value == *expected)
        }
        Demand::Fails(error) => Ok(trace.ending == Ending::RuntimeError((*error).clone())),
        Demand::Nothing => return Ok(false),
        _ => stretches(interpreter, trace, run).and_then(|stretches| {
            let deadline = |within: &Expression| {
                Evaluator::reading(interpreter, &run.initial, &interpreter.fuel()).bound(within)
            };
            is_shown_along(interpreter, &stretches, &trace.ending, demand, &deadline)
        }),
    };
    match shown {
        Ok(true) => Ok(trace.ending != Ending::RefusedMove),
        Ok(false) => {
            let why = "the run does not show the verdict".to_owned();
            Err(at_end(FailureCause::OtherEnding(why)))
        }
        Err(error) => Err(at_end(FailureCause::Error(error))),
    }
}

/// Returns whether a run meets a demand on all of its states.
pub(crate) fn is_shown_along<P: Predicates>(
    predicates: &P,
    stretches: &[Stretch<'_, P::State>],
    ending: &Ending,
    demand: &Demand<'_>,
    deadline: &dyn Fn(&Expression) -> Result<Rational, RuntimeError>,
) -> Result<bool, RuntimeError> {
    let cycle_start = match ending {
        Ending::Lasso { start } => Some(*start),
        _ => None,
    };
    match demand {
        Demand::Throughout(..) | Demand::WithoutConclusion { .. } if !is_maximal(ending) => Ok(false),
        Demand::Throughout(predicate, expected) => {
            holds_throughout(predicates, stretches, predicate, *expected)
        }
        Demand::WithoutConclusion { premise, conclusion } => {
            premise_without_conclusion(predicates, stretches, cycle_start, premise, conclusion)
        }
        Demand::Late { premise, conclusion, within } => {
            violates_deadline(predicates, stretches, premise, conclusion, deadline(within)?)
        }
        Demand::InfinitelyOften(wanted) => match cycle_start {
            Some(start) => infinitely_often(predicates, stretches, start, wanted),
            None => Ok(false),
        },
        Demand::AtEnd(..) | Demand::Fails(_) | Demand::Nothing => Ok(false),
    }
}

/// Returns whether a run with this ending is maximal or infinite.
fn is_maximal(ending: &Ending) -> bool {
    matches!(ending, Ending::Deadlock | Ending::DelayForever | Ending::Lasso { .. })
}

/// Returns the stretches of a run.
///
/// The last one has all delays that the state allows if the run is maximal without a cycle.
fn stretches<'run>(
    interpreter: &Interpreter<'_>,
    trace: &Trace,
    run: &'run Run,
) -> Result<Vec<(&'run ConcreteState, DelaySet)>, RuntimeError> {
    let zero = Cut::before(Rational::from_integer(0));
    let until = |delay| DelaySet::between(zero, Cut::after(delay));
    let mut stretches: Vec<_> = trace
        .steps
        .iter()
        .enumerate()
        .take(run.steps.len())
        .map(|(number, step)| (run.state_before(number), until(step.delay)))
        .collect();
    let last = run.state_before(run.steps.len());
    let passing = match trace.ending {
        Ending::Deadlock | Ending::DelayForever => interpreter.allowed_delays(last)?,
        _ => until(trace.final_delay),
    };
    stretches.push((last, passing));
    Ok(stretches)
}
