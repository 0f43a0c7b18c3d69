//! Interval analysis of integer expressions, from declared types only.
//!
//! Invariant: if the expression has a value, the value is in the range. The analysis uses the types of variables, not
//! the assignments to them.

use std::ops::RangeInclusive;

use crate::expression::{BinaryOperator, Expression, ExpressionKind, UnaryOperator};
use crate::network::{Network, VariableKind};
use crate::types::{Type, Value};

const EVERYTHING: RangeInclusive<i64> = i32::MIN as i64..=i32::MAX as i64;

impl Network {
    /// Returns the range of an expression, computed from the types of its operands.
    pub fn declared_range(&self, expression: &Expression) -> RangeInclusive<i64> {
        let by_type = match &expression.value_type {
            Type::Integer(range) => i64::from(range.least)..=i64::from(range.greatest),
            Type::Boolean => 0..=1,
            _ => EVERYTHING,
        };
        let computed = match &expression.kind {
            ExpressionKind::Integer(value) => i64::from(*value)..=i64::from(*value),
            ExpressionKind::Variable(variable) => match &self.variables[*variable] {
                variable if variable.kind == VariableKind::Constant => match variable.initial {
                    Value::Integer(value) => i64::from(value)..=i64::from(value),
                    _ => EVERYTHING,
                },
                _ => EVERYTHING,
            },
            ExpressionKind::Unary { operator: UnaryOperator::Negate, operand } => {
                let inner = self.declared_range(operand);
                full_range_if_overflowing(-inner.end()..=-inner.start())
            }
            ExpressionKind::Binary { operator, left, right } => {
                let (left, right) = (self.declared_range(left), self.declared_range(right));
                operator_range(*operator, &left, &right)
            }
            ExpressionKind::Conditional { then, otherwise, .. } => {
                let (then, otherwise) = (self.declared_range(then), self.declared_range(otherwise));
                *then.start().min(otherwise.start())..=*then.end().max(otherwise.end())
            }
            _ => EVERYTHING,
        };
        // A result outside the type is a run-time error, not a value.
        *computed.start().max(by_type.start())..=*computed.end().min(by_type.end())
    }

    /// Returns an upper bound of the absolute value of an expression, computed from the types of its operands.
    pub fn declared_magnitude(&self, expression: &Expression) -> i64 {
        let range = self.declared_range(expression);
        range.start().abs().max(range.end().abs())
    }
}

fn operator_range(
    operator: BinaryOperator,
    left: &RangeInclusive<i64>,
    right: &RangeInclusive<i64>,
) -> RangeInclusive<i64> {
    let (&(mut least), &(mut greatest)) = (left.start(), left.end());
    match operator {
        BinaryOperator::Add => {
            least += right.start();
            greatest += right.end();
        }
        BinaryOperator::Subtract => {
            least -= right.end();
            greatest -= right.start();
        }
        BinaryOperator::Multiply => {
            // Ranges have 32 bits, so products fit into 64.
            let corners = [left.start(), left.end()]
                .into_iter()
                .flat_map(|one| [one * right.start(), one * right.end()]);
            least = corners.clone().min().unwrap_or(*EVERYTHING.start());
            greatest = corners.max().unwrap_or(*EVERYTHING.end());
        }
        BinaryOperator::Minimum => {
            least = least.min(*right.start());
            greatest = greatest.min(*right.end());
        }
        BinaryOperator::Maximum => {
            least = least.max(*right.start());
            greatest = greatest.max(*right.end());
        }
        _ => return EVERYTHING,
    }
    full_range_if_overflowing(least..=greatest)
}

/// Returns the range, or all integers if it exceeds 32 bits: results wrap around then.
fn full_range_if_overflowing(range: RangeInclusive<i64>) -> RangeInclusive<i64> {
    if EVERYTHING.contains(range.start()) && EVERYTHING.contains(range.end()) { range } else { EVERYTHING }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tries all pairs of ranges with small bounds, and all values in them.
    #[test]
    fn operator_range_contains_all_results() {
        let ends = [-3, -1, 0, 2, 4];
        let ranges = || {
            let pairs = ends.into_iter().flat_map(|least| ends.into_iter().map(move |most| (least, most)));
            pairs.filter(|(least, most)| least <= most).map(|(least, most)| least..=most)
        };
        let computed = |operator, left: i64, right: i64| match operator {
            BinaryOperator::Add => left + right,
            BinaryOperator::Subtract => left - right,
            BinaryOperator::Multiply => left * right,
            BinaryOperator::Minimum => left.min(right),
            _ => left.max(right),
        };
        let operators = [
            BinaryOperator::Add,
            BinaryOperator::Subtract,
            BinaryOperator::Multiply,
            BinaryOperator::Minimum,
            BinaryOperator::Maximum,
        ];
        for operator in operators {
            for left in ranges() {
                for right in ranges() {
                    let found = operator_range(operator, &left, &right);
                    let values = left
                        .clone()
                        .flat_map(|one| right.clone().map(move |other| (one, other)))
                        .map(|(one, other)| computed(operator, one, other));
                    assert_eq!(values.clone().min(), Some(*found.start()), "{operator:?} {left:?} {right:?}");
                    assert_eq!(values.max(), Some(*found.end()), "{operator:?} {left:?} {right:?}");
                }
            }
        }
    }

    #[test]
    fn overflowing_range_becomes_everything() {
        let large = 0..=i64::from(i32::MAX);
        assert_eq!(operator_range(BinaryOperator::Add, &large, &(1..=1)), EVERYTHING);
        assert_eq!(operator_range(BinaryOperator::Subtract, &(-2..=0), &large), EVERYTHING);
        assert_eq!(operator_range(BinaryOperator::Multiply, &(0..=65_536), &(0..=65_536)), EVERYTHING);
        assert_eq!(operator_range(BinaryOperator::Maximum, &large, &(-5..=1)), large);
        assert_eq!(full_range_if_overflowing(-i64::from(i32::MIN)..=0), EVERYTHING);
    }
}
