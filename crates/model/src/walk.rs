//! Traversal of expressions and statements.
//!
//! Invariant: parts are visited in the order of evaluation. Recursion is safe, since trees are at most a thousand
//! levels deep.

use crate::VariableId;
use crate::expression::{Expression, ExpressionKind, LocalInitial, Statement};

impl Expression {
    /// Returns the variable that this expression denotes or is a part of.
    pub fn root(&self) -> Option<VariableId> {
        match &self.kind {
            ExpressionKind::Variable(variable) => Some(*variable),
            ExpressionKind::Element { array: whole, .. } | ExpressionKind::Field { record: whole, .. } => {
                whole.root()
            }
            _ => None,
        }
    }

    /// Visits all variables that an assignment to this expression may change.
    pub fn for_each_target(&self, visit: &mut impl FnMut(VariableId)) {
        match &self.kind {
            ExpressionKind::Variable(variable) => visit(*variable),
            ExpressionKind::Element { array: whole, .. } | ExpressionKind::Field { record: whole, .. } => {
                whole.for_each_target(visit);
            }
            ExpressionKind::Conditional { then, otherwise, .. } => {
                then.for_each_target(visit);
                otherwise.for_each_target(visit);
            }
            ExpressionKind::Assign { target, .. } | ExpressionKind::Step { target, .. } => {
                target.for_each_target(visit);
            }
            _ => {}
        }
    }

    /// Returns the direct subexpressions.
    pub fn children(&self) -> Vec<&Expression> {
        match &self.kind {
            ExpressionKind::Integer(_)
            | ExpressionKind::Double(_)
            | ExpressionKind::Variable(_)
            | ExpressionKind::Local(_)
            | ExpressionKind::At { .. }
            | ExpressionKind::LocationOf(_)
            | ExpressionKind::HasLabel(_)
            | ExpressionKind::Deadlock => Vec::new(),
            ExpressionKind::Element { array, index } => vec![array, index],
            ExpressionKind::Field { record, .. } => vec![record],
            ExpressionKind::Unary { operand, .. } => vec![operand],
            ExpressionKind::Binary { left, right, .. } => vec![left, right],
            ExpressionKind::Conditional { condition, then, otherwise } => vec![condition, then, otherwise],
            ExpressionKind::Assign { target, value, .. } => vec![target, value],
            ExpressionKind::Step { target, .. } => vec![target],
            ExpressionKind::Call { arguments, .. } | ExpressionKind::CallBuiltin { arguments, .. } => {
                arguments.iter().collect()
            }
            ExpressionKind::Quantified { body, .. } => vec![body],
            ExpressionKind::CompareClocks { left, right, bound, .. } => {
                left.as_deref().into_iter().chain(right.as_deref()).chain([&**bound]).collect()
            }
            ExpressionKind::RateIs { clock, rate } => vec![clock, rate],
        }
    }

    /// Returns the direct subexpressions for modification.
    pub fn children_mut(&mut self) -> Vec<&mut Expression> {
        match &mut self.kind {
            ExpressionKind::Integer(_)
            | ExpressionKind::Double(_)
            | ExpressionKind::Variable(_)
            | ExpressionKind::Local(_)
            | ExpressionKind::At { .. }
            | ExpressionKind::LocationOf(_)
            | ExpressionKind::HasLabel(_)
            | ExpressionKind::Deadlock => Vec::new(),
            ExpressionKind::Element { array, index } => vec![array, index],
            ExpressionKind::Field { record, .. } => vec![record],
            ExpressionKind::Unary { operand, .. } => vec![operand],
            ExpressionKind::Binary { left, right, .. } => vec![left, right],
            ExpressionKind::Conditional { condition, then, otherwise } => vec![condition, then, otherwise],
            ExpressionKind::Assign { target, value, .. } => vec![target, value],
            ExpressionKind::Step { target, .. } => vec![target],
            ExpressionKind::Call { arguments, .. } | ExpressionKind::CallBuiltin { arguments, .. } => {
                arguments.iter_mut().collect()
            }
            ExpressionKind::Quantified { body, .. } => vec![body],
            ExpressionKind::CompareClocks { left, right, bound, .. } => {
                left.as_deref_mut().into_iter().chain(right.as_deref_mut()).chain([&mut **bound]).collect()
            }
            ExpressionKind::RateIs { clock, rate } => vec![clock, rate],
        }
    }

    /// Visits this expression and all its subexpressions.
    pub fn for_each(&self, visit: &mut impl FnMut(&Expression)) {
        self.any(&mut |part| {
            visit(part);
            false
        });
    }

    /// Returns whether the condition holds for this expression or one of its subexpressions.
    pub fn any(&self, condition: &mut impl FnMut(&Expression) -> bool) -> bool {
        condition(self) || self.children().into_iter().any(|child| child.any(condition))
    }
}

impl Statement {
    /// Visits the expressions in this statement and all their subexpressions.
    pub fn for_each_expression(&self, visit: &mut impl FnMut(&Expression)) {
        self.any_expression(&mut |part| {
            visit(part);
            false
        });
    }

    /// Returns whether the condition holds for an expression in this statement.
    pub fn any_expression(&self, condition: &mut impl FnMut(&Expression) -> bool) -> bool {
        match self {
            Statement::Declare { initial: LocalInitial::Constant(_), .. } | Statement::Return(None, _) => {
                false
            }
            Statement::Declare { initial: LocalInitial::Computed(expression), .. }
            | Statement::Evaluate(expression)
            | Statement::Return(Some(expression), _)
            | Statement::Assert(expression) => expression.any(condition),
            Statement::Block(statements) => {
                statements.iter().any(|statement| statement.any_expression(condition))
            }
            Statement::If { condition: test, then, otherwise } => {
                test.any(condition)
                    || then.any_expression(condition)
                    || otherwise.as_ref().is_some_and(|otherwise| otherwise.any_expression(condition))
            }
            Statement::While { condition: test, body } | Statement::DoWhile { body, condition: test } => {
                test.any(condition) || body.any_expression(condition)
            }
            Statement::ForEach { body, .. } => body.any_expression(condition),
        }
    }
}
