//! Small pieces of trees that a file has no text for, or a shorter one.
//!
//! Invariant: every piece has the span of the text that it stands for.

use tempora_source::Span;
use tempora_syntax::ast::{Expression, ExpressionKind, Spelling, UnaryOperator};

/// A number; a negative one is the negation of a number.
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
