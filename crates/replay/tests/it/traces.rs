//! Execution of traces, their endings, and the verdicts that runs prove.

use tempora_evidence::{
    Answer, Budget, Ending, Evidence, Rational, RuntimeError, RuntimeErrorKind, Statistics, Step, StopCause,
    Trace, Transition, TransitionKind, UnknownReason, Verdict,
};
use tempora_model::{BinaryOperator, Expression, Formula, LocationId, ProcessId, Query, QueryKind};
use tempora_replay::{
    ExecutedRun, FailureCause, Granularity, Judgement, Obstacle, Position, ReplayFailure, Run, Showing,
    judge_network,
};

use crate::common::*;

fn trace(build: &Build, steps: Vec<Step>, ending: Ending) -> Trace {
    let initial = vec![LocationId(0); build.network.processes.len()];
    Trace { initial, steps, final_delay: time(0, 1), ending }
}

fn replay(build: &Build, trace: &Trace, goal: Option<&Expression>) -> Result<Run, ReplayFailure> {
    let (interpreter, granularity) = (build.interpreter(), Granularity::of(&build.network, goal));
    let run = interpreter.execute(trace)?;
    interpreter.check_ending(trace, &run, goal, &granularity)?;
    Ok(run)
}

fn position(result: Result<Run, ReplayFailure>) -> Position {
    result.unwrap_err().position
}

/// Builds one process: from the first location to the second within five time units, but not before two; then it may
/// loop, and reset its clock while it is at most one.
fn example() -> (Build, ProcessId, Expression) {
    let mut build = Build::default();
    let x = build.clock("x");
    let p = build.process("P", 2);
    build.invariant(p, 0, when(&x, AT_MOST, 5));
    build.edge(p, edge(0, 1).guard(when(&x, AT_LEAST, 2)));
    build.edge(p, edge(1, 1).guard(when(&x, AT_LEAST, 7)).update(assign(&x, number(6))));
    (build, p, x)
}

#[test]
fn run_has_all_states_and_ends_in_goal() {
    let (build, p, x) = example();
    let good = trace(&build, vec![step(3, internal(p, 0))], Ending::Goal);
    let run = replay(&build, &good, Some(&is_at(p, 1))).unwrap();
    assert_eq!(run.initial.clocks, [time(0, 1)]);
    assert_eq!(run.steps[0].after_delay.clocks, [time(3, 1)]);
    assert_eq!(run.steps[0].after_delay.locations, [LocationId(0)]);
    assert_eq!(run.last.locations, [LocationId(1)]);
    assert_eq!(position(replay(&build, &good, Some(&is_at(p, 0)))), Position::Ending);
    assert_eq!(position(replay(&build, &good, None)), Position::Ending);
    let with_delay = Trace { final_delay: time(7, 2), ..good };
    let goal = when(&x, AT_LEAST, 6);
    assert_eq!(replay(&build, &with_delay, Some(&goal)).unwrap().last.clocks, [time(13, 2)]);
}

#[test]
fn reports_first_impossible_step() {
    let (build, p, _) = example();
    let at = |steps| position(replay(&build, &trace(&build, steps, Ending::Goal), Some(&is_at(p, 1))));
    assert_eq!(at(vec![step(1, internal(p, 0))]), Position::Transition(0));
    assert_eq!(at(vec![step(6, internal(p, 0))]), Position::Delay(0));
    assert_eq!(at(vec![step(3, internal(p, 0)), step(1, internal(p, 1))]), Position::Transition(1));
    assert_eq!(at(vec![step(3, internal(p, 0)), step(-1, internal(p, 1))]), Position::Delay(1));
    let mut elsewhere = trace(&build, vec![], Ending::Goal);
    elsewhere.initial = vec![LocationId(1)];
    assert_eq!(position(replay(&build, &elsewhere, Some(&is_at(p, 1)))), Position::Initial);
    elsewhere.initial = vec![];
    assert_eq!(position(replay(&build, &elsewhere, Some(&is_at(p, 1)))), Position::Initial);
    let mut too_late = trace(&build, vec![], Ending::Goal);
    too_late.final_delay = time(6, 1);
    let failure = replay(&build, &too_late, Some(&is_at(p, 0))).unwrap_err();
    assert_eq!(failure.position, Position::FinalDelay);
    assert_eq!(
        failure.describe(&build.network),
        "last delay: the invariant of `P.L0` allows only the delays [0, 5]"
    );
}

