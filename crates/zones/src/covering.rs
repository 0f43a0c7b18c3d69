//! Covering tests: whether a zone is redundant because a stored one simulates it.
//!
//! Invariant: the tests are exact for the relations defined here.
//!
//! For a clock `x`, let `L_x` be the largest constant of a lower bound (`x > c`, `x >= c`) that may still be
//! tested before `x` is reset, and `U_x` the same for upper bounds; minus infinity if there is none. A valuation
//! `v` is simulated by `w` if for each clock `v(x) = w(x)`, or `L_x < w(x) < v(x)`, or `U_x < v(x) < w(x)`.
//! [`Zone::is_covered_by`] tests whether each valuation of a zone is simulated by one of another zone: inclusion
//! in the abstraction `a_LU` of Herbreteau, Srivathsan and Walukiewicz, "Better abstractions for timed automata"
//! (2012), by their quadratic criterion, without building the abstraction.
//!
//! With `L = U = M` the relation is "equal or both above `M_x`", a bisimulation; build it by
//! [`LuBounds::from_maxima`].
//!
//! **Known limit.** `a_LU` and `a_M` do not preserve diagonal constraints (`x - y < c`). If one may be tested
//! later, use [`Zone::is_covered_with_diagonals`].

use crate::bound::{Bound, BoundOverflow, RAW_INFINITY};
use crate::clock::{Clock, Dimension};
use crate::compact::NARROW_LIMIT;
use crate::constraint::Constraint;
use crate::dispatch;
use crate::kernel::Entry;
use crate::zone::Zone;

/// Constants above this one are equivalent for the covering tests, which compare a constant with a sum of two bounds.
const LARGEST_THRESHOLD: i32 = 2 * (Bound::LARGEST_CONSTANT + 1);

/// For each clock the largest constants of lower and upper bounds that it may still be compared with.
///
/// Stored in the form that the covering tests read, so that a test needs no conversion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LuBounds {
    dimension: Dimension,
    /// `2 L_y`, or the lowest entry if `L_y` is minus infinity.
    lower: Box<[i32]>,
    /// The raw bound `<= -U_x`, or infinity if `U_x` is minus infinity.
    upper: Box<[i32]>,
    narrow_lower: Box<[i16]>,
    narrow_upper: Box<[i16]>,
}

impl LuBounds {
    /// Creates bounds without any constant.
    pub fn none(dimension: Dimension) -> LuBounds {
        let stride = dimension.stride();
        let mut bounds = LuBounds {
            dimension,
            lower: vec![i32::LOWEST; stride].into(),
            upper: vec![RAW_INFINITY; stride].into(),
            narrow_lower: vec![i16::LOWEST; stride].into(),
            narrow_upper: vec![i16::MAX; stride].into(),
        };
        // The reference clock is always 0, and compared with 0.
        bounds.set_lower(Clock::REFERENCE, Some(0));
        bounds.set_upper(Clock::REFERENCE, Some(0));
        bounds
    }

    /// Creates bounds with the same constants for lower and upper bounds; `None` is minus infinity. One for each clock
    /// of [`Dimension::clocks`].
    pub fn from_maxima(dimension: Dimension, maxima: &[Option<i32>]) -> LuBounds {
        LuBounds::from_lower_and_upper(dimension, maxima, maxima)
    }

    /// Creates bounds from constants for lower and upper bounds; `None` is minus infinity. One for each clock of
    /// [`Dimension::clocks`].
    pub fn from_lower_and_upper(
        dimension: Dimension,
        lower: &[Option<i32>],
        upper: &[Option<i32>],
    ) -> LuBounds {
        let mut bounds = LuBounds::none(dimension);
        for ((clock, &lower), &upper) in dimension.clocks().zip(lower).zip(upper) {
            bounds.set_lower(clock, lower);
            bounds.set_upper(clock, upper);
        }
        bounds
    }

    /// Raises the bounds so that the constraint, which must not be diagonal, is preserved.
    pub fn include(&mut self, constraint: Constraint) {
        let Some(constant) = constraint.bound.constant() else { return };
        if constraint.right == Clock::REFERENCE && constraint.left != Clock::REFERENCE {
            self.set_upper(constraint.left, self.upper(constraint.left).max(Some(constant)));
        } else if constraint.left == Clock::REFERENCE && constraint.right != Clock::REFERENCE {
            self.set_lower(constraint.right, self.lower(constraint.right).max(Some(-constant)));
        }
    }

    /// Raises the bounds to the pointwise maximum.
    pub fn raise_to(&mut self, other: &LuBounds) {
        assert_eq!(self.dimension, other.dimension, "bounds of different dimensions");
        for clock in self.dimension.clocks() {
            self.set_lower(clock, self.lower(clock).max(other.lower(clock)));
            self.set_upper(clock, self.upper(clock).max(other.upper(clock)));
        }
    }

    /// Returns `L_x`; `None` is minus infinity.
    pub fn lower(&self, clock: Clock) -> Option<i32> {
        let raw = self.lower[clock.index()];
        (raw != i32::LOWEST).then_some(raw / 2)
    }

    /// Returns `U_x`; `None` is minus infinity.
    pub fn upper(&self, clock: Clock) -> Option<i32> {
        let raw = self.upper[clock.index()];
        (raw != RAW_INFINITY).then_some((1 - raw) / 2)
    }

