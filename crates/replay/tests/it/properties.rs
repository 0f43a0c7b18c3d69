//! Random networks: results for all delays at once are compared with results at single instants.
//!
//! Constants are integers and clocks multiples of a quarter, so that everything that changes with the delay does so at
//! multiples of a quarter: a grid of eighths covers all of it.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tempora_evidence::{Rational, Transition, TransitionKind};
use tempora_model::{
    BinaryOperator, ChannelKind, Comparison, Expression, LocationKind, ProcessId, Type, VariableKind,
};
use tempora_replay::{ConcreteState, StepOutcome};

use crate::common::*;

/// A random stream of choices.
struct Choices(u64);

impl Choices {
    fn below(&mut self, limit: u64) -> u64 {
        // Steele, Lea and Flood 2014.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }

    fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }
}

fn clock_condition(choices: &mut Choices, clocks: &[Expression], comparisons: &[Comparison]) -> Expression {
    let left = &clocks[choices.below(2) as usize];
    let comparison = comparisons[choices.below(comparisons.len() as u64) as usize];
    let bound = choices.below(4) as i32;
    let simple = if choices.one_in(5) {
        when_difference(&clocks[0], &clocks[1], comparison, bound - 2)
    } else {
        when(left, comparison, bound)
    };
    if choices.one_in(6) { binary(BinaryOperator::Or, simple, when(left, MORE, bound + 1)) } else { simple }
}

/// Builds three processes with two locations and up to three edges each, two clocks, a variable and three channels.
fn random_network(choices: &mut Choices) -> Build {
    let mut build = Build::default();
    let clocks = [build.clock("x"), build.clock("y")];
    let v = build.integer("v", 0, 1);
    let channels =
        [(false, false), (true, false), (false, true), (true, true)].map(|(is_urgent, is_broadcast)| {
            build.variable("c", Type::Channel(ChannelKind { is_urgent, is_broadcast }), VariableKind::State)
        });
    let has_priorities = choices.one_in(4);
    for name in ["P", "Q", "R"] {
        let process = build.process(name, 2);
        if has_priorities {
            build.network.processes[process].priority = choices.below(2) as u32;
        }
        for location in 0..2 {
            if choices.one_in(2) {
                let part = clock_condition(choices, &clocks, &[LESS, AT_MOST, AT_MOST, AT_LEAST]);
                build.invariant(process, location, part);
            }
            if choices.one_in(8) {
                build.invariant(process, location, equal(v.clone(), number(choices.below(2) as i32)));
            }
            if choices.one_in(8) {
                build.location(process, location).kind =
                    if choices.one_in(2) { LocationKind::Urgent } else { LocationKind::Committed };
            }
        }
        for _ in 0..3 {
            let mut next = edge(choices.below(2) as u32, choices.below(2) as u32);
            if choices.one_in(2) {
                next = next.guard(clock_condition(choices, &clocks, &[LESS, AT_MOST, EQUAL, AT_LEAST, MORE]));
            }
            if choices.one_in(4) {
                next = next.guard(equal(v.clone(), number(choices.below(2) as i32)));
            }
            let channel = &channels[choices.below(4) as usize];
            next = match choices.below(3) {
                0 => next.send(channel),
                1 => next.receive(channel),
                _ => next,
            };
            if choices.one_in(3) {
                next =
                    next.update(assign(&clocks[choices.below(2) as usize], number(choices.below(3) as i32)));
            }
            if choices.one_in(5) {
                next = next.update(assign(&clocks[0], clocks[1].clone()));
            }
            if choices.one_in(3) {
                next = next.update(assign(&v, number(choices.below(2) as i32)));
            }
            build.edge(process, next);
        }
    }
    build
}

/// Returns the state with all clocks advanced, whether that is allowed or not.
fn shifted(state: &ConcreteState, delay: Rational) -> ConcreteState {
    let mut later = state.clone();
    later.clocks.iter_mut().for_each(|clock| *clock += delay);
    later
}

fn invariants_hold(build: &Build, state: &ConcreteState) -> bool {
    build.network.processes.values().zip(&state.locations).all(|(process, location)| {
        let invariant = &process.locations[*location].invariant;
        let mut parts = invariant.data.iter().chain(&invariant.clocks);
        parts.all(|part| build.interpreter().holds(state, part).unwrap())
    })
}