#[test]
fn refuses_traces_with_unknown_names() {
    let (build, p, _) = example();
    let stranger = internal(ProcessId(9), 0);
    let no_edge = internal(p, 9);
    let mut no_branch = internal(p, 0);
    no_branch.participants[0].branch = 1;
    let nobody = Transition { kind: TransitionKind::Internal, participants: vec![] };
    let pair = Transition { kind: TransitionKind::Binary, participants: vec![] };
    let broadcast = Transition { kind: TransitionKind::Broadcast, participants: vec![] };
    let vector = Transition { kind: TransitionKind::Vector(0), participants: vec![] };
    for wrong in [stranger, no_edge, no_branch, nobody, pair, broadcast, vector] {
        let failure = replay(&build, &trace(&build, vec![step(3, wrong)], Ending::Goal), None).unwrap_err();
        assert!(matches!(failure.cause, FailureCause::Impossible(Obstacle::NotInNetwork(_))), "{failure:?}");
    }
}

#[test]
fn times_that_cannot_be_represented_are_errors() {
    let (mut build, p, _) = example();
    build.location(p, 0).invariant = Default::default();
    let mut far = trace(&build, vec![step(i64::MAX, internal(p, 0))], Ending::DelayForever);
    far.final_delay = time(1, 3);
    let failure = replay(&build, &far, None).unwrap_err();
    let FailureCause::Error(error) = failure.cause else { panic!("{failure:?}") };
    assert_eq!(error.kind, RuntimeErrorKind::TimeOverflow);
}

#[test]
fn deadlock_has_no_transition_now_or_later() {
    let (mut build, p, x) = example();
    let at_once = trace(&build, vec![], Ending::Deadlock);
    assert_eq!(position(replay(&build, &at_once, None)), Position::Ending);
    // In the second location with less than 7 an edge is still possible, after a delay.
    let later = trace(&build, vec![step(3, internal(p, 0))], Ending::Deadlock);
    assert_eq!(position(replay(&build, &later, None)), Position::Ending);
    build.invariant(p, 1, when(&x, LESS, 7));
    assert!(replay(&build, &later, None).is_ok());
}

#[test]
fn time_diverges_only_without_upper_bound() {
    let (build, p, _) = example();
    let bounded = trace(&build, vec![], Ending::DelayForever);
    assert_eq!(position(replay(&build, &bounded, None)), Position::Ending);
    let unbounded = trace(&build, vec![step(3, internal(p, 0))], Ending::DelayForever);
    assert!(replay(&build, &unbounded, None).is_ok());
}

fn loops(p: ProcessId, delays: &[Rational], start: usize, build: &Build) -> Trace {
    let mut steps = vec![step(3, internal(p, 0))];
    steps.extend(delays.iter().map(|&delay| Step { delay, transition: internal(p, 1) }));
    trace(build, steps, Ending::Lasso { start })
}

