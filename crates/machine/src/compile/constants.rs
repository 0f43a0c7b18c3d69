//! Evaluation of constant expressions.
//!
//! Invariant: a returned value equals that of the reference semantics in every state.

use tempora_model::{
    BinaryOperator, Expression, ExpressionKind, Network, Type, UnaryOperator, Value, VariableKind,
};

use super::routine::Compiled;
use crate::failure::Declined;

/// Returns the value of an expression that is obviously the same in all states.
pub(crate) fn constant_value(network: &Network, expression: &Expression) -> Option<i32> {
    match &expression.kind {
        ExpressionKind::Integer(value) => Some(*value),
        ExpressionKind::Variable(_) | ExpressionKind::Element { .. } | ExpressionKind::Field { .. } => {
            match constant_part(network, expression)? {
                Value::Integer(value) => Some(*value),
                _ => None,
            }
        }
        ExpressionKind::Unary { operator: UnaryOperator::Negate, operand } => {
            Some(constant_value(network, operand)?.wrapping_neg())
        }
        ExpressionKind::Binary { operator, left, right } => {
            let (left, right) = (constant_value(network, left)?, constant_value(network, right)?);
            match operator {
                BinaryOperator::Add => Some(left.wrapping_add(right)),
                BinaryOperator::Subtract => Some(left.wrapping_sub(right)),
                BinaryOperator::Multiply => Some(left.wrapping_mul(right)),
                BinaryOperator::Compare(comparison) => Some(i32::from(comparison.holds(left.cmp(&right)))),
                _ => None,
            }
        }
        _ => None,
    }
}

fn constant_part<'network>(network: &'network Network, expression: &Expression) -> Option<&'network Value> {
    match &expression.kind {
        ExpressionKind::Variable(variable) => {
            let variable = network.variables.get(*variable)?;
            (variable.kind == VariableKind::Constant).then_some(&variable.initial)
        }
        ExpressionKind::Element { array, index } => {
            let Type::Array(array_type) = &array.value_type else { return None };
            let position = array_type.index.position(constant_value(network, index)?)?;
            match constant_part(network, array)? {
                Value::Parts(parts) => parts.get(position),
                _ => None,
            }
        }
        ExpressionKind::Field { record, field } => match constant_part(network, record)? {
            Value::Parts(parts) => parts.get(*field),
            _ => None,
        },
        _ => None,
    }
}

/// Returns a clock and the constant that is added to it. Negative constants are declined: a clock could become negative
/// for only some values of the other.
pub(crate) fn shifted_clock<'value>(
    network: &Network,
    value: &'value Expression,
) -> Compiled<(&'value Expression, i32)> {
    let ExpressionKind::Binary { operator, left, right } = &value.kind else { return Ok((value, 0)) };
    let (clock, amount) = match operator {
        BinaryOperator::Add if left.value_type == Type::Clock => (left, constant_value(network, right)),
        BinaryOperator::Add => (right, constant_value(network, left)),
        _ => (left, constant_value(network, right).and_then(i32::checked_neg)),
    };
    let (clock, inner) = shifted_clock(network, clock)?;
    match amount.and_then(|amount| amount.checked_add(inner)) {
        Some(amount) if amount >= 0 && clock.value_type == Type::Clock => Ok((clock, amount)),
        _ => Err(Declined::new(
            "an assignment of another clock minus a number, or plus a computed number, to a clock",
            value.origin,
        )),
    }
}
