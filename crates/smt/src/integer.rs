//! Unbounded integers that are cheap while they are small.
//!
//! Invariant: a number that fits into 64 bits is always [`Integer::Small`], so that equal numbers are equal values.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigInt;

use crate::operator::MOST_BITS;

/// A mathematical integer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Integer {
    /// A number that fits into 64 bits.
    Small(i64),
    /// A number that does not fit into 64 bits.
    Big(Box<BigInt>),
}

impl Integer {
    /// Zero.
    pub const ZERO: Integer = Integer::Small(0);

    /// Returns the number, if it fits into 64 bits.
    pub fn to_i64(&self) -> Option<i64> {
        match self {
            Integer::Small(value) => Some(*value),
            Integer::Big(_) => None,
        }
    }

    /// Returns the number as a big integer.
    pub fn to_big(&self) -> BigInt {
        match self {
            Integer::Small(value) => BigInt::from(*value),
            Integer::Big(value) => (**value).clone(),
        }
    }

    /// Returns the number of bits of the magnitude.
    pub fn bits(&self) -> u64 {
        match self {
            Integer::Small(value) => u64::from(u64::BITS - value.unsigned_abs().leading_zeros()),
            Integer::Big(value) => value.bits(),
        }
    }

    /// Returns whether it is zero.
    pub fn is_zero(&self) -> bool {
        *self == Integer::ZERO
    }

    /// Returns whether it is negative.
    pub fn is_negative(&self) -> bool {
        *self < Integer::ZERO
    }

    /// Returns the sum.
    pub fn add(&self, other: &Integer) -> Integer {
        self.compute(other, i64::checked_add, |left, right| left + right)
    }

    /// Returns the difference.
    pub fn subtract(&self, other: &Integer) -> Integer {
        self.compute(other, i64::checked_sub, |left, right| left - right)
    }

    /// Returns the product.
    pub fn multiply(&self, other: &Integer) -> Integer {
        self.compute(other, i64::checked_mul, |left, right| left * right)
    }

    /// Returns the negation.
    pub fn negate(&self) -> Integer {
        Integer::ZERO.subtract(self)
    }

    /// Returns the quotient with a non-negative remainder, as SMT-LIB's `div`; `None` for a divisor of zero.
    pub fn divide_euclidean(&self, other: &Integer) -> Option<Integer> {
        let remainder = self.modulo_euclidean(other)?;
        self.subtract(&remainder).divide_truncated(other)
    }

    /// Returns the non-negative remainder, as SMT-LIB's `mod`; `None` for a divisor of zero.
    pub fn modulo_euclidean(&self, other: &Integer) -> Option<Integer> {
        let remainder = self.remainder_truncated(other)?;
        Some(match (remainder.is_negative(), other.is_negative()) {
            (false, _) => remainder,
            (true, false) => remainder.add(other),
            (true, true) => remainder.subtract(other),
        })
    }

    /// Returns the quotient rounded towards zero, as in C; `None` for a divisor of zero.
    pub fn divide_truncated(&self, other: &Integer) -> Option<Integer> {
        (!other.is_zero()).then(|| self.compute(other, i64::checked_div, |left, right| left / right))
    }

    /// Returns the remainder with the sign of the dividend, as in C; `None` for a divisor of zero.
    pub fn remainder_truncated(&self, other: &Integer) -> Option<Integer> {
        (!other.is_zero()).then(|| self.compute(other, i64::checked_rem, |left, right| left % right))
    }

    /// Returns the Euclidean remainder with the sign of the divisor, as Z3's `rem`; `None` for a divisor of zero.
    pub fn remainder_signed_by_divisor(&self, other: &Integer) -> Option<Integer> {
        let modulo = self.modulo_euclidean(other)?;
        Some(if other.is_negative() { modulo.negate() } else { modulo })
    }

    fn compute(
        &self,
        other: &Integer,
        small: fn(i64, i64) -> Option<i64>,
        big: fn(BigInt, BigInt) -> BigInt,
    ) -> Integer {
        if let (Integer::Small(left), Integer::Small(right)) = (self, other)
            && let Some(result) = small(*left, *right)
        {
            return Integer::Small(result);
        }
        Integer::from(big(self.to_big(), other.to_big()))
    }
}

impl From<i64> for Integer {
    fn from(value: i64) -> Integer {
        Integer::Small(value)
    }
}

impl From<BigInt> for Integer {
    fn from(value: BigInt) -> Integer {
        i64::try_from(&value).map_or_else(|_| Integer::Big(Box::new(value)), Integer::Small)
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Integer) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Integer) -> Ordering {
        match (self, other) {
            (Integer::Small(left), Integer::Small(right)) => left.cmp(right),
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Integer::Small(value) => value.fmt(formatter),
            Integer::Big(value) => value.fmt(formatter),
        }
    }
}

impl std::str::FromStr for Integer {
    type Err = ();

    /// Fails for a text with more digits than a computed number may have.
    fn from_str(text: &str) -> Result<Integer, ()> {
        if text.len() as u64 > MOST_BITS / 4 {
            return Err(());
        }
        text.parse::<BigInt>().map(Integer::from).map_err(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::Integer;

    #[test]
    fn divisions_agree_with_table() {
        // Dividend, divisor, Euclidean quotient and remainder, truncated quotient and remainder, Z3's rem.
        let cases = [
            (7, 3, 2, 1, 2, 1, 1),
            (-7, 3, -3, 2, -2, -1, 2),
            (7, -3, -2, 1, -2, 1, -1),
            (-7, -3, 3, 2, 2, -1, -2),
            (6, -3, -2, 0, -2, 0, 0),
        ];
        for (left, right, div, modulo, quotient, remainder, rem) in cases {
            let (left, right) = (Integer::from(left), Integer::from(right));
            assert_eq!(left.divide_euclidean(&right), Some(Integer::from(div)));
            assert_eq!(left.modulo_euclidean(&right), Some(Integer::from(modulo)));
            assert_eq!(left.divide_truncated(&right), Some(Integer::from(quotient)));
            assert_eq!(left.remainder_truncated(&right), Some(Integer::from(remainder)));
            assert_eq!(left.remainder_signed_by_divisor(&right), Some(Integer::from(rem)));
        }
        assert_eq!(Integer::from(1).divide_euclidean(&Integer::ZERO), None);
    }

    #[test]
    fn numbers_have_one_form_around_64_bits() {
        let largest = Integer::from(i64::MAX);
        let beyond = largest.add(&Integer::from(1));
        assert_eq!(beyond.to_string(), "9223372036854775808");
        assert_eq!(beyond.subtract(&Integer::from(1)), largest);
        assert_eq!(Integer::from(i64::MIN).divide_truncated(&Integer::from(-1)), Some(beyond.clone()));
        assert!(largest < beyond && beyond.negate() < largest);
        assert_eq!("9223372036854775808".parse(), Ok(beyond));
    }
}
