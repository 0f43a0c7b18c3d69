//! Traversal of expressions.
//!
//! Recursion is safe because no tree is higher than [`HEIGHT_LIMIT`](super::HEIGHT_LIMIT).

use super::ast::{Expression, ExpressionKind};

/// Returns the direct subexpressions of an expression in the order of the text, without those in types.
pub fn children(expression: &Expression) -> Vec<&Expression> {
    match &expression.kind {
        ExpressionKind::Integer(_)
        | ExpressionKind::Double(_)
        | ExpressionKind::Boolean(_)
        | ExpressionKind::Text(_)
        | ExpressionKind::Name(_)
        | ExpressionKind::Deadlock
        | ExpressionKind::Exit
        | ExpressionKind::NumberOf(_)
        | ExpressionKind::Error => Vec::new(),
        ExpressionKind::Parenthesised(inner) | ExpressionKind::Derivative(inner) => vec![inner],
        ExpressionKind::Index { base, index } => vec![base, index],
        ExpressionKind::Member { base, .. } => vec![base],
        ExpressionKind::Call { callee, arguments } => std::iter::once(&**callee).chain(arguments).collect(),
        ExpressionKind::Unary { operand, .. } | ExpressionKind::Step { operand, .. } => vec![operand],
        ExpressionKind::Binary { left, right, .. } => vec![left, right],
        ExpressionKind::Conditional { condition, consequence, alternative } => {
            vec![condition, consequence, alternative]
        }
        ExpressionKind::Assignment { target, value, .. } => vec![target, value],
        ExpressionKind::Quantified { body, .. } => vec![body],
        ExpressionKind::Spawn { arguments, .. } => arguments.iter().collect(),
        ExpressionKind::Temporal { interval, operand, .. } => {
            let bounds = interval.iter().flat_map(|interval| [&interval.lower, &interval.upper]);
            bounds.chain([&**operand]).collect()
        }
        ExpressionKind::Until { interval, left, right, .. } => {
            let bounds = interval.iter().flat_map(|interval| [&interval.lower, &interval.upper]);
            std::iter::once(&**left).chain(bounds).chain([&**right]).collect()
        }
        ExpressionKind::LeadsTo { deadline, left, right } => {
            std::iter::once(&**left).chain(deadline.as_deref()).chain([&**right]).collect()
        }
    }
}

/// Returns the height of an expression: the number of nodes on its longest branch.
pub fn height(expression: &Expression) -> u32 {
    1 + children(expression).into_iter().map(height).max().unwrap_or(0)
}

/// Returns whether the expression contains a temporal operator.
pub fn is_temporal(expression: &Expression) -> bool {
    matches!(
        expression.kind,
        ExpressionKind::Temporal { .. } | ExpressionKind::Until { .. } | ExpressionKind::LeadsTo { .. }
    ) || children(expression).into_iter().any(is_temporal)
}
