//! The engine: tasks to answers.
//!
//! Invariant: queries that are supported share one exploration, whose bounds respect the constants of all of them. An
//! error of the model, or the end of the budget, leaves open only what was not decided before.

use std::cell::OnceCell;
use std::ops::ControlFlow;
use std::time::Duration;

use tempora_evidence::{
    Answer, Budget, Caveat, Ending, Engine, Evidence, Phase, Progress, RuntimeError, RuntimeErrorKind,
    Support, Task, Trace, UnknownReason, Verdict,
};
use tempora_machine::{Declined, Failure, FailureKind, Machine, compile, compile_predicate};
use tempora_model::{Network, Query, Value};
use tempora_zones::Dimension;

use crate::bounds::{ClockBounds, Wanted};
use crate::explorer::{ErrorPlace, Explorer, ModelError, Stop};
use crate::fastest::fastest_runs;
use crate::goals::{Goal, GoalOutcome, Question, question};
use crate::localise::{never_happens, shown_on};
use crate::support::{declined_network, declined_predicate};
use crate::trace::{PathEnd, concrete_trace};
use crate::waiting::SearchOrder;

/// Answers questions about what can be reached, by search over the zone graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ZoneEngine {
    /// In which order states are explored.
    pub order: SearchOrder,
    /// Which runs are wanted.
    pub preference: RunPreference,
}

/// Which of the runs that lead to a goal is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RunPreference {
    /// The first that is found.
    #[default]
    Any,
    /// One with the fewest transitions: the search is breadth first, whatever order is asked for.
    FewestTransitions,
    /// One that takes the least time. It is searched for when a goal has been found.
    LeastTime,
}

const NAME: &str = "zones";

/// How long runs may be worked out when the budget is used up.
const GRACE: Duration = Duration::from_secs(1);

impl Engine for ZoneEngine {
    fn name(&self) -> &'static str {
        NAME
    }

    fn supports(&self, task: &Task) -> Vec<Support> {
        let machine = compiled(&task.network);
        task.queries
            .iter()
            .map(|query| {
                let supported = match &machine {
                    Ok(machine) => supported(&task.network, machine.clone(), query),
                    Err(why) => Err(why.clone()),
                };
                match supported {
                    Ok(()) if machine.as_ref().is_ok_and(Machine::has_urgent_clock_guards) => {
                        Support::MayDecide(
                            "an urgent synchronisation may be possible for some clock values only".to_owned(),
                        )
                    }
                    Ok(()) => Support::Decides,
                    Err(why) => Support::Declines(why),
                }
            })
            .collect()
    }

    fn run(&self, task: &Task, budget: &Budget, progress: &Progress) -> Vec<Answer> {
        progress.enter(Phase::Preparing);
        let answers = answer(task, *self, budget, progress);
        progress.enter(Phase::Finished);
        answers
    }
}

/// The machine of a network, or why there is none.
pub(crate) fn compiled(network: &Network) -> Result<Machine, String> {
    if let Some(why) = declined_network(network) {
        return Err(why);
    }
    let machine = compile(network).map_err(|declined| not_known(&declined))?;
    Dimension::for_clocks(machine.layout().clock_count()).map_err(|error| error.to_string())?;
    Ok(machine)
}

fn not_known(declined: &Declined) -> String {
    format!("the zone engine does not know {}", declined.what)
}

fn supported(network: &Network, mut machine: Machine, query: &Query) -> Result<(), String> {
    let mut predicates = Vec::new();
    question(query, &mut predicates)?;
    for (predicate, _) in &predicates {
        if let Some(why) = declined_predicate(network, predicate) {
            return Err(why);
        }
        compile_predicate(&mut machine, network, predicate).map_err(|declined| not_known(&declined))?;
    }
    ClockBounds::new(network, &machine, &predicates)
        .map_err(|what| format!("the zone engine does not know {what}"))?;
    Ok(())
}

