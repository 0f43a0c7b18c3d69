//! Answers after their evidence was looked at.
//!
//! Invariant: only [`check`] makes a [`CheckedAnswer`], and [`Assurance::Replayed`] means that a
//! trace of the answer was executed here and by itself shows the verdict. That nothing bad was found is never shown by a trace:
//! [`Assurance::Certified`] means that the checker of certificates, the one caller of [`CheckedAnswer::certified`], has
//! accepted a certificate of it, or a derivation of it from others that are certified.

use tempora_evidence::{
    Answer, Budget, Caveat, Ending, Evidence, Rational, RefusedRun, RuntimeError, SpecificationRun, System,
    Task, Trace, UnknownReason, Verdict,
};
use tempora_model::{Expression, Formula, Network, Query, QueryKind, SpecificationQuery};

use crate::delay_set::{Cut, DelaySet};
use crate::evaluate::Evaluator;
use crate::interpreter::Interpreter;
use crate::late::comes_too_late;
use crate::region::Granularity;
use crate::shown_values::{Measured, measured};
use crate::specification::{Replayed, replay_refusal, replay_runs};
use crate::state::ConcreteState;
use crate::stretches::{Predicates, Stretch, again_and_again, all_along, premise_without_conclusion};
use crate::symbolic::check_property;
use crate::trace::{FailureCause, Position, ReplayFailure, Run};

/// An answer, and how much of it was checked.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckedAnswer {
    answer: Answer,
    assurance: Assurance,
}

/// How much of an answer was checked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Assurance {
    /// A trace was executed by the plain semantics and shows the verdict; of values, that each is attained or come near to.
    Replayed,
    /// A certificate was checked by a program that shares no code with the engine, and shows the verdict; or a derivation from
    /// refinements that were certified.
    Certified,
    /// The verdict is the word of the engine.
    Unchecked,
}

impl CheckedAnswer {
    /// Only for the two parts of this crate that execute traces.
    pub(crate) fn new(answer: Answer, assurance: Assurance) -> CheckedAnswer {
        CheckedAnswer { answer, assurance }
    }

    /// The answer; its verdict may be another than the one that the engine gave.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// How much of it was checked.
    pub fn assurance(&self) -> Assurance {
        self.assurance
    }

    /// The same answer, after its certificate was accepted. For the checker of certificates and nobody else.
    #[must_use]
    pub fn certified(mut self, certificate: Evidence) -> CheckedAnswer {
        self.answer.evidence.push(certificate);
        self.assurance = self.assurance.min(Assurance::Certified);
        self
    }

    /// The same answer, after a derivation of it from others was accepted: as sure as the least sure of them. For the checker of
    /// derivations and nobody else.
    #[must_use]
    pub fn derived<'answer>(
        mut self,
        from: impl IntoIterator<Item = &'answer CheckedAnswer>,
    ) -> CheckedAnswer {
        let others = from.into_iter().map(|answer| answer.assurance);
        self.assurance = others.fold(Assurance::Certified, Assurance::max);
        self
    }

    /// Withdraws the verdict, after its evidence was found to be wrong. For the checkers of evidence.
    #[must_use]
    pub fn refuted(mut self, why: String) -> CheckedAnswer {
        self.answer.verdict = Verdict::Unknown(UnknownReason::EngineBug(why));
        self.answer.evidence.clear();
        self.assurance = Assurance::Unchecked;
        self
    }

    /// The same answer with one more remark.
    #[must_use]
    pub fn with_remark(mut self, remark: String) -> CheckedAnswer {
        self.answer.caveats.push(Caveat::Remark(remark));
        self
    }
}

/// Checks the answer to one query of a task.
pub fn check(task: &Task, query: usize, mut answer: Answer, budget: &Budget) -> CheckedAnswer {
    match (&task.system, task.queries.get(query)) {
        (System::Network(network), Some(asked)) => check_network(network, asked, answer, budget),
        (System::Symbolic(system), Some(Query { kind: QueryKind::Property(property), .. })) => {
            check_property(system, *property, answer)
        }
        _ => {
            answer.verdict =
                Verdict::Unknown(UnknownReason::EngineBug("an answer without a question".to_owned()));
            CheckedAnswer { answer, assurance: Assurance::Unchecked }
        }
    }
}

