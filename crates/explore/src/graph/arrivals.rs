//! Recorded successors of a zone, for searches that need more than the next state.
//!
//! Invariant: the arrivals of an expansion are in the order of their ordinals, each with everything that `explorer.rs`
//! knew about the step. The list reuses its memory for the next expansion.

use std::ops::ControlFlow;

use tempora_zones::{Bound, BoundOverflow, Clock, ClockSource, Constraint, Zone};

use crate::graph::explorer::{SearchStop, too_large};
use crate::liveness::bounded_time::ClockUse;

/// A successor of a zone, with the transition that leads to it.
pub(crate) struct Arrival {
    /// The number of the successor.
    pub(crate) ordinal: u32,
    /// The values of the source that satisfy the guards, before the invariants of the target restrict them.
    pub(crate) guarded: Zone,
    /// The source of each clock's value in the target.
    pub(crate) sources: Vec<ClockSource>,
    pub(crate) cells: Vec<i32>,
    /// The values right after the transition, within the invariants.
    pub(crate) entry: Zone,
    /// The values after all allowed delays.
    pub(crate) later: Zone,
    /// The upper bounds of the invariants of the target.
    pub(crate) uppers: Vec<(Clock, Bound)>,
    pub(crate) may_delay: bool,
    /// The effect of the transition on clocks, if recorded.
    pub(crate) clocks: ClockUse,
}

/// The successors of a zone.
#[derive(Default)]
pub(crate) struct Arrivals {
    list: Vec<Arrival>,
    used: usize,
}

impl Arrivals {
    pub(crate) fn clear(&mut self) {
        self.used = 0;
    }

    pub(crate) fn as_slice(&self) -> &[Arrival] {
        &self.list[..self.used]
    }

    /// Appends the arrivals of another list.
    pub(crate) fn append(&mut self, others: &[Arrival]) {
        for other in others {
            self.begin(other.ordinal, &other.guarded, &other.sources);
            self.enter(&other.entry, &other.uppers);
            self.finish(&other.cells, &other.later, other.may_delay);
        }
    }

    /// Starts a new arrival: the transition is taken with these values.
    pub(crate) fn begin(&mut self, ordinal: u32, guarded: &Zone, sources: &[ClockSource]) {
        if self.used == self.list.len() {
            self.list.push(Arrival {
                ordinal,
                guarded: guarded.clone(),
                sources: sources.to_vec(),
                cells: Vec::new(),
                entry: guarded.clone(),
                later: guarded.clone(),
                uppers: Vec::new(),
                may_delay: false,
                clocks: ClockUse::default(),
            });
            return;
        }
        let arrival = &mut self.list[self.used];
        arrival.ordinal = ordinal;
        arrival.guarded.clone_from(guarded);
        arrival.sources.clear();
        arrival.sources.extend_from_slice(sources);
    }

    /// Records the effect of the transition on clocks.
    pub(crate) fn note_clock_use(&mut self, clocks: ClockUse) {
        if let Some(arrival) = self.list.get_mut(self.used) {
            arrival.clocks = clocks;
        }
    }

    /// Records the values with which the target is entered.
    pub(crate) fn enter(&mut self, entry: &Zone, uppers: &[(Clock, Bound)]) {
        if let Some(arrival) = self.list.get_mut(self.used) {
            arrival.entry.clone_from(entry);
            arrival.uppers.clear();
            arrival.uppers.extend_from_slice(uppers);
        }
    }

    /// Completes the arrival with the values of the target after delays.
    pub(crate) fn finish(&mut self, cells: &[i32], later: &Zone, may_delay: bool) {
        if let Some(arrival) = self.list.get_mut(self.used) {
            arrival.cells.clear();
            arrival.cells.extend_from_slice(cells);
            arrival.later.clone_from(later);
            arrival.may_delay = may_delay;
            self.used += 1;
        }
    }
}

impl Arrival {
    /// Computes the predecessor: the values of the source from which the transition leads into a part of the target.
    ///
    /// The transition is a function on clock values, so constraints on target clocks become constraints on their
    /// sources.
    pub(crate) fn predecessor(&self, part: &Zone) -> ControlFlow<SearchStop, Zone> {
        match self.try_predecessor(part) {
            Ok(zone) => ControlFlow::Continue(zone),
            Err(overflow) => ControlFlow::Break(too_large(overflow)),
        }
    }

    fn try_predecessor(&self, part: &Zone) -> Result<Zone, BoundOverflow> {
        let mut before = self.guarded.clone();
        let mut image = part.clone();
        image.assign_from(&self.guarded, &self.sources)?;
        let reference = ClockSource { from: Clock::REFERENCE, plus: 0 };
        let source = |clock: u16| match clock {
            0 => reference,
            clock => self.sources[usize::from(clock) - 1],
        };
        let size = self.sources.len() as u16 + 1;
        for left in 0..size {
            for right in 0..size {
                let bound = part.bound(Clock(left), Clock(right));
                // A constraint that holds for all values after the transition is redundant.
                if left == right || bound >= image.bound(Clock(left), Clock(right)) {
                    continue;
                }
                let Some(constant) = bound.constant() else { continue };
                let (of_left, of_right) = (source(left), source(right));
                let constant = i64::from(constant) - i64::from(of_left.plus) + i64::from(of_right.plus);
                let bound = Bound::finite(constant, bound.is_weak())?;
                let is_left = if of_left.from == of_right.from {
                    bound >= Bound::LE_ZERO
                } else {
                    before.constrain(Constraint::difference(of_left.from, of_right.from, bound))?
                };
                if !is_left {
                    return Ok(Zone::empty(before.dimension()));
                }
            }
        }
        Ok(before)
    }
}
