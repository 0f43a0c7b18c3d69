//! Which valuations cannot be saved: a timed safety game between a specification, which chooses outputs and delays, and its
//! environment, which chooses inputs.
//!
//! Invariant: a valuation is bad exactly if the environment can bring about, whatever the specification does, a state that
//! must not be reached, or one from which time cannot go on for ever and no output can come. Outputs into bad valuations
//! do not count, so the set grows until nothing changes. Where an output and an input are possible at the same instant,
//! the environment may be first. Outputs that follow each other in no time count as going on.
//!
//! The fixpoint is that of Cassez, David, Fleury, Larsen and Lime, "Efficient on-the-fly algorithms for the analysis of
//! timed games" (2005), for safety.

use std::collections::HashMap;

use tempora_zones::Federation;

use crate::state::{State, StateId, StateKind, before};
use crate::stop::Stop;
use crate::theory::{SpecificationId, Theory};

/// The bad valuations of each state that can be reached; empty if none of them can.
pub(crate) fn bad_valuations(
    theory: &mut Theory<'_>,
    id: SpecificationId,
) -> Result<HashMap<StateId, Federation>, Stop> {
    let mut has_errors = false;
    let reached = theory.search(id, &mut |theory, _, state, zone| {
        if !has_errors {
            let mut wrong = errors_at_once(theory, id, state)?;
            wrong.intersect(&Federation::from(zone.clone()))?;
            has_errors = !wrong.is_empty();
        }
        Ok(true)
    })?;
    // A start that is not good is no state at all.
    let initial = theory.initial(id)?;
    if reached.order.is_empty() {
        let everything = Federation::universe(theory[id].dimension);
        return Ok(HashMap::from([(initial, everything)]));
    }
    if !has_errors {
        return Ok(HashMap::new());
    }
    let mut before_states: HashMap<StateId, Vec<StateId>> = HashMap::new();
    for &state in &reached.order {
        let unfolded = theory.state(id, state)?;
        let targets = unfolded.moves.iter().map(|one| one.target);
        for target in targets.chain(unfolded.switches.iter().map(|switch| switch.target)) {
            let sources = before_states.entry(target).or_default();
            if sources.last() != Some(&state) {
                sources.push(state);
            }
        }
    }
    let mut bad: HashMap<StateId, Federation> = HashMap::new();
    bad.insert(StateId::ERROR, Federation::universe(theory[id].dimension));
    let mut waiting: std::collections::VecDeque<StateId> = reached.order.iter().copied().collect();
    let mut waits: HashMap<StateId, bool> = reached.order.iter().map(|&state| (state, true)).collect();
    let mut rounds = 0;
    while let Some(state) = waiting.pop_front() {
        waits.insert(state, false);
        rounds += 1;
        theory.watch.check(rounds)?;
        let unfolded = theory.state(id, state)?;
        let outputs = theory[id].alphabet.outputs.clone();
        let new = bad_of_state(&unfolded, state, &bad, |action| outputs.contains(&action))?;
        let has_grown = match bad.get(&state) {
            Some(old) => !new.is_subset_of(old)?,
            None => !new.is_empty(),
        };
        if has_grown {
            bad.insert(state, new);
            for &source in before_states.get(&state).into_iter().flatten() {
                if !waits.insert(source, true).unwrap_or(true) {
                    waiting.push_back(source);
                }
            }
        }
    }
    Ok(bad)
}

/// Valuations that are wrong whatever happens elsewhere: errors, and those from which nothing leads on.
pub(crate) fn errors_at_once(
    theory: &Theory<'_>,
    id: SpecificationId,
    state: &State,
) -> Result<Federation, Stop> {
    if state.kind == StateKind::Error {
        return Ok(state.good.clone());
    }
    let outputs = &theory[id].alphabet.outputs;
    let mut going_on = Federation::empty(state.good.dimension());
    for one in state.moves.iter().filter(|one| outputs.contains(&one.action)) {
        going_on.union(one.guard.clone());
    }
    for switch in &state.switches {
        going_on.union(switch.region.clone());
    }
    stuck(state, &going_on)
}

/// Valuations from which time cannot go on for ever and leads to no valuation of a set.
fn stuck(state: &State, going_on: &Federation) -> Result<Federation, Stop> {
    let mut ending = state.good.complement()?;
    if ending.is_empty() {
        return Ok(ending);
    }
    ending.down();
    let mut stuck = state.good.clone();
    // Where time never leads outside it goes on for ever.
    stuck.intersect(&ending)?;
    if !stuck.is_empty() {
        stuck.subtract(&going_on.timed_predecessors(&state.time_ends()?)?)?;
    }
    Ok(stuck)
}

fn bad_of_state(
    state: &State,
    id: StateId,
    bad: &HashMap<StateId, Federation>,
    is_output: impl Fn(crate::action::ActionId) -> bool,
) -> Result<Federation, Stop> {
    let dimension = state.good.dimension();
    if state.kind == StateKind::Error {
        return Ok(state.good.clone());
    }
    let mut safe = Federation::empty(dimension);
    let mut thrown = Federation::empty(dimension);
    if let Some(known) = bad.get(&id) {
        thrown.union(known.clone());
    }
    for one in &state.moves {
        let bad_before = match bad.get(&one.target) {
            Some(set) if !set.is_empty() => Some(before(&one.updates, set.clone())?),
            _ => None,
        };
        let mut guard = one.guard.clone();
        match (is_output(one.action), bad_before) {
            (true, None) => safe.union(guard),
            (true, Some(bad_before)) => {
                guard.subtract(&bad_before)?;
                safe.union(guard);
            }
            (false, None) => {}
            (false, Some(bad_before)) => {
                guard.intersect(&bad_before)?;
                thrown.union(guard);
            }
        }
    }
    for switch in &state.switches {
        let mut region = switch.region.clone();
        if let Some(set) = bad.get(&switch.target) {
            let mut lost = region.clone();
            lost.intersect(set)?;
            thrown.union(lost);
            region.subtract(set)?;
        }
        safe.union(region);
    }
    safe.reduce()?;
    thrown.union(stuck(state, &safe)?);
    thrown.reduce()?;
    safe.subtract(&thrown)?;
    safe.reduce()?;
    // Where time is stopped, nothing is reached.
    let mut avoided = state.time_ends()?;
    avoided.union(safe);
    let mut result = thrown.timed_predecessors(&avoided)?;
    result.intersect(&state.good)?;
    result.reduce()?;
    Ok(result)
}
