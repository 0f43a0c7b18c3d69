//! Prints statements of functions, one on each line; bodies of loops and branches are always in braces.

use super::Printer;
use crate::expression::{LocalInitial, Statement};

impl Printer<'_> {
    pub(super) fn statements(&mut self, statements: &[Statement], depth: usize) {
        // Declarations come first in a block: a declaration after a statement opens a nested block.
        let mut has_statement = false;
        for (position, statement) in statements.iter().enumerate() {
            if matches!(statement, Statement::Declare { .. }) && has_statement {
                self.line(depth, "{");
                self.statements(&statements[position..], depth + 1);
                self.line(depth, "}");
                return;
            }
            has_statement |= !matches!(statement, Statement::Declare { .. });
            self.statement(statement, depth);
        }
    }

    fn statement(&mut self, statement: &Statement, depth: usize) {
        match statement {
            Statement::Declare { name, local, value_type, initial, .. } => {
                let initial = match initial {
                    LocalInitial::Constant(value) => value.to_string(),
                    LocalInitial::Computed(expression) => self.expression(expression),
                };
                let name = self.names.bind(*local, name);
                let declaration = self.declaration(value_type, &name);
                self.line(depth, &format!("{declaration} = {initial};"));
            }
            Statement::Evaluate(expression) => {
                let text = self.expression(expression);
                self.line(depth, &format!("{text};"));
            }
            Statement::Block(statements) => {
                self.line(depth, "{");
                self.statements(statements, depth + 1);
                self.line(depth, "}");
            }
            Statement::If { condition, then, otherwise } => {
                let condition = self.expression(condition);
                self.line(depth, &format!("if ({condition}) {{"));
                self.body(then, depth + 1);
                // A chain keeps its depth: deeper lines would make the text quadratic.
                let mut rest = otherwise.as_deref();
                while let Some(Statement::If { condition, then, otherwise }) = rest {
                    let condition = self.expression(condition);
                    self.line(depth, &format!("}} else if ({condition}) {{"));
                    self.body(then, depth + 1);
                    rest = otherwise.as_deref();
                }
                if let Some(otherwise) = rest {
                    self.line(depth, "} else {");
                    self.body(otherwise, depth + 1);
                }
                self.line(depth, "}");
            }
            Statement::While { condition, body } => {
                let condition = self.expression(condition);
                self.line(depth, &format!("while ({condition}) {{"));
                self.body(body, depth + 1);
                self.line(depth, "}");
            }
            Statement::DoWhile { body, condition } => {
                self.line(depth, "do {");
                self.body(body, depth + 1);
                let condition = self.expression(condition);
                self.line(depth, &format!("}} while ({condition});"));
            }
            Statement::ForEach { binder, body } => {
                let binder = self.binder(binder);
                self.line(depth, &format!("for ({binder}) {{"));
                self.body(body, depth + 1);
                self.line(depth, "}");
            }
            Statement::Return(Some(expression), _) => {
                let text = self.expression(expression);
                self.line(depth, &format!("return {text};"));
            }
            Statement::Return(None, _) => self.line(depth, "return;"),
            Statement::Assert(condition) => {
                let text = self.expression(condition);
                self.line(depth, &format!("assert {text};"));
            }
        }
    }

    /// Prints statements inside braces that the caller prints.
    fn body(&mut self, statement: &Statement, depth: usize) {
        match statement {
            Statement::Block(statements) => self.statements(statements, depth),
            _ => self.statements(std::slice::from_ref(statement), depth),
        }
    }
}
