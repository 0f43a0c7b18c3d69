//! Assignments to clocks, forwards and backwards.
//!
//! Invariant: `v` is in the weakest precondition of a zone exactly if updating `v` leads into the zone; an update
//! that would make a clock negative leads nowhere.

use crate::bound::{Bound, BoundOverflow};
use crate::clock::Clock;
use crate::constraint::Constraint;
use crate::zone::Zone;

/// One assignment to a clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClockUpdate {
    /// `clock := value`.
    Reset {
        /// The clock that is assigned.
        clock: Clock,
        /// Its new value.
        value: u32,
    },
    /// `target := from`.
    Copy {
        /// The clock that is assigned.
        target: Clock,
        /// The clock whose value it gets.
        from: Clock,
    },
    /// `clock := clock + amount`.
    Shift {
        /// The clock that is assigned.
        clock: Clock,
        /// The constant added to it.
        amount: i32,
    },
}

impl Zone {
    /// Replaces the zone by its image under the update; returns false if it is empty.
    pub fn update(&mut self, update: ClockUpdate) -> Result<bool, BoundOverflow> {
        match update {
            ClockUpdate::Reset { clock, value } => self.reset(clock, value)?,
            ClockUpdate::Copy { target, from } => self.copy(target, from),
            ClockUpdate::Shift { clock, amount } => return self.shift(clock, amount),
        }
        Ok(!self.is_empty())
    }

    /// Replaces the zone by its image under the updates in sequence; returns false if it is empty.
    pub fn update_all(&mut self, updates: &[ClockUpdate]) -> Result<bool, BoundOverflow> {
        for &update in updates {
            self.update(update)?;
        }
        Ok(!self.is_empty())
    }

    /// Replaces the zone by its preimage under the update; returns false if it is empty.
    pub fn weakest_precondition(&mut self, update: ClockUpdate) -> Result<bool, BoundOverflow> {
        match update {
            ClockUpdate::Reset { clock, value } => {
                let above = Bound::finite(i64::from(value), true)?;
                let below = Bound::finite(-i64::from(value), true)?;
                self.constrain(Constraint::difference(clock, Clock::REFERENCE, above))?;
                self.constrain(Constraint::difference(Clock::REFERENCE, clock, below))?;
                self.free(clock);
            }
            ClockUpdate::Copy { target, from } if target != from => {
                self.constrain(Constraint::difference(target, from, Bound::LE_ZERO))?;
                self.constrain(Constraint::difference(from, target, Bound::LE_ZERO))?;
                self.free(target);
            }
            ClockUpdate::Copy { .. } => {}
            ClockUpdate::Shift { clock, amount } => {
                // The preimage of a shift is the opposite shift, and `shift` removes negative values.
                return match amount.checked_neg() {
                    Some(amount) => self.shift(clock, amount),
                    None => Err(BoundOverflow { constant: -i64::from(amount) }),
                };
            }
        }
        Ok(!self.is_empty())
    }

    /// Replaces the zone by its preimage under the updates in sequence; returns false if it is empty.
    pub fn weakest_precondition_of_all(&mut self, updates: &[ClockUpdate]) -> Result<bool, BoundOverflow> {
        for &update in updates.iter().rev() {
            self.weakest_precondition(update)?;
        }
        Ok(!self.is_empty())
    }
}