#[test]
fn lasso_closes_at_equivalent_state() {
    let (mut build, p, x) = example();
    // From 3 to at least 7, then from 6 to 6.
    assert!(replay(&build, &loops(p, &[time(4, 1), time(1, 1)], 2, &build), None).is_ok());
    assert_eq!(position(replay(&build, &loops(p, &[time(4, 1)], 1, &build), None)), Position::Ending);
    assert_eq!(position(replay(&build, &loops(p, &[time(4, 1)], 0, &build), None)), Position::Ending);
    // A cycle needs steps.
    assert_eq!(position(replay(&build, &loops(p, &[time(4, 1)], 2, &build), None)), Position::Ending);
    assert_eq!(position(replay(&build, &loops(p, &[], 1, &build), None)), Position::Ending);
    // Without the reset the clock grows; beyond all constants that does not matter.
    build.network.processes[p].edges[tempora_model::EdgeId(1)].branches[0].updates.clear();
    assert!(replay(&build, &loops(p, &[time(5, 1), time(1, 3)], 2, &build), None).is_ok());
    assert_eq!(
        position(replay(&build, &loops(p, &[time(4, 1), time(1, 3)], 2, &build), None)),
        Position::Ending
    );
    // A variable that changes does.
    let v = build.integer("v", 0, 9);
    let count = assign_with(Some(BinaryOperator::Add), &v, number(1));
    let edge = &mut build.network.processes[p].edges[tempora_model::EdgeId(1)];
    edge.branches[0].updates.push(count);
    assert_eq!(
        position(replay(&build, &loops(p, &[time(5, 1), time(1, 3)], 2, &build), None)),
        Position::Ending
    );
    // With other rates only equal states are equivalent.
    edge_without_updates(&mut build, p);
    build.location(p, 0).clock_rates = vec![rate(&x, 1)];
    assert_eq!(
        position(replay(&build, &loops(p, &[time(5, 1), time(1, 3)], 2, &build), None)),
        Position::Ending
    );
}

fn edge_without_updates(build: &mut Build, p: ProcessId) {
    build.network.processes[p].edges[tempora_model::EdgeId(1)].branches[0].updates.clear();
}

#[test]
fn equivalence_respects_regions_and_differences() {
    let mut build = Build::default();
    let (x, y) = (build.clock("x"), build.clock("y"));
    let p = build.process("P", 1);
    build.invariant(p, 0, when(&x, AT_MOST, 3));
    let state = |x: Rational, y: Rational| {
        let mut state = build.start();
        state.clocks = vec![x, y];
        state
    };
    let plain = Granularity::of(&build.network, None);
    assert_eq!(plain, Granularity { greatest_constant: 3, has_differences: false, needs_equality: false });
    let (half, third, quarter) = (time(1, 2), time(1, 3), time(1, 4));
    let equivalent = |granularity: &Granularity, left: (Rational, Rational), right: (Rational, Rational)| {
        granularity.are_equivalent(&state(left.0, left.1), &state(right.0, right.1))
    };
    assert!(equivalent(&plain, (half, third), (half, quarter)));
    assert!(!equivalent(&plain, (half, third), (third, half)));
    assert!(!equivalent(&plain, (half, half), (half, third)));
    assert!(!equivalent(&plain, (half, time(0, 1)), (half, quarter)));
    assert!(!equivalent(&plain, (half, time(1, 1)), (half, time(2, 1))));
    assert!(equivalent(&plain, (half, time(4, 1)), (half, time(9, 2))));
    assert!(!equivalent(&plain, (half, time(3, 1)), (half, time(9, 2))));
    let predicate = when_difference(&x, &y, LESS, 8);
    let with_differences = Granularity::of(&build.network, Some(&predicate));
    assert_eq!((with_differences.greatest_constant, with_differences.has_differences), (8, true));
    assert!(!equivalent(&with_differences, (time(20, 1), time(13, 1)), (time(20, 1), time(12, 1))));
    assert!(equivalent(&with_differences, (time(20, 1), time(10, 1)), (time(21, 1), time(9, 1))));
}

#[test]
fn trace_may_end_with_error() {
    let (mut build, p, _) = example();
    let v = build.integer("v", 0, 5);
    let update = assign(&v, number(6));
    let origin = update.origin;
    build.edge(p, edge(0, 1).update(update));
    let range = tempora_model::Range { least: 0, greatest: 5 };
    let kind = RuntimeErrorKind::OutOfRange { value: tempora_model::Value::Integer(6), range };
    let ends = |kind: RuntimeErrorKind, edge| {
        let ending = Ending::RuntimeError(RuntimeError { kind, origin });
        replay(&build, &trace(&build, vec![step(3, internal(p, edge))], ending), None)
    };
    assert!(ends(kind.clone(), 2).is_ok());
    assert_eq!(position(ends(kind, 0)), Position::Ending);
    assert_eq!(position(ends(RuntimeErrorKind::DivisionByZero, 2)), Position::Transition(0));
    let unsaid = trace(&build, vec![step(3, internal(p, 2))], Ending::Deadlock);
    assert_eq!(position(replay(&build, &unsaid, None)), Position::Transition(0));
}

