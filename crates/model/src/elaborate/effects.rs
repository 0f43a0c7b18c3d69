//! Computes the side effects of expressions and functions.
//!
//! Invariant: the result is a syntactic over-approximation: an assignment counts even if it is never executed.

use crate::FunctionId;
use crate::expression::{Expression, ExpressionKind, LocalInitial, Statement};

/// The side effects of a function call.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Effects {
    /// Whether it may change a variable of the network.
    pub(super) changes_network: bool,
    /// The numbers of the reference parameters that it may change.
    pub(super) changed_parameters: Vec<u32>,
}

/// Returns the effects of a function's body; `reference_parameters` are the numbers of its reference parameters.
pub(super) fn effects_of_body(
    body: &[Statement],
    reference_parameters: &[u32],
    effects_of: &dyn Fn(FunctionId) -> Effects,
) -> Effects {
    let mut collector = EffectCollector {
        effects: Effects::default(),
        reference_parameters,
        effects_of,
        changes_locals: false,
    };
    for statement in body {
        collector.statement(statement);
    }
    collector.effects
}

/// Returns whether evaluating the expression may change anything, a bound name included.
pub(super) fn has_effects(expression: &Expression, effects_of: &dyn Fn(FunctionId) -> Effects) -> bool {
    let mut collector = EffectCollector {
        effects: Effects::default(),
        reference_parameters: &[],
        effects_of,
        changes_locals: false,
    };
    collector.expression(expression);
    collector.changes_locals || collector.effects != Effects::default()
}

struct EffectCollector<'walk> {
    effects: Effects,
    reference_parameters: &'walk [u32],
    effects_of: &'walk dyn Fn(FunctionId) -> Effects,
    changes_locals: bool,
}

impl EffectCollector<'_> {
    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Declare { initial: LocalInitial::Computed(expression), .. }
            | Statement::Evaluate(expression)
            | Statement::Return(Some(expression), _)
            | Statement::Assert(expression) => self.expression(expression),
            Statement::Declare { initial: LocalInitial::Constant(_), .. } | Statement::Return(None, _) => {}
            Statement::Block(statements) => {
                for statement in statements {
                    self.statement(statement);
                }
            }
            Statement::If { condition, then, otherwise } => {
                self.expression(condition);
                self.statement(then);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
            }
            Statement::While { condition, body } | Statement::DoWhile { body, condition } => {
                self.expression(condition);
                self.statement(body);
            }
            Statement::ForEach { body, .. } => self.statement(body),
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Assign { target, value, .. } => {
                self.change(target);
                self.expression(target);
                self.expression(value);
            }
            ExpressionKind::Step { target, .. } => {
                self.change(target);
                self.expression(target);
            }
            ExpressionKind::Call { function, arguments } => {
                let effects = (self.effects_of)(*function);
                self.effects.changes_network |= effects.changes_network;
                for (position, argument) in arguments.iter().enumerate() {
                    if effects.changed_parameters.contains(&(position as u32)) {
                        self.change(argument);
                    }
                    self.expression(argument);
                }
            }
            _ => expression.children().into_iter().for_each(|part| self.expression(part)),
        }
    }

    /// Records that the variable or parameter that the expression denotes may change.
    fn change(&mut self, target: &Expression) {
        match &target.kind {
            ExpressionKind::Local(local) if self.reference_parameters.contains(&local.0) => {
                if !self.effects.changed_parameters.contains(&local.0) {
                    self.effects.changed_parameters.push(local.0);
                }
            }
            ExpressionKind::Local(_) => self.changes_locals = true,
            ExpressionKind::Element { array: whole, .. } | ExpressionKind::Field { record: whole, .. } => {
                self.change(whole);
            }
            ExpressionKind::Conditional { then, otherwise, .. } => {
                self.change(then);
                self.change(otherwise);
            }
            _ => self.effects.changes_network = true,
        }
    }
}
