//! Constant folding of predicates.
//!
//! Invariant: the folded predicate has the same truth value in every state. Clocks are never negative.

use tempora_model::{
    BinaryOperator, Comparison, Expression, ExpressionKind, Network, Quantifier, Type, UnaryOperator, Value,
    VariableKind,
};

/// Returns the predicate without subformulas of known truth value.
pub(crate) fn folded(network: &Network, predicate: &Expression) -> Expression {
    let with = |kind| Expression { kind, value_type: predicate.value_type.clone(), origin: predicate.origin };
    match &predicate.kind {
        ExpressionKind::CompareClocks { left, right, comparison, bound } => match constant(network, bound) {
            Some(bound) => match known_comparison(left.is_some(), right.is_some(), *comparison, bound) {
                Some(truth) => constant_of(truth, predicate),
                None => predicate.clone(),
            },
            None => predicate.clone(),
        },
        ExpressionKind::Unary { operator: UnaryOperator::Not, operand } => {
            let operand = folded(network, operand);
            match truth(&operand) {
                Some(truth) => constant_of(!truth, predicate),
                None => {
                    with(ExpressionKind::Unary { operator: UnaryOperator::Not, operand: Box::new(operand) })
                }
            }
        }
        ExpressionKind::Binary {
            operator: operator @ (BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Imply),
            left,
            right,
        } => {
            let (left, right) = (folded(network, left), folded(network, right));
            match (operator, truth(&left), truth(&right)) {
                (BinaryOperator::And, Some(false), _) => constant_of(false, predicate),
                (BinaryOperator::And | BinaryOperator::Imply, Some(true), _)
                | (BinaryOperator::Or, Some(false), _) => right,
                (BinaryOperator::Or, Some(true), _) | (BinaryOperator::Imply, Some(false), _) => {
                    constant_of(true, predicate)
                }
                (BinaryOperator::And, None, Some(true)) | (BinaryOperator::Or, None, Some(false)) => left,
                _ => with(ExpressionKind::Binary {
                    operator: *operator,
                    left: Box::new(left),
                    right: Box::new(right),
                }),
            }
        }
        ExpressionKind::Quantified {
            quantifier: quantifier @ (Quantifier::ForAll | Quantifier::Exists),
            binder,
            body,
        } => {
            let body = folded(network, body);
            match truth(&body) {
                // Over an empty domain the quantifiers ignore their bodies.
                Some(truth) if binder.domain.size() > 0 => constant_of(truth, predicate),
                _ => with(ExpressionKind::Quantified {
                    quantifier: *quantifier,
                    binder: binder.clone(),
                    body: Box::new(body),
                }),
            }
        }
        _ => predicate.clone(),
    }
}

/// Returns the truth value of comparing a clock, or its negation, with a number, if it is known.
fn known_comparison(has_left: bool, has_right: bool, comparison: Comparison, bound: i32) -> Option<bool> {
    // `-x` compared with a bound is `x` compared with the negated bound.
    let (comparison, bound) = match (has_left, has_right) {
        (true, false) => (comparison, bound),
        (false, true) => (comparison.flipped(), bound.checked_neg()?),
        _ => return None,
    };
    match comparison {
        Comparison::Less if bound <= 0 => Some(false),
        Comparison::LessOrEqual | Comparison::Equal if bound < 0 => Some(false),
        Comparison::GreaterOrEqual if bound <= 0 => Some(true),
        Comparison::Greater | Comparison::NotEqual if bound < 0 => Some(true),
        _ => None,
    }
}

fn constant(network: &Network, expression: &Expression) -> Option<i32> {
    match &expression.kind {
        ExpressionKind::Integer(value) => Some(*value),
        ExpressionKind::Unary { operator: UnaryOperator::Negate, operand } => {
            constant(network, operand)?.checked_neg()
        }
        ExpressionKind::Variable(variable) => {
            let variable = network.variables.get(*variable)?;
            match (variable.kind, &variable.initial) {
                (VariableKind::Constant, Value::Integer(value)) => Some(*value),
                _ => None,
            }
        }
        _ => None,
    }
}

fn truth(expression: &Expression) -> Option<bool> {
    match expression.kind {
        ExpressionKind::Integer(value) => Some(value != 0),
        _ => None,
    }
}

fn constant_of(truth: bool, place: &Expression) -> Expression {
    Expression {
        kind: ExpressionKind::Integer(i32::from(truth)),
        value_type: Type::Boolean,
        origin: place.origin,
    }
}
