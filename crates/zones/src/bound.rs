//! Bounds `< c`, `<= c` and "no bound", each one integer.
//!
//! Invariant: a finite bound is stored as `2c + 1` (weak) or `2c` (strict), so that the order of the integers is
//! the order of the bounds; its magnitude stays below [`RAW_LIMIT`], so that a sum of three of them plus the
//! stand-in for infinity in the kernels still fits 32 bits.

use std::fmt;

/// No bound. Even, so it reads as strict.
pub(crate) const RAW_INFINITY: i32 = 1 << 30;

/// Finite raw bounds lie in `1 - RAW_LIMIT..=RAW_LIMIT`, so that the complement of each, `1 - raw`, does too.
pub(crate) const RAW_LIMIT: i32 = (1 << 29) - 1;

/// `<= 0`.
pub(crate) const RAW_LE_ZERO: i32 = 1;

/// `< 0`, which no difference of a clock with itself satisfies: marks an empty zone.
pub(crate) const RAW_LT_ZERO: i32 = 0;

/// An upper bound on a difference of two clocks.
///
/// The order of bounds is the inclusion order of the half spaces: `< 3` is smaller than `<= 3`, which is smaller
/// than `< 4`, and everything finite is smaller than [`Bound::INFINITY`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bound(i32);

impl Bound {
    /// No bound.
    pub const INFINITY: Bound = Bound(RAW_INFINITY);
    /// `<= 0`.
    pub const LE_ZERO: Bound = Bound(RAW_LE_ZERO);
    /// `< 0`.
    pub const LT_ZERO: Bound = Bound(RAW_LT_ZERO);
    /// The largest constant that a bound can carry; the smallest is its negation.
    pub const LARGEST_CONSTANT: i32 = (1 << 28) - 1;

    /// Returns the bound `<= constant`.
    pub fn weak(constant: i32) -> Result<Bound, BoundOverflow> {
        Bound::finite(i64::from(constant), true)
    }

    /// Returns the bound `< constant`.
    pub fn strict(constant: i32) -> Result<Bound, BoundOverflow> {
        Bound::finite(i64::from(constant), false)
    }

    /// Returns the bound `<= constant` or `< constant`, checked.
    pub fn finite(constant: i64, weak: bool) -> Result<Bound, BoundOverflow> {
        if constant.unsigned_abs() > Bound::LARGEST_CONSTANT as u64 {
            return Err(BoundOverflow { constant });
        }
        Ok(Bound(2 * constant as i32 + i32::from(weak)))
    }

    /// Returns the constant of a finite bound.
    pub fn constant(self) -> Option<i32> {
        (self.0 != RAW_INFINITY).then_some(self.0 >> 1)
    }

    /// Returns whether this is [`Bound::INFINITY`].
    pub fn is_infinite(self) -> bool {
        self.0 == RAW_INFINITY
    }

    /// Returns whether this is a bound of the form `<= c`.
    pub fn is_weak(self) -> bool {
        self.0 & 1 == 1
    }

    /// Returns the sum, which bounds `x - z` when the operands bound `x - y` and `y - z`; infinity absorbs.
    pub fn plus(self, other: Bound) -> Result<Bound, BoundOverflow> {
        Bound::from_raw_checked(raw_sum(self.0, other.0))
    }

    /// Returns the bound on `y - x` that holds exactly where this bound on `x - y` does not; `None` for infinity.
    pub fn complement(self) -> Option<Bound> {
        // not (x - y <= c) is y - x < -c; not (x - y < c) is y - x <= -c.
        (!self.is_infinite()).then_some(Bound(1 - self.0))
    }

    pub(crate) fn raw(self) -> i32 {
        self.0
    }

    /// Creates a bound from a raw value that is known to be in range.
    pub(crate) fn from_raw(raw: i32) -> Bound {
        debug_assert!(raw == RAW_INFINITY || is_in_range(raw), "raw bound {raw} out of range");
        Bound(raw)
    }

    pub(crate) fn from_raw_checked(raw: i32) -> Result<Bound, BoundOverflow> {
        if raw == RAW_INFINITY || is_in_range(raw) {
            Ok(Bound(raw))
        } else {
            Err(BoundOverflow { constant: i64::from(raw >> 1) })
        }
    }
}

impl fmt::Debug for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.constant() {
            None => f.write_str("< inf"),
            Some(constant) if self.is_weak() => write!(f, "<= {constant}"),
            Some(constant) => write!(f, "< {constant}"),
        }
    }
}

/// A constant that the matrices cannot represent.
///
/// The zone on which the operation was tried is unchanged or includes the result, as documented for the operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundOverflow {
    /// The constant, too large or too small.
    pub constant: i64,
}

impl fmt::Display for BoundOverflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the clock bound {} is outside the range of -{limit} to {limit}",
            self.constant,
            limit = Bound::LARGEST_CONSTANT
        )
    }
}

impl std::error::Error for BoundOverflow {}

/// Returns whether a raw bound can be stored as a finite one.
pub(crate) fn is_in_range(raw: i32) -> bool {
    (1 - RAW_LIMIT..=RAW_LIMIT).contains(&raw)
}

/// Returns the sum of two raw bounds: strict if either is, infinite if either is.
#[inline(always)]
pub(crate) fn raw_sum(left: i32, right: i32) -> i32 {
    if left == RAW_INFINITY || right == RAW_INFINITY {
        RAW_INFINITY
    } else {
        left + right - ((left | right) & 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weak(constant: i32) -> Bound {
        Bound::weak(constant).unwrap()
    }

    fn strict(constant: i32) -> Bound {
        Bound::strict(constant).unwrap()
    }

    #[test]
    fn order_follows_inclusion() {
        let ascending = [strict(-2), weak(-2), strict(0), weak(0), strict(1), weak(7), Bound::INFINITY];
        assert!(ascending.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn sums() {
        for (left, right, expected) in [
            (weak(2), weak(3), weak(5)),
            (weak(2), strict(3), strict(5)),
            (strict(-2), strict(-3), strict(-5)),
            (strict(-2), Bound::INFINITY, Bound::INFINITY),
            (Bound::INFINITY, weak(-7), Bound::INFINITY),
        ] {
            assert_eq!(left.plus(right), Ok(expected), "{left} plus {right}");
        }
    }

    #[test]
    fn complements() {
        assert_eq!(weak(3).complement(), Some(strict(-3)));
        assert_eq!(strict(3).complement(), Some(weak(-3)));
        assert_eq!(Bound::INFINITY.complement(), None);
    }

    #[test]
    fn overflow_is_an_error() {
        let largest = weak(Bound::LARGEST_CONSTANT);
        assert!(largest.plus(weak(1)).is_err());
        assert!(weak(-Bound::LARGEST_CONSTANT).plus(weak(-1)).is_err());
        assert!(Bound::weak(i32::MAX).is_err() && Bound::strict(i32::MIN).is_err());
        assert!(largest.plus(weak(0)).is_ok());
    }
}
