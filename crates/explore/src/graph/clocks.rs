//! The mapping between clocks of a zone and clocks of the network, in one state.
//!
//! Invariant: a zone has a clock for each clock of the network that is active in its state, in the same order. Clocks
//! of the network count from 1 here, and 0 is the reference clock, as in the machine's constraints.

use tempora_machine::ClockConstraint;
use tempora_zones::{Bound, Clock, Constraint, Dimension, Zone};

use crate::graph::bounds::ClockBounds;

const NONE: u16 = u16::MAX;

/// The active clocks of a state.
pub(crate) struct ClockIndex {
    /// Counted from 0.
    active: Vec<u16>,
    /// The clock of the zone for each clock of the network.
    index: Vec<u16>,
}

/// A constraint of the network, translated to a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Resolved {
    Constraint(Constraint),
    /// Holds for all clock values.
    True,
    /// Holds for no clock values.
    False,
    /// Mentions a clock that is not active.
    Forgotten,
}

impl ClockIndex {
    pub(crate) fn new(clock_count: usize) -> ClockIndex {
        let mut index = vec![NONE; clock_count + 1];
        index[0] = 0;
        ClockIndex { active: Vec::new(), index }
    }

    /// Sets the index to the active clocks of a state with these locations.
    #[inline]
    pub(crate) fn set(&mut self, bounds: &ClockBounds, cells: &[i32]) {
        for &clock in &self.active {
            self.index[usize::from(clock) + 1] = NONE;
        }
        bounds.active(cells, &mut self.active);
        for (position, &clock) in self.active.iter().enumerate() {
            self.index[usize::from(clock) + 1] = position as u16 + 1;
        }
    }

    /// Returns the active clocks, from 0.
    #[inline]
    pub(crate) fn active(&self) -> &[u16] {
        &self.active
    }

    /// Returns the clock of the zone for a clock of the network.
    #[inline]
    pub(crate) fn zone_clock(&self, clock: u16) -> Option<Clock> {
        match self.index.get(usize::from(clock)) {
            Some(&index) if index != NONE => Some(Clock(index)),
            _ => None,
        }
    }

    /// Translates a constraint of the network to one of the zone.
    #[inline]
    pub(crate) fn resolve(&self, constraint: &ClockConstraint, bound: Bound) -> Resolved {
        match (self.zone_clock(constraint.left), self.zone_clock(constraint.right)) {
            (Some(left), Some(right)) => Resolved::Constraint(Constraint::difference(left, right, bound)),
            // Bounds below zero do not make a clock active, because they are always true or always false.
            (None, Some(Clock::REFERENCE)) if bound < Bound::LE_ZERO => Resolved::False,
            (Some(Clock::REFERENCE), None) if bound >= Bound::LE_ZERO => Resolved::True,
            _ => Resolved::Forgotten,
        }
    }

    /// Translates the constraints of a zone to constraints of the network.
    pub(crate) fn constraints_of(&self, zone: &Zone) -> Vec<ClockConstraint> {
        let clock = |clock: Clock| match clock.0 {
            0 => 0,
            number => self.active[usize::from(number) - 1] + 1,
        };
        zone.minimal_constraints()
            .into_iter()
            .filter_map(|constraint| {
                Some(ClockConstraint {
                    left: clock(constraint.left),
                    right: clock(constraint.right),
                    constant: i64::from(constraint.bound.constant()?),
                    is_strict: !constraint.bound.is_weak(),
                })
            })
            .collect()
    }
}

/// A pool of scratch zones, which avoids allocation.
pub(crate) struct ZonePool {
    zones: Vec<Vec<Zone>>,
}

impl ZonePool {
    pub(crate) fn new() -> ZonePool {
        ZonePool { zones: Vec::new() }
    }

    /// Takes a zone of the given dimension with arbitrary contents.
    #[inline]
    pub(crate) fn take(&mut self, dimension: Dimension) -> Zone {
        match self.zones.get_mut(dimension.size()).and_then(Vec::pop) {
            Some(zone) => zone,
            None => Zone::universe(dimension),
        }
    }

    #[inline]
    pub(crate) fn give_back(&mut self, zone: Zone) {
        let size = zone.dimension().size();
        if self.zones.len() <= size {
            self.zones.resize_with(size + 1, Vec::new);
        }
        self.zones[size].push(zone);
    }
}
