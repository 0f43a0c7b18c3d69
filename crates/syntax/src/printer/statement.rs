//! Prints functions and statements.
//!
//! Invariant: an `else` belongs to the same `if` in the printed text as in the tree.

use super::super::ast::{Block, FunctionDeclaration, Statement, StatementKind};
use super::super::precedence::LOWEST;
use super::Printer;

impl Printer {
    pub(super) fn function(&mut self, function: &FunctionDeclaration) {
        self.type_expression(&function.return_type);
        self.push(" ");
        self.push(&function.name.text);
        self.parameter_list(&function.parameters);
        self.push(" ");
        self.block(&function.body);
    }

    fn block(&mut self, block: &Block) {
        self.push("{");
        self.indentation += 1;
        for declaration in &block.declarations {
            self.new_line();
            self.declaration(declaration);
        }
        for statement in &block.statements {
            self.new_line();
            self.statement(statement);
        }
        self.indentation -= 1;
        if !block.declarations.is_empty() || !block.statements.is_empty() {
            self.new_line();
        }
        self.push("}");
    }

    pub(super) fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Empty => self.push(";"),
            StatementKind::Expressions(expressions) => {
                self.expressions(expressions);
                self.push(";");
            }
            StatementKind::Block(block) => self.block(block),
            StatementKind::If { branches, otherwise } => {
                for (number, branch) in branches.iter().enumerate() {
                    self.push(if number == 0 { "if (" } else { "else if (" });
                    self.expression(&branch.condition, LOWEST);
                    self.push(") ");
                    if number + 1 < branches.len() || otherwise.is_some() {
                        self.statement_before_else(&branch.body);
                        self.push(" ");
                    } else {
                        self.statement(&branch.body);
                    }
                }
                if let Some(otherwise) = otherwise {
                    self.push("else ");
                    if matches!(otherwise.kind, StatementKind::If { .. }) {
                        self.in_braces(otherwise);
                    } else {
                        self.statement(otherwise);
                    }
                }
            }
            StatementKind::For { initial, condition, step, body } => {
                self.push("for (");
                self.expressions(initial);
                self.push("; ");
                self.expressions(condition);
                self.push("; ");
                self.expressions(step);
                self.push(") ");
                self.statement(body);
            }
            StatementKind::ForEach { binding, body } => {
                self.push("for (");
                self.binding(binding);
                self.push(") ");
                self.statement(body);
            }
            StatementKind::While { condition, body } => {
                self.push("while (");
                self.expression(condition, LOWEST);
                self.push(") ");
                self.statement(body);
            }
            StatementKind::DoWhile { body, condition } => {
                self.push("do ");
                self.statement(body);
                self.push(" while (");
                self.expression(condition, LOWEST);
                self.push(");");
            }
            StatementKind::Return(None) => self.push("return;"),
            StatementKind::Return(Some(value)) => {
                self.push("return ");
                self.expression(value, LOWEST);
                self.push(";");
            }
            StatementKind::Assert(condition) => {
                self.push("assert ");
                self.expression(condition, LOWEST);
                self.push(";");
            }
            StatementKind::Error => self.push("?;"),
        }
    }

    fn statement_before_else(&mut self, statement: &Statement) {
        if ends_with_open_if(statement) {
            self.in_braces(statement);
        } else {
            self.statement(statement);
        }
    }

    fn in_braces(&mut self, statement: &Statement) {
        self.push("{ ");
        self.statement(statement);
        self.push(" }");
    }
}

/// Returns whether an `else` after the statement would become part of it.
fn ends_with_open_if(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::If { otherwise: None, .. } => true,
        StatementKind::If { otherwise: Some(last), .. }
        | StatementKind::For { body: last, .. }
        | StatementKind::ForEach { body: last, .. }
        | StatementKind::While { body: last, .. } => ends_with_open_if(last),
        _ => false,
    }
}