fn answer(task: &Task, engine: ZoneEngine, budget: &Budget, progress: &Progress) -> Vec<Answer> {
    let network = &*task.network;
    let declined = |query: &Query, why: String| Answer::unsupported(NAME, why, Some(query.origin));
    let mut machine = match compiled(network) {
        Ok(machine) => machine,
        Err(why) => return task.queries.iter().map(|query| declined(query, why.clone())).collect(),
    };
    let mut predicates: Vec<Wanted<'_>> = Vec::new();
    let mut goals: Vec<Goal> = Vec::new();
    let questions: Vec<Result<Question, String>> = task
        .queries
        .iter()
        .map(|query| {
            supported(network, machine.clone(), query)?;
            let mut own = Vec::new();
            let mut question = question(query, &mut own)?;
            question.shift(goals.len());
            for &(predicate, wanted) in &own {
                let compiled = compile_predicate(&mut machine, network, predicate)
                    .map_err(|declined| not_known(&declined))?;
                goals.push(Goal { predicate: compiled, wanted, outcome: None });
            }
            predicates.extend(own);
            Ok(question)
        })
        .collect();
    let bounds = match ClockBounds::new(network, &machine, &predicates) {
        Ok(bounds) => bounds,
        Err(what) => {
            let why = format!("the zone engine does not know {what}");
            return task.queries.iter().map(|query| declined(query, why.clone())).collect();
        }
    };
    progress.enter(Phase::Exploring);
    let whole = Whole { network, predicates: &predicates };
    let mut found = explore(&machine, &bounds, &mut goals, whole, engine, budget, progress);
    if engine.preference == RunPreference::LeastTime {
        find_fastest_runs(network, &predicates, &mut found, budget, progress);
    }
    progress.enter(Phase::Finished);
    if let Some(bytes) = Budget::peak_bytes() {
        progress.note_bytes(bytes);
    }
    let mut statistics = progress.snapshot();
    statistics.elapsed = budget.elapsed();
    statistics.stored = found.stored;
    questions
        .into_iter()
        .zip(&task.queries)
        .map(|(question, query)| match question {
            Err(why) => declined(query, why),
            Ok(question) => {
                let mut answer = answer_question(&question, &goals, &found);
                answer.statistics = statistics;
                answer
            }
        })
        .collect()
}

/// What an exploration came to.
struct Found {
    /// Whether all states were seen.
    is_complete: bool,
    /// Why not, if it did not stop because everything was decided.
    reason: Option<UnknownReason>,
    /// How many states were kept to the end.
    stored: u64,
    /// The run that leads to the error of the model.
    error_trace: Option<Trace>,
    /// For each goal that was found, a run that leads there.
    traces: Vec<Option<Trace>>,
    /// What has to be known about each of these runs.
    remarks: Vec<Option<String>>,
}

/// What is asked of which network, for those who look at parts of it.
#[derive(Clone, Copy)]
struct Whole<'task> {
    network: &'task Network,
    predicates: &'task [Wanted<'task>],
}

/// After how many nodes it is tried to show that goals are nowhere on parts of the model, and how many states each part may
/// have. So the attempts take a share of the work, however large the model is.
const ATTEMPTS: [(u64, u64); 2] = [(30_000, 40_000), (1_000_000, 1_000_000)];