/// Checks the answer to a question about a network.
///
/// All traces are replayed. If one is no run of the network, or does not show what it should, the verdict becomes
/// unknown: because of the approximation, if the answer admits one, and else because the engine has a bug. A trace that
/// cannot be replayed because of a limit of the interpreter, or in the time that is left, leaves the verdict as it is, with a
/// remark.
fn check_network(network: &Network, asked: &Query, mut answer: Answer, budget: &Budget) -> CheckedAnswer {
    let interpreter = Interpreter::new(network).within(&budget.grace());
    let demand = demand(&asked.kind, &answer.verdict);
    let granularity = Granularity::of(network, demand.predicates());
    let mut assurance = Assurance::Unchecked;
    let mut remarks = Vec::new();
    let mut refutation = None;
    for replayed in runs_of_specifications(&asked.kind, &answer, &budget.grace()) {
        match replayed {
            Replayed::Shown => assurance = Assurance::Replayed,
            Replayed::Executed(rest) => {
                remarks.push(Caveat::Remark(format!("the run was executed; {rest}")));
            }
            Replayed::NotTried(why) => {
                remarks.push(Caveat::Remark(format!("the run was not replayed: {why}")));
            }
            Replayed::Refuted(why) => refutation = Some(why),
        }
    }
    for evidence in &answer.evidence {
        let Evidence::Trace(trace) = evidence else { continue };
        match judge(&interpreter, trace, &demand, &granularity) {
            Ok(shown) => assurance = assurance.min(shown),
            Err(failure) if failure.is_own_limit() => {
                let why = failure.describe(network);
                remarks.push(Caveat::Remark(format!("the trace was not replayed: {why}")));
            }
            Err(failure) => {
                refutation = Some(failure.describe(network));
                break;
            }
        }
    }
    answer.caveats.extend(remarks);
    if let (None, Verdict::Value(values)) = (&refutation, &answer.verdict) {
        match values_are_shown(&interpreter, measured(&asked.kind, values), &answer) {
            Ok(true) => assurance = Assurance::Replayed,
            Ok(false) => {}
            Err(failure) => refutation = Some(failure.describe(network)),
        }
    }
    if let (None, QueryKind::Formula(formula), Verdict::Holds | Verdict::Fails) =
        (&refutation, &asked.kind, &answer.verdict)
        && matches!(demand, Demand::Nothing)
        && is_shown(&interpreter, formula, answer.verdict == Verdict::Holds, &answer)
    {
        assurance = Assurance::Replayed;
    }
    if let Some(why) = refutation {
        assurance = Assurance::Unchecked;
        answer.verdict = Verdict::Unknown(match answer.over_approximation() {
            Some(admitted) => UnknownReason::OverApproximation(format!("{admitted}; {why}")),
            None => UnknownReason::EngineBug(format!("the trace does not replay: {why}")),
        });
    }
    CheckedAnswer { answer, assurance }
}

/// Executes the runs of specifications that an answer has.
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
        return vec![Replayed::Refuted("a run of specifications for another question".to_owned())];
    };
    let mut found: Vec<Replayed> = refused
        .into_iter()
        .map(|run| match (question, &answer.verdict) {
            (
                SpecificationQuery::Refinement(left, right) | SpecificationQuery::Satisfaction(left, right),
                Verdict::Fails,
            ) => replay_refusal(components, left, right, run, budget),
            _ => Replayed::Refuted("a refused move for another verdict".to_owned()),
        })
        .collect();
    if !runs.is_empty() {
        found.push(replay_runs(components, question, &answer.verdict, &runs, budget));
    }
    found
}

/// Whether the traces of an answer together show a combination of formulas: each part that the verdict rests on is shown
/// by one of them.
fn is_shown(interpreter: &Interpreter<'_>, formula: &Formula, holds: bool, answer: &Answer) -> bool {
    match (formula, holds) {
        (Formula::Not(inner), _) => is_shown(interpreter, inner, !holds, answer),
        (Formula::And(parts), true) | (Formula::Or(parts), false) => {
            !parts.is_empty() && parts.iter().all(|part| is_shown(interpreter, part, holds, answer))
        }
        (Formula::And(parts), false) | (Formula::Or(parts), true) => {
            parts.iter().any(|part| is_shown(interpreter, part, holds, answer))
        }
        (part, _) => {
            let demand = formula_demand(part, holds);
            let granularity = Granularity::of(interpreter.network(), demand.predicates());
            answer.evidence.iter().any(|evidence| match evidence {
                Evidence::Trace(trace) => {
                    judge(interpreter, trace, &demand, &granularity) == Ok(Assurance::Replayed)
                }
                _ => false,
            })
        }
    }
}

/// Whether every value is shown by a trace. A trace that shows none, though all values have ends, is wrong.
fn values_are_shown(
    interpreter: &Interpreter<'_>,
    mut unshown: Vec<Measured<'_>>,
    answer: &Answer,
) -> Result<bool, ReplayFailure> {
    let granularity = Granularity::of(interpreter.network(), unshown.iter().filter_map(Measured::predicate));
    let may_be_beside = unshown.iter().any(Measured::has_no_end);
    let has_values = !unshown.is_empty();
    for evidence in &answer.evidence {
        let Evidence::Trace(trace) = evidence else { continue };
        let without_goal = Trace { ending: Ending::RefusedMove, ..trace.clone() };
        let Ok(run) = interpreter.replay(&without_goal, None, &granularity) else { return Ok(false) };
        let before = unshown.len();
        let mut failure = None;
        unshown.retain(|value| match value.is_shown_by(interpreter, trace, &run) {
            Ok(is_shown) => !is_shown,
            Err(error) => {
                failure = Some(error);
                true
            }
        });
        // What cannot be evaluated shows nothing, and refutes nothing.
        if failure.is_none() && unshown.len() == before && !may_be_beside {
            let cause = FailureCause::OtherEnding("the run does not show a value".to_owned());
            return Err(ReplayFailure { position: Position::Ending, cause });
        }
    }
    Ok(has_values && unshown.is_empty())
}

