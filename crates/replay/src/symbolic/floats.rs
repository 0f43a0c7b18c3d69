//! Operators on floating point numbers, by binary search.
//!
//! The non-negative floats of a format are ordered like their bit patterns, so the two neighbours of an exact number
//! are found by binary search; the rounding mode selects one of them. See IEEE 754-2019, section 4.3.
//!
//! Invariant: except for the representation of floats, no code is shared with the evaluator of the engines.

use num_bigint::BigInt;
use tempora_smt::{BigRational, BitVector, Float, FloatFormat, FloatNumber, FloatOperator, Rounding, Value};

/// Evaluates an operator, or returns why it has no value.
pub(super) fn evaluate(operator: FloatOperator, arguments: &[Value]) -> Result<Value, String> {
    let made = |float: Float| Ok(Value::Float(Box::new(float)));
    match (operator, arguments) {
        (_, [Value::Float(left), Value::Float(right)]) => match operator {
            FloatOperator::Less => Ok(Value::Boolean(is_ordered(left, right, |left, right| left < right))),
            FloatOperator::LessEqual => {
                Ok(Value::Boolean(is_ordered(left, right, |left, right| left <= right)))
            }
            FloatOperator::Equal => Ok(Value::Boolean(is_ordered(left, right, |left, right| left == right))),
            FloatOperator::Minimum | FloatOperator::Maximum => {
                let is_minimum = operator == FloatOperator::Minimum;
                made(extreme(left, right, is_minimum)?)
            }
            FloatOperator::Add(rounding) => made(sum(left, right, rounding)),
            FloatOperator::Subtract(rounding) => made(sum(left, &negated(right), rounding)),
            FloatOperator::Multiply(rounding) => made(product(left, right, rounding)),
            FloatOperator::Divide(rounding) => made(quotient(left, right, rounding)),
            FloatOperator::Remainder => made(remainder(left, right)),
            _ => Err("an operator on floating point numbers has too many arguments".to_owned()),
        },
        (_, [Value::Float(one)]) => match operator {
            FloatOperator::Negate => made(negated(one)),
            FloatOperator::Absolute => made(if sign(one) { negated(one) } else { (**one).clone() }),
            FloatOperator::IsNaN => Ok(Value::Boolean(*one.number() == FloatNumber::NotANumber)),
            FloatOperator::IsInfinite => Ok(Value::Boolean(matches!(one.number(), FloatNumber::Infinite(_)))),
            FloatOperator::SquareRoot(rounding) => made(root(one, rounding)),
            FloatOperator::RoundToIntegral(rounding) => made(match one.number() {
                FloatNumber::Finite(number) => {
                    let whole = BigRational::from_integer(integer(number, rounding));
                    nearest(one.format(), rounding, &whole, sign(one))
                }
                _ => (**one).clone(),
            }),
            FloatOperator::Convert(format, rounding) => made(match one.number() {
                FloatNumber::Finite(number) => nearest(format, rounding, number, sign(one)),
                other => Float::special(format, other.clone()),
            }),
            FloatOperator::ToSigned(width, rounding) | FloatOperator::ToUnsigned(width, rounding) => {
                let number = exact(one).ok_or(LEFT_OPEN)?;
                let whole = integer(&number, rounding);
                let is_signed = matches!(operator, FloatOperator::ToSigned(..));
                let word = BitVector::new(width, &whole).ok_or("a bit vector has too many bits, or none")?;
                if number_of(&word, is_signed) != whole {
                    return Err(LEFT_OPEN.to_owned());
                }
                Ok(Value::Bits(word))
            }
            _ => Err("an operator on floating point numbers has too few arguments".to_owned()),
        },
        (
            FloatOperator::FromSigned(format, rounding) | FloatOperator::FromUnsigned(format, rounding),
            [Value::Bits(word)],
        ) => {
            let whole = number_of(word, matches!(operator, FloatOperator::FromSigned(..)));
            made(nearest(format, rounding, &BigRational::from_integer(whole), false))
        }
        _ => Err("an operator on floating point numbers has arguments of the wrong sort".to_owned()),
    }
}

