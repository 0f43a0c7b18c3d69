//! A predicate as far as a part of a network can tell: what it cannot tell is presumed to be for the worse.
//!
//! Invariant: wherever the predicate has a truth value that must not be, so has what is made of it, whatever the rest of the network is
//! like. Only operators are looked into of which it is known in which direction they go.

use tempora_evidence::NetworkPart;
use tempora_model::{BinaryOperator, Expression, ExpressionKind, Network, Quantifier, Type, UnaryOperator};

use crate::part::Part;

/// A predicate that needs nothing outside of a part, and has the bad truth value at least where the given one has it.
pub fn presumed(network: &Network, part: &NetworkPart, predicate: &Expression, bad: bool) -> Expression {
    Part { network, part }.presumed(predicate, bad)
}

impl Part<'_> {
    fn presumed(&self, predicate: &Expression, bad: bool) -> Expression {
        if self.has_all(&self.needs(predicate)) {
            return predicate.clone();
        }
        let inside = |inner: &Expression, bad| Box::new(self.presumed(inner, bad));
        let kind = match &predicate.kind {
            ExpressionKind::Unary { operator: operator @ UnaryOperator::Not, operand } => {
                ExpressionKind::Unary { operator: *operator, operand: inside(operand, !bad) }
            }
            ExpressionKind::Binary {
                operator: operator @ (BinaryOperator::And | BinaryOperator::Or),
                left,
                right,
            } => ExpressionKind::Binary {
                operator: *operator,
                left: inside(left, bad),
                right: inside(right, bad),
            },
            ExpressionKind::Binary { operator: operator @ BinaryOperator::Imply, left, right } => {
                ExpressionKind::Binary {
                    operator: *operator,
                    left: inside(left, !bad),
                    right: inside(right, bad),
                }
            }
            ExpressionKind::Quantified {
                quantifier: quantifier @ (Quantifier::ForAll | Quantifier::Exists),
                binder,
                body,
            } => ExpressionKind::Quantified {
                quantifier: *quantifier,
                binder: binder.clone(),
                body: inside(body, bad),
            },
            _ => return truth_value(bad, predicate),
        };
        let presumed =
            Expression { kind, value_type: predicate.value_type.clone(), origin: predicate.origin };
        let mut parts = presumed.children().into_iter();
        // What is made of nothing but presumptions is one itself.
        if parts.all(|part| matches!(part.kind, ExpressionKind::Integer(_))) {
            return truth_value(bad, predicate);
        }
        presumed
    }
}

fn truth_value(truth: bool, place: &Expression) -> Expression {
    Expression {
        kind: ExpressionKind::Integer(i32::from(truth)),
        value_type: Type::Boolean,
        origin: place.origin,
    }
}