/// What a trace has to show for a verdict.
pub(crate) enum Demand<'query> {
    /// The predicate has this truth value at the end.
    AtEnd(&'query Expression, bool),
    /// The predicate has this truth value all along a maximal run.
    AllAlong(&'query Expression, bool),
    /// The premise holds at some time, and from then on the conclusion does not hold along a maximal run.
    WithoutConclusion { premise: &'query Expression, conclusion: &'query Expression },
    /// The premise holds at some time, and the conclusion not from then until after the deadline.
    Late { premise: &'query Expression, conclusion: &'query Expression, within: &'query Expression },
    /// The run is infinite and meets each of the predicates again and again.
    Again(&'query [Expression]),
    /// The run ends with this error.
    Fails(&'query RuntimeError),
    /// No trace shows it; those that there are illustrate it.
    Nothing,
}

impl<'query> Demand<'query> {
    pub(crate) fn predicates(&self) -> Vec<&'query Expression> {
        match *self {
            Demand::AtEnd(predicate, _) | Demand::AllAlong(predicate, _) => vec![predicate],
            Demand::WithoutConclusion { premise, conclusion } | Demand::Late { premise, conclusion, .. } => {
                vec![premise, conclusion]
            }
            Demand::Again(predicates) => predicates.iter().collect(),
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
        (Formula::PotentiallyAlways(predicate), true) => Demand::AllAlong(predicate, true),
        (Formula::Eventually(predicate), false) => Demand::AllAlong(predicate, false),
        (Formula::LeadsTo { premise, conclusion, within: None }, false) => {
            Demand::WithoutConclusion { premise, conclusion }
        }
        (Formula::LeadsTo { premise, conclusion, within: Some(within) }, false) => {
            Demand::Late { premise, conclusion, within }
        }
        (Formula::InfinitelyOften(predicates), true) => Demand::Again(predicates),
        (Formula::Not(inner), _) => formula_demand(inner, !holds),
        _ => Demand::Nothing,
    }
}

fn judge(
    interpreter: &Interpreter<'_>,
    trace: &Trace,
    demand: &Demand<'_>,
    granularity: &Granularity,
) -> Result<Assurance, ReplayFailure> {
    let at_end = |cause: FailureCause| ReplayFailure { position: Position::Ending, cause };
    // Whether the goal is the predicate or its opposite is known below, so there it is checked.
    let without_goal = Trace { ending: Ending::RefusedMove, ..trace.clone() };
    let is_goal = trace.ending == Ending::Goal;
    let run = interpreter.replay(if is_goal { &without_goal } else { trace }, None, granularity)?;
    let shown = match demand {
        Demand::AtEnd(predicate, expected) => {
            interpreter.holds(&run.last, predicate).map(|value| value == *expected)
        }
        Demand::Fails(error) => Ok(trace.ending == Ending::RuntimeError((*error).clone())),
        Demand::Nothing => return Ok(Assurance::Unchecked),
        _ => stretches(interpreter, trace, &run).and_then(|stretches| {
            let deadline = |within: &Expression| {
                Evaluator::reading(interpreter, &run.initial, &interpreter.fuel()).bound(within)
            };
            is_shown_along(interpreter, &stretches, &trace.ending, demand, &deadline)
        }),
    };
    match shown {
        Ok(true) if trace.ending == Ending::RefusedMove => Ok(Assurance::Unchecked),
        Ok(true) => Ok(Assurance::Replayed),
        Ok(false) => {
            let why = "the run does not show the verdict".to_owned();
            Err(at_end(FailureCause::OtherEnding(why)))
        }
        Err(error) => Err(at_end(FailureCause::Error(error))),
    }
}

/// Whether a run shows what it has to show all along.
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
        Demand::AllAlong(..) | Demand::WithoutConclusion { .. } if !is_maximal(ending) => Ok(false),
        Demand::AllAlong(predicate, expected) => all_along(predicates, stretches, predicate, *expected),
        Demand::WithoutConclusion { premise, conclusion } => {
            premise_without_conclusion(predicates, stretches, cycle_start, premise, conclusion)
        }
        Demand::Late { premise, conclusion, within } => {
            comes_too_late(predicates, stretches, premise, conclusion, deadline(within)?)
        }
        Demand::Again(wanted) => match cycle_start {
            Some(start) => again_and_again(predicates, stretches, start, wanted),
            None => Ok(false),
        },
        Demand::AtEnd(..) | Demand::Fails(_) | Demand::Nothing => Ok(false),
    }
}

/// Whether a run that ends like this cannot go on, or goes on for ever.
fn is_maximal(ending: &Ending) -> bool {
    matches!(ending, Ending::Deadlock | Ending::DelayForever | Ending::Lasso { .. })
}

/// The states in which time begins to pass, each with the delays that pass there.
///
/// After the last step these are all delays that are allowed, if the run is maximal without a cycle.
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