const LEFT_OPEN: &str = "an operator on floating point numbers has an unspecified value";

fn number_of(word: &BitVector, is_signed: bool) -> BigInt {
    let digits = word.digits();
    digits.bytes().enumerate().fold(BigInt::from(0), |number, (position, digit)| {
        let digit = BigInt::from(u8::from(digit == b'1'));
        // The first digit of a signed number has negative weight.
        number * 2 + if position == 0 && is_signed { -digit } else { digit }
    })
}

fn sign(float: &Float) -> bool {
    float.parts().0
}

/// Returns the float with the opposite sign bit.
fn negated(float: &Float) -> Float {
    let (sign, exponent, significand) = float.parts();
    if *float.number() == FloatNumber::NotANumber {
        return float.clone();
    }
    Float::from_parts(float.format(), !sign, &exponent, &significand).unwrap_or_else(|| float.clone())
}

fn special(float: &Float, number: FloatNumber) -> Float {
    Float::special(float.format(), number)
}

/// Returns the exact value of a finite float.
fn exact(float: &Float) -> Option<BigRational> {
    match float.number() {
        FloatNumber::Zero(_) => Some(BigRational::default()),
        FloatNumber::Finite(number) => Some(number.clone()),
        FloatNumber::Infinite(_) | FloatNumber::NotANumber => None,
    }
}

fn is_ordered(left: &Float, right: &Float, holds: fn(&BigRational, &BigRational) -> bool) -> bool {
    // Infinities are beyond every number.
    let place = |float: &Float| match float.number() {
        FloatNumber::NotANumber => None,
        FloatNumber::Infinite(is_negative) => {
            let far = BigRational::from_integer(BigInt::from(1) << (1u32 << 16));
            Some(if *is_negative { -far } else { far })
        }
        _ => exact(float),
    };
    match (place(left), place(right)) {
        (Some(left), Some(right)) => holds(&left, &right),
        _ => false,
    }
}

fn extreme(left: &Float, right: &Float, is_minimum: bool) -> Result<Float, String> {
    if *left.number() == FloatNumber::NotANumber {
        return Ok(right.clone());
    }
    if *right.number() == FloatNumber::NotANumber {
        return Ok(left.clone());
    }
    if let (FloatNumber::Zero(first), FloatNumber::Zero(second)) = (left.number(), right.number())
        && first != second
    {
        return Err(LEFT_OPEN.to_owned());
    }
    let is_less = is_ordered(left, right, |left, right| left < right);
    Ok(if is_less == is_minimum { left.clone() } else { right.clone() })
}

fn sum(left: &Float, right: &Float, rounding: Rounding) -> Float {
    match (exact(left), exact(right)) {
        (Some(first), Some(second)) => {
            let is_negative = match (left.number(), right.number()) {
                (FloatNumber::Zero(first), FloatNumber::Zero(second)) if first == second => *first,
                _ => rounding == Rounding::Down,
            };
            nearest(left.format(), rounding, &(first + second), is_negative)
        }
        (None, Some(_)) => left.clone(),
        (Some(_), None) => right.clone(),
        // At least one is not finite: the sum is that infinity or NaN.
        (None, None) if left == right => left.clone(),
        (None, None) => special(left, FloatNumber::NotANumber),
    }
}

fn product(left: &Float, right: &Float, rounding: Rounding) -> Float {
    let is_negative = sign(left) != sign(right);
    let is_zero = |float: &Float| matches!(float.number(), FloatNumber::Zero(_));
    let is_nan = |float: &Float| *float.number() == FloatNumber::NotANumber;
    match (exact(left), exact(right)) {
        (Some(first), Some(second)) => nearest(left.format(), rounding, &(first * second), is_negative),
        _ if is_nan(left) || is_nan(right) || is_zero(left) || is_zero(right) => {
            special(left, FloatNumber::NotANumber)
        }
        _ => special(left, FloatNumber::Infinite(is_negative)),
    }
}

