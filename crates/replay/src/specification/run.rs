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
use crate::specification::system::{Component, Making, Place, System, Trouble, formula_delays};
use crate::specification::{Replayed, component_alone};
use crate::state::ConcreteState;
use crate::stretches::{Predicates, Stretch};

/// The limit on the executions of a run.
const MOST_WAYS: usize = 1000;

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
        Err(Trouble::Wrong(why)) => Replayed::Refuted(why),
        Err(Trouble::Limit(why)) => Replayed::NotTried(why),
        Err(Trouble::Error(error)) if is_own_limit(&error.kind) => Replayed::NotTried(error.to_string()),
        Err(Trouble::Error(error)) => Replayed::Refuted(error.to_string()),
    }
}

fn wrong<T>(why: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Wrong(why.into()))
}

fn networks_of(components: &Network, system: &SpecExpression) -> Vec<Network> {
    system.components().into_iter().map(|(process, _)| component_alone(components, process)).collect()
}

fn made<'network>(
    system: &'network SpecExpression,
    mut networks: &'network [Network],
    run: &SpecificationRun,
    budget: &Budget,
) -> Result<System<'network>, Trouble> {
    let making =
        Making { budget, are_missing_inputs_errors: run.are_missing_inputs_errors, is_pruned: false };
    System::new(system, &mut networks, making)
}

