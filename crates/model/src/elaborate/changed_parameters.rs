//! Determines which parameters of a template its processes may change.
//!
//! Invariant: a parameter that this analysis does not report keeps its value, so it can be a constant. The analysis
//! over-approximates: it counts names that are passed to functions, and names that another declaration hides.

use tempora_syntax::ast::{
    Block, Declaration, DeclarationKind, EdgeTarget, Expression, ExpressionKind, ProcessDeclaration,
    Statement, StatementKind,
};
use tempora_syntax::children;

/// Returns whether an expression of the template may change the variable with this name.
pub(super) fn may_change(process: &ProcessDeclaration, name: &str) -> bool {
    let in_function = |declaration: &Declaration| match &declaration.kind {
        DeclarationKind::Function(function) => block_changes(&function.body, name),
        _ => false,
    };
    process.declarations.iter().any(in_function)
        || process.edges.iter().any(|edge| {
            let in_branches = match &edge.target {
                EdgeTarget::Single(_) => false,
                EdgeTarget::Branches(branches) => {
                    branches.iter().flat_map(|branch| &branch.updates).any(|update| changes(update, name))
                }
            };
            in_branches || edge.labels.updates.iter().any(|update| changes(update, name))
        })
}

fn block_changes(block: &Block, name: &str) -> bool {
    block.statements.iter().any(|statement| statement_changes(statement, name))
}

fn statement_changes(statement: &Statement, name: &str) -> bool {
    let any = |expressions: &[Expression]| expressions.iter().any(|expression| changes(expression, name));
    match &statement.kind {
        StatementKind::Empty | StatementKind::Return(None) | StatementKind::Error => false,
        StatementKind::Expressions(expressions) => any(expressions),
        StatementKind::Block(block) => block_changes(block, name),
        StatementKind::If { branches, otherwise } => {
            branches
                .iter()
                .any(|branch| changes(&branch.condition, name) || statement_changes(&branch.body, name))
                || otherwise.as_ref().is_some_and(|otherwise| statement_changes(otherwise, name))
        }
        StatementKind::For { initial, condition, step, body } => {
            any(initial) || any(condition) || any(step) || statement_changes(body, name)
        }
        StatementKind::ForEach { body, .. } => statement_changes(body, name),
        StatementKind::While { condition, body } | StatementKind::DoWhile { body, condition } => {
            changes(condition, name) || statement_changes(body, name)
        }
        StatementKind::Return(Some(expression)) | StatementKind::Assert(expression) => {
            changes(expression, name)
        }
    }
}

fn changes(expression: &Expression, name: &str) -> bool {
    let is_changed = match &expression.kind {
        ExpressionKind::Assignment { target, .. } => is_part_of(target, name),
        ExpressionKind::Step { operand, .. } => is_part_of(operand, name),
        ExpressionKind::Call { arguments, .. } => arguments.iter().any(|argument| is_part_of(argument, name)),
        _ => false,
    };
    is_changed || children(expression).into_iter().any(|child| changes(child, name))
}

/// Returns whether the expression denotes the named variable or a part of it.
fn is_part_of(expression: &Expression, name: &str) -> bool {
    match &expression.kind {
        ExpressionKind::Name(other) => other == name,
        ExpressionKind::Parenthesised(inner) => is_part_of(inner, name),
        ExpressionKind::Index { base, .. } | ExpressionKind::Member { base, .. } => is_part_of(base, name),
        ExpressionKind::Conditional { consequence, alternative, .. } => {
            is_part_of(consequence, name) || is_part_of(alternative, name)
        }
        ExpressionKind::Assignment { target, .. } => is_part_of(target, name),
        ExpressionKind::Step { operand, .. } => is_part_of(operand, name),
        _ => false,
    }
}