fn quotient(left: &Float, right: &Float, rounding: Rounding) -> Float {
    let is_negative = sign(left) != sign(right);
    let is_zero = |float: &Float| matches!(float.number(), FloatNumber::Zero(_));
    let is_nan = |float: &Float| *float.number() == FloatNumber::NotANumber;
    match (exact(left), exact(right)) {
        (Some(_), Some(_)) if is_zero(left) && is_zero(right) => special(left, FloatNumber::NotANumber),
        (Some(_), Some(_)) if is_zero(right) => special(left, FloatNumber::Infinite(is_negative)),
        (Some(first), Some(second)) => nearest(left.format(), rounding, &(first / second), is_negative),
        _ if is_nan(left) || is_nan(right) => special(left, FloatNumber::NotANumber),
        (None, Some(_)) => special(left, FloatNumber::Infinite(is_negative)),
        (Some(_), None) => special(left, FloatNumber::Zero(is_negative)),
        (None, None) => special(left, FloatNumber::NotANumber),
    }
}

fn remainder(left: &Float, right: &Float) -> Float {
    match (exact(left), exact(right)) {
        (Some(first), Some(second)) if second != BigRational::default() => {
            let multiple = BigRational::from_integer(integer(&(&first / &second), Rounding::NearestEven));
            nearest(left.format(), Rounding::NearestEven, &(first - multiple * second), sign(left))
        }
        (Some(_), None) if matches!(right.number(), FloatNumber::Infinite(_)) => left.clone(),
        _ => special(left, FloatNumber::NotANumber),
    }
}

/// Rounds a number to an integer.
fn integer(number: &BigRational, rounding: Rounding) -> BigInt {
    let (below, above) = (number.floor().to_integer(), number.ceil().to_integer());
    let twice = number * BigRational::from_integer(BigInt::from(2));
    let middle = BigRational::from_integer(&below + &above);
    let is_negative = *number < BigRational::default();
    let (inner, outer) = if is_negative { (&above, &below) } else { (&below, &above) };
    match rounding {
        Rounding::Up => above,
        Rounding::Down => below,
        Rounding::Zero => inner.clone(),
        Rounding::NearestEven if twice == middle => {
            if below.bit(0) {
                above
            } else {
                below
            }
        }
        Rounding::NearestAway if twice == middle => outer.clone(),
        Rounding::NearestEven | Rounding::NearestAway => {
            if twice < middle {
                below
            } else {
                above
            }
        }
    }
}

/// Returns the value of the non-negative float with these bits; for infinity, the value that would follow the largest.
fn number_at(format: FloatFormat, place: &BigInt) -> BigRational {
    let stored = format.significand_bits() - 1;
    let hidden = BigInt::from(1) << stored;
    let exponent = i64::try_from(place >> stored).unwrap_or(0);
    let significand = place % &hidden;
    let bias = (1i64 << (format.exponent_bits() - 1)) - 1;
    let (whole, exponent) = if exponent == 0 { (significand, 1) } else { (significand + hidden, exponent) };
    let scale = exponent - bias - i64::from(stored);
    let power = BigRational::from_integer(BigInt::from(1) << scale.unsigned_abs());
    let whole = BigRational::from_integer(whole);
    if scale < 0 { whole / power } else { whole * power }
}

/// Returns the largest bit pattern whose value satisfies a predicate that holds up to some pattern.
fn last_place(format: FloatFormat, holds: impl Fn(&BigRational) -> bool) -> BigInt {
    let stored = format.significand_bits() - 1;
    // The bit pattern of infinity.
    let mut above = ((BigInt::from(1) << format.exponent_bits()) - 1) << stored;
    if holds(&number_at(format, &above)) {
        return above;
    }
    let mut below = BigInt::from(0);
    while &above - &below > BigInt::from(1) {
        let middle: BigInt = (&below + &above) >> 1;
        if holds(&number_at(format, &middle)) {
            below = middle;
        } else {
            above = middle;
        }
    }
    below
}

