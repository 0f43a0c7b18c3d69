//! Stuck processes, timelocks and Zeno runs.
//!
//! Invariant: each question is a formula over the network in parallel with an observer that does not restrict it. The
//! run in the answer is returned without the observer, as a run of the given network.
//!
//! * A process is stuck if it can never move again: `A[] E<> it moves`. Each of its edges may set a variable, after
//!   which nothing happens any more; then the question is `A[] (not set imply E<> set)`.
//! * A timelock is a state from which no run takes a unit of time. An observer may start a clock at any moment, and
//!   from then on it must stay possible that the clock reaches one.
//! * On a Zeno run, less than a unit of time passes from some moment on, with infinitely many transitions. An observer
//!   may start a clock at any moment, and from then on the clock stays below one.
//!
//! The structure alone may exclude Zeno runs: strong non-Zenoness, which is preserved by composition, requires that
//! every cycle of a process has an edge that sets a clock to zero and an edge that demands at least one of the same
//! clock (S. Tripakis, Verifying Progress in Timed Systems, 1999).

use tempora_evidence::{Ending, Settled, Step, Trace, UnknownReason};
use tempora_model::{
    BinaryOperator, Branch, Comparison, Condition, ConditionCategory, Edge, Expression, ExpressionKind,
    Formula, Id, Location, LocationId, LocationKind, Network, Process, ProcessId, Range, Table, Type,
    UnaryOperator, Value, Variable, VariableId, VariableKind, evaluate_constant,
};
use tempora_source::Origin;

use crate::liveness::branching::{self, FormulaOutcome, SearchParameters};
use crate::liveness::components::Adjacency;

/// Returns for each location of a process whether an edge leaves it.
pub(crate) fn locations_with_edges(process: &Process) -> Vec<bool> {
    let mut leaves = vec![false; process.locations.len()];
    for edge in process.edges.values() {
        leaves[Id::index(edge.source)] = true;
    }
    leaves
}

/// Decides whether a process can be stuck for ever in a location with outgoing edges.
pub(crate) fn component(network: &Network, process: ProcessId, parameters: SearchParameters<'_>) -> Settled {
    let mut observed = network.clone();
    let automaton = &network.processes[process];
    let origin = automaton.origin;
    let said = observed.variables.push(Variable {
        name: "moved".to_owned(),
        owner: None,
        value_type: Type::Integer(Range { least: 0, greatest: 1 }),
        initial: Value::Integer(0),
        kind: VariableKind::State,
        origin,
    });
    let is_said = |value: i32| compared(variable(said, origin), value, origin);
    for (id, other) in network.processes.ids().zip(observed.processes.values_mut()) {
        for edge in other.edges.values_mut() {
            edge.guard.data.push(is_said(0));
            if id == process {
                let branches = std::mem::take(&mut edge.branches);
                for branch in branches {
                    let mut saying = branch.clone();
                    saying.updates.push(assigned(variable(said, origin), 1, origin));
                    edge.branches.extend([branch, saying]);
                }
            }
        }
    }
    let mut premise = is_said(0);
    let leaves = locations_with_edges(automaton);
    for location in automaton.locations.ids() {
        if !leaves[Id::index(location)] {
            let there = at(process, location, origin);
            let elsewhere = truth(
                ExpressionKind::Unary { operator: UnaryOperator::Not, operand: Box::new(there) },
                origin,
            );
            premise = both(premise, elsewhere, origin);
        }
    }
    let formula = Formula::AlwaysPossibly { premise: Some(premise), goal: is_said(1) };
    let outcome = branching::answer(&observed, &formula, parameters);
    settled(outcome, false, |mut trace| {
        for participant in trace.steps.iter_mut().flat_map(|step| &mut step.transition.participants) {
            if participant.process == process {
                participant.branch /= 2;
            }
        }
        trace
    })
}

/// Decides whether there is a state from which time can no longer pass by one unit.
pub(crate) fn timelocks(network: &Network, parameters: SearchParameters<'_>) -> Settled {
    let Some((observed, observer)) = with_observer(network, false) else { return unknown_priorities() };
    let origin = observed.processes[observer.process].origin;
    let goal = against_one(observer.clock, Comparison::GreaterOrEqual, origin);
    let premise = at(observer.process, WATCHING, origin);
    let formula = Formula::AlwaysPossibly { premise: Some(premise), goal };
    settled(branching::answer(&observed, &formula, parameters), false, |trace| {
        without(trace, observer.process)
    })
}