/// Returns whether a synchronisation on an urgent channel is possible; priorities are left out of the network for this.
fn urgent_is_possible(build: &Build, state: &ConcreteState) -> bool {
    let mut build = build.clone();
    for process in build.network.processes.ids() {
        build.network.processes[process].priority = 0;
    }
    build.interpreter().enabled_transitions(state).unwrap().iter().any(|enabled| {
        let first = &enabled.transition.participants[0];
        let edge = &build.network.processes[first.process].edges[first.edge];
        edge.synchronisation
            .as_ref()
            .is_some_and(|own| matches!(own.channel.value_type, Type::Channel(kind) if kind.is_urgent))
    })
}

/// Returns whether a delay is allowed, instant by instant.
fn delay_is_allowed(build: &Build, state: &ConcreteState, eighths: i64) -> bool {
    let stands_still = build
        .network
        .processes
        .values()
        .zip(&state.locations)
        .any(|(process, location)| process.locations[*location].kind != LocationKind::Ordinary);
    eighths == 0
        || (!stands_still
            && (0..=eighths).all(|moment| invariants_hold(build, &shifted(state, time(moment, 8))))
            // Twice as fine, to include the time just before the end of the delay.
            && (0..2 * eighths).all(|moment| !urgent_is_possible(build, &shifted(state, time(moment, 16)))))
}

/// Returns all conceivable transitions, by trying all edges together.
fn conceivable(build: &Build) -> Vec<Transition> {
    let edges: Vec<(ProcessId, u32)> = build
        .network
        .processes
        .iter()
        .flat_map(|(process, automaton)| automaton.edges.ids().map(move |edge| (process, edge.0)))
        .collect();
    let mut all = Vec::new();
    for &first in &edges {
        all.push(together(TransitionKind::Internal, &[first]));
        all.push(together(TransitionKind::Broadcast, &[first]));
        for &second in &edges {
            all.push(together(TransitionKind::Binary, &[first, second]));
            all.push(together(TransitionKind::Broadcast, &[first, second]));
            for &third in &edges {
                all.push(together(TransitionKind::Broadcast, &[first, second, third]));
            }
        }
    }
    all
}

/// The extent of the grid: beyond all constants.
const HORIZON: i64 = 8 * 7;

fn check_state(build: &Build, state: &ConcreteState) {
    let interpreter = build.interpreter();
    let allowed = interpreter.allowed_delays(state).unwrap();
    let actions = interpreter.action_delays(state).unwrap();
    let mut some_action = false;
    for eighths in 0..HORIZON {
        let delay = time(eighths, 8);
        let is_allowed = delay_is_allowed(build, state, eighths);
        assert_eq!(allowed.contains(delay), is_allowed, "delay {delay} of {allowed}");
        let attempted = interpreter.attempt_delay(state, delay);
        match is_allowed {
            true => {
                assert_eq!(attempted, StepOutcome::Possible(shifted(state, delay)));
                let has_action = !interpreter.enabled_transitions(&shifted(state, delay)).unwrap().is_empty();
                assert_eq!(actions.contains(delay), has_action, "action after {delay} of {actions}");
                some_action |= has_action;
            }
            false => assert!(matches!(attempted, StepOutcome::Impossible(_)), "{attempted:?}"),
        }
    }
    assert_eq!(interpreter.is_deadlocked(state).unwrap(), !some_action);
    let enabled: BTreeSet<Transition> = interpreter
        .enabled_transitions(state)
        .unwrap()
        .into_iter()
        .map(|enabled| enabled.transition)
        .collect();
    let possible: BTreeSet<Transition> = conceivable(build)
        .into_iter()
        .filter(|transition| matches!(interpreter.attempt(state, transition), StepOutcome::Possible(_)))
        .collect();
    assert_eq!(enabled, possible);
}

/// Returns a random step from a state, with a delay of quarters.
fn random_step(build: &Build, state: &ConcreteState, choices: &mut Choices) -> Option<ConcreteState> {
    let interpreter = build.interpreter();
    let allowed = interpreter.allowed_delays(state).unwrap();
    let delays: Vec<Rational> =
        (0..20).map(|quarters| time(quarters, 4)).filter(|&delay| allowed.contains(delay)).collect();
    let later = build.later(state, delays[choices.below(delays.len() as u64) as usize]);
    let mut enabled = interpreter.enabled_transitions(&later).unwrap();
    if enabled.is_empty() {
        return None;
    }
    let chosen = enabled.swap_remove(choices.below(enabled.len() as u64) as usize);
    chosen.result.ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn delay_sets_agree_with_single_instants(seed in any::<u64>()) {
        let mut choices = Choices(seed);
        let build = random_network(&mut choices);
        let mut state = build.start();
        if invariants_hold(&build, &state) {
            for _ in 0..6 {
                check_state(&build, &state);
                match random_step(&build, &state, &mut choices) {
                    Some(next) => state = next,
                    None => break,
                }
            }
        }
    }
}
