//! The zone engine: from tasks to answers.
//!
//! Reachability queries share one exploration, whose bounds respect the constants of all of them; deadlock queries
//! share another, whose bounds preserve more; every other formula has its own search. A model error or an exhausted
//! budget leaves open only the queries that are not yet decided.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use tempora_evidence::{
    Answer, Budget, Caveat, Ending, Engine, Evidence, Phase, Prepared, Progress, RuntimeError,
    RuntimeErrorKind, System, Task, Trace, UnknownReason, Verdict,
};
use tempora_machine::{Declined, Failure, FailureKind, Machine, compile, compile_predicate};
use tempora_model::{Expression, ExpressionKind, Network, Type, Value};
use tempora_zones::Dimension;

use crate::graph::bounds::{ClockBounds, WantedPredicate};
use crate::graph::explorer::{ErrorPlace, Explorer, ModelError, SearchStop};
use crate::graph::stopwatches::{STOPWATCHES, doubtful_goal_reason};
use crate::graph::waiting::SearchOrder;
use crate::liveness::branching::{self, FormulaOutcome, FormulaPlan, SearchParameters, ZenoRuns};
use crate::runs::fastest::fastest_runs;
use crate::runs::trace::{PathEnd, concrete_trace};
use crate::search::compiled::{CompiledQuery, CompiledTask, profile_of};
use crate::search::goals::{GROUPS, Goal, GoalOutcome, QueryAtoms, QueryTree, Results, query_tree};
use crate::search::hidden_deadlocks::{DeadlockTable, is_monotonic_in_deadlocks};
use crate::search::localise::{never_happens, proof_note};
use crate::search::sharing::share_budget;
use crate::search::support::{declined_network, declined_stopwatches};
use crate::values::extrema;

/// Answers reachability and liveness queries by search over the zone graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ZoneEngine {
    /// The order in which states are explored.
    pub order: SearchOrder,
    /// How Zeno runs are treated.
    pub zeno: ZenoRuns,
    /// Which runs are preferred as evidence.
    pub preference: RunPreference,
}

/// Which of the runs that lead to a goal is returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RunPreference {
    /// The first run that is found.
    #[default]
    Any,
    /// A run with the fewest transitions; the search is breadth-first regardless of the requested order.
    FewestTransitions,
    /// A fastest run, computed by a second search after a goal has been found.
    LeastTime,
}

const NAME: &str = "zones";

impl Engine for ZoneEngine {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prepare<'task>(&'task self, task: &'task Task) -> Prepared<'task> {
        let System::Network(network) = &task.system else {
            return Prepared::declined(NAME, task, "the zone engine only supports networks");
        };
        let machine = match compiled_with_stopwatches(network) {
            Ok(machine) => machine,
            Err(why) => return Prepared::declined(NAME, task, &why),
        };
        let compiled = CompiledTask::new(network, machine, &task.queries, self.zeno);
        Prepared::new(compiled.support(), move |queries, budget, progress| {
            progress.enter(Phase::Preparing);
            let ZoneEngine { order, preference, zeno } = *self;
            let answers =
                answer(compiled, queries, SearchParameters { zeno, order, preference, budget, progress });
            progress.enter(Phase::Finished);
            answers
        })
    }
}

/// Compiles a network without stopwatches, or returns why it is declined.
pub(crate) fn compiled(network: &Network) -> Result<Machine, String> {
    match declined_stopwatches(network) {
        Some(why) => Err(why),
        None => compiled_with_stopwatches(network),
    }
}

/// Compiles a network, or returns why it is declined.
pub(crate) fn compiled_with_stopwatches(network: &Network) -> Result<Machine, String> {
    if let Some(why) = declined_network(network) {
        return Err(why);
    }
    let machine = compile(network).map_err(|declined| unsupported_construct(&declined))?;
    Dimension::for_clocks(machine.layout().clock_count()).map_err(|error| error.to_string())?;
    Ok(machine)
}