fn explore(
    machine: &Machine,
    bounds: &ClockBounds,
    goals: &mut [Goal],
    whole: Whole<'_>,
    engine: ZoneEngine,
    budget: &Budget,
    progress: &Progress,
) -> Found {
    let is_shortest = engine.preference == RunPreference::FewestTransitions;
    let order = if is_shortest { SearchOrder::BreadthFirst } else { engine.order };
    let mut found = Found {
        is_complete: false,
        reason: None,
        stored: 0,
        error_trace: None,
        traces: vec![None; goals.len()],
        remarks: vec![None; goals.len()],
    };
    let grace = OnceCell::new();
    let mut explorer = match Explorer::new(machine, bounds, goals, order, budget, progress) {
        Ok(explorer) => explorer,
        Err(overflow) => {
            found.reason = Some(UnknownReason::Unsupported(overflow.to_string()));
            return found;
        }
    };
    if is_shortest {
        explorer.store.keep_older();
    }
    let mut flow = ControlFlow::Continue(());
    for (pause_after, most_states) in ATTEMPTS {
        // Who pauses puts a node back to the end of the queue, which would not be breadth first any more.
        explorer.pause_after = if is_shortest { u64::MAX } else { pause_after };
        flow = explorer.run();
        if !matches!(flow, ControlFlow::Break(Stop::Paused)) {
            break;
        }
        for (goal, &(predicate, wanted)) in whole.predicates.iter().enumerate() {
            if explorer.goals[goal].outcome.is_none()
                && let Some(shown) = never_happens(whole.network, predicate, wanted, budget, most_states)
            {
                explorer.exclude(goal, shown.processes);
            }
        }
    }
    if matches!(flow, ControlFlow::Break(Stop::Paused)) {
        flow = explorer.run();
    }
    let stop = match flow {
        ControlFlow::Continue(()) => None,
        ControlFlow::Break(stop) => Some(stop),
    };
    if let Some(Stop::Exhausted(_)) = stop {
        // What was found before is still shown by a run; a user who stops the search stops this too.
        explorer.watch = grace.get_or_init(|| budget.grace(GRACE)).watch();
    }
    found.is_complete = stop.is_none();
    found.stored = explorer.store.live();
    progress.enter(Phase::Concretising);
    let reached: Vec<Option<_>> = explorer
        .goals
        .iter()
        .map(|goal| match &goal.outcome {
            Some(GoalOutcome::Found { node, constraints }) => Some((*node, constraints.clone())),
            _ => None,
        })
        .collect();
    for (goal, reached) in reached.into_iter().enumerate() {
        let Some((node, constraints)) = reached else { continue };
        match explorer.path_to(node, None) {
            Ok((initial, path, may_delay)) => {
                let end = PathEnd { goal: constraints, may_delay, ending: Ending::Goal };
                found.traces[goal] = concrete_trace(initial, path, end, machine.layout().clock_count());
            }
            // A budget that is used up leaves the verdict as it is, only without a run.
            Err(Stop::Exhausted(_)) => {}
            Err(stop) => found.reason = Some(reason(&stop)),
        }
    }
    match stop {
        None | Some(Stop::Decided) => {}
        Some(Stop::Error(error)) => {
            found.error_trace = error_trace(&mut explorer, &error);
            found.reason = Some(UnknownReason::ModelError(runtime_error(&error.failure)));
        }
        Some(stop) => found.reason = Some(reason(&stop)),
    }
    found
}