#[test]
fn trace_may_end_with_error_in_guard() {
    let (mut build, p, _) = example();
    let guard = binary(BinaryOperator::Divide, number(1), number(0));
    let error = RuntimeError { kind: RuntimeErrorKind::DivisionByZero, origin: guard.origin };
    let good = trace(&build, vec![step(3, internal(p, 0))], Ending::RuntimeError(error));
    assert_eq!(position(replay(&build, &good, None)), Position::Ending);
    build.edge(p, edge(1, 1).guard(guard));
    assert!(replay(&build, &good, None).is_ok());
}

#[test]
fn trace_may_end_with_violated_invariant() {
    let (mut build, p, x) = example();
    build.invariant(p, 1, when(&x, LESS, 4));
    let ends = |delay| {
        let steps = vec![step(delay, internal(p, 0))];
        replay(&build, &trace(&build, steps, Ending::InvariantViolation), None)
    };
    assert!(ends(4).is_ok());
    assert_eq!(position(ends(3)), Position::Ending);
    assert_eq!(position(ends(1)), Position::Transition(0));
    let at_once = |build: &Build| replay(build, &trace(build, vec![], Ending::InvariantViolation), None);
    assert_eq!(position(at_once(&build)), Position::Ending);
    build.invariant(p, 0, number(0));
    assert!(at_once(&build).is_ok());
    assert_eq!(position(replay(&build, &trace(&build, vec![], Ending::Deadlock), None)), Position::Initial);
}

fn judged(build: &Build, formula: Formula, verdict: Verdict, traces: Vec<Trace>) -> Judgement {
    judged_within(build, formula, verdict, traces, &Budget::unlimited())
}

fn judged_within(
    build: &Build,
    formula: Formula,
    verdict: Verdict,
    traces: Vec<Trace>,
    budget: &Budget,
) -> Judgement {
    let query = Query { text: "q".to_owned(), kind: QueryKind::Formula(formula), origin: origin() };
    let evidence = traces.into_iter().map(Evidence::Trace).collect();
    let (caveats, engine) = (Vec::new(), "test".to_owned());
    let answer = Answer { verdict, evidence, caveats, statistics: Statistics::default(), engine };
    judge_network(&build.network, &query, &answer, budget)
}

#[track_caller]
fn is_shown(judgement: &Judgement) {
    assert_eq!(judgement.showing, Showing::Shown);
}

#[track_caller]
fn is_a_bug(judgement: &Judgement) {
    assert!(matches!(judgement.showing, Showing::Refuted(_)), "{judgement:?}");
}

#[test]
fn trace_to_goal_proves_reachability() {
    let (build, p, _) = example();
    let to_goal = trace(&build, vec![step(3, internal(p, 0))], Ending::Goal);
    let goal = is_at(p, 1);
    let possibly = Formula::Possibly(goal.clone());
    is_shown(&judged(&build, possibly.clone(), Verdict::Holds, vec![to_goal.clone()]));
    is_a_bug(&judged(&build, Formula::Possibly(is_at(p, 0)), Verdict::Holds, vec![to_goal.clone()]));
    let always = Formula::Always(not(goal.clone()));
    is_shown(&judged(&build, always.clone(), Verdict::Fails, vec![to_goal.clone()]));
    is_a_bug(&judged(&build, Formula::Always(goal), Verdict::Fails, vec![to_goal.clone()]));
    let negated = Formula::Not(Box::new(always.clone()));
    is_shown(&judged(&build, negated, Verdict::Holds, vec![to_goal.clone()]));
    // Without a trace, or where a trace proves nothing, the verdict is not independently checked.
    for (formula, verdict, traces) in [
        (possibly.clone(), Verdict::Holds, vec![]),
        (possibly.clone(), Verdict::Fails, vec![to_goal]),
        (always, Verdict::Holds, vec![]),
    ] {
        assert_eq!(judged(&build, formula, verdict, traces).showing, Showing::NotShown);
    }
}

