//! Operators on values.
//!
//! Invariant: integers have 32 bits inside of expressions. A result that needs more is an error, also of `<<`, which
//! multiplies by a power of two here; it never wraps. `>>` rounds down. If one operand is a double, both are.

use std::cmp::Ordering;

use tempora_evidence::RuntimeErrorKind;
use tempora_model::{BinaryOperator, Comparison, Value};

type Computed = Result<Value, RuntimeErrorKind>;

/// Applies an operator to two values; `And`, `Or` and `Imply` receive both operands, evaluated.
pub(crate) fn binary(operator: BinaryOperator, left: &Value, right: &Value) -> Computed {
    if let BinaryOperator::Compare(comparison) = operator {
        return compare(comparison, left, right).map(truth);
    }
    match operator {
        BinaryOperator::And => return Ok(truth(is_true(left)? && is_true(right)?)),
        BinaryOperator::Or => return Ok(truth(is_true(left)? || is_true(right)?)),
        BinaryOperator::Imply => return Ok(truth(!is_true(left)? || is_true(right)?)),
        BinaryOperator::Xor => return Ok(truth(is_true(left)? != is_true(right)?)),
        _ => {}
    }
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => {
            integers(operator, *left, *right).map(Value::Integer)
        }
        _ => doubles(operator, double(left)?, double(right)?).map(Value::Double),
    }
}

/// Returns the negated number.
pub(crate) fn negate(value: &Value) -> Computed {
    match value {
        Value::Integer(value) => Ok(Value::Integer(value.wrapping_neg())),
        _ => Ok(Value::Double(-double(value)?)),
    }
}

/// Converts a truth value to a value.
pub(crate) fn truth(condition: bool) -> Value {
    Value::Integer(i32::from(condition))
}

/// Returns whether a value counts as true: all except zero do.
pub(crate) fn is_true(value: &Value) -> Result<bool, RuntimeErrorKind> {
    match value {
        Value::Integer(value) => Ok(*value != 0),
        Value::Double(value) => Ok(*value != 0.0),
        _ => Err(RuntimeErrorKind::IllFormed("expected a truth value")),
    }
}

/// Converts a value to a double.
pub(crate) fn double(value: &Value) -> Result<f64, RuntimeErrorKind> {
    match value {
        Value::Integer(value) => Ok(f64::from(*value)),
        Value::Double(value) => Ok(*value),
        _ => Err(RuntimeErrorKind::IllFormed("expected a number")),
    }
}

/// Converts a value to an integer.
pub(crate) fn integer(value: &Value) -> Result<i32, RuntimeErrorKind> {
    value.as_integer().ok_or(RuntimeErrorKind::IllFormed("expected an integer"))
}

fn compare(comparison: Comparison, left: &Value, right: &Value) -> Result<bool, RuntimeErrorKind> {
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => Ok(comparison.holds(left.cmp(right))),
        (Value::Parts(_), Value::Parts(_)) => {
            let order = if left == right { Ordering::Equal } else { Ordering::Less };
            match comparison {
                Comparison::Equal | Comparison::NotEqual => Ok(comparison.holds(order)),
                _ => Err(RuntimeErrorKind::IllFormed("arrays and records have no order")),
            }
        }
        _ => match double(left)?.partial_cmp(&double(right)?) {
            Some(order) => Ok(comparison.holds(order)),
            // NaN differs from everything.
            None => Ok(comparison == Comparison::NotEqual),
        },
    }
}

fn integers(operator: BinaryOperator, left: i32, right: i32) -> Result<i32, RuntimeErrorKind> {
    let fitting = |result: Option<i32>| result.ok_or(RuntimeErrorKind::Overflow);
    match operator {
        // Intermediate results wrap around at 32 bits, as in UPPAAL; only assigned values must be in range.
        BinaryOperator::Add => Ok(left.wrapping_add(right)),
        BinaryOperator::Subtract => Ok(left.wrapping_sub(right)),
        BinaryOperator::Multiply => Ok(left.wrapping_mul(right)),
        BinaryOperator::Divide | BinaryOperator::Remainder if right == 0 => {
            Err(RuntimeErrorKind::DivisionByZero)
        }
        BinaryOperator::Divide => fitting(left.checked_div(right)),
        BinaryOperator::Remainder => fitting(left.checked_rem(right)),
        BinaryOperator::Power => match u32::try_from(right) {
            Ok(exponent) => fitting(left.checked_pow(exponent)),
            Err(_) => Err(RuntimeErrorKind::NegativeExponent),
        },
        BinaryOperator::BitAnd => Ok(left & right),
        BinaryOperator::BitOr => Ok(left | right),
        BinaryOperator::BitXor => Ok(left ^ right),
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight if right < 0 => {
            Err(RuntimeErrorKind::NegativeShift)
        }
        BinaryOperator::ShiftLeft if left == 0 => Ok(0),
        BinaryOperator::ShiftLeft if right >= 32 => Err(RuntimeErrorKind::Overflow),
        BinaryOperator::ShiftLeft => Ok(left << right),
        BinaryOperator::ShiftRight => Ok(left >> right.min(31)),
        BinaryOperator::Minimum => Ok(left.min(right)),
        BinaryOperator::Maximum => Ok(left.max(right)),
        BinaryOperator::And
        | BinaryOperator::Or
        | BinaryOperator::Imply
        | BinaryOperator::Xor
        | BinaryOperator::Compare(_) => {
            Err(RuntimeErrorKind::IllFormed("the operator does not apply to integers"))
        }
    }
}

