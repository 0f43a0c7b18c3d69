//! Pruning: a timed safety game between a specification, which controls outputs and delays, and its environment, which
//! controls inputs.
//!
//! Invariant: a valuation is bad if and only if the environment can force, whatever the specification does, an error
//! state, or a state with neither an unbounded delay nor an output. Outputs into bad valuations do not count, so the
//! set is a least fixpoint. If an output and an input are possible at the same instant, the environment may move first.
//! Consecutive outputs without delay count as progress.
//!
//! The fixpoint is that of Cassez, David, Fleury, Larsen and Lime, "Efficient on-the-fly algorithms for the analysis of
//! timed games" (2005), for safety.

use std::collections::{HashMap, VecDeque};

use tempora_zones::{Bound, Clock, Federation, OpenMatrix, Zone};

use crate::action::ActionId;
use crate::search_abort::SearchAbort;
use crate::state::{Move, State, StateId, StateKind, Switch, before};
use crate::theory::{SpecificationId, Theory};

/// Valuations of a state that became bad in one step of the fixpoint computation.
pub(crate) struct Increment {
    pub(crate) state: StateId,
    pub(crate) valuations: Federation,
    /// The inputs that lead from some of them to valuations that were bad before.
    pub(crate) losing_inputs: Vec<(ActionId, StateId, Federation)>,
}

/// Returns the bad valuations of each reachable state; empty if there are none.
pub(crate) fn bad_valuations(
    theory: &mut Theory<'_>,
    id: SpecificationId,
) -> Result<HashMap<StateId, Federation>, SearchAbort> {
    bad_valuations_in_order(theory, id, None)
}

/// Returns the bad valuations of each reachable state, and records the order in which they are found.
pub(crate) fn bad_valuations_in_order(
    theory: &mut Theory<'_>,
    id: SpecificationId,
    mut increments: Option<&mut Vec<Increment>>,
) -> Result<HashMap<StateId, Federation>, SearchAbort> {
    let mut has_errors = false;
    let reached = theory.search(id, &mut |theory, _, state, zone| {
        has_errors = has_errors || !immediate_errors(theory, id, state, zone)?.is_empty();
        Ok(true)
    })?;
    // A bad initial state is no state at all.
    let initial = theory.initial(id)?;
    if reached.order.is_empty() {
        let everything = Federation::universe(theory[id].dimension);
        return Ok(HashMap::from([(initial, everything)]));
    }
    if !has_errors {
        return Ok(HashMap::new());
    }
    let mut sources: HashMap<StateId, Vec<StateId>> = HashMap::new();
    let mut arenas: HashMap<StateId, Arena> = HashMap::new();
    for &state in &reached.order {
        let unfolded = theory.state(id, state)?;
        let targets = unfolded.moves.iter().map(|one| one.target);
        for target in targets.chain(unfolded.switches.iter().map(|switch| switch.target)) {
            let sources = sources.entry(target).or_default();
            if sources.last() != Some(&state) {
                sources.push(state);
            }
        }
        arenas.insert(state, Arena::new(&unfolded, &reached.zones[&state])?);
    }
    let outputs = theory[id].alphabet.outputs.clone();
    let mut bad: HashMap<StateId, Federation> = HashMap::new();
    bad.insert(StateId::ERROR, Federation::universe(theory[id].dimension));
    let mut waiting: VecDeque<StateId> = reached.order.iter().rev().copied().collect();
    let mut waits: HashMap<StateId, bool> = reached.order.iter().map(|&state| (state, true)).collect();
    let mut rounds = 0;
    while let Some(state) = waiting.pop_front() {
        waits.insert(state, false);
        rounds += 1;
        theory.watch.check(rounds)?;
        let Some(arena) = arenas.get(&state) else { continue };
        let new = arena.bad(state, &bad, |action| outputs.contains(&action))?;
        let has_grown = match bad.get(&state) {
            Some(old) => !new.is_subset_of(old)?,
            None => !new.is_empty(),
        };
        if has_grown {
            if let Some(increments) = &mut increments {
                let mut valuations = new.clone();
                if let Some(old) = bad.get(&state) {
                    valuations.subtract(old)?;
                }
                let losing_inputs =
                    arena.losing_inputs(&bad, &valuations, |action| outputs.contains(&action))?;
                increments.push(Increment { state, valuations, losing_inputs });
            }
            bad.insert(state, new);
            for &source in sources.get(&state).into_iter().flatten() {
                if !waits.insert(source, true).unwrap_or(true) {
                    waiting.push_back(source);
                }
            }
        }
    }
    Ok(bad)
}

