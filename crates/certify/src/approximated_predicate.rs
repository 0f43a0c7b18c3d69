//! Approximates a predicate on a part of a network; undecided subformulas are resolved pessimistically.
//!
//! Invariant: the result is bad wherever the predicate is bad, for any behaviour of the rest of the network. Only
//! monotone and antitone operators are decomposed.

use tempora_evidence::NetworkPart;
use tempora_model::{BinaryOperator, Expression, ExpressionKind, Network, Quantifier, Type, UnaryOperator};

use crate::part::Part;

/// Returns a predicate about the part alone that is bad at least where the given one is.
pub fn approximated_predicate(
    network: &Network,
    part: &NetworkPart,
    predicate: &Expression,
    bad: bool,
) -> Expression {
    Part { network, part }.approximated_predicate(predicate, bad)
}

impl Part<'_> {
    fn approximated_predicate(&self, predicate: &Expression, bad: bool) -> Expression {
        if self.has_all(&self.needs(predicate)) {
            return predicate.clone();
        }
        let inside = |inner: &Expression, bad| Box::new(self.approximated_predicate(inner, bad));
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
        // An operator of undecided subformulas is undecided.
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