#[test]
fn impossible_trace_is_refuted_and_has_no_run() {
    let (build, p, _) = example();
    let wrong = trace(&build, vec![step(1, internal(p, 0))], Ending::Goal);
    let possibly = Formula::Possibly(is_at(p, 1));
    let judgement = judged(&build, possibly, Verdict::Holds, vec![wrong]);
    let why = "transition of step 1: the guard of the edge of `P` does not hold";
    assert_eq!(judgement.showing, Showing::Refuted(why.to_owned()));
    assert_eq!(judgement.runs, vec![None]);
}

#[test]
fn executed_run_is_kept_with_its_states() {
    let (build, p, _) = example();
    let good = trace(&build, vec![step(3, internal(p, 0))], Ending::Goal);
    let judgement = judged(&build, Formula::Possibly(is_at(p, 1)), Verdict::Holds, vec![good.clone()]);
    let run = build.interpreter().execute(&good).unwrap();
    assert_eq!(run.last.locations, vec![LocationId(1)]);
    assert_eq!(judgement.runs, vec![Some(ExecutedRun::Network(Box::new(run)))]);
}

#[test]
fn long_run_is_executed_and_kept() {
    let mut build = Build::default();
    let p = build.process("P", 1);
    build.edge(p, edge(0, 0));
    let long = trace(&build, vec![step(0, internal(p, 0)); 100_000], Ending::Goal);
    let judgement = judged(&build, Formula::Possibly(is_at(p, 0)), Verdict::Holds, vec![long]);
    is_shown(&judgement);
    let [Some(ExecutedRun::Network(run))] = judgement.runs.as_slice() else { panic!("no run") };
    assert_eq!(run.steps.len(), 100_000);
}

#[test]
fn unsupported_construct_does_not_refute() {
    let (mut build, p, _) = example();
    let h = build.variable("h", tempora_model::Type::Clock, tempora_model::VariableKind::Hybrid);
    build.invariant(p, 1, when(&h, AT_MOST, 9));
    let to_goal = trace(&build, vec![step(3, internal(p, 0))], Ending::Goal);
    let judgement = judged(&build, Formula::Possibly(is_at(p, 1)), Verdict::Holds, vec![to_goal]);
    assert_eq!(judgement.showing, Showing::NotShown);
    assert!(matches!(&judgement.remarks[..], [why] if why.contains("`h`")));
}

#[test]
fn maximal_run_proves_liveness() {
    let (build, p, x) = example();
    let forever = trace(&build, vec![step(3, internal(p, 0))], Ending::DelayForever);
    let lasso = loops(p, &[time(4, 1), time(1, 1)], 2, &build);
    let goal = Trace { ending: Ending::Goal, ..forever.clone() };
    let potentially = |predicate: &Expression, trace: &Trace| {
        judged(&build, Formula::PotentiallyAlways(predicate.clone()), Verdict::Holds, vec![trace.clone()])
    };
    let eventually = |predicate: &Expression, trace: &Trace| {
        judged(&build, Formula::Eventually(predicate.clone()), Verdict::Fails, vec![trace.clone()])
    };
    let at_most_seven = when(&x, AT_MOST, 7);
    is_shown(&potentially(&at_most_seven, &lasso));
    // Time goes on in the last state.
    is_a_bug(&potentially(&at_most_seven, &forever));
    // In the middle of a delay it does not hold.
    is_a_bug(&potentially(&not(when(&x, EQUAL, 1)), &lasso));
    is_a_bug(&potentially(&is_at(p, 1), &lasso));
    // A run that is not maximal proves nothing.
    is_a_bug(&potentially(&at_most_seven, &goal));
    is_shown(&eventually(&when(&x, MORE, 7), &lasso));
    is_shown(&eventually(&number(0), &forever));
    is_a_bug(&eventually(&when(&x, EQUAL, 7), &lasso));
}

