//! Builders for synthetic parts of trees.
//!
//! Invariant: every part has the span of its source text.

use tempora_source::Span;
use tempora_syntax::ast::{Expression, ExpressionKind, Spelling, UnaryOperator};

/// Builds an integer; a negative one is the negation of a literal.
pub(super) fn integer(value: i64, span: Span) -> Expression {
    let magnitude = Expression { kind: ExpressionKind::Integer(value.saturating_abs()), span };
    if value >= 0 {
        return magnitude;
    }
    let kind = ExpressionKind::Unary {
        operator: UnaryOperator::Negate,
        spelling: Spelling::Symbol,
        operator_span: span,
        operand: Box::new(magnitude),
    };
    Expression { kind, span }
}