pub(crate) fn unsupported_construct(declined: &Declined) -> String {
    format!("the zone engine does not support {}", declined.what)
}

/// A search that answers one query or several.
#[derive(Clone, Copy)]
enum Search {
    /// The goals of a group share an exploration.
    Group(usize),
    /// A formula, by its number among those of all queries.
    Formula(usize),
    /// A query for values, by its number in the task.
    Values(usize),
}

/// Returns the answer to a query whose search did not run, which is a defect.
fn unanswered(part: &str) -> Answer {
    let verdict = Verdict::Unknown(UnknownReason::EngineBug(format!("{part} was not evaluated")));
    Answer { verdict, ..plain_answer() }
}

/// How a query is answered.
enum AnswerPlan {
    Tree(QueryTree),
    /// A query for values.
    Values(Answer),
    Declined(String),
}

fn answer(
    mut compiled: CompiledTask<'_>,
    queries: &[usize],
    parameters: SearchParameters<'_>,
) -> Vec<Answer> {
    let network = compiled.network;
    let mut asked = QueryAtoms::default();
    let mut goals: [Vec<Goal>; GROUPS] = [Vec::new(), Vec::new()];
    let mut formulas = Vec::new();
    let mut questions: Vec<Option<QueryTree>> = Vec::new();
    for &query in queries {
        questions.push(match &mut compiled.queries[query].1 {
            CompiledQuery::Formula { formula, goals: own, plans } => {
                for (group, own) in own.iter_mut().enumerate() {
                    goals[group].append(own);
                }
                formulas.append(plans);
                Some(query_tree(formula, &mut asked))
            }
            _ => None,
        });
    }
    parameters.progress.enter(Phase::Exploring);
    let mut found: Vec<GroupResult> = (0..GROUPS).map(|_| GroupResult::empty()).collect();
    let mut plans_of_formulas: Vec<Option<FormulaPlan>> = formulas.into_iter().map(Some).collect();
    let mut outcomes: Vec<Option<FormulaOutcome>> = asked.formulas.iter().map(|_| None).collect();
    let mut values: BTreeMap<usize, Answer> = BTreeMap::new();
    let mut searches: Vec<Search> = Vec::new();
    for (group, predicates) in asked.predicates.iter().enumerate() {
        // A group without goals is complete.
        found[group].is_complete = predicates.is_empty();
        searches.extend((!predicates.is_empty()).then_some(Search::Group(group)));
    }
    searches.extend((0..asked.formulas.len()).map(Search::Formula));
    let is_about_values = |&query: &usize| matches!(compiled.queries[query].1, CompiledQuery::Values(_));
    searches.extend(queries.iter().copied().filter(is_about_values).map(Search::Values));
    share_budget(searches.len(), parameters.budget, |search, budget| {
        let parameters = SearchParameters { budget, ..parameters };
        match searches[search] {
            Search::Group(group) => {
                let predicates = &asked.predicates[group];
                let bounds = compiled.take_bounds(group, predicates);
                let (machine, goals) = (&compiled.machine, &mut goals[group]);
                let decided: Vec<Option<GoalOutcome>> =
                    goals.iter_mut().map(|goal| goal.outcome.take()).collect();
                let result = search_group(network, machine, group, predicates, goals, bounds, parameters);
                let earlier = std::mem::replace(&mut found[group], result);
                found[group].keep_decided(earlier, decided, goals);
                found[group].reason.clone()
            }
            Search::Formula(number) => {
                let formula = asked.formulas[number];
                let outcome = match plans_of_formulas[number].take() {
                    Some(plan) => branching::answer_prepared(network, formula, plan, parameters),
                    None => branching::answer(network, formula, parameters),
                };
                let reason = outcome.holds.as_ref().err().cloned();
                outcomes[number] = Some(outcome);
                reason
            }
            Search::Values(number) => {
                let (query, prepared) = &mut compiled.queries[number];
                let prepared = match prepared {
                    CompiledQuery::Values(prepared) => prepared.take().map(|prepared| *prepared),
                    _ => None,
                };
                let answer = extrema::answer(network, &query.kind, prepared, parameters);
                let reason = match &answer.verdict {
                    Verdict::Unknown(reason) => Some(reason.clone()),
                    _ => None,
                };
                values.insert(number, answer);
                reason
            }
        }
    });
    let mut outcomes: Vec<FormulaOutcome> = outcomes.into_iter().flatten().collect();
    let mut plans: Vec<AnswerPlan> = queries
        .iter()
        .zip(questions)
        .map(|(&number, question)| {
            let prepared = &compiled.queries[number].1;
            match (question, prepared) {
                (Some(question), _) => AnswerPlan::Tree(question),
                (None, CompiledQuery::Values(_)) => AnswerPlan::Values(
                    values.get(&number).cloned().unwrap_or_else(|| unanswered("a query for values")),
                ),
                (None, CompiledQuery::Declined(why)) => AnswerPlan::Declined(why.clone()),
                (None, CompiledQuery::Formula { .. }) => AnswerPlan::Values(unanswered("a formula")),
            }
        })
        .collect();
    add_error_runs(&compiled, &mut outcomes, &mut plans, parameters);
    if let Some(bytes) = Budget::peak_bytes() {
        parameters.progress.note_bytes(bytes);
    }
    let mut statistics = parameters.progress.snapshot();
    statistics.elapsed = parameters.budget.elapsed();
    let found_stored: u64 = found.iter().map(|found| found.stored).sum();
    statistics.stored = found_stored + outcomes.iter().map(|outcome| outcome.stored).sum::<u64>();
    plans
        .into_iter()
        .zip(queries)
        .map(|(plan, &query)| {
            let profile = profile_name(&plan);
            let mut answer = match plan {
                AnswerPlan::Declined(why) => {
                    return Answer::unsupported(NAME, why, Some(compiled.queries[query].0.origin));
                }
                AnswerPlan::Tree(question) => answer_question(&question, &goals, &found, &outcomes),
                AnswerPlan::Values(answer) => answer,
            };
            let stored = answer.statistics.stored;
            answer.statistics = statistics;
            answer.statistics.stored += stored;
            answer.statistics.profile = Some(profile);
            answer
        })
        .collect()
}

