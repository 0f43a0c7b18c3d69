//! Exact arithmetic on times that detects results that cannot be represented.
//!
//! Invariant: no operation wraps or panics. The operators of `Ratio<i64>` do, so nothing in this crate uses them;
//! comparisons are exact for all values.

use num_rational::Ratio;
use tempora_evidence::{Rational, RuntimeErrorKind};

/// A result, or an error if it is too large or too finely divided.
pub(crate) type Exact = Result<Rational, RuntimeErrorKind>;

/// Returns `left + right`.
pub(crate) fn add(left: Rational, right: Rational) -> Exact {
    let (a, b, c, d) = parts(left, right);
    reduced(a * d + c * b, b * d)
}

/// Returns `left - right`.
pub(crate) fn subtract(left: Rational, right: Rational) -> Exact {
    let (a, b, c, d) = parts(left, right);
    reduced(a * d - c * b, b * d)
}

/// Returns `left * right`.
pub(crate) fn multiply(left: Rational, right: Rational) -> Exact {
    let (a, b, c, d) = parts(left, right);
    reduced(a * c, b * d)
}

/// Returns `left / right`.
pub(crate) fn divide(left: Rational, right: Rational) -> Exact {
    let (a, b, c, d) = parts(left, right);
    reduced(a * d, b * c)
}

/// Returns the exact value of a floating point number.
pub(crate) fn from_double(value: f64) -> Exact {
    // A double is an integer divided by a power of two; 2^62 is the greatest possible denominator.
    let mut numerator = value;
    let mut denominator = 1i128;
    while numerator.fract() != 0.0 && denominator < 1 << 62 {
        numerator *= 2.0;
        denominator *= 2;
    }
    if numerator.fract() == 0.0 && numerator.abs() < 2f64.powi(63) {
        reduced(numerator as i128, denominator)
    } else {
        Err(RuntimeErrorKind::TimeOverflow)
    }
}

/// Returns the numerators and denominators of both, wide enough for a sum of two products.
fn parts(left: Rational, right: Rational) -> (i128, i128, i128, i128) {
    (
        i128::from(*left.numer()),
        i128::from(*left.denom()),
        i128::from(*right.numer()),
        i128::from(*right.denom()),
    )
}

fn reduced(numerator: i128, denominator: i128) -> Exact {
    if denominator == 0 {
        return Err(RuntimeErrorKind::TimeOverflow);
    }
    let ratio = Ratio::new(numerator, denominator);
    // The least 64-bit number has no negation, so it is left out.
    let narrow = |part: i128| i64::try_from(part).ok().filter(|&part| part != i64::MIN);
    match (narrow(*ratio.numer()), narrow(*ratio.denom())) {
        (Some(numerator), Some(denominator)) => Ok(Ratio::new_raw(numerator, denominator)),
        _ => Err(RuntimeErrorKind::TimeOverflow),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_are_exact() {
        let (half, third) = (Ratio::new(1, 2), Ratio::new(-1, 3));
        assert_eq!(add(half, third), Ok(Ratio::new(1, 6)));
        assert_eq!(subtract(half, third), Ok(Ratio::new(5, 6)));
        assert_eq!(multiply(half, third), Ok(Ratio::new(-1, 6)));
        assert_eq!(divide(half, third), Ok(Ratio::new(-3, 2)));
        assert_eq!(from_double(2.5), Ok(Ratio::new(5, 2)));
        assert_eq!(from_double(-3.0), Ok(Ratio::from_integer(-3)));
    }

    #[test]
    fn overflow_is_an_error() {
        let large = Ratio::from_integer(i64::MAX);
        let fine = Ratio::new(1, i64::MAX);
        for result in [
            add(large, large),
            subtract(Ratio::from_integer(-2), large),
            multiply(large, large),
            divide(large, fine),
            divide(large, Ratio::from_integer(0)),
            add(fine, Ratio::new(1, i64::MAX - 1)),
            from_double(1e300),
            from_double(1e-300),
            from_double(f64::NAN),
            from_double(f64::INFINITY),
        ] {
            assert_eq!(result, Err(RuntimeErrorKind::TimeOverflow));
        }
    }
}
