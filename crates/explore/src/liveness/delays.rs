//! Delay while a predicate holds, and the parts of a zone in which predicates hold.
//!
//! Invariant: from each value of the entry of a pair, time reaches a later value of the pair only through values of the
//! predicate that holds during the watch.

use tempora_machine::Predicate;
use tempora_zones::{Bound, Clock, ClockSource, Zone};

use crate::graph::store::NONE;
use crate::liveness::restricted::{Halt, Halted, ObserverClock, Restricted, or_halt, overflow};
use crate::search::deadlock::deadlocked_parts;

/// A part of the values with which a state is entered, and a part of the values after delay: from each value of the
/// first, time reaches a later value of the second only through values of the predicate.
pub(crate) struct DelayPair {
    pub(crate) entry: Zone,
    pub(crate) later: Zone,
}

impl Restricted<'_> {
    /// Returns the upper bound of the observer's clock during the watch, in the state of the target.
    fn observer_limit(&self) -> Option<(Clock, i32)> {
        let limit = match self.restriction.clock {
            ObserverClock::Unused => return None,
            ObserverClock::Ticks => 1,
            ObserverClock::Deadline(deadline) => deadline,
        };
        Some((self.explorer.target.zone_clock(self.observer().1)?, limit))
    }

    /// Computes the delays within the predicate in the state of the target, which is entered with some values.
    pub(crate) fn delay_pairs(
        &mut self,
        entry: &Zone,
        uppers: &[(Clock, Bound)],
        may_delay: bool,
    ) -> Halted<Vec<DelayPair>> {
        let good = self.parts_of_stay(true, entry)?;
        if !may_delay {
            return Ok(good.into_iter().map(|zone| DelayPair { entry: zone.clone(), later: zone }).collect());
        }
        if good.is_empty() {
            return Ok(Vec::new());
        }
        let mut limits = uppers.to_vec();
        if let Some((clock, limit)) = self.observer_limit() {
            limits.push((clock, Bound::weak(limit).map_err(overflow)?));
        }
        let mut all = entry.clone();
        all.up_within(&limits).map_err(overflow)?;
        let bad = self.parts_of_stay(false, &all)?;
        if bad.is_empty() {
            return Ok(vec![DelayPair { entry: entry.clone(), later: all }]);
        }
        let mut pairs = Vec::new();
        for entry in good {
            let mut later = entry.clone();
            later.up_within(&limits).map_err(overflow)?;
            let mut own = vec![DelayPair { entry, later }];
            for bad in &bad {
                or_halt(self.explorer.spend())?;
                own = avoiding(&own, bad).map_err(overflow)?;
            }
            pairs.extend(own);
        }
        Ok(pairs)
    }

    /// Returns the parts of a zone of the target in which a predicate has a truth value.
    pub(crate) fn parts(&mut self, predicate: &Predicate, wanted: bool, zone: &Zone) -> Halted<Vec<Zone>> {
        let deadlocked = if predicate.mentions_deadlock() { self.deadlocked(zone)? } else { Vec::new() };
        or_halt(self.explorer.parts(predicate, wanted, zone, true, &deadlocked))?.map_err(Halt::Failure)
    }

    /// Returns the deadlocked parts of the future of a zone of the target. Leaves the source and the target unchanged.
    fn deadlocked(&mut self, zone: &Zone) -> Halted<Vec<Zone>> {
        let cells = self.explorer.execution.cells().to_vec();
        let source_cells = self.explorer.source_cells.clone();
        let (node, source_may_delay) = (self.explorer.node, self.explorer.source_may_delay);
        let sources: Vec<ClockSource> =
            zone.dimension().clocks().map(|from| ClockSource { from, plus: 0 }).collect();
        let entered = self.arrive(0, &cells, zone, &sources)?;
        let mut deadlocked = Vec::new();
        for state in entered.as_slice() {
            let arrivals = self.successors(&cells, &state.later, state.may_delay, NONE)?;
            let parts = deadlocked_parts(&state.later, state.may_delay, arrivals.as_slice(), usize::MAX);
            self.spare.push(arrivals);
            deadlocked.extend(or_halt(parts)?);
        }
        self.spare.push(entered);
        let explorer = &mut self.explorer;
        explorer.source.set(explorer.bounds, &source_cells);
        explorer.source_cells = source_cells;
        explorer.node = node;
        explorer.source_may_delay = source_may_delay;
        self.set_target(&cells);
        Ok(deadlocked)
    }

    /// Returns the parts of a zone of the target in which the watched predicate holds, or does not hold.
    pub(crate) fn parts_of_stay(&mut self, holds: bool, zone: &Zone) -> Halted<Vec<Zone>> {
        let Some((predicate, wanted)) = self.restriction.stay.take() else {
            return Ok(if holds { vec![zone.clone()] } else { Vec::new() });
        };
        let parts = self.parts(&predicate, wanted == holds, zone);
        self.restriction.stay = Some((predicate, wanted));
        parts
    }
}

/// Removes from pairs the values that time reaches only through a bad zone.
fn avoiding(pairs: &[DelayPair], bad: &Zone) -> Result<Vec<DelayPair>, tempora_zones::BoundOverflow> {
    let mut future = bad.clone();
    future.up();
    let mut avoiding = Vec::new();
    for pair in pairs {
        // Either the later value is before the bad zone,
        for later in pair.later.minus(&future)? {
            avoiding.push(DelayPair { entry: pair.entry.clone(), later });
        }
        // or the entry is after it: the bad zone is convex, so it is not entered again.
        let mut after = pair.entry.clone();
        if after.intersect(&future)? {
            for entry in after.minus(bad)? {
                let mut later = entry.clone();
                later.up();
                if later.intersect(&pair.later)? {
                    avoiding.push(DelayPair { entry, later });
                }
            }
        }
    }
    Ok(avoiding)
}