fn doubles(operator: BinaryOperator, left: f64, right: f64) -> Result<f64, RuntimeErrorKind> {
    match operator {
        BinaryOperator::Add => Ok(left + right),
        BinaryOperator::Subtract => Ok(left - right),
        BinaryOperator::Multiply => Ok(left * right),
        BinaryOperator::Divide => Ok(left / right),
        BinaryOperator::Remainder => Ok(left % right),
        BinaryOperator::Power => Ok(left.powf(right)),
        BinaryOperator::Minimum => Ok(left.min(right)),
        BinaryOperator::Maximum => Ok(left.max(right)),
        _ => Err(RuntimeErrorKind::IllFormed("the operator does not apply to doubles")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use BinaryOperator as B;
    use RuntimeErrorKind as E;

    fn check(operator: BinaryOperator, left: i32, right: i32, expected: Result<i32, RuntimeErrorKind>) {
        let found = binary(operator, &Value::Integer(left), &Value::Integer(right));
        assert_eq!(found, expected.map(Value::Integer), "{operator:?} of {left} and {right}");
    }

    #[test]
    fn integers_have_32_bits_and_division_truncates() {
        check(B::Add, i32::MAX, 1, Ok(i32::MIN));
        check(B::Subtract, i32::MIN, 1, Ok(i32::MAX));
        check(B::Multiply, 1 << 16, 1 << 15, Ok(i32::MIN));
        check(B::Divide, -7, 2, Ok(-3));
        check(B::Remainder, -7, 2, Ok(-1));
        check(B::Divide, 1, 0, Err(E::DivisionByZero));
        check(B::Remainder, 1, 0, Err(E::DivisionByZero));
        check(B::Divide, i32::MIN, -1, Err(E::Overflow));
        check(B::Power, 2, 30, Ok(1 << 30));
        check(B::Power, 2, 31, Err(E::Overflow));
        check(B::Power, 2, -1, Err(E::NegativeExponent));
        check(B::Power, 0, 0, Ok(1));
        assert_eq!(negate(&Value::Integer(i32::MIN)), Ok(Value::Integer(i32::MIN)));
    }

    #[test]
    fn shifts_do_not_wrap() {
        check(B::ShiftLeft, 3, 4, Ok(48));
        check(B::ShiftLeft, 1, 31, Ok(i32::MIN));
        check(B::ShiftLeft, 3, 31, Ok(i32::MIN));
        check(B::ShiftLeft, 1, 40, Err(E::Overflow));
        check(B::ShiftLeft, 0, 40, Ok(0));
        check(B::ShiftLeft, 1, -1, Err(E::NegativeShift));
        check(B::ShiftRight, 1, -1, Err(E::NegativeShift));
        check(B::ShiftRight, -5, 1, Ok(-3));
        check(B::ShiftRight, -5, 99, Ok(-1));
    }

    #[test]
    fn truth_values_are_integers() {
        check(B::Compare(Comparison::Equal), 5, 1, Ok(0));
        check(B::And, 5, 2, Ok(1));
        check(B::Xor, 5, 2, Ok(0));
        check(B::Imply, 0, 0, Ok(1));
        check(B::Imply, 3, 0, Ok(0));
    }

    #[test]
    fn mixed_operands_become_doubles() {
        let half = binary(B::Divide, &Value::Integer(1), &Value::Double(2.0));
        assert_eq!(half, Ok(Value::Double(0.5)));
        let not_a_number = Value::Double(f64::NAN);
        for (comparison, expected) in
            [(Comparison::NotEqual, 1), (Comparison::Equal, 0), (Comparison::Less, 0)]
        {
            let found = binary(B::Compare(comparison), &not_a_number, &Value::Integer(1));
            assert_eq!(found, Ok(Value::Integer(expected)));
        }
    }

    #[test]
    fn arrays_are_compared_elementwise() {
        let array = |last| Value::Parts(vec![Value::Integer(1), Value::Integer(last)]);
        let equal = |left: &Value, right: &Value| binary(B::Compare(Comparison::Equal), left, right);
        assert_eq!(equal(&array(2), &array(2)), Ok(Value::Integer(1)));
        assert_eq!(equal(&array(2), &array(3)), Ok(Value::Integer(0)));
    }
}
