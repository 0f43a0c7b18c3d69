//! All states of one specification that can be reached, when the environment does what it likes.
//!
//! Invariant: zones are exact, and closed under the delays that the good set allows; a zone is dropped only if a kept one
//! has, for each of its valuations, one that is equal up to the greatest constants (a bisimulation).

use std::collections::HashMap;
use std::rc::Rc;

use tempora_zones::{Constraint, LuBounds, Zone};

use crate::state::{State, StateId, after};
use crate::stop::Stop;
use crate::theory::{SpecificationId, Theory};

/// The states of one specification that can be reached.
#[derive(Default)]
pub(crate) struct Reached {
    /// In the order in which they were found.
    pub(crate) order: Vec<StateId>,
    /// The zones of each.
    pub(crate) zones: HashMap<StateId, Vec<Zone>>,
}

/// What is done with each new zone; `false` ends the search.
pub(crate) type Visit<'visitor> =
    dyn FnMut(&mut Theory<'_>, StateId, &Rc<State>, &Zone) -> Result<bool, Stop> + 'visitor;

/// Whether a kept zone stands for all valuations of a new one.
pub(crate) fn is_covered(
    zone: &Zone,
    kept: &Zone,
    bounds: &LuBounds,
    diagonals: &[Constraint],
) -> Result<bool, Stop> {
    if diagonals.is_empty() {
        return Ok(zone.is_covered_by(kept, bounds));
    }
    Ok(zone.is_covered_with_diagonals(kept, bounds, diagonals)?)
}

impl Theory<'_> {
    /// Goes through all states from the initial one on.
    pub(crate) fn search(&mut self, id: SpecificationId, visit: &mut Visit<'_>) -> Result<Reached, Stop> {
        let initial = self.initial(id)?;
        let mut start = Zone::zero(self[id].dimension);
        let state = self.state(id, initial)?;
        let entry = if state.good.includes_zone(&start)? { Some(start.clone()) } else { None };
        if entry.is_none() {
            start = Zone::empty(self[id].dimension);
        }
        self.search_from(id, initial, vec![start], visit)
    }

    /// Goes through all states from zones of good valuations of a state on.
    pub(crate) fn search_from(
        &mut self,
        id: SpecificationId,
        initial: StateId,
        entries: Vec<Zone>,
        visit: &mut Visit<'_>,
    ) -> Result<Reached, Stop> {
        let mut reached = Reached::default();
        let mut waiting: std::collections::VecDeque<(StateId, Zone)> = std::collections::VecDeque::new();
        let mut stored = 0u64;
        let mut fresh: Vec<(StateId, Zone)> =
            entries.into_iter().filter(|zone| !zone.is_empty()).map(|zone| (initial, zone)).collect();
        let diagonals = self[id].diagonals.clone();
        loop {
            for (target, entry) in fresh.drain(..) {
                let state = self.state(id, target)?;
                // What is known has switched before, if it had time to: whoever enters in a switch has none.
                let mut may_switch = !state.switches.is_empty() && !state.good.includes_zone(&entry)?;
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
                    if !visit(self, target, &state, &zone)? {
                        return Ok(reached);
                    }
                    self.watch.check(stored)?;
                    for one in &state.moves {
                        // In states that say nothing of clocks, one valuation stands for all.
                        let is_special = one.target == StateId::ERROR || one.target == StateId::UNIVERSAL;
                        if is_special && diagonals.is_empty() && reached.zones.contains_key(&one.target) {
                            continue;
                        }
                        for part in one.guard.zones() {
                            let mut taken = zone.clone();
                            if taken.intersect(part)? {
                                waiting.push_back((one.target, after(&one.updates, taken)?));
                            }
                        }
                    }
                }
                if may_switch {
                    for (number, inside) in state.switched(&entry)? {
                        for zone in inside.zones() {
                            waiting.push_back((state.switches[number].target, zone.clone()));
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
