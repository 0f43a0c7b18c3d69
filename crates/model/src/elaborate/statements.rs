//! Elaborates the statements of functions; `for` and lists of expressions are reduced to other statements.

use super::scope::Symbol;
use super::{Elaborator, Result};
use crate::codes::meaning as codes;
use crate::expression::{Expression, ExpressionKind, LocalInitial, Statement};
use crate::types::{Type, Value};
use tempora_syntax::ast::{
    self, Block, DeclarationKind, Declarator, Initialiser, InitialiserKind, StatementKind,
};

/// The limit for the conditions of a chain of `else if`, which is a tree of this height for all that follows.
const CHAIN_LIMIT: usize = 10_000;

impl<'model> Elaborator<'model> {
    /// Elaborates the statements of a block in a new scope.
    pub(super) fn block(&mut self, block: &Block, result: &Type) -> Result<Vec<Statement>> {
        self.scoped(|elaborator| {
            let mut statements = Vec::new();
            for declaration in &block.declarations {
                match &declaration.kind {
                    DeclarationKind::Variables(variables) => {
                        let (base, prefixes) = elaborator.type_with_prefixes(&variables.variable_type)?;
                        for declarator in &variables.declarators {
                            elaborator.local(declarator, &base, prefixes.is_constant, &mut statements)?;
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

    fn local(
        &mut self,
        declarator: &Declarator,
        base: &Type,
        is_constant: bool,
        statements: &mut Vec<Statement>,
    ) -> Result<()> {
        let value_type = self.with_dimensions(base.clone(), &declarator.dimensions)?;
        if matches!(value_type, Type::Void) || value_type.has_clocks() || value_type.has_channels() {
            let message = "a function cannot declare clocks or channels";
            return self.error(&codes::TYPE_MISMATCH, declarator.span, message);
        }
        let mut computed_list = None;
        let initial = match &declarator.initialiser {
            None => LocalInitial::Constant(Value::default_of(&value_type)),
            Some(initialiser) => match &initialiser.kind {
                InitialiserKind::Expression(expression) => {
                    let value = self.expression(expression)?;
                    self.require_value(&value_type, &value, initialiser.span)?;
                    LocalInitial::Computed(value)
                }
                InitialiserKind::List(_) => match self.constant_list(initialiser, &value_type) {
                    Some(value) => LocalInitial::Constant(value),
                    None => {
                        computed_list = Some(initialiser);
                        LocalInitial::Constant(Value::default_of(&value_type))
                    }
                },
            },
        };
        let local = self.fresh_local();
        let symbol = Symbol::Local { local, value_type: value_type.clone(), is_constant };
        let (name, origin) = (declarator.name.text.clone(), self.written(declarator.span));
        let place = self.node(ExpressionKind::Local(local), value_type.clone(), declarator.span);
        statements.push(Statement::Declare { name, local, value_type, initial, origin });
        if let Some(initialiser) = computed_list {
            // The name is not visible in its own initialiser.
            self.assign_parts(place, initialiser, statements)?;
        }
        self.declare(&declarator.name, symbol)
    }

    /// Returns the value of a list if it is constant.
    fn constant_list(&mut self, written: &Initialiser, value_type: &Type) -> Option<Value> {
        let before = std::mem::take(&mut self.diagnostics);
        let value = self.initial_value(written, value_type).ok();
        let found = std::mem::replace(&mut self.diagnostics, before);
        if value.is_some() {
            self.diagnostics.extend(found);
        }
        value
    }

    /// Appends assignments of the values of a list to the parts of a zero-initialised variable.
    fn assign_parts(
        &mut self,
        place: Expression,
        written: &Initialiser,
        statements: &mut Vec<Statement>,
    ) -> Result<()> {
        let items = match &written.kind {
            InitialiserKind::Expression(expression) => {
                let value = self.expression(expression)?;
                self.require_value(&place.value_type, &value, expression.span)?;
                let value_type = place.value_type.clone();
                let kind = ExpressionKind::Assign {
                    operator: None,
                    target: Box::new(place),
                    value: Box::new(value),
                };
                statements.push(Statement::Evaluate(self.node(kind, value_type, written.span)));
                return Ok(());
            }
            InitialiserKind::List(items) => items,
        };
        for (position, item) in items.iter().enumerate() {
            let whole = Box::new(place.clone());
            let part = match &place.value_type {
                Type::Array(array) => {
                    let Some(index) = array.index.values().nth(position) else {
                        let message = "more values than array elements";
                        return self.error(&codes::WRONG_ARGUMENTS, item.span, message);
                    };
                    let index_type = array.index.element_type();
                    let index = Box::new(self.node(ExpressionKind::Integer(index), index_type, item.span));
                    let kind = ExpressionKind::Element { array: whole, index };
                    self.node(kind, array.element.clone(), item.span)
                }
                Type::Record(record) => {
                    let field = match &item.field {
                        Some(name) => record.fields.iter().position(|field| field.name == name.text),
                        None => Some(position).filter(|&position| position < record.fields.len()),
                    };
                    let Some(field) = field else {
                        return self.error(&codes::UNKNOWN_NAME, item.span, "unknown field of the record");
                    };
                    let field_type = record.fields[field].field_type.clone();
                    self.node(ExpressionKind::Field { record: whole, field }, field_type, item.span)
                }
                other => {
                    let found = self.type_name(other);
                    let message = format!("a list of values cannot initialise {found}");
                    return self.error(&codes::TYPE_MISMATCH, written.span, message);
                }
            };
            self.assign_parts(part, &item.value, statements)?;
        }
        Ok(())
    }

    fn statement(
        &mut self,
        written: &ast::Statement,
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
                if branches.len() > CHAIN_LIMIT {
                    let message = format!("a chain of {} conditions is too long", branches.len());
                    let hint = format!("a chain of `else if` may have at most {CHAIN_LIMIT} conditions");
                    return self.error_with_hint(&codes::TOO_LARGE, written.span, message, hint);
                }
                let mut rest = match otherwise {
                    Some(otherwise) => Some(self.single(otherwise, result)?),
                    None => None,
                };
                for branch in branches.iter().rev() {
                    let condition = self.test(&branch.condition)?;
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
                    [condition] => self.test(condition)?,
                    [_, second, ..] => {
                        return self.declined(second.span, "a list of conditions", "join them with `&&`");
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
                let condition = self.test(condition)?;
                statements.push(Statement::While { condition, body: Box::new(self.single(body, result)?) });
            }
            StatementKind::DoWhile { body, condition } => {
                let body = Box::new(self.single(body, result)?);
                statements.push(Statement::DoWhile { body, condition: self.test(condition)? });
            }
            StatementKind::Return(value) => {
                let origin = self.written(written.span);
                let value = match (value, result) {
                    (None, Type::Void) => None,
                    (None, _) => {
                        return self.error(&codes::MISSING_RETURN, written.span, "missing return value");
                    }
                    (Some(value), Type::Void) => {
                        let message = "a `void` function cannot return a value";
                        return self.error(&codes::TYPE_MISMATCH, value.span, message);
                    }
                    (Some(value), result) => {
                        let typed = self.expression(value)?;
                        self.require_value(result, &typed, value.span)?;
                        Some(typed)
                    }
                };
                statements.push(Statement::Return(value, origin));
            }
            StatementKind::Assert(condition) => statements.push(Statement::Assert(self.test(condition)?)),
        }
        Ok(())
    }

    /// Elaborates the condition of a statement.
    fn test(&mut self, written: &ast::Expression) -> Result<Expression> {
        let condition = self.condition(written)?;
        if matches!(condition.value_type, Type::Condition(_)) {
            self.omit(written.span, "a clock condition in a function");
        }
        Ok(condition)
    }

    fn single(&mut self, written: &ast::Statement, result: &Type) -> Result<Statement> {
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

/// Returns whether the end of the statements is unreachable; conditions other than constants are not evaluated.
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

/// Returns whether the condition is a constant other than zero, so that only `return` leaves the loop.
fn is_true(condition: &Expression) -> bool {
    matches!(condition.kind, ExpressionKind::Integer(value) if value != 0)
}