fn float_at(format: FloatFormat, is_negative: bool, place: &BigInt) -> Float {
    let stored = format.significand_bits() - 1;
    let hidden = BigInt::from(1) << stored;
    let made = Float::from_parts(format, is_negative, &(place >> stored), &(place % hidden));
    made.unwrap_or_else(|| Float::special(format, FloatNumber::NotANumber))
}

/// Rounds a number to a float; a zero has the given sign.
fn nearest(format: FloatFormat, rounding: Rounding, number: &BigRational, zero_sign: bool) -> Float {
    let zero = BigRational::default();
    if *number == zero {
        return Float::special(format, FloatNumber::Zero(zero_sign));
    }
    let is_negative = *number < zero;
    let size = if is_negative { -number.clone() } else { number.clone() };
    let place = last_place(format, |found| *found <= size);
    let (below, above) = (number_at(format, &place), number_at(format, &(&place + 1)));
    let infinite = ((BigInt::from(1) << format.exponent_bits()) - 1) << (format.significand_bits() - 1);
    let middle = (&below + &above) / BigRational::from_integer(BigInt::from(2));
    let away = match rounding {
        // Only infinity follows the largest number.
        Rounding::NearestEven | Rounding::NearestAway if place >= infinite => false,
        _ if place >= infinite => {
            let stays = rounding == Rounding::Zero || (rounding == Rounding::Up) == is_negative;
            return float_at(format, is_negative, &if stays { infinite - 1 } else { infinite });
        }
        _ if size == below => false,
        Rounding::Zero => false,
        Rounding::Up => !is_negative,
        Rounding::Down => is_negative,
        Rounding::NearestEven if size == middle => place.bit(0),
        Rounding::NearestAway if size == middle => true,
        Rounding::NearestEven | Rounding::NearestAway => size > middle,
    };
    let place = if away { place + 1 } else { place };
    float_at(format, is_negative, &place.min(infinite))
}

fn root(float: &Float, rounding: Rounding) -> Float {
    let number = match float.number() {
        FloatNumber::Zero(_) | FloatNumber::Infinite(false) => return float.clone(),
        FloatNumber::Finite(number) if *number > BigRational::default() => number,
        _ => return special(float, FloatNumber::NotANumber),
    };
    let format = float.format();
    let place = last_place(format, |found| found * found <= *number);
    let (below, above) = (number_at(format, &place), number_at(format, &(&place + 1)));
    let middle = (&below + &above) / BigRational::from_integer(BigInt::from(2));
    let away = match rounding {
        _ if &below * &below == *number => false,
        Rounding::Zero | Rounding::Down => false,
        Rounding::Up => true,
        Rounding::NearestEven if &middle * &middle == *number => place.bit(0),
        Rounding::NearestEven | Rounding::NearestAway => &middle * &middle <= *number,
    };
    float_at(format, false, &if away { place + 1 } else { place })
}

#[cfg(test)]
mod tests {
    use tempora_smt::{Operator, Sort, TermStore};

    use super::*;