/// Decides whether infinitely many transitions are possible in bounded time.
pub(crate) fn zeno_runs(network: &Network, parameters: SearchParameters<'_>) -> Settled {
    let Some((observed, observer)) = with_observer(network, true) else { return unknown_priorities() };
    let origin = observed.processes[observer.process].origin;
    let formula = Formula::InfinitelyOften(vec![at(observer.process, WATCHING, origin)]);
    settled(branching::answer(&observed, &formula, parameters), true, |trace| {
        without(trace, observer.process)
    })
}

fn unknown_priorities() -> Settled {
    let why = "priorities together with an observer process".to_owned();
    Settled::Open(UnknownReason::Unsupported(format!("the zone engine does not support {why}")))
}

fn settled(outcome: FormulaOutcome, is_shown_if: bool, project: impl Fn(Trace) -> Trace) -> Settled {
    match outcome.holds {
        Err(why) => Settled::Open(why),
        Ok(holds) if holds == is_shown_if => Settled::Shown(outcome.trace.map(project)),
        Ok(_) => Settled::Never,
    }
}

/// A process that may start its clock at any moment, once.
struct Observer {
    process: ProcessId,
    clock: VariableId,
}

const WAITING: LocationId = LocationId(0);
const WATCHING: LocationId = LocationId(1);

/// Returns the network with an observer, which keeps its clock below one on request. `None` if the observer's
/// transition would compete with priorities.
fn with_observer(network: &Network, keeps_below_one: bool) -> Option<(Network, Observer)> {
    let has_priorities = network.channel_priorities.is_some()
        || network.processes.values().any(|process| process.priority != 0);
    let origin = network.processes.values().next()?.origin;
    if has_priorities {
        return None;
    }
    let mut observed = network.clone();
    let clock = observed.variables.push(Variable {
        name: "observer's clock".to_owned(),
        owner: None,
        value_type: Type::Clock,
        initial: Value::None,
        kind: VariableKind::State,
        origin,
    });
    let below_one = against_one(clock, Comparison::Less, origin);
    let mut locations = Table::new();
    for (name, is_watching) in [("waiting", false), ("watching", true)] {
        let clocks = if is_watching && keeps_below_one { vec![below_one.clone()] } else { Vec::new() };
        locations.push(Location {
            name: Some(name.to_owned()),
            kind: LocationKind::Ordinary,
            invariant: Condition { data: Vec::new(), clocks },
            clock_rates: Vec::new(),
            exponential_rate: None,
            labels: Vec::new(),
            origin,
        });
    }
    let reset = Expression {
        kind: ExpressionKind::Assign {
            operator: None,
            target: Box::new(variable_of(clock, Type::Clock, origin)),
            value: Box::new(integer(0, origin)),
        },
        value_type: Type::Clock,
        origin,
    };
    let mut edges = Table::new();
    edges.push(Edge {
        source: WAITING,
        selects: Vec::new(),
        guard: Condition::default(),
        synchronisation: None,
        event: None,
        branches: vec![Branch { weight: None, updates: vec![reset], target: WATCHING, origin }],
        is_controllable: true,
        template_position: 0,
        origin,
    });
    let process = observed.processes.push(Process {
        name: "observer".to_owned(),
        template: "observer".to_owned(),
        arguments: Vec::new(),
        locations,
        initial: vec![WAITING, WATCHING],
        edges,
        priority: 0,
        interface: None,
        origin,
    });
    Some((observed, Observer { process, clock }))
}

/// Returns a run without the steps of a process, the last one.
fn without(mut trace: Trace, process: ProcessId) -> Trace {
    trace.initial.truncate(Id::index(process));
    let mut steps: Vec<Step> = Vec::new();
    let mut before = tempora_evidence::Rational::from_integer(0);
    let mut cycle_start = match trace.ending {
        Ending::Lasso { start } => start,
        _ => 0,
    };
    for (number, mut step) in std::mem::take(&mut trace.steps).into_iter().enumerate() {
        step.delay += before;
        let is_own = step.transition.participants.iter().all(|participant| participant.process == process)
            && !step.transition.participants.is_empty();
        if is_own {
            before = step.delay;
            if let Ending::Lasso { start } = trace.ending
                && number < start
            {
                cycle_start -= 1;
            }
        } else {
            before = tempora_evidence::Rational::from_integer(0);
            steps.push(step);
        }
    }
    trace.final_delay += before;
    trace.steps = steps;
    if let Ending::Lasso { start } = &mut trace.ending {
        *start = cycle_start;
    }
    trace
}