/// Replaces the runs that were found by fastest ones.
fn find_fastest_runs(
    network: &Network,
    predicates: &[Wanted<'_>],
    found: &mut Found,
    budget: &Budget,
    progress: &Progress,
) {
    let known: Vec<usize> = (0..predicates.len()).filter(|&goal| found.traces[goal].is_some()).collect();
    let goals: Vec<(Wanted<'_>, &Trace)> =
        known.iter().filter_map(|&goal| Some((predicates[goal], found.traces[goal].as_ref()?))).collect();
    if goals.is_empty() {
        return;
    }
    match fastest_runs(network, &goals, budget, progress) {
        Ok(runs) => {
            for (goal, run) in known.into_iter().zip(runs) {
                found.remarks[goal] = run.approached.map(|units| {
                    format!("no run takes the least time: each takes more than {units}, and some come as near as one likes")
                });
                found.traces[goal] = Some(run.trace);
            }
        }
        Err(why) => {
            let why = match why {
                UnknownReason::Timeout => "the time is over".to_owned(),
                UnknownReason::Memory => "the memory is used up".to_owned(),
                UnknownReason::StateLimit => "the limit on states is reached".to_owned(),
                UnknownReason::Cancelled => "it was stopped".to_owned(),
                UnknownReason::ModelError(error) => format!("the model fails on the way: {error}"),
                UnknownReason::Unsupported(what)
                | UnknownReason::OverApproximation(what)
                | UnknownReason::EngineBug(what) => what,
            };
            for goal in known {
                found.remarks[goal] = Some(format!("the run may not be the fastest: {why}"));
            }
        }
    }
}

pub(crate) fn reason(stop: &Stop) -> UnknownReason {
    match stop {
        Stop::Decided | Stop::Paused => {
            UnknownReason::EngineBug("the search ended without a verdict".to_owned())
        }
        Stop::Error(error) => UnknownReason::ModelError(runtime_error(&error.failure)),
        Stop::Exhausted(what) => (*what).into(),
        Stop::Unsupported(what) => UnknownReason::Unsupported(what.clone()),
        Stop::Bug(what) => UnknownReason::EngineBug(what.clone()),
    }
}

fn error_trace(explorer: &mut Explorer<'_>, error: &ModelError) -> Option<Trace> {
    let (node, more) = match error.place {
        ErrorPlace::Start => return None,
        ErrorPlace::Node(node) => (node, None),
        ErrorPlace::Transition(node, ordinal) | ErrorPlace::After(node, ordinal) => (node, Some(ordinal)),
    };
    let clock_count = explorer.machine.layout().clock_count();
    let (initial, path, _) = explorer.path_to(node, more).ok()?;
    let ending = Ending::RuntimeError(runtime_error(&error.failure));
    concrete_trace(initial, path, PathEnd { goal: Vec::new(), may_delay: false, ending }, clock_count)
}

fn answer_question(question: &Question, goals: &[Goal], found: &Found) -> Answer {
    let mut own_goals = Vec::new();
    question.goals(&mut own_goals);
    let mut evidence = Vec::new();
    let mut caveats = Vec::new();
    let verdict = match question.verdict(goals, found.is_complete) {
        Some(holds) => {
            for &goal in &own_goals {
                if let Some(GoalOutcome::Excluded { processes }) = &goals[goal].outcome {
                    caveats.push(Caveat::Remark(shown_on(processes)));
                }
                let Some(GoalOutcome::Found { .. }) = goals[goal].outcome else { continue };
                match &found.traces[goal] {
                    Some(trace) => {
                        evidence.push(Evidence::Trace(trace.clone()));
                        caveats.extend(found.remarks[goal].clone().map(Caveat::Remark));
                    }
                    None => {
                        caveats.push(Caveat::Remark("the times of the run were not worked out".to_owned()));
                    }
                }
            }
            if holds { Verdict::Holds } else { Verdict::Fails }
        }
        None => {
            let failure = own_goals.iter().find_map(|&goal| match &goals[goal].outcome {
                Some(GoalOutcome::Failed(failure)) => Some(failure),
                _ => None,
            });
            Verdict::Unknown(match (failure, &found.reason) {
                // The query fails and not the model, so there is no run that ends with the failure.
                (Some(failure), _) => UnknownReason::ModelError(runtime_error(failure)),
                (None, Some(reason)) => {
                    evidence.extend(found.error_trace.clone().map(Evidence::Trace));
                    reason.clone()
                }
                (None, None) => UnknownReason::EngineBug("the search ended without a verdict".to_owned()),
            })
        }
    };
    Answer {
        verdict,
        evidence,
        caveats,
        statistics: tempora_evidence::Statistics::default(),
        engine: NAME.to_owned(),
    }
}

fn runtime_error(failure: &Failure) -> RuntimeError {
    let kind = match failure.kind {
        FailureKind::OutOfRange { value, range } => {
            RuntimeErrorKind::OutOfRange { value: Value::Integer(value), range }
        }
        FailureKind::IndexOutOfRange { index, range } => RuntimeErrorKind::IndexOutOfRange { index, range },
        FailureKind::DivisionByZero => RuntimeErrorKind::DivisionByZero,
        FailureKind::NegativeShift => RuntimeErrorKind::NegativeShift,
        FailureKind::NegativeExponent => RuntimeErrorKind::NegativeExponent,
        FailureKind::Overflow => RuntimeErrorKind::Overflow,
        FailureKind::NegativeClock => RuntimeErrorKind::NegativeClock,
        FailureKind::AssertionFailed => RuntimeErrorKind::AssertionFailed,
        FailureKind::MissingReturn => RuntimeErrorKind::MissingReturn,
        FailureKind::StepLimit => RuntimeErrorKind::StepLimit,
        FailureKind::NestingLimit => RuntimeErrorKind::NestingLimit,
    };
    RuntimeError { kind, origin: failure.origin }
}