    /// Compares both evaluators on all floats of small formats.
    #[test]
    fn small_formats_agree_with_engine_evaluator() {
        let store = TermStore::new();
        let mut compared = 0;
        for (exponent, significand) in [(2, 2), (2, 3), (3, 3), (4, 2)] {
            let format = FloatFormat::new(exponent, significand).unwrap();
            let other = FloatFormat::new(3, 2).unwrap();
            let floats = Value::all_of(&store, &Sort::Float(format), 1000).unwrap();
            let words = Value::all_of(&store, &Sort::BitVector(5), 100).unwrap();
            let mut compare = |operator: FloatOperator, arguments: &[Value]| {
                let expected = Operator::Floats(operator).apply(&store, arguments);
                let found = evaluate(operator, arguments);
                assert_eq!(found.ok(), expected.ok(), "{operator:?} {arguments:?}");
                compared += 1;
            };
            for first in &floats {
                for operator in [
                    FloatOperator::Negate,
                    FloatOperator::Absolute,
                    FloatOperator::IsNaN,
                    FloatOperator::IsInfinite,
                ] {
                    compare(operator, std::slice::from_ref(first));
                }
                for rounding in Rounding::ALL {
                    for operator in [
                        FloatOperator::SquareRoot(rounding),
                        FloatOperator::RoundToIntegral(rounding),
                        FloatOperator::Convert(other, rounding),
                        FloatOperator::ToSigned(3, rounding),
                        FloatOperator::ToUnsigned(3, rounding),
                    ] {
                        compare(operator, std::slice::from_ref(first));
                    }
                }
                for second in &floats {
                    let both = [first.clone(), second.clone()];
                    for operator in [
                        FloatOperator::Less,
                        FloatOperator::LessEqual,
                        FloatOperator::Equal,
                        FloatOperator::Minimum,
                        FloatOperator::Maximum,
                        FloatOperator::Remainder,
                    ] {
                        compare(operator, &both);
                    }
                    for rounding in Rounding::ALL {
                        for operator in [
                            FloatOperator::Add(rounding),
                            FloatOperator::Subtract(rounding),
                            FloatOperator::Multiply(rounding),
                            FloatOperator::Divide(rounding),
                        ] {
                            compare(operator, &both);
                        }
                    }
                }
            }
            for word in &words {
                for rounding in Rounding::ALL {
                    compare(FloatOperator::FromSigned(format, rounding), std::slice::from_ref(word));
                    compare(FloatOperator::FromUnsigned(format, rounding), std::slice::from_ref(word));
                }
            }
        }
        assert!(compared > 100_000, "{compared}");
    }

    /// Compares single precision with the machine, rounding to nearest.
    #[test]
    fn single_precision_agrees_with_the_machine() {
        let format = FloatFormat::new(8, 24).unwrap();
        let float = |bits: u32| {
            let made = Float::from_parts(
                format,
                bits >> 31 == 1,
                &BigInt::from(bits >> 23 & 0xff),
                &BigInt::from(bits & 0x007f_ffff),
            );
            Value::Float(Box::new(made.unwrap()))
        };
        let store = TermStore::new();
        let mut state = 0x1234_5678_u32;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state
        };
        for round in 0..400 {
            let first = next();
            // Exponents close to each other, so that both operands affect the result.
            let second = if round % 2 == 0 { (first & 0x7f80_0000) ^ (next() & 0x83ff_ffff) } else { next() };
            let (left, right) = (f32::from_bits(first), f32::from_bits(second));
            let results = [
                (FloatOperator::Add(Rounding::NearestEven), left + right),
                (FloatOperator::Subtract(Rounding::NearestEven), left - right),
                (FloatOperator::Multiply(Rounding::NearestEven), left * right),
                (FloatOperator::Divide(Rounding::NearestEven), left / right),
            ];
            for (operator, expected) in results {
                let arguments = [float(first), float(second)];
                let expected = if expected.is_nan() {
                    Value::Float(Box::new(Float::special(format, FloatNumber::NotANumber)))
                } else {
                    float(expected.to_bits())
                };
                assert_eq!(
                    evaluate(operator, &arguments),
                    Ok(expected.clone()),
                    "{operator:?} {left} {right}"
                );
                assert_eq!(Operator::Floats(operator).apply(&store, &arguments), Ok(expected));
            }
            let expected = left.sqrt();
            if !expected.is_nan() {
                let operator = FloatOperator::SquareRoot(Rounding::NearestEven);
                assert_eq!(evaluate(operator, &[float(first)]), Ok(float(expected.to_bits())), "{left}");
                assert_eq!(
                    Operator::Floats(operator).apply(&store, &[float(first)]),
                    Ok(float(expected.to_bits()))
                );
            }
        }
    }
}
