//! Executes runs of one specification that prove reachability or decide a formula.
//!
//! Invariant: a run belongs to the specification as written, before pruning, with an environment that may send each
//! input at any time. It is executed for all possible choices of edges for its actions, and proves the verdict if one
//! execution does. Formulas are evaluated in the corresponding state of the network, except that a deadlock is one of
//! the specification.

use tempora_evidence::{Budget, Ending, Rational, RuntimeError, RuntimeErrorKind, SpecificationRun, Verdict};
use tempora_model::{
    Expression, ExpressionKind, Formula, Id, Network, SpecExpression, SpecificationQuery, StatePredicate,
};

use crate::delay::is_own_limit;
use crate::delay_set::{Cut, DelaySet};
use crate::evaluate::Evaluator;
use crate::interpreter::Interpreter;
use crate::judgement::{Demand, formula_demand, is_shown_along};
use crate::specification::clock_constants::ClockConstants;
use crate::specification::system::{
    Component, ExecutionFailure, SpecificationState, System, SystemOptions, formula_delays,
};
use crate::specification::{Replayed, component_alone};
use crate::state::ConcreteState;
use crate::stretches::{Predicates, Stretch};

/// The limit on the executions of a run.
const EXECUTION_LIMIT: usize = 1000;

/// Executes the runs of an answer; each must prove the verdict, or a part of it if there are several.
pub(crate) fn replay_runs(
    components: &Network,
    question: &SpecificationQuery,
    verdict: &Verdict,
    runs: &[&SpecificationRun],
    budget: &Budget,
) -> Replayed {
    let shown = match (question, verdict) {
        (SpecificationQuery::Reachability { system, start, goal }, Verdict::Holds) => {
            all_reach(components, system, (start.as_ref(), goal), runs, budget)
        }
        (SpecificationQuery::Formula { system, formula }, Verdict::Holds | Verdict::Fails) => {
            show_formula(components, system, (formula, *verdict == Verdict::Holds), runs, budget)
        }
        _ => return Replayed::Refuted("a run of a specification does not support this verdict".to_owned()),
    };
    match shown {
        Ok(true) => Replayed::Shown,
        Ok(false) => Replayed::NotTried("no single run proves the verdict".to_owned()),
        Err(ExecutionFailure::Wrong(why)) => Replayed::Refuted(why),
        Err(ExecutionFailure::Limit(why)) => Replayed::NotTried(why),
        Err(ExecutionFailure::Error(error)) if is_own_limit(&error.kind) => {
            Replayed::NotTried(error.to_string())
        }
        Err(ExecutionFailure::Error(error)) => Replayed::Refuted(error.to_string()),
    }
}

fn wrong<T>(why: impl Into<String>) -> Result<T, ExecutionFailure> {
    Err(ExecutionFailure::Wrong(why.into()))
}

fn networks_of(components: &Network, system: &SpecExpression) -> Vec<Network> {
    system.components().into_iter().map(|(process, _)| component_alone(components, process)).collect()
}

fn build_system<'network>(
    system: &'network SpecExpression,
    mut networks: &'network [Network],
    run: &SpecificationRun,
    budget: &Budget,
) -> Result<System<'network>, ExecutionFailure> {
    let options =
        SystemOptions { budget, are_missing_inputs_errors: run.are_missing_inputs_errors, is_pruned: false };
    System::new(system, &mut networks, options)
}

/// Returns whether each run leads from an admissible start to the goal.
fn all_reach(
    components: &Network,
    expression: &SpecExpression,
    (start, goal): (Option<&StatePredicate>, &StatePredicate),
    runs: &[&SpecificationRun],
    budget: &Budget,
) -> Result<bool, ExecutionFailure> {
    let networks = networks_of(components, expression);
    for run in runs {
        let system = build_system(expression, &networks, run, budget)?;
        let now = Rational::from_integer(0);
        let first = match (&run.start, start) {
            (None, None) => system.initial()?,
            (Some(starts), Some(start)) => {
                let Some(first) = system.started(starts) else {
                    return wrong("the start is not a state of the components");
                };
                if !system.predicate_delays(&first, start)?.contains(now) {
                    return wrong("the start does not satisfy the start predicate of the query");
                }
                first
            }
            _ => return wrong("the run does not start in the initial state"),
        };
        if run.ending != Ending::Goal {
            return wrong("the run does not end with the goal");
        }
        let executions = executed(&system, first, run, Keeps::LastStates)?;
        let mut is_reached = false;
        for execution in &executions {
            is_reached |= system.predicate_delays(&execution.last, goal)?.contains(now);
        }
        if !is_reached {
            return wrong("the goal does not hold at the end");
        }
    }
    Ok(true)
}

/// One execution of a run.
#[derive(Clone)]
struct RunExecution {
    /// The state before each move, and before the last delay.
    states: Vec<SpecificationState>,
    last: SpecificationState,
}

/// The states of an execution to keep.
#[derive(Clone, Copy, PartialEq)]
enum Keeps {
    AllStates,
    LastStates,
}

