//! Adding, removing and permuting clocks.
//!
//! Invariant: removing a clock projects (existential quantification); what is known of the others is kept.

use crate::bound::{RAW_INFINITY, RAW_LE_ZERO};
use crate::clock::{Clock, Dimension, TooManyClocks};
use crate::zone::Zone;

/// What is known of a clock that is added to a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NewClockValue {
    /// It is zero.
    Zero,
    /// It is any value from zero up.
    Any,
}

impl Zone {
    /// The zone with more clocks behind the ones it has.
    pub fn with_clocks_added(&self, count: usize, value: NewClockValue) -> Result<Zone, TooManyClocks> {
        let old_size = self.dimension().size();
        let dimension = Dimension::for_clocks(old_size - 1 + count)?;
        let mut zone = match value {
            NewClockValue::Zero => Zone::zero(dimension),
            NewClockValue::Any => Zone::universe(dimension),
        };
        if self.is_empty() {
            zone.make_empty();
            return Ok(zone);
        }
        for left in 0..dimension.size() {
            for right in 0..dimension.size() {
                // A new clock that is zero has the bounds of the reference clock; one that may be anything has
                // them as the right side only, and no upper bound.
                let raw = match value {
                    _ if left == right => RAW_LE_ZERO,
                    NewClockValue::Any if left >= old_size => RAW_INFINITY,
                    _ => self.raw(
                        if left < old_size { left } else { 0 },
                        if right < old_size { right } else { 0 },
                    ),
                };
                zone.set(left, right, raw);
            }
        }
        Ok(zone.with_known_magnitude())
    }

    /// The zone of the given clocks in the given order; clocks that are not given are removed.
    ///
    /// A clock that is given twice appears twice, with equal values.
    pub fn with_clocks(&self, clocks: &[Clock]) -> Result<Zone, TooManyClocks> {
        let dimension = Dimension::for_clocks(clocks.len())?;
        let mut zone = Zone::universe(dimension);
        if self.is_empty() {
            zone.make_empty();
            return Ok(zone);
        }
        let old = |new: usize| if new == 0 { 0 } else { clocks[new - 1].index() };
        for left in 0..dimension.size() {
            for right in 0..dimension.size() {
                zone.set(left, right, self.raw(old(left), old(right)));
            }
        }
        Ok(zone.with_known_magnitude())
    }

    /// The zone without one clock; later clocks move down by one.
    pub fn without_clock(&self, clock: Clock) -> Zone {
        assert!(clock != Clock::REFERENCE, "the reference clock cannot be removed");
        let kept: Vec<Clock> = self.dimension().clocks().filter(|&other| other != clock).collect();
        match self.with_clocks(&kept) {
            Ok(zone) => zone,
            Err(error) => unreachable!("fewer clocks than before: {error}"),
        }
    }
}
