//! Explores the reachable states of one specification in a free environment.
//!
//! Invariant: zones are exact, and closed under the delays that the good set allows; a zone is dropped only if a stored
//! one has, for each of its valuations, one that is equal up to the maximal constants (a bisimulation).

use std::collections::HashMap;
use std::rc::Rc;

use tempora_zones::{Constraint, LuBounds, Zone};

use crate::search_abort::SearchAbort;
use crate::state::{State, StateId, after};
use crate::theory::{SpecificationId, Theory};

/// The reachable states of one specification.
#[derive(Default)]
pub(crate) struct Reached {
    /// In the order of discovery.
    pub(crate) order: Vec<StateId>,
    /// The stored zones of each state.
    pub(crate) zones: HashMap<StateId, Vec<Zone>>,
}

/// A stored zone, with its parent.
pub(crate) struct Visited {
    pub(crate) state: StateId,
    /// The zone before the delay.
    pub(crate) entry: Zone,
    /// The zone after the delay.
    pub(crate) zone: Zone,
    pub(crate) parent: Option<(usize, Via)>,
}

/// A transition from the parent, by its position in the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Via {
    Move(usize),
    /// A delay that switches states.
    Switch(usize),
}

/// Called for each new zone; `false` ends the search.
pub(crate) type Visit<'visitor> =
    dyn FnMut(&mut Theory<'_>, StateId, &Rc<State>, &Zone) -> Result<bool, SearchAbort> + 'visitor;

/// A successor: its state, its zone, and its parent.
type Arrival = (StateId, Zone, Option<(usize, Via)>);

/// Records a visited zone and returns its position, if a history is wanted.
fn noted(
    history: &mut Option<&mut Vec<Visited>>,
    state: StateId,
    entry: &Zone,
    zone: &Zone,
    parent: Option<(usize, Via)>,
) -> usize {
    let Some(history) = history else { return 0 };
    history.push(Visited { state, entry: entry.clone(), zone: zone.clone(), parent });
    history.len() - 1
}

/// Returns whether a stored zone covers a new one.
pub(crate) fn is_covered(
    zone: &Zone,
    kept: &Zone,
    bounds: &LuBounds,
    diagonals: &[Constraint],
) -> Result<bool, SearchAbort> {
    if diagonals.is_empty() {
        return Ok(zone.is_covered_by(kept, bounds));
    }
    Ok(zone.is_covered_with_diagonals(kept, bounds, diagonals)?)
}

impl Theory<'_> {
    /// Explores all states from the initial one.
    pub(crate) fn search(
        &mut self,
        id: SpecificationId,
        visit: &mut Visit<'_>,
    ) -> Result<Reached, SearchAbort> {
        let initial = self.initial(id)?;
        let mut start = Zone::zero(self[id].dimension);
        let state = self.state(id, initial)?;
        let entry = if state.good.includes_zone(&start)? { Some(start.clone()) } else { None };
        if entry.is_none() {
            start = Zone::empty(self[id].dimension);
        }
        self.search_from(id, initial, vec![start], None, visit)
    }

    /// Explores all states from zones of a given state; records the path to each zone in `history`, if given.
    pub(crate) fn search_from(
        &mut self,
        id: SpecificationId,
        initial: StateId,
        entries: Vec<Zone>,
        mut history: Option<&mut Vec<Visited>>,
        visit: &mut Visit<'_>,
    ) -> Result<Reached, SearchAbort> {
        let mut reached = Reached::default();
        let mut waiting: std::collections::VecDeque<Arrival> = std::collections::VecDeque::new();
        let mut stored = 0u64;
        let mut fresh: Vec<Arrival> =
            entries.into_iter().filter(|zone| !zone.is_empty()).map(|zone| (initial, zone, None)).collect();
        let diagonals = self[id].diagonals.clone();
        loop {
            for (target, entry, parent) in fresh.drain(..) {
                let state = self.state(id, target)?;
                // The switches of a covered zone are covered, unless it is entered in a switch region, where it cannot
                // delay.
                let mut may_switch = !state.switches.is_empty() && !state.good.includes_zone(&entry)?;
                let mut own = None;
                for zone in state.delayed(entry.clone())? {
                    let known = reached.zones.entry(target).or_insert_with(|| {
                        reached.order.push(target);
                        Vec::new()
                    });
                    let mut is_known = false;
                    for kept in known.iter() {
                        if is_covered(&zone, kept, &state.bounds, &diagonals)? {
                            is_known = true;
                            break;
                        }
                    }
                    if is_known {
                        continue;
                    }
                    known.push(zone.clone());
                    may_switch = !state.switches.is_empty();
                    stored += 1;
                    let number = noted(&mut history, target, &entry, &zone, parent);
                    own = Some(number);
                    if !visit(self, target, &state, &zone)? {
                        return Ok(reached);
                    }
                    self.watch.check(stored)?;
                    for (position, one) in state.moves.iter().enumerate() {
                        // Special states do not constrain clocks, so one valuation represents all.
                        let is_special = one.target == StateId::ERROR || one.target == StateId::UNIVERSAL;
                        if is_special && diagonals.is_empty() && reached.zones.contains_key(&one.target) {
                            continue;
                        }
                        for part in one.guard.zones() {
                            let mut taken = zone.clone();
                            if taken.intersect(part)? {
                                let parent = Some((number, Via::Move(position)));
                                waiting.push_back((one.target, after(&one.updates, taken)?, parent));
                            }
                        }
                    }
                }
                if may_switch {
                    for (number, inside) in state.switched(&entry)? {
                        // A zone that is entered in a switch region is not stored.
                        let own =
                            *own.get_or_insert_with(|| noted(&mut history, target, &entry, &entry, parent));
                        for zone in inside.zones() {
                            let parent = Some((own, Via::Switch(number)));
                            waiting.push_back((state.switches[number].target, zone.clone(), parent));
                        }
                    }
                }
            }
            match waiting.pop_front() {
                Some(next) => fresh.push(next),
                None => return Ok(reached),
            }
        }
    }
}
