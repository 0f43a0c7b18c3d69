//! A constraint `x - y < c` or `x - y <= c`.
//!
//! A constraint on a single clock has the reference clock as its other side.

use crate::bound::{Bound, BoundOverflow};
use crate::clock::Clock;

/// `left - right` is bounded by `bound`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Constraint {
    /// The clock with positive sign.
    pub left: Clock,
    /// The clock with negative sign.
    pub right: Clock,
    /// The bound on the difference.
    pub bound: Bound,
}

impl Constraint {
    /// `left - right` bounded by `bound`.
    pub fn difference(left: Clock, right: Clock, bound: Bound) -> Constraint {
        Constraint { left, right, bound }
    }

    /// `clock <= constant`.
    pub fn at_most(clock: Clock, constant: i32) -> Result<Constraint, BoundOverflow> {
        Ok(Constraint::difference(clock, Clock::REFERENCE, Bound::weak(constant)?))
    }

    /// `clock < constant`.
    pub fn less_than(clock: Clock, constant: i32) -> Result<Constraint, BoundOverflow> {
        Ok(Constraint::difference(clock, Clock::REFERENCE, Bound::strict(constant)?))
    }

    /// `clock >= constant`.
    pub fn at_least(clock: Clock, constant: i32) -> Result<Constraint, BoundOverflow> {
        Ok(Constraint::difference(Clock::REFERENCE, clock, Bound::finite(-i64::from(constant), true)?))
    }

    /// `clock > constant`.
    pub fn greater_than(clock: Clock, constant: i32) -> Result<Constraint, BoundOverflow> {
        Ok(Constraint::difference(Clock::REFERENCE, clock, Bound::finite(-i64::from(constant), false)?))
    }

    /// Returns the constraint that holds exactly where this one does not; `None` if this one always holds.
    pub fn negated(self) -> Option<Constraint> {
        Some(Constraint { left: self.right, right: self.left, bound: self.bound.complement()? })
    }

    /// Returns whether neither side is the reference clock.
    pub fn is_diagonal(self) -> bool {
        self.left != Clock::REFERENCE && self.right != Clock::REFERENCE
    }
}