#[test]
fn premise_without_conclusion_refutes_response() {
    let (build, p, x) = example();
    let lasso = loops(p, &[time(4, 1), time(1, 1)], 2, &build);
    let answer = |premise: Expression, conclusion: Expression| {
        let formula = Formula::LeadsTo { premise, conclusion, within: None };
        judged(&build, formula, Verdict::Fails, vec![lasso.clone()])
    };
    is_shown(&answer(is_at(p, 1), when(&x, MORE, 7)));
    is_shown(&answer(when(&x, EQUAL, 2), when(&x, LESS, 1)));
    // The premise holds in the cycle, and the conclusion before.
    is_shown(&answer(when(&x, EQUAL, 7), is_at(p, 0)));
    // The conclusion holds in the cycle.
    is_a_bug(&answer(is_at(p, 1), when(&x, EQUAL, 7)));
    is_a_bug(&answer(is_at(p, 0), is_at(p, 1)));
    // The premise never holds, or not after the conclusion.
    is_a_bug(&answer(when(&x, MORE, 7), is_at(p, 0)));
    is_a_bug(&answer(when(&x, EQUAL, 1), when(&x, EQUAL, 2)));
}

#[test]
fn trace_proves_model_error() {
    let (mut build, p, _) = example();
    let v = build.integer("v", 0, 5);
    let update = assign(&v, binary(BinaryOperator::Divide, number(1), v.clone()));
    let tempora_model::ExpressionKind::Assign { value, .. } = &update.kind else { panic!("no assignment") };
    let error = RuntimeError { kind: RuntimeErrorKind::DivisionByZero, origin: value.origin };
    build.edge(p, edge(0, 1).update(update));
    let failing = trace(&build, vec![step(3, internal(p, 2))], Ending::RuntimeError(error.clone()));
    let verdict = Verdict::Unknown(UnknownReason::ModelError(error));
    let silent = Trace { ending: Ending::Goal, ..failing.clone() };
    let answer = judged(&build, Formula::Possibly(is_at(p, 1)), verdict.clone(), vec![failing]);
    is_shown(&answer);
    // The failing step has no states.
    assert!(matches!(&answer.runs[..], [Some(ExecutedRun::Network(run))] if run.steps.is_empty()));
    let answer = judged(&build, Formula::Possibly(is_at(p, 1)), Verdict::Holds, vec![silent]);
    is_a_bug(&answer);
    assert_eq!(answer.runs, vec![None]);
    let other = trace(&build, vec![step(3, internal(p, 0))], Ending::Goal);
    is_a_bug(&judged(&build, Formula::Possibly(is_at(p, 1)), verdict, vec![other]));
}

#[test]
fn execution_stopped_early_proves_nothing() {
    let (build, p, _) = example();
    let good = trace(&build, vec![step(3, internal(p, 0))], Ending::Goal);
    let budget = Budget::unlimited();
    budget.cancellation().store(true, std::sync::atomic::Ordering::Relaxed);
    let failure = build.interpreter().within(&budget).execute(&good).unwrap_err();
    assert!(failure.is_own_limit(), "{failure:?}");
    let possibly = Formula::Possibly(is_at(p, 1));
    let judgement = judged_within(&build, possibly.clone(), Verdict::Holds, vec![good.clone()], &budget);
    assert_eq!((judgement.showing, judgement.runs), (Showing::NotShown, vec![None]));
    let [remark] = judgement.remarks.as_slice() else { panic!("{:?}", judgement.remarks) };
    assert!(remark.contains("interrupted"), "{remark}");
    let over = Budget::unlimited().with_timeout(std::time::Duration::ZERO);
    let failure = build.interpreter().within(&over).execute(&good).unwrap_err();
    assert!(
        failure.is_own_limit() && failure.describe(&build.network).contains("timeout reached"),
        "{failure:?}"
    );
    is_shown(&judged(&build, possibly, Verdict::Holds, vec![good]));
}

#[test]
fn timeout_fails_every_query() {
    let (build, p, x) = example();
    let interpreter = build.interpreter();
    let state = interpreter.state_at_start(vec![LocationId(0)]);
    let budget = Budget::unlimited();
    budget.cancellation().store(true, std::sync::atomic::Ordering::Relaxed);
    let over = interpreter.clone().within(&budget).holds(&state, &when(&x, AT_LEAST, 6)).unwrap_err();
    assert_eq!(over.kind, RuntimeErrorKind::Stopped(StopCause::Interrupted));
    assert_eq!(interpreter.holds(&state, &is_at(p, 0)), Ok(true));
}