/// Returns the valuations of a zone, closed under delay, that are bad by themselves: those of an error state, and those
/// with neither an unbounded delay nor an output.
pub(crate) fn immediate_errors(
    theory: &Theory<'_>,
    id: SpecificationId,
    state: &State,
    zone: &Zone,
) -> Result<Federation, SearchAbort> {
    let dimension = state.good.dimension();
    if state.kind == StateKind::Error {
        return Ok(Federation::from(zone.clone()));
    }
    let outputs = &theory[id].alphabet.outputs;
    let mut future = zone.clone();
    future.up();
    // An unbounded delay is progress, even if it switches states.
    if !state.switches.is_empty() && !intersects(state.time_ends()?, &future)? {
        return Ok(Federation::empty(dimension));
    }
    let guards = state.moves.iter().filter(|one| outputs.contains(&one.action)).map(|one| &one.guard);
    let regions = state.switches.iter().map(|switch| &switch.region);
    let mut progress = Vec::new();
    for part in guards.chain(regions).flat_map(Federation::zones) {
        let mut part = part.clone();
        if part.intersect(&future)? {
            progress.push(part);
        }
    }
    if let ([good], []) = (state.good.zones(), state.switches.as_slice()) {
        if dimension.clocks().all(|clock| good.bound(clock, Clock::REFERENCE).is_infinite()) {
            return Ok(Federation::empty(dimension));
        }
        let mut stuck = Federation::from(zone.clone());
        for mut part in progress {
            part.down();
            stuck.subtract_zone(&part)?;
            if stuck.is_empty() {
                break;
            }
        }
        return Ok(stuck);
    }
    let mut outside = Federation::from(future);
    outside.subtract(&state.good)?;
    let mut ends = outside.clone();
    for switch in &state.switches {
        ends.subtract(&switch.region)?;
    }
    stuck_in(Federation::from(zone.clone()), outside, &Federation::from_zones(dimension, progress), &ends)
}