fn truth(kind: ExpressionKind, origin: Origin) -> Expression {
    Expression { kind, value_type: Type::Boolean, origin }
}

fn integer(value: i32, origin: Origin) -> Expression {
    let value_type = Type::Integer(Range { least: value, greatest: value });
    Expression { kind: ExpressionKind::Integer(value), value_type, origin }
}

fn variable_of(id: VariableId, value_type: Type, origin: Origin) -> Expression {
    Expression { kind: ExpressionKind::Variable(id), value_type, origin }
}

/// Returns the comparison of a clock with one.
fn against_one(clock: VariableId, comparison: Comparison, origin: Origin) -> Expression {
    let kind = ExpressionKind::CompareClocks {
        left: Some(Box::new(variable_of(clock, Type::Clock, origin))),
        right: None,
        comparison,
        bound: Box::new(integer(1, origin)),
    };
    Expression { kind, value_type: Type::Condition(ConditionCategory::Invariant), origin }
}

fn variable(id: VariableId, origin: Origin) -> Expression {
    variable_of(id, Type::Integer(Range { least: 0, greatest: 1 }), origin)
}

fn compared(left: Expression, value: i32, origin: Origin) -> Expression {
    let (left, right) = (Box::new(left), Box::new(integer(value, origin)));
    truth(
        ExpressionKind::Binary { operator: BinaryOperator::Compare(Comparison::Equal), left, right },
        origin,
    )
}

fn assigned(target: Expression, value: i32, origin: Origin) -> Expression {
    let value_type = target.value_type.clone();
    let (target, value) = (Box::new(target), Box::new(integer(value, origin)));
    Expression { kind: ExpressionKind::Assign { operator: None, target, value }, value_type, origin }
}

fn both(left: Expression, right: Expression, origin: Origin) -> Expression {
    let (left, right) = (Box::new(left), Box::new(right));
    truth(ExpressionKind::Binary { operator: BinaryOperator::And, left, right }, origin)
}

fn at(process: ProcessId, location: LocationId, origin: Origin) -> Expression {
    truth(ExpressionKind::At { process, location }, origin)
}

/// Returns whether the structure of the processes excludes Zeno runs.
pub(crate) fn structure_excludes_zeno_runs(network: &Network) -> bool {
    let only_set_to_zero = clocks_only_set_to_zero(network);
    network.processes.values().all(|process| {
        // The clocks of this process that may be used, by position in the list.
        let mut clocks: Vec<VariableId> = Vec::new();
        let mut ways = Vec::new();
        for edge in process.edges.values() {
            let demanded: Vec<usize> = edge
                .guard
                .clocks
                .iter()
                .filter_map(|conjunct| clock_demanded_to_be_one(network, conjunct))
                .filter(|clock| only_set_to_zero[clock.index()])
                .map(|clock| position_in(&mut clocks, clock))
                .collect();
            for branch in &edge.branches {
                let reset = branch
                    .updates
                    .iter()
                    .filter_map(clock_set_to_zero)
                    .filter(|clock| only_set_to_zero[clock.index()])
                    .map(|clock| position_in(&mut clocks, clock));
                ways.push(ClockedBranch {
                    source: edge.source.0,
                    target: branch.target.0,
                    reset: reset.collect(),
                    demanded: demanded.clone(),
                });
            }
        }
        let all: Vec<usize> = (0..ways.len()).collect();
        every_cycle_takes_time(&ways, process.locations.len(), &all, clocks.len(), DEEPEST)
    })
}

/// A branch of an edge, with the clocks that it demands to be at least one, and those that it sets to zero.
struct ClockedBranch {
    source: u32,
    target: u32,
    demanded: Vec<usize>,
    reset: Vec<usize>,
}

/// The limit on clocks that are tried for the same cycles.
const DEEPEST: usize = 3;