/// Returns whether each run leads from an admissible start to the goal.
fn all_reach(
    components: &Network,
    expression: &SpecExpression,
    (start, goal): (Option<&StatePredicate>, &StatePredicate),
    runs: &[&SpecificationRun],
    budget: &Budget,
) -> Result<bool, Trouble> {
    let networks = networks_of(components, expression);
    for run in runs {
        let system = made(expression, &networks, run, budget)?;
        let now = Rational::from_integer(0);
        let first = match (&run.start, start) {
            (None, None) => system.initial(),
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
        let ways = executed(&system, first, run, Keeps::LastPlaces)?;
        let mut is_reached = false;
        for way in &ways {
            is_reached |= system.predicate_delays(&way.last, goal)?.contains(now);
        }
        if !is_reached {
            return wrong("the goal does not hold at the end");
        }
    }
    Ok(true)
}

/// One execution of a run.
#[derive(Clone)]
struct Way {
    /// The state before each move, and before the last delay.
    places: Vec<Place>,
    last: Place,
}

/// The states of an execution to keep.
#[derive(Clone, Copy, PartialEq)]
enum Keeps {
    AllPlaces,
    LastPlaces,
}

/// Returns all executions of a run.
fn executed(
    system: &System<'_>,
    first: Place,
    run: &SpecificationRun,
    keeps: Keeps,
) -> Result<Vec<Way>, Trouble> {
    if !system.is_allowed(&first)? {
        return wrong("the specification does not allow the start of the run");
    }
    let mut ways = vec![Way { places: Vec::new(), last: first }];
    for (number, chosen) in run.moves.iter().enumerate() {
        let mut further: Vec<Way> = Vec::new();
        let mut may_wait = false;
        for way in ways {
            let Some(later) = system.wait(&way.last, chosen.delay)? else { continue };
            may_wait = true;
            for next in system.successors(&later, chosen.action)? {
                let mut places = way.places.clone();
                if keeps == Keeps::AllPlaces {
                    places.push(way.last.clone());
                }
                let next = Way { places, last: next };
                if !further.iter().any(|known| known.last == next.last && known.places == next.places) {
                    further.push(next);
                }
            }
            if further.len() > MOST_WAYS {
                return Err(Trouble::Limit("the actions have too many executions".to_owned()));
            }
        }
        if further.is_empty() {
            let what = if may_wait { "the action is not possible" } else { "the delay is not allowed" };
            return wrong(format!("step {}: {what}", number + 1));
        }
        ways = further;
    }
    let mut ended = Vec::with_capacity(ways.len());
    for mut way in ways {
        if let Some(last) = system.wait(&way.last, run.final_delay)? {
            way.places.push(std::mem::replace(&mut way.last, last));
            ended.push(way);
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
) -> Result<bool, Trouble> {
    let networks = networks_of(components, expression);
    let mut predicates = formula.clone();
    let predicates = predicates.expressions_mut().into_iter().map(|one| &*one);
    let constants = ClockConstants::of_predicates(components, predicates);
    let interpreter = Interpreter::new(components).within(budget);
    let demand = formula_demand(formula, holds);
    let mut executions = Vec::with_capacity(runs.len());
    for &run in runs {
        if run.start.is_some() {
            return wrong("the run does not start in the initial state");
        }
        let mut system = made(expression, &networks, run, budget)?;
        system.tell_apart(&constants);
        let first = system.initial();
        let ways = executed(&system, first, run, Keeps::AllPlaces)?;
        let view = View { system, interpreter: &interpreter };
        let mut ended = Vec::new();
        for way in ways {
            if view.ends_so(run, &way)? {
                ended.push(way);
            }
        }
        if ended.is_empty() {
            return wrong("the run does not end as its trace claims");
        }
        let execution = Execution { view, ways: ended, run };
        if !matches!(demand, Demand::Nothing) && !execution.shows(&demand)? {
            return wrong("the run does not show the verdict");
        }
        executions.push(execution);
    }
    is_shown(&executions, formula, holds)
}

/// Returns whether each part on which the verdict rests is shown by one of the runs.
fn is_shown(executions: &[Execution<'_, '_>], formula: &Formula, holds: bool) -> Result<bool, Trouble> {
    match (formula, holds) {
        (Formula::Not(inner), _) => is_shown(executions, inner, !holds),
        (Formula::And(parts), true) | (Formula::Or(parts), false) => {
            for part in parts {
                if !is_shown(executions, part, holds)? {
                    return Ok(false);
                }
            }
            Ok(!parts.is_empty())
        }
        (Formula::And(parts), false) | (Formula::Or(parts), true) => {
            for part in parts {
                if is_shown(executions, part, holds)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        (part, _) => {
            let demand = formula_demand(part, holds);
            for execution in executions {
                if execution.shows(&demand)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
    }
}

/// An executed run.
struct Execution<'system, 'run> {
    view: View<'system>,
    ways: Vec<Way>,
    run: &'run SpecificationRun,
}

impl Execution<'_, '_> {
    /// Returns whether one of the executions meets the demand.
    fn shows(&self, demand: &Demand<'_>) -> Result<bool, Trouble> {
        for way in &self.ways {
            let is_shown = match demand {
                Demand::AtEnd(predicate, expected) => {
                    let now = Rational::from_integer(0);
                    self.view.delays_of(&way.last, predicate)?.contains(now) == *expected
                }
                _ => {
                    let stretches = self.view.stretches(self.run, way)?;
                    let deadline = |within: &Expression| self.view.bound(&way.places[0], within);
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
struct View<'system> {
    system: System<'system>,
    /// The interpreter of the network to which the formula refers.
    interpreter: &'system Interpreter<'system>,
}

impl View<'_> {
    /// Returns whether an execution ends as its run claims.
    fn ends_so(&self, run: &SpecificationRun, way: &Way) -> Result<bool, Trouble> {
        let now = Rational::from_integer(0);
        match run.ending {
            Ending::Goal => Ok(true),
            Ending::Deadlock => Ok(self.system.deadlock_delays(&way.last)?.contains(now)),
            Ending::DelayForever => Ok(self.system.allowed_delays(&way.last)?.is_unbounded()),
            Ending::Lasso { start } if start < run.moves.len() => {
                let first = &way.places[start];
                if *first == way.last {
                    return Ok(true);
                }
                if self.system.has_differences() {
                    return Err(Trouble::Limit("clocks are compared with each other".to_owned()));
                }
                Ok(self.system.region(first)?.1 == self.system.region(&way.last)?.1)
            }
            Ending::Lasso { .. }
            | Ending::RefusedMove
            | Ending::InvariantViolation
            | Ending::RuntimeError(_) => Ok(false),
        }
    }

    /// Returns the stretches of an execution.
    fn stretches<'way>(
        &self,
        run: &SpecificationRun,
        way: &'way Way,
    ) -> Result<Vec<Stretch<'way, Place>>, Trouble> {
        let until = |delay| DelaySet::between(Cut::before(Rational::from_integer(0)), Cut::after(delay));
        let delays = run.moves.iter().map(|chosen| chosen.delay).chain([run.final_delay]);
        let mut stretches: Vec<Stretch<'way, Place>> = way.places.iter().zip(delays.map(until)).collect();
        if let (Ending::Deadlock | Ending::DelayForever, Some((place, passing))) =
            (&run.ending, stretches.last_mut())
        {
            *passing = self.system.allowed_delays(place)?;
        }
        Ok(stretches)
    }

    /// Returns the state of the network that corresponds to a specification state.
    fn state(&self, place: &Place) -> Result<ConcreteState, Trouble> {
        let initial = self.interpreter.initial_choices().next().unwrap_or_default();
        let mut state = self.interpreter.state_at_start(initial);
        let (mut places, mut components): (Vec<(&ConcreteState, bool)>, Vec<&Component<'_>>) =
            (Vec::new(), Vec::new());
        self.system.components(place, &mut places);
        self.system.processes(&mut components);
        if places.len() != components.len() || places.iter().any(|(_, is_there)| !is_there) {
            return Err(Trouble::Limit("the specification is in the universal state of a quotient".to_owned()));
        }
        for (component, (own, _)) in components.into_iter().zip(places) {
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

    fn bound(&self, place: &Place, expression: &Expression) -> Result<Rational, RuntimeError> {
        let state = self.state(place).map_err(|trouble| as_error(trouble, expression))?;
        Evaluator::reading(self.interpreter, &state, &self.interpreter.fuel()).bound(expression)
    }

    fn delays(&self, place: &Place, predicate: &Expression) -> Result<DelaySet, Trouble> {
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

impl Predicates for View<'_> {
    type State = Place;

    fn delays_of(&self, place: &Place, predicate: &Expression) -> Result<DelaySet, RuntimeError> {
        self.delays(place, predicate).map_err(|trouble| as_error(trouble, predicate))
    }
}

/// Converts a failure to an error: a limit is an unsupported construct of this program.
fn as_error(trouble: Trouble, about: &Expression) -> RuntimeError {
    match trouble {
        Trouble::Error(error) => error,
        Trouble::Limit(why) | Trouble::Wrong(why) => {
            RuntimeError { kind: RuntimeErrorKind::Unsupported(why), origin: about.origin }
        }
    }
}