/// Returns all executions of a run.
fn executed(
    system: &System<'_>,
    first: SpecificationState,
    run: &SpecificationRun,
    keeps: Keeps,
) -> Result<Vec<RunExecution>, ExecutionFailure> {
    if !system.is_allowed(&first)? {
        return wrong("the specification does not allow the start of the run");
    }
    let mut executions = vec![RunExecution { states: Vec::new(), last: first }];
    for (number, chosen) in run.moves.iter().enumerate() {
        let mut further: Vec<RunExecution> = Vec::new();
        let mut may_wait = false;
        for execution in executions {
            let Some(later) = system.wait(&execution.last, chosen.delay)? else { continue };
            may_wait = true;
            for next in system.successors(&later, chosen.action)? {
                let mut states = execution.states.clone();
                if keeps == Keeps::AllStates {
                    states.push(execution.last.clone());
                }
                let next = RunExecution { states, last: next };
                if !further.iter().any(|known| known.last == next.last && known.states == next.states) {
                    further.push(next);
                }
            }
            if further.len() > EXECUTION_LIMIT {
                return Err(ExecutionFailure::Limit("the actions have too many executions".to_owned()));
            }
        }
        if further.is_empty() {
            let what = if may_wait { "the action is not possible" } else { "the delay is not allowed" };
            return wrong(format!("step {}: {what}", number + 1));
        }
        executions = further;
    }
    let mut ended = Vec::with_capacity(executions.len());
    for mut execution in executions {
        if let Some(last) = system.wait(&execution.last, run.final_delay)? {
            execution.states.push(std::mem::replace(&mut execution.last, last));
            ended.push(execution);
        }
    }
    if ended.is_empty() {
        return wrong("last delay: time cannot pass");
    }
    Ok(ended)
}

/// Returns whether runs together prove that a formula holds, or that it does not.
fn show_formula(
    components: &Network,
    expression: &SpecExpression,
    (formula, holds): (&Formula, bool),
    runs: &[&SpecificationRun],
    budget: &Budget,
) -> Result<bool, ExecutionFailure> {
    let networks = networks_of(components, expression);
    let mut predicates = formula.clone();
    let predicates = predicates.expressions_mut().into_iter().map(|one| &*one);
    let constants = ClockConstants::of_predicates(components, predicates);
    let interpreter = Interpreter::new(components).within(budget);
    let demand = formula_demand(formula, holds);
    let mut replayed_runs = Vec::with_capacity(runs.len());
    for &run in runs {
        if run.start.is_some() {
            return wrong("the run does not start in the initial state");
        }
        let mut system = build_system(expression, &networks, run, budget)?;
        system.tell_apart(&constants);
        let first = system.initial()?;
        let executions = executed(&system, first, run, Keeps::AllStates)?;
        let view = FormulaView { system, interpreter: &interpreter };
        let mut ended = Vec::new();
        for execution in executions {
            if view.has_claimed_ending(run, &execution)? {
                ended.push(execution);
            }
        }
        if ended.is_empty() {
            return wrong("the run does not end as its trace claims");
        }
        let replayed = ReplayedRun { view, executions: ended, run };
        if !matches!(demand, Demand::Nothing) && !replayed.shows(&demand)? {
            return wrong("the run does not show the verdict");
        }
        replayed_runs.push(replayed);
    }
    is_shown(&replayed_runs, formula, holds)
}