/// Adds runs to model errors from liveness and extreme-value searches, which stop without one. A search that records
/// runs looks for an error again, and may find a different one first.
fn add_error_runs(
    compiled: &CompiledTask<'_>,
    outcomes: &mut [FormulaOutcome],
    plans: &mut [AnswerPlan],
    parameters: SearchParameters<'_>,
) {
    let is_error = |reason: &UnknownReason| matches!(reason, UnknownReason::ModelError(_));
    let is_unshown = |answer: &Answer| {
        matches!(&answer.verdict, Verdict::Unknown(reason) if is_error(reason)) && answer.evidence.is_empty()
    };
    let mut values: Vec<&mut Answer> = plans
        .iter_mut()
        .filter_map(|plan| match plan {
            AnswerPlan::Values(answer) => Some(answer),
            _ => None,
        })
        .filter(|answer| is_unshown(answer))
        .collect();
    let is_needed =
        outcomes.iter().any(|outcome| outcome.holds.as_ref().is_err_and(is_error)) || !values.is_empty();
    let Some((reason, run)) = is_needed.then(|| first_error(compiled, parameters)).flatten() else { return };
    for outcome in outcomes.iter_mut().filter(|outcome| outcome.holds.as_ref().is_err_and(is_error)) {
        outcome.holds = Err(reason.clone());
        outcome.trace = Some(run.clone());
    }
    for answer in &mut values {
        answer.verdict = Verdict::Unknown(reason.clone());
        answer.evidence.push(Evidence::Trace(run.clone()));
    }
}