/// Returns whether each strongly connected set of branches contains one that demands a clock and one that resets it.
fn every_cycle_takes_time(
    ways: &[ClockedBranch],
    locations: usize,
    among: &[usize],
    clocks: usize,
    depth: usize,
) -> bool {
    let adjacency = Adjacency::new(locations, among.iter().map(|&way| Some(ways[way].source)));
    let (component, count) = adjacency.components(|position| ways[among[position as usize]].target);
    (0..count).all(|own| {
        let inside: Vec<usize> = among
            .iter()
            .copied()
            .filter(|&way| {
                component[ways[way].source as usize] == own && component[ways[way].target as usize] == own
            })
            .collect();
        inside.is_empty()
            || depth > 0
                && (0..clocks).any(|clock| {
                    let without = |is_there: &dyn Fn(&ClockedBranch) -> bool| -> Vec<usize> {
                        inside.iter().copied().filter(|&way| !is_there(&ways[way])).collect()
                    };
                    let (undemanded, unreset) = (
                        without(&|way| way.demanded.contains(&clock)),
                        without(&|way| way.reset.contains(&clock)),
                    );
                    undemanded.len() < inside.len()
                        && unreset.len() < inside.len()
                        && every_cycle_takes_time(ways, locations, &undemanded, clocks, depth - 1)
                        && every_cycle_takes_time(ways, locations, &unreset, clocks, depth - 1)
                })
    })
}

/// Returns for each variable whether it is a clock that is only ever set to zero.
fn clocks_only_set_to_zero(network: &Network) -> Vec<bool> {
    let mut is_good: Vec<bool> =
        network.variables.values().map(|variable| variable.value_type == Type::Clock).collect();
    let mut look = |part: &Expression| match &part.kind {
        ExpressionKind::Assign { target, .. } | ExpressionKind::Step { target, .. } => {
            let zeroed = clock_set_to_zero(part);
            target.for_each_target(&mut |variable| is_good[variable.index()] &= zeroed == Some(variable));
        }
        // A function may set an argument passed by reference.
        ExpressionKind::Call { arguments, .. } => {
            for argument in arguments {
                argument.for_each_target(&mut |variable| is_good[variable.index()] = false);
            }
        }
        _ => {}
    };
    tempora_machine::for_each_expression(network, &mut look);
    is_good
}

fn position_in(clocks: &mut Vec<VariableId>, clock: VariableId) -> usize {
    clocks.iter().position(|&other| other == clock).unwrap_or_else(|| {
        clocks.push(clock);
        clocks.len() - 1
    })
}

/// Returns the clock that an update sets to zero.
fn clock_set_to_zero(update: &Expression) -> Option<VariableId> {
    match &update.kind {
        ExpressionKind::Assign { operator: None, target, value }
            if matches!(value.kind, ExpressionKind::Integer(0)) =>
        {
            match target.kind {
                ExpressionKind::Variable(variable) => Some(variable),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the clock that a conjunct of a guard demands to be at least one.
fn clock_demanded_to_be_one(network: &Network, conjunct: &Expression) -> Option<VariableId> {
    let ExpressionKind::CompareClocks { left: Some(left), right: None, comparison, bound } = &conjunct.kind
    else {
        return None;
    };
    let ExpressionKind::Variable(clock) = left.kind else { return None };
    let is_lower = matches!(comparison, Comparison::GreaterOrEqual | Comparison::Greater | Comparison::Equal);
    let constant = evaluate_constant(&network.variables, &network.functions, bound).ok()?.as_integer()?;
    (is_lower && constant >= 1).then_some(clock)
}

#[cfg(test)]
mod tests {
    use super::{ClockedBranch, DEEPEST, every_cycle_takes_time};

    fn way(source: u32, target: u32, demanded: &[usize], reset: &[usize]) -> ClockedBranch {
        ClockedBranch { source, target, demanded: demanded.to_vec(), reset: reset.to_vec() }
    }

    fn takes_time(ways: &[ClockedBranch]) -> bool {
        let all: Vec<usize> = (0..ways.len()).collect();
        every_cycle_takes_time(ways, 3, &all, 2, DEEPEST)
    }

    #[test]
    fn cycle_with_reset_and_lower_bound_takes_time() {
        assert!(takes_time(&[way(0, 1, &[0], &[]), way(1, 0, &[], &[0])]));
        assert!(!takes_time(&[way(0, 1, &[0], &[]), way(1, 0, &[], &[1])]), "the clocks differ");
        assert!(!takes_time(&[way(0, 0, &[0], &[]), way(0, 0, &[], &[0])]), "each loop alone takes no time");
        assert!(!takes_time(&[way(0, 1, &[0], &[0]), way(1, 0, &[], &[]), way(1, 1, &[0], &[])]));
        assert!(!takes_time(&[way(0, 1, &[0], &[0]), way(1, 0, &[], &[]), way(1, 1, &[], &[0])]));
        assert!(takes_time(&[way(0, 0, &[0], &[0]), way(0, 0, &[1], &[1])]), "each loop has its own clock");
        assert!(takes_time(&[way(0, 1, &[], &[]), way(1, 2, &[], &[])]), "there is no cycle");
    }
}