/// Returns whether each part on which the verdict rests is shown by one of the runs.
fn is_shown(
    replayed_runs: &[ReplayedRun<'_, '_>],
    formula: &Formula,
    holds: bool,
) -> Result<bool, ExecutionFailure> {
    match (formula, holds) {
        (Formula::Not(inner), _) => is_shown(replayed_runs, inner, !holds),
        (Formula::And(parts), true) | (Formula::Or(parts), false) => {
            for part in parts {
                if !is_shown(replayed_runs, part, holds)? {
                    return Ok(false);
                }
            }
            Ok(!parts.is_empty())
        }
        (Formula::And(parts), false) | (Formula::Or(parts), true) => {
            for part in parts {
                if is_shown(replayed_runs, part, holds)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        (part, _) => {
            let demand = formula_demand(part, holds);
            for replayed in replayed_runs {
                if replayed.shows(&demand)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
    }
}

/// An executed run.
struct ReplayedRun<'system, 'run> {
    view: FormulaView<'system>,
    executions: Vec<RunExecution>,
    run: &'run SpecificationRun,
}

impl ReplayedRun<'_, '_> {
    /// Returns whether one of the executions meets the demand.
    fn shows(&self, demand: &Demand<'_>) -> Result<bool, ExecutionFailure> {
        for execution in &self.executions {
            let is_shown = match demand {
                Demand::AtEnd(predicate, expected) => {
                    let now = Rational::from_integer(0);
                    self.view.delays_of(&execution.last, predicate)?.contains(now) == *expected
                }
                _ => {
                    let stretches = self.view.stretches(self.run, execution)?;
                    let deadline = |within: &Expression| self.view.bound(&execution.states[0], within);
                    is_shown_along(&self.view, &stretches, &self.run.ending, demand, &deadline)?
                }
            };
            if is_shown {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// A specification as seen by a formula.
struct FormulaView<'system> {
    system: System<'system>,
    /// The interpreter of the network to which the formula refers.
    interpreter: &'system Interpreter<'system>,
}

impl FormulaView<'_> {
    /// Returns whether an execution ends as its run claims.
    fn has_claimed_ending(
        &self,
        run: &SpecificationRun,
        execution: &RunExecution,
    ) -> Result<bool, ExecutionFailure> {
        let now = Rational::from_integer(0);
        match run.ending {
            Ending::Goal => Ok(true),
            Ending::Deadlock => Ok(self.system.deadlock_delays(&execution.last)?.contains(now)),
            Ending::DelayForever => Ok(self.system.allowed_delays(&execution.last)?.is_unbounded()),
            Ending::Lasso { start } if start < run.moves.len() => {
                let first = &execution.states[start];
                if *first == execution.last {
                    return Ok(true);
                }
                if self.system.has_differences() {
                    return Err(ExecutionFailure::Limit("clocks are compared with each other".to_owned()));
                }
                Ok(self.system.region(first)?.1 == self.system.region(&execution.last)?.1)
            }
            Ending::Lasso { .. }
            | Ending::RefusedMove
            | Ending::InvariantViolation
            | Ending::RuntimeError(_) => Ok(false),
        }
    }

    /// Returns the stretches of an execution.
    fn stretches<'execution>(
        &self,
        run: &SpecificationRun,
        execution: &'execution RunExecution,
    ) -> Result<Vec<Stretch<'execution, SpecificationState>>, ExecutionFailure> {
        let until = |delay| DelaySet::between(Cut::before(Rational::from_integer(0)), Cut::after(delay));
        let delays = run.moves.iter().map(|chosen| chosen.delay).chain([run.final_delay]);
        let mut stretches: Vec<Stretch<'execution, SpecificationState>> =
            execution.states.iter().zip(delays.map(until)).collect();
        if let (Ending::Deadlock | Ending::DelayForever, Some((place, passing))) =
            (&run.ending, stretches.last_mut())
        {
            *passing = self.system.allowed_delays(place)?;
        }
        Ok(stretches)
    }

    /// Returns the state of the network that corresponds to a specification state.
    fn state(&self, place: &SpecificationState) -> Result<ConcreteState, ExecutionFailure> {
        let initial = self.interpreter.initial_choices().next().unwrap_or_default();
        let mut state = self.interpreter.state_at_start(initial);
        let (mut states, mut components): (Vec<(&ConcreteState, bool)>, Vec<&Component<'_>>) =
            (Vec::new(), Vec::new());
        self.system.components(place, &mut states);
        self.system.processes(&mut components);
        if states.len() != components.len() || states.iter().any(|(_, is_there)| !is_there) {
            return Err(ExecutionFailure::Limit(
                "the specification is in the universal state of a quotient".to_owned(),
            ));
        }
        for (component, (own, _)) in components.into_iter().zip(states) {
            state.locations[component.process.index()] = own.locations[component.process.index()];
            for &variable in &component.own_variables {
                *state.variable_mut(variable) = own.variable(variable).clone();
            }
            for &cell in &component.own_clocks {
                state.clocks[cell] = own.clocks[cell];
            }
        }
        Ok(state)
    }

    fn bound(&self, place: &SpecificationState, expression: &Expression) -> Result<Rational, RuntimeError> {
        let state = self.state(place).map_err(|failure| as_error(failure, expression))?;
        Evaluator::reading(self.interpreter, &state, &self.interpreter.fuel()).bound(expression)
    }

    fn delays(
        &self,
        place: &SpecificationState,
        predicate: &Expression,
    ) -> Result<DelaySet, ExecutionFailure> {
        let state = self.state(place)?;
        let of = |is_deadlocked: bool| {
            let formula = self.interpreter.predicate_formula(&state, predicate, is_deadlocked)?;
            formula_delays(&formula, &state.clocks)
        };
        if !predicate.any(&mut |part: &Expression| matches!(part.kind, ExpressionKind::Deadlock)) {
            return of(false);
        }
        let dead = self.system.deadlock_delays(place)?;
        Ok(of(true)?.intersection(&dead).union(&of(false)?.intersection(&dead.complement())))
    }
}

impl Predicates for FormulaView<'_> {
    type State = SpecificationState;

    fn delays_of(
        &self,
        place: &SpecificationState,
        predicate: &Expression,
    ) -> Result<DelaySet, RuntimeError> {
        self.delays(place, predicate).map_err(|failure| as_error(failure, predicate))
    }
}

/// Converts a failure to an error: a limit is an unsupported construct of this program.
fn as_error(failure: ExecutionFailure, about: &Expression) -> RuntimeError {
    match failure {
        ExecutionFailure::Error(error) => error,
        ExecutionFailure::Limit(why) | ExecutionFailure::Wrong(why) => {
            RuntimeError { kind: RuntimeErrorKind::Unsupported(why), origin: about.origin }
        }
    }
}
