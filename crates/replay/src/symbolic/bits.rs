//! Operators on bit vectors, bit by bit.
//!
//! Invariant: a bit vector is a list of bits, the lowest first. Each operator follows its definition in SMT-LIB, with
//! schoolbook addition, shifting and division. No code is shared with the evaluator of the engines.

use num_bigint::BigInt;
use tempora_smt::{BitOperator, BitVector, Value};

type Bits = Vec<bool>;

/// Evaluates an operator, or returns why it has no value.
pub(super) fn evaluate(operator: BitOperator, arguments: &[Value]) -> Result<Value, String> {
    let words: Vec<Bits> = arguments.iter().map(bits_of).collect::<Result<_, _>>()?;
    let words: Vec<&[bool]> = words.iter().map(Vec::as_slice).collect();
    let both = |combine: fn(bool, bool) -> bool, left: &[bool], right: &[bool]| {
        word(&left.iter().zip(right).map(|(left, right)| combine(*left, *right)).collect::<Bits>())
    };
    match (operator, words.as_slice()) {
        (BitOperator::Not, [one]) => word(&flipped(one)),
        (BitOperator::Negate, [one]) => word(&negative(one)),
        (BitOperator::Concatenate, [left, right]) => word(&[*right, *left].concat()),
        (BitOperator::Extract { high, low }, [one]) => {
            let part = one.get(low as usize..=high as usize);
            word(part.ok_or("the extracted bits are outside of the bit vector")?)
        }
        (BitOperator::ExtendZero(more), [one]) => word(&[*one, &vec![false; more as usize]].concat()),
        (BitOperator::ExtendSign(more), [one]) => word(&[*one, &vec![sign(one); more as usize]].concat()),
        (_, [left, right]) if left.len() == right.len() => match operator {
            BitOperator::And => both(|left, right| left && right, left, right),
            BitOperator::Or => both(|left, right| left || right, left, right),
            BitOperator::Xor => both(|left, right| left != right, left, right),
            BitOperator::Add => word(&sum(left, right, false)),
            BitOperator::Subtract => word(&sum(left, &flipped(right), true)),
            BitOperator::Multiply => {
                let mut product = vec![false; left.len()];
                for (position, _) in right.iter().enumerate().filter(|(_, bit)| **bit) {
                    product = sum(&product, &shifted_left(left, position), false);
                }
                word(&product)
            }
            BitOperator::DivideUnsigned => word(&divided(left, right).0),
            BitOperator::RemainderUnsigned => word(&divided(left, right).1),
            BitOperator::DivideSigned => {
                let quotient = divided(&magnitude(left), &magnitude(right)).0;
                word(&if sign(left) != sign(right) { negative(&quotient) } else { quotient })
            }
            BitOperator::RemainderSigned => {
                let remainder = divided(&magnitude(left), &magnitude(right)).1;
                word(&if sign(left) { negative(&remainder) } else { remainder })
            }
            BitOperator::ModuloSigned => {
                let remainder = divided(&magnitude(left), &magnitude(right)).1;
                let is_zero = !remainder.contains(&true);
                word(&match (sign(left), sign(right)) {
                    _ if is_zero => remainder,
                    (false, false) => remainder,
                    (true, false) => sum(&negative(&remainder), right, false),
                    (false, true) => sum(&remainder, right, false),
                    (true, true) => negative(&remainder),
                })
            }
            BitOperator::ShiftLeft => word(&shifted_left(left, distance(right))),
            BitOperator::ShiftRight => word(&shifted_right(left, distance(right), false)),
            BitOperator::ShiftRightSigned => word(&shifted_right(left, distance(right), sign(left))),
            BitOperator::LessUnsigned => Ok(Value::Boolean(is_less(left, right))),
            BitOperator::LessEqualUnsigned => Ok(Value::Boolean(!is_less(right, left))),
            BitOperator::LessSigned => Ok(Value::Boolean(is_less_signed(left, right))),
            BitOperator::LessEqualSigned => Ok(Value::Boolean(!is_less_signed(right, left))),
            _ => Err("a bit-vector operator has too many arguments".to_owned()),
        },
        _ => Err("a bit-vector operator has arguments of the wrong sort".to_owned()),
    }
}

fn bits_of(value: &Value) -> Result<Bits, String> {
    match value {
        Value::Bits(word) => Ok(word.digits().bytes().rev().map(|digit| digit == b'1').collect()),
        _ => Err("expected a bit vector".to_owned()),
    }
}

