//! The classic extrapolations: convex enlargements that make the number of zones finite.
//!
//! Invariant: the result includes the zone and is included in its abstraction by the same bounds (see `covering.rs`).
//! Searches keep zones exact and use the coarser covering tests; certificates use extrapolation. Definitions: Behrmann,
//! Bouyer, Larsen and Pelánek, "Lower and upper bounds in zone-based abstractions of timed automata" (2006).

use crate::bound::{Bound, BoundOverflow};
use crate::clock::Clock;
use crate::covering::LuBounds;
use crate::zone::{OpenMatrix, Zone};

/// The kind of extrapolation. `M` and `MPlus` use the maximum of the lower and the upper bound of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extrapolation {
    /// `Extra_M`: by maximal constants.
    M,
    /// `Extra+_M`: like `M`, and also drops bounds of a clock that is above its constant in the whole zone.
    MPlus,
    /// `Extra_LU`: by lower and upper bounds.
    Lu,
    /// `Extra+_LU`: like `Lu`, and also drops bounds of a clock that is above its bound in the whole zone.
    LuPlus,
}

impl Zone {
    /// Enlarges the zone by an extrapolation.
    ///
    /// Sound for reachability in models and queries without diagonal constraints.
    pub fn extrapolate(&mut self, how: Extrapolation, bounds: &LuBounds) -> Result<(), BoundOverflow> {
        assert_eq!(self.dimension(), bounds.dimension(), "bounds of another dimension");
        if self.is_empty() {
            return Ok(());
        }
        let uses_maxima = matches!(how, Extrapolation::M | Extrapolation::MPlus);
        let uses_reference = matches!(how, Extrapolation::MPlus | Extrapolation::LuPlus);
        let maximum = |clock: Clock| bounds.lower(clock).max(bounds.upper(clock));
        let lower = |clock| if uses_maxima { maximum(clock) } else { bounds.lower(clock) };
        let upper = |clock| if uses_maxima { maximum(clock) } else { bounds.upper(clock) };
        // Returns whether the bound `-c` implies that the clock is above the constant: `c > constant`.
        let is_below = |bound: Bound, constant: Option<i32>| match (bound.constant(), constant) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(bound), Some(constant)) => -bound > constant,
        };
        let mut matrix = OpenMatrix::from_zone(self);
        for left in std::iter::once(Clock::REFERENCE).chain(self.dimension().clocks()) {
            for right in std::iter::once(Clock::REFERENCE).chain(self.dimension().clocks()) {
                if left == right {
                    continue;
                }
                let bound = self.bound(left, right);
                let exceeds = match (bound.constant(), lower(left)) {
                    (None, _) | (_, None) => true,
                    (Some(bound), Some(constant)) => bound > constant,
                };
                let left_is_beyond =
                    uses_reference && is_below(self.bound(Clock::REFERENCE, left), lower(left));
                let right_bound = if uses_reference { self.bound(Clock::REFERENCE, right) } else { bound };
                let right_is_beyond = is_below(right_bound, upper(right));
                let is_dropped = exceeds
                    || left_is_beyond
                    || uses_reference && right_is_beyond && left != Clock::REFERENCE;
                let enlarged = match upper(right) {
                    _ if is_dropped => Bound::INFINITY,
                    Some(constant) if right_is_beyond => Bound::strict(-constant)?,
                    None if right_is_beyond => Bound::INFINITY,
                    _ => bound,
                };
                // The matrix itself keeps clocks non-negative.
                matrix.set(left, right, enlarged);
            }
        }
        self.assign_closure(&matrix)?;
        Ok(())
    }
}
