//! Statements of functions.
//!
//! Invariant: `for` and lists of expressions are written out in terms of the other statements.

use super::expressions::can_assign;
use super::scope::Symbol;
use super::{Elaborator, Result};
use crate::codes::meaning as codes;
use crate::expression::{Expression, ExpressionKind, LocalInitial, Statement};
use crate::syntax::ast::{self, Block, DeclarationKind, Declarator, InitialiserKind, StatementKind};
use crate::types::{Type, Value};

impl<'model> Elaborator<'model> {
    /// The statements of a block, in a scope of their own.
    pub(super) fn block(&mut self, block: &'model Block, result: &Type) -> Result<Vec<Statement>> {
        self.scoped(|elaborator| {
            let mut statements = Vec::new();
            for declaration in &block.declarations {
                match &declaration.kind {
                    DeclarationKind::Variables(variables) => {
                        let (base, prefixes) = elaborator.type_with_prefixes(&variables.variable_type)?;
                        for declarator in &variables.declarators {
                            let declare = elaborator.local(declarator, &base, prefixes.is_constant)?;
                            statements.push(declare);
                        }
                    }
                    _ => elaborator.declaration(declaration)?,
                }
            }
            for statement in &block.statements {
                elaborator.statement(statement, result, &mut statements)?;
            }
            Ok(statements)
        })
    }

    fn local(&mut self, declarator: &Declarator, base: &Type, is_constant: bool) -> Result<Statement> {
        let value_type = self.with_dimensions(base.clone(), &declarator.dimensions)?;
        if matches!(value_type, Type::Void) || value_type.has_clocks() || value_type.has_channels() {
            let message = "functions have no clocks and channels of their own";
            return self.error(&codes::TYPE_MISMATCH, declarator.span, message);
        }
        let initial = match &declarator.initialiser {
            None => LocalInitial::Constant(Value::default_of(&value_type)),
            Some(initialiser) => match &initialiser.kind {
                InitialiserKind::Expression(expression) => {
                    let value = self.expression(expression)?;
                    if !can_assign(&value_type, &value.value_type) {
                        return self.mismatch(&value_type, &value.value_type, initialiser.span);
                    }
                    LocalInitial::Computed(value)
                }
                InitialiserKind::List(_) => {
                    LocalInitial::Constant(self.initial_value(initialiser, &value_type)?)
                }
            },
        };
        let local = self.fresh_local();
        let symbol = Symbol::Local { local, value_type: value_type.clone(), is_constant };
        self.declare(&declarator.name, symbol)?;
        let (name, origin) = (declarator.name.text.clone(), self.written(declarator.span));
        Ok(Statement::Declare { name, local, value_type, initial, origin })
    }

    fn statement(
        &mut self,
        written: &'model ast::Statement,
        result: &Type,
        statements: &mut Vec<Statement>,
    ) -> Result<()> {
        match &written.kind {
            StatementKind::Empty | StatementKind::Error => {}
            StatementKind::Expressions(expressions) => {
                for expression in expressions {
                    statements.push(Statement::Evaluate(self.expression(expression)?));
                }
            }
            StatementKind::Block(block) => statements.push(Statement::Block(self.block(block, result)?)),
            StatementKind::If { branches, otherwise } => {
                let mut rest = match otherwise {
                    Some(otherwise) => Some(self.single(otherwise, result)?),
                    None => None,
                };
                for branch in branches.iter().rev() {
                    let condition = self.integral(&branch.condition)?;
                    let then = Box::new(self.single(&branch.body, result)?);
                    rest = Some(Statement::If { condition, then, otherwise: rest.map(Box::new) });
                }
                statements.extend(rest);
            }
            StatementKind::For { initial, condition, step, body } => {
                for expression in initial {
                    statements.push(Statement::Evaluate(self.expression(expression)?));
                }
                let condition = match condition.as_slice() {
                    [] => self.integer(1, written.span),
                    [condition] => self.integral(condition)?,
                    [_, second, ..] => {
                        return self.declined(second.span, "a list of conditions", "combine them by `&&`");
                    }
                };
                let mut repeated = vec![self.single(body, result)?];
                for expression in step {
                    repeated.push(Statement::Evaluate(self.expression(expression)?));
                }
                statements.push(Statement::While { condition, body: Box::new(Statement::Block(repeated)) });
            }
            StatementKind::ForEach { binding, body } => {
                let statement = self.scoped(|elaborator| {
                    let binder = elaborator.binder(binding)?;
                    let body = Box::new(elaborator.single(body, result)?);
                    Ok(Statement::ForEach { binder, body })
                })?;
                statements.push(statement);
            }
            StatementKind::While { condition, body } => {
                let condition = self.integral(condition)?;
                statements.push(Statement::While { condition, body: Box::new(self.single(body, result)?) });
            }
            StatementKind::DoWhile { body, condition } => {
                let body = Box::new(self.single(body, result)?);
                statements.push(Statement::DoWhile { body, condition: self.integral(condition)? });
            }
            StatementKind::Return(value) => {
                let origin = self.written(written.span);
                let value = match (value, result) {
                    (None, Type::Void) => None,
                    (None, _) => {
                        return self.error(&codes::MISSING_RETURN, written.span, "the result is missing");
                    }
                    (Some(value), Type::Void) => {
                        let message = "a function that returns `void` has no result";
                        return self.error(&codes::TYPE_MISMATCH, value.span, message);
                    }
                    (Some(value), result) => {
                        let typed = self.expression(value)?;
                        if !can_assign(result, &typed.value_type) {
                            return self.mismatch(result, &typed.value_type, value.span);
                        }
                        Some(typed)
                    }
                };
                statements.push(Statement::Return(value, origin));
            }
            StatementKind::Assert(condition) => statements.push(Statement::Assert(self.integral(condition)?)),
        }
        Ok(())
    }

    fn single(&mut self, written: &'model ast::Statement, result: &Type) -> Result<Statement> {
        let mut statements = Vec::new();
        self.statement(written, result, &mut statements)?;
        if statements.len() == 1
            && let Some(statement) = statements.pop()
        {
            return Ok(statement);
        }
        Ok(Statement::Block(statements))
    }
}

/// Whether the end of the statements cannot be reached, as far as can be seen without evaluating conditions.
pub(super) fn always_returns(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Return(..) => true,
        Statement::Block(statements) => always_returns(statements),
        Statement::If { then, otherwise: Some(otherwise), .. } => {
            always_returns(std::slice::from_ref(then)) && always_returns(std::slice::from_ref(otherwise))
        }
        Statement::DoWhile { body, .. } => always_returns(std::slice::from_ref(body)),
        Statement::While { condition, .. } => is_true(condition),
        _ => false,
    })
}

/// A loop whose condition is a number that is not zero is only left by `return`.
fn is_true(condition: &Expression) -> bool {
    matches!(condition.kind, ExpressionKind::Integer(value) if value != 0)
}
