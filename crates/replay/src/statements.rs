//! Executes the bodies of functions.
//!
//! Invariant: every loop uses up steps, so that a function that does not terminate is an error and not a hang.

use tempora_evidence::RuntimeErrorKind;
use tempora_model::{LocalInitial, Statement, Value};
use tempora_source::Origin;

use crate::evaluate::{Evaluated, Evaluator, at};

/// The continuation after a statement.
enum Flow {
    /// The next statement.
    Next,
    /// The end of the function.
    Return(Option<(Value, Origin)>),
}

impl Evaluator<'_> {
    /// Executes the body of a function in its own frame; returns its result and the origin of the `return`.
    pub(crate) fn run_body(
        &mut self,
        body: &[Statement],
        function: Origin,
    ) -> Evaluated<Option<(Value, Origin)>> {
        match self.run_all(body, function)? {
            Flow::Next => Ok(None),
            Flow::Return(value) => Ok(value),
        }
    }

    fn run_all(&mut self, statements: &[Statement], function: Origin) -> Evaluated<Flow> {
        for statement in statements {
            if let Flow::Return(value) = self.run(statement, function)? {
                return Ok(Flow::Return(value));
            }
        }
        Ok(Flow::Next)
    }

    fn run(&mut self, statement: &Statement, function: Origin) -> Evaluated<Flow> {
        self.enter(function)?;
        let flow = self.run_entered(statement, function);
        self.leave();
        flow
    }

    fn run_entered(&mut self, statement: &Statement, function: Origin) -> Evaluated<Flow> {
        match statement {
            Statement::Declare { local, value_type, initial, origin, .. } => {
                let value = match initial {
                    LocalInitial::Constant(value) => value.clone(),
                    LocalInitial::Computed(expression) => self.evaluate(expression)?,
                };
                let value = self.fit(value, value_type, *origin)?;
                self.bind(*local, value);
            }
            Statement::Evaluate(expression) => {
                self.evaluate(expression)?;
            }
            Statement::Block(statements) => return self.run_all(statements, function),
            Statement::If { condition, then, otherwise } => {
                if self.holds(condition)? {
                    return self.run(then, function);
                } else if let Some(otherwise) = otherwise {
                    return self.run(otherwise, function);
                }
            }
            Statement::While { condition, body } => {
                while self.holds(condition)? {
                    if let Flow::Return(value) = self.run(body, function)? {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            Statement::DoWhile { body, condition } => loop {
                if let Flow::Return(value) = self.run(body, function)? {
                    return Ok(Flow::Return(value));
                }
                if !self.holds(condition)? {
                    break;
                }
            },
            Statement::ForEach { binder, body } => {
                for value in binder.domain.values() {
                    self.fuel.burn(1, binder.origin)?;
                    self.bind(binder.local, Value::Integer(value));
                    if let Flow::Return(value) = self.run(body, function)? {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            Statement::Return(value, origin) => {
                let value = match value {
                    Some(expression) => Some((self.evaluate(expression)?, *origin)),
                    None => None,
                };
                return Ok(Flow::Return(value));
            }
            Statement::Assert(condition) => {
                if !self.holds(condition)? {
                    return Err(at(condition.origin)(RuntimeErrorKind::AssertionFailed));
                }
            }
        }
        Ok(Flow::Next)
    }
}