/// Returns the first model error of a breadth-first search, with a run.
fn first_error(
    compiled: &CompiledTask<'_>,
    parameters: SearchParameters<'_>,
) -> Option<(UnknownReason, Trace)> {
    let network = compiled.network;
    if declined_stopwatches(network).is_some() {
        return None;
    }
    let mut machine = compiled.machine.clone();
    let origin = compiled.queries.first()?.0.origin;
    let nowhere = Expression { kind: ExpressionKind::Integer(0), value_type: Type::Boolean, origin };
    let goal = Goal::new(compile_predicate(&mut machine, network, &nowhere).ok()?, true);
    let parameters = SearchParameters { preference: RunPreference::FewestTransitions, ..parameters };
    let found = search_group(network, &machine, 0, &[(&nowhere, true)], &mut [goal], None, parameters);
    Some((found.reason?, found.error_trace?))
}

/// Names the profile that the search for a query preserves: reachability or branching.
fn profile_name(plan: &AnswerPlan) -> &'static str {
    let mut leaves = Vec::new();
    if let AnswerPlan::Tree(question) = plan {
        question.leaves(&mut leaves);
    }
    let is_about_reachability = |leaf: &&QueryTree| matches!(leaf, QueryTree::Goal { group: 0, .. });
    if !leaves.is_empty() && leaves.iter().all(is_about_reachability) { "reach" } else { "branching" }
}

/// Searches for the goals of a group. `known_bounds` are used in the first attempt.
fn search_group(
    network: &Network,
    machine: &Machine,
    group: usize,
    predicates: &[WantedPredicate<'_>],
    goals: &mut [Goal],
    mut known_bounds: Option<Result<ClockBounds, String>>,
    parameters: SearchParameters<'_>,
) -> GroupResult {
    if predicates.is_empty() {
        return GroupResult { is_complete: true, ..GroupResult::empty() };
    }
    let may_hide = goals.iter().all(|goal| is_monotonic_in_deadlocks(&goal.predicate, goal.wanted));
    let mut kept_apart = BTreeSet::new();
    loop {
        let bounds = known_bounds.take().unwrap_or_else(|| {
            ClockBounds::new(network, machine, predicates, profile_of(group, may_hide, &kept_apart))
        });
        let bounds = match bounds {
            Ok(bounds) => bounds,
            Err(what) => {
                let why = format!("the zone engine does not support {what}");
                return GroupResult {
                    reason: Some(UnknownReason::Unsupported(why)),
                    traces: vec![None; predicates.len()],
                    remarks: vec![None; predicates.len()],
                    ..GroupResult::empty()
                };
            }
        };
        let mut found = explore(machine, &bounds, goals, WholeModel { network, predicates }, parameters);
        if !found.hidden.is_empty() {
            kept_apart.append(&mut found.hidden);
            goals.iter_mut().for_each(|goal| goal.outcome = None);
            continue;
        }
        // The search for fastest runs does not support deadlocks.
        if parameters.preference == RunPreference::LeastTime && group == 0 {
            find_fastest_runs(network, predicates, &mut found, parameters.budget, parameters.progress);
        }
        return found;
    }
}

/// The result of an exploration.
struct GroupResult {
    /// Whether all states were explored.
    is_complete: bool,
    /// Why the exploration is incomplete, unless it stopped because all goals were decided.
    reason: Option<UnknownReason>,
    /// The number of states stored at the end.
    stored: u64,
    /// The clocks whose values must be kept apart in the next attempt.
    hidden: BTreeSet<usize>,
    /// The run that leads to the model error.
    error_trace: Option<Trace>,
    /// For each goal that was found, a run that leads there.
    traces: Vec<Option<Trace>>,
    /// For each goal, a remark on its run.
    remarks: Vec<Option<String>>,
}

impl GroupResult {
    /// Keeps goals that an earlier attempt has decided and this one has not.
    fn keep_decided(
        &mut self,
        mut earlier: GroupResult,
        decided: Vec<Option<GoalOutcome>>,
        goals: &mut [Goal],
    ) {
        for (number, (goal, decided)) in goals.iter_mut().zip(decided).enumerate() {
            if goal.outcome.is_none() && decided.is_some() {
                goal.outcome = decided;
                if let (Some(own), Some(other)) =
                    (self.traces.get_mut(number), earlier.traces.get_mut(number))
                {
                    *own = other.take();
                }
                if let (Some(own), Some(other)) =
                    (self.remarks.get_mut(number), earlier.remarks.get_mut(number))
                {
                    *own = other.take();
                }
            }
        }
    }

    fn empty() -> GroupResult {
        GroupResult {
            is_complete: false,
            reason: None,
            stored: 0,
            hidden: BTreeSet::new(),
            error_trace: None,
            traces: Vec::new(),
            remarks: Vec::new(),
        }
    }
}

/// The network and predicates of a search, from which parts are derived.
#[derive(Clone, Copy)]
struct WholeModel<'task> {
    network: &'task Network,
    predicates: &'task [WantedPredicate<'task>],
}