fn word(bits: &[bool]) -> Result<Value, String> {
    let digits: Vec<u8> = bits.iter().rev().map(|bit| if *bit { b'1' } else { b'0' }).collect();
    let number = BigInt::parse_bytes(&digits, 2);
    let width = u32::try_from(bits.len()).ok();
    let made = number.zip(width).and_then(|(number, width)| BitVector::new(width, &number));
    made.map(Value::Bits).ok_or_else(|| "a bit vector has too many bits, or none".to_owned())
}

fn sign(bits: &[bool]) -> bool {
    bits.last().copied().unwrap_or(false)
}

fn flipped(bits: &[bool]) -> Bits {
    bits.iter().map(|bit| !bit).collect()
}

fn negative(bits: &[bool]) -> Bits {
    sum(&flipped(bits), &vec![false; bits.len()], true)
}

fn magnitude(bits: &[bool]) -> Bits {
    if sign(bits) { negative(bits) } else { bits.to_vec() }
}

/// Returns the sum of two bit vectors of the same width, plus the carry.
fn sum(left: &[bool], right: &[bool], mut carry: bool) -> Bits {
    left.iter()
        .zip(right)
        .map(|(&left, &right)| {
            let digit = left ^ right ^ carry;
            carry = (left && right) || (carry && (left || right));
            digit
        })
        .collect()
}

fn shifted_left(bits: &[bool], distance: usize) -> Bits {
    (0..bits.len()).map(|position| position >= distance && bits[position - distance]).collect()
}

fn shifted_right(bits: &[bool], distance: usize, filling: bool) -> Bits {
    let at = |position: usize| position.checked_add(distance).and_then(|from| bits.get(from)).copied();
    (0..bits.len()).map(|position| at(position).unwrap_or(filling)).collect()
}

/// Returns the distance of a shift; distances beyond the width count as the width.
fn distance(bits: &[bool]) -> usize {
    let mut distance = 0usize;
    for bit in bits.iter().rev() {
        distance = (distance * 2 + usize::from(*bit)).min(bits.len());
    }
    distance
}

fn is_less(left: &[bool], right: &[bool]) -> bool {
    let highest = left.iter().zip(right).rev().find(|(left, right)| left != right);
    highest.is_some_and(|(left, _)| !left)
}

fn is_less_signed(left: &[bool], right: &[bool]) -> bool {
    match (sign(left), sign(right)) {
        (true, false) => true,
        (false, true) => false,
        _ => is_less(left, right),
    }
}

/// Returns quotient and remainder, digit by digit; for division by zero, all ones and the dividend.
fn divided(dividend: &[bool], divisor: &[bool]) -> (Bits, Bits) {
    let width = dividend.len();
    if !divisor.contains(&true) {
        return (vec![true; width], dividend.to_vec());
    }
    let (mut quotient, mut remainder) = (vec![false; width], vec![false; width + 1]);
    let divisor: Bits = divisor.iter().copied().chain([false]).collect();
    for position in (0..width).rev() {
        remainder = shifted_left(&remainder, 1);
        remainder[0] = dividend[position];
        if !is_less(&remainder, &divisor) {
            remainder = sum(&remainder, &flipped(&divisor), true);
            quotient[position] = true;
        }
    }
    remainder.truncate(width);
    (quotient, remainder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempora_smt::{Operator, TermStore};

    #[test]
    fn small_bit_vectors_agree_with_engine_evaluator() {
        let store = TermStore::new();
        for operator in BitOperator::NAMED {
            for number in 0..256 {
                let words = [Value::bits(4, number % 16), Value::bits(4, number / 16)];
                let is_unary = matches!(operator, BitOperator::Not | BitOperator::Negate);
                let arguments = if is_unary { &words[..1] } else { &words[..] };
                let expected = Operator::Bits(operator).apply(&store, arguments);
                assert_eq!(
                    evaluate(operator, arguments),
                    expected.map_err(|error| error.to_string()),
                    "{operator:?} {arguments:?}"
                );
            }
        }
        let taking = [
            BitOperator::Extract { high: 2, low: 1 },
            BitOperator::ExtendZero(3),
            BitOperator::ExtendSign(3),
        ];
        for operator in taking {
            for number in 0..16 {
                let argument = [Value::bits(4, number)];
                let expected = Operator::Bits(operator).apply(&store, &argument);
                assert_eq!(evaluate(operator, &argument), expected.map_err(|error| error.to_string()));
            }
        }
    }
}