/// Returns whether a set intersects a zone.
fn intersects(set: &Federation, zone: &Zone) -> Result<bool, SearchAbort> {
    for part in set.zones() {
        if part.intersects(zone)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the good valuations from which every delay leaves the good set without passing through `progress`.
fn stuck_in(
    good: Federation,
    mut outside: Federation,
    progress: &Federation,
    ends: &Federation,
) -> Result<Federation, SearchAbort> {
    let mut stuck = good;
    outside.down();
    stuck.intersect(&outside)?;
    if !stuck.is_empty() {
        stuck.subtract(&progress.timed_predecessors(ends)?)?;
    }
    Ok(stuck)
}

/// A state restricted to reachable valuations and those equivalent to them up to the maximal constants.
///
/// Smaller sets consist of fewer zones, and sets of such valuations respect the equivalence of the covering test.
struct Arena {
    kind: StateKind,
    good: Federation,
    /// The delay successors of good valuations that are not good.
    outside: Federation,
    /// The delay successors that are neither good nor in a switch region.
    ends: Federation,
    moves: Vec<Move>,
    switches: Vec<Switch>,
}

impl Arena {
    fn new(state: &State, zones: &[Zone]) -> Result<Arena, SearchAbort> {
        let dimension = state.good.dimension();
        let mut hull = Zone::empty(dimension);
        for zone in zones {
            if hull.is_empty() {
                hull = zone.clone();
            } else {
                hull.extend_to_hull(zone);
            }
        }
        let hull = saturated(&hull, &state.maxima)?;
        let mut future = hull.clone();
        future.up();
        let hull = Federation::from(hull);
        let future = Federation::from(future);
        let mut good = state.good.clone();
        good.intersect(&hull)?;
        let mut outside = future.clone();
        outside.subtract(&state.good)?;
        let mut ends = outside.clone();
        let mut switches = state.switches.clone();
        for switch in &mut switches {
            switch.region.intersect(&future)?;
            ends.subtract(&switch.region)?;
        }
        let mut moves = Vec::with_capacity(state.moves.len());
        for one in &state.moves {
            let mut guard = one.guard.clone();
            guard.intersect(&hull)?;
            if !guard.is_empty() {
                moves.push(Move { guard, ..one.clone() });
            }
        }
        Ok(Arena { kind: state.kind, good, outside, ends, moves, switches })
    }

    /// Returns the inputs that lead from some of these valuations to bad ones found so far.
    fn losing_inputs(
        &self,
        bad: &HashMap<StateId, Federation>,
        valuations: &Federation,
        is_output: impl Fn(ActionId) -> bool,
    ) -> Result<Vec<(ActionId, StateId, Federation)>, SearchAbort> {
        let mut losing_inputs = Vec::new();
        for one in self.moves.iter().filter(|one| !is_output(one.action)) {
            let Some(set) = bad.get(&one.target) else { continue };
            let mut losing = before(&one.updates, set.clone())?;
            losing.intersect(&one.guard)?;
            losing.intersect(valuations)?;
            if !losing.is_empty() {
                losing_inputs.push((one.action, one.target, losing));
            }
        }
        Ok(losing_inputs)
    }

    /// Returns the bad valuations found so far.
    fn bad(
        &self,
        id: StateId,
        bad: &HashMap<StateId, Federation>,
        is_output: impl Fn(ActionId) -> bool,
    ) -> Result<Federation, SearchAbort> {
        if self.kind == StateKind::Error {
            return Ok(self.good.clone());
        }
        let dimension = self.good.dimension();
        let mut safe = Federation::empty(dimension);
        let mut losing = bad.get(&id).cloned().unwrap_or_else(|| Federation::empty(dimension));
        for one in &self.moves {
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
                    losing.union(guard);
                }
            }
        }
        for switch in &self.switches {
            let mut region = switch.region.clone();
            if let Some(set) = bad.get(&switch.target) {
                let mut lost = region.clone();
                lost.intersect(set)?;
                losing.union(lost);
                region.subtract(set)?;
            }
            safe.union(region);
        }
        safe.reduce()?;
        losing.union(stuck_in(self.good.clone(), self.outside.clone(), &safe, &self.ends)?);
        losing.reduce()?;
        if losing.is_empty() {
            return Ok(losing);
        }
        safe.subtract(&losing)?;
        safe.reduce()?;
        // Delays cannot pass through a set that stops them.
        let mut avoided = self.ends.clone();
        avoided.union(safe);
        let mut result = losing.timed_predecessors(&avoided)?;
        result.intersect(&self.good)?;
        result.reduce()?;
        Ok(result)
    }
}

/// Returns the smallest zone that includes a zone and is closed under equivalence up to the maximal constants.
fn saturated(zone: &Zone, maxima: &[Option<i32>]) -> Result<Zone, SearchAbort> {
    let dimension = zone.dimension();
    let mut matrix = OpenMatrix::from_zone(zone);
    for (clock, &most) in dimension.clocks().zip(maxima) {
        let (upper, lower) = (zone.bound(clock, Clock::REFERENCE), zone.bound(Clock::REFERENCE, clock));
        let is_below = most.is_some_and(|most| upper.constant().is_some_and(|constant| constant <= most));
        if is_below {
            continue;
        }
        for other in dimension.clocks().filter(|&other| other != clock) {
            matrix.set(clock, other, Bound::INFINITY);
            matrix.set(other, clock, Bound::INFINITY);
        }
        matrix.set(clock, Clock::REFERENCE, Bound::INFINITY);
        let capped = match most {
            Some(most) => Bound::finite(-i64::from(most), false)?,
            None => Bound::weak(0)?,
        };
        matrix.set(Clock::REFERENCE, clock, lower.max(capped));
    }
    let mut result = Zone::empty(dimension);
    result.assign_closure(&matrix)?;
    Ok(result)
}