/// After how many explored nodes parts of the model are tried to prove goals unreachable, and the state limit for each
/// part. So these attempts take a bounded share of the work, however large the model is.
const ATTEMPTS: [(u64, u64); 2] = [(30_000, 40_000), (1_000_000, 1_000_000)];

fn explore(
    machine: &Machine,
    bounds: &ClockBounds,
    goals: &mut [Goal],
    whole: WholeModel<'_>,
    parameters: SearchParameters<'_>,
) -> GroupResult {
    let SearchParameters { order, budget, progress, preference, .. } = parameters;
    let is_shortest = preference == RunPreference::FewestTransitions;
    let order = if is_shortest { SearchOrder::BreadthFirst } else { order };
    let mut found = GroupResult {
        traces: vec![None; goals.len()],
        remarks: vec![None; goals.len()],
        ..GroupResult::empty()
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
    let asks_for_deadlocks = explorer.goals.iter().any(|goal| goal.predicate.mentions_deadlock());
    if asks_for_deadlocks
        && explorer.goals.iter().all(|goal| is_monotonic_in_deadlocks(&goal.predicate, goal.wanted))
    {
        explorer.deadlocks = Some(DeadlockTable::new());
    }
    let mut flow = ControlFlow::Continue(());
    for (pause_after, most_states) in ATTEMPTS {
        // A deadlock in a part of the model implies nothing about the whole. And a pause puts a node back at the end of
        // the queue, so the search would no longer be breadth-first.
        explorer.pause_after = if is_shortest || asks_for_deadlocks { u64::MAX } else { pause_after };
        flow = explorer.run();
        if !matches!(flow, ControlFlow::Break(SearchStop::Paused)) {
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
    if matches!(flow, ControlFlow::Break(SearchStop::Paused)) {
        flow = explorer.run();
    }
    let stop = match flow {
        ControlFlow::Continue(()) => None,
        ControlFlow::Break(stop) => Some(stop),
    };
    if let Some(SearchStop::Hidden(clocks)) = stop {
        found.hidden = clocks.into_iter().collect();
        return found;
    }
    if let Some(SearchStop::Exhausted(_)) = stop {
        // Goals found so far still get runs after a timeout, but not if the user interrupts the search.
        explorer.watch = grace.get_or_init(|| budget.grace()).watch();
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
    if let Some(stopwatches) = &mut explorer.stopwatches {
        found.traces.clone_from_slice(&stopwatches.take_runs());
    }
    // A shorter run may lead through states that were left out.
    let not_shortest = explorer.left_out.as_ref().filter(|_| is_shortest);
    let not_shortest = not_shortest.map(|what| format!("the run may not be the shortest: {what}"));
    for (goal, reached) in reached.into_iter().enumerate() {
        let Some((node, constraints)) = reached else { continue };
        found.remarks[goal].clone_from(&not_shortest);
        if found.traces[goal].is_some() {
            continue;
        }
        match explorer.path_to(node, None) {
            Ok((initial, path, may_delay)) => {
                let end = PathEnd { goal: constraints, may_delay, ending: Ending::Goal };
                found.traces[goal] = concrete_trace(initial, path, end, machine.layout().clock_count());
            }
            // An exhausted budget does not change the verdict; the run is missing.
            Err(SearchStop::Exhausted(_)) => {}
            Err(stop) => found.reason = Some(reason(&stop)),
        }
    }
    match stop {
        None | Some(SearchStop::Decided) => {}
        Some(SearchStop::Error(error)) => {
            found.error_trace = error_trace(&mut explorer, &error);
            found.reason = Some(if machine.has_rates() && found.error_trace.is_none() {
                let what = runtime_error(&error.failure);
                UnknownReason::OverApproximation(format!("{STOPWATCHES}; the model may fail: {what}"))
            } else {
                UnknownReason::ModelError(runtime_error(&error.failure))
            });
        }
        Some(stop) => found.reason = Some(reason(&stop)),
    }
    found
}

/// Replaces the runs by fastest ones.
fn find_fastest_runs(
    network: &Network,
    predicates: &[WantedPredicate<'_>],
    found: &mut GroupResult,
    budget: &Budget,
    progress: &Progress,
) {
    let known: Vec<usize> = (0..predicates.len()).filter(|&goal| found.traces[goal].is_some()).collect();
    let goals: Vec<(WantedPredicate<'_>, &Trace)> =
        known.iter().filter_map(|&goal| Some((predicates[goal], found.traces[goal].as_ref()?))).collect();
    if goals.is_empty() {
        return;
    }
    let runs = budget.attempt(|| fastest_runs(network, &goals, budget, progress));
    match runs.unwrap_or_else(|limit| Err(limit.into())) {
        Ok(runs) => {
            for (goal, run) in known.into_iter().zip(runs) {
                found.remarks[goal] = run.approached.map(|units| {
                    format!("no fastest run exists: every run takes more than {units}, some arbitrarily little more")
                });
                found.traces[goal] = Some(run.trace);
            }
        }
        Err(why) => {
            for goal in known {
                found.remarks[goal] = Some(format!("the run may not be the fastest: {}", why.describe()));
            }
        }
    }
}

pub(crate) fn reason(stop: &SearchStop) -> UnknownReason {
    match stop {
        SearchStop::Decided | SearchStop::Paused => {
            UnknownReason::EngineBug("the search ended without a verdict".to_owned())
        }
        SearchStop::Error(error) => UnknownReason::ModelError(runtime_error(&error.failure)),
        SearchStop::Exhausted(what) => (*what).into(),
        SearchStop::Unsupported(what) => UnknownReason::Unsupported(what.clone()),
        SearchStop::Hidden(_) => UnknownReason::EngineBug("the search was not restarted".to_owned()),
        SearchStop::Bug(what) => UnknownReason::EngineBug(what.clone()),
    }
}

pub(crate) fn error_trace(explorer: &mut Explorer<'_>, error: &ModelError) -> Option<Trace> {
    let (node, more) = match error.place {
        ErrorPlace::Start => return None,
        ErrorPlace::Node(node) => (node, None),
        ErrorPlace::Transition(node, ordinal) | ErrorPlace::After(node, ordinal) => (node, Some(ordinal)),
    };
    let clock_count = explorer.machine.layout().clock_count();
    if explorer.stopwatches.is_some() {
        let ending = Ending::RuntimeError(runtime_error(&error.failure));
        return explorer.run_with_stopwatches(node, more, &[], ending).ok().flatten();
    }
    let (initial, path, _) = explorer.path_to(node, more).ok()?;
    let ending = Ending::RuntimeError(runtime_error(&error.failure));
    concrete_trace(initial, path, PathEnd { goal: Vec::new(), may_delay: false, ending }, clock_count)
}

/// Returns an answer without verdict, evidence or caveats.
pub(crate) fn plain_answer() -> Answer {
    Answer {
        verdict: Verdict::Unknown(UnknownReason::EngineBug("the search ended without a verdict".to_owned())),
        evidence: Vec::new(),
        caveats: Vec::new(),
        statistics: tempora_evidence::Statistics::default(),
        engine: NAME.to_owned(),
    }
}

pub(crate) const NO_TIMES: &str = "no delays were computed for the run";

fn answer_question(
    question: &QueryTree,
    goals: &[Vec<Goal>; GROUPS],
    found: &[GroupResult],
    outcomes: &[FormulaOutcome],
) -> Answer {
    let mut leaves = Vec::new();
    question.leaves(&mut leaves);
    let is_complete = [found[0].is_complete, found[1].is_complete];
    let verdict = question.verdict(&Results { goals, is_complete, outcomes });
    let mut answer = plain_answer();
    for leaf in &leaves {
        if let QueryTree::Branching(position) = leaf {
            let remarks = outcomes[*position].remarks.iter();
            answer.caveats.extend(remarks.map(|&remark| Caveat::Remark(remark.to_owned())));
        }
    }
    if let Some(holds) = verdict {
        for leaf in &leaves {
            if let QueryTree::Goal { group, goal, .. } = leaf
                && let Some(GoalOutcome::Excluded { processes }) = &goals[*group][*goal].outcome
            {
                answer.caveats.push(Caveat::Remark(proof_note(processes)));
            }
            let (is_run, trace) = match leaf {
                QueryTree::Goal { group, goal, .. } => (
                    matches!(goals[*group][*goal].outcome, Some(GoalOutcome::Found { .. })),
                    &found[*group].traces[*goal],
                ),
                QueryTree::Branching(position) => (outcomes[*position].has_run, &outcomes[*position].trace),
                _ => continue,
            };
            match trace {
                Some(trace) => {
                    answer.evidence.push(Evidence::Trace(trace.clone()));
                    if let QueryTree::Goal { group, goal, .. } = leaf {
                        answer.caveats.extend(found[*group].remarks[*goal].clone().map(Caveat::Remark));
                    }
                }
                None if is_run => answer.caveats.push(Caveat::Remark(NO_TIMES.to_owned())),
                None => {}
            }
        }
        answer.verdict = if holds { Verdict::Holds } else { Verdict::Fails };
        return answer;
    }
    let reason = leaves.iter().find_map(|leaf| match leaf {
        QueryTree::Goal { group, goal, .. } => match (&goals[*group][*goal].outcome, &found[*group].reason) {
            // The query fails, not the model, so no run ends with the failure.
            (Some(GoalOutcome::Failed(failure)), _) => {
                Some((UnknownReason::ModelError(runtime_error(failure)), None))
            }
            (Some(GoalOutcome::Doubtful), _) => {
                Some((UnknownReason::OverApproximation(doubtful_goal_reason()), None))
            }
            (None, Some(reason)) => Some((reason.clone(), found[*group].error_trace.clone())),
            _ => None,
        },
        QueryTree::Branching(position) => {
            let outcome = &outcomes[*position];
            outcome.holds.as_ref().err().map(|reason| (reason.clone(), outcome.trace.clone()))
        }
        _ => None,
    });
    if let Some((reason, trace)) = reason {
        answer.evidence.extend(trace.map(Evidence::Trace));
        answer.verdict = Verdict::Unknown(reason);
    }
    answer
}

/// Converts a failure of the machine to a model error.
pub fn runtime_error(failure: &Failure) -> RuntimeError {
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