    /// Returns whether the clock is compared with any constant; an inactive clock may be removed from zones.
    pub fn is_active(&self, clock: Clock) -> bool {
        self.lower(clock).is_some() || self.upper(clock).is_some()
    }

    /// Returns the number of clocks, including the reference clock.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// Sets `L_x`; `None` is minus infinity. A negative constant is equivalent, because clocks are not negative.
    pub fn set_lower(&mut self, clock: Clock, constant: Option<i32>) {
        let at = clock.index();
        let Some(constant) = constant.filter(|&constant| constant >= 0) else {
            self.lower[at] = i32::LOWEST;
            self.narrow_lower[at] = i16::LOWEST;
            return;
        };
        self.lower[at] = 2 * constant.min(LARGEST_THRESHOLD);
        self.narrow_lower[at] = self.lower[at].min(2 * i32::from(NARROW_LIMIT)) as i16;
    }

    /// Sets `U_x`; `None` is minus infinity. A negative constant is equivalent, because clocks are not negative.
    pub fn set_upper(&mut self, clock: Clock, constant: Option<i32>) {
        let at = clock.index();
        let Some(constant) = constant.filter(|&constant| constant >= 0) else {
            self.upper[at] = RAW_INFINITY;
            self.narrow_upper[at] = i16::MAX;
            return;
        };
        self.upper[at] = 1 - 2 * constant.min(LARGEST_THRESHOLD);
        self.narrow_upper[at] = self.upper[at].max(-i32::from(i16::MAX)) as i16;
    }

    pub(crate) fn wide(&self) -> (&[i32], &[i32]) {
        (&self.lower, &self.upper)
    }

    pub(crate) fn narrow(&self) -> (&[i16], &[i16]) {
        (&self.narrow_lower, &self.narrow_upper)
    }
}

impl Zone {
    /// Returns whether each valuation of this zone is simulated by a valuation of the other, with respect to the
    /// bounds.
    ///
    /// Sound for models and queries without diagonal constraints. See the module's documentation.
    #[inline]
    pub fn is_covered_by(&self, other: &Zone, bounds: &LuBounds) -> bool {
        assert_eq!(self.dimension(), other.dimension(), "zones of different dimensions");
        assert_eq!(self.dimension(), bounds.dimension, "bounds of another dimension");
        if self.is_empty() || other.is_empty() {
            return self.is_empty();
        }
        let (lower, upper) = bounds.wide();
        dispatch::is_covered(self.dimension().stride(), self.entries(), other.entries(), lower, upper)
    }

    /// Returns whether each valuation `v` of this zone is simulated by a valuation `w` of the other that also satisfies
    /// each of the diagonal constraints that `v` satisfies.
    ///
    /// This is the G-simulation of Gastin, Mukherjee and Srivathsan, "Reachability in timed automata with diagonal
    /// constraints" (2018): `bounds` represents the constraints on single clocks, `diagonals` the others. The time is
    /// exponential in the number of diagonals that split this zone.
    pub fn is_covered_with_diagonals(
        &self,
        other: &Zone,
        bounds: &LuBounds,
        diagonals: &[Constraint],
    ) -> Result<bool, BoundOverflow> {
        // Diagonals only make the relation smaller, and it contains inclusion.
        if !self.is_covered_by(other, bounds) {
            return Ok(false);
        }
        if self.is_subset_of(other) {
            return Ok(true);
        }
        let Some((&diagonal, rest)) = diagonals.split_first() else { return Ok(true) };
        let Some(negated) = diagonal.negated() else {
            return self.is_covered_with_diagonals(other, bounds, rest);
        };
        if !self.satisfies_somewhere(diagonal) {
            return self.is_covered_with_diagonals(other, bounds, rest);
        }
        let mut inside = other.clone();
        inside.constrain(diagonal)?;
        if !self.satisfies_somewhere(negated) {
            return self.is_covered_with_diagonals(&inside, bounds, rest);
        }
        let (mut satisfying, mut violating) = (self.clone(), self.clone());
        satisfying.constrain(diagonal)?;
        violating.constrain(negated)?;
        Ok(satisfying.is_covered_with_diagonals(&inside, bounds, rest)?
            && violating.is_covered_with_diagonals(other, bounds, rest)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lu_bounds_return_included_constants() {
        let dimension = Dimension::for_clocks(2).unwrap();
        let mut bounds = LuBounds::from_lower_and_upper(dimension, &[Some(3), None], &[None, Some(9)]);
        assert_eq!((bounds.lower(Clock(1)), bounds.upper(Clock(1))), (Some(3), None));
        assert_eq!((bounds.lower(Clock(2)), bounds.upper(Clock(2))), (None, Some(9)));
        bounds.include(Constraint::at_least(Clock(1), 7).unwrap());
        bounds.include(Constraint::less_than(Clock(1), 40_000).unwrap());
        bounds.include(Constraint::at_most(Clock(2), -4).unwrap());
        assert_eq!((bounds.lower(Clock(1)), bounds.upper(Clock(1))), (Some(7), Some(40_000)));
        assert_eq!((bounds.lower(Clock(2)), bounds.upper(Clock(2))), (None, Some(9)));
        assert!(bounds.is_active(Clock(2)));
        bounds.set_upper(Clock(2), None);
        assert!(!bounds.is_active(Clock(2)));
    }
}
