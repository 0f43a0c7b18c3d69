//! Rational points of zones.
//!
//! Invariant: arithmetic is exact; a returned point is in the zone.

use crate::bound::{Bound, RAW_INFINITY};
use crate::clock::Clock;
use crate::zone::Zone;

/// An exact value of a clock.
pub type Rational = num_rational::Ratio<i64>;

/// The values of the clocks, without the reference clock.
pub type Point = Vec<Rational>;

impl Zone {
    /// Returns whether the point, one value for each clock besides the reference clock, is in the zone.
    pub fn contains_point(&self, point: &[Rational]) -> bool {
        assert_eq!(point.len() + 1, self.dimension().size(), "a point of another dimension");
        if self.is_empty() {
            return false;
        }
        let zero = Rational::from_integer(0);
        let value = |clock: usize| if clock == 0 { zero } else { point[clock - 1] };
        (0..self.dimension().size()).all(|left| {
            (0..self.dimension().size()).all(|right| {
                let bound = self.bound(Clock(left as u16), Clock(right as u16));
                left == right || difference_satisfies(value(left), value(right), bound)
            })
        })
    }

    /// Returns a point of the zone; `None` if it is empty.
    ///
    /// Prefers small denominators, integers first, and among those the earliest values.
    pub fn point_inside(&self) -> Option<Point> {
        if self.is_empty() {
            return None;
        }
        // Each region of `n` clocks has a point whose coordinates are multiples of 1/(n+1), so the search terminates.
        (1..=self.dimension().size() as i64).find_map(|denominator| {
            let values = self.smallest_multiples(denominator)?;
            Some(values.into_iter().map(|value| Rational::new(value, denominator)).collect())
        })
    }

    /// Returns the componentwise smallest point whose coordinates are multiples of `1/denominator`, times
    /// `denominator`.
    fn smallest_multiples(&self, denominator: i64) -> Option<Vec<i64>> {
        let size = self.dimension().size();
        let mut values = vec![0i64; size];
        // On this grid `x - y < c` is `x - y <= c - 1/denominator`. Raise values until no constraint is violated; one
        // round for each clock suffices unless the constraints are contradictory (Bellman-Ford).
        for _ in 0..=size {
            let mut is_settled = true;
            for left in 0..size {
                for right in 0..size {
                    let raw = self.raw(left, right);
                    if left == right || raw == RAW_INFINITY {
                        continue;
                    }
                    let most = i64::from(raw >> 1) * denominator - i64::from(raw & 1 == 0);
                    if values[left] - values[right] > most {
                        values[right] = values[left] - most;
                        is_settled = false;
                    }
                }
            }
            if values[0] > 0 {
                return None;
            }
            if is_settled {
                values.remove(0);
                return Some(values);
            }
        }
        None
    }
}

/// Returns whether `left - right` satisfies the bound, without rounding and without overflow.
fn difference_satisfies(left: Rational, right: Rational, bound: Bound) -> bool {
    let Some(constant) = bound.constant() else { return true };
    // Products of two 64-bit numbers and their difference fit 128 bits; the constant is compared with the rounded
    // quotient, because multiplying it by the denominator might overflow.
    let numerator = i128::from(*left.numer()) * i128::from(*right.denom())
        - i128::from(*right.numer()) * i128::from(*left.denom());
    let denominator = i128::from(*left.denom()) * i128::from(*right.denom());
    let constant = i128::from(constant);
    if bound.is_weak() {
        -(-numerator).div_euclid(denominator) <= constant
    } else {
        numerator.div_euclid(denominator) < constant
    }
}
