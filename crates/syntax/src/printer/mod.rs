//! From trees back to text.
//!
//! Invariant: reading what was printed gives the tree back, except that spans differ, that parentheses are added where
//! a tree that no parser built needs them, and that processes come out in our own form whichever form they were written
//! in.

mod declaration;
mod expression;
mod query;
mod statement;

use super::ast::{
    Binding, Declaration, Expression, Network, Parameter, Query, Rate, Statement, Synchronisation,
};

/// An expression on one line.
pub fn print_expression(expression: &Expression) -> String {
    let mut printer = Printer::default();
    printer.expression(expression, super::precedence::LOWEST - 1);
    printer.text
}

/// Expressions with commas between, on one line.
pub fn print_expressions(expressions: &[Expression]) -> String {
    let mut printer = Printer::default();
    printer.expressions(expressions);
    printer.text
}

/// Parameters with commas between, without the parentheses.
pub fn print_parameters(parameters: &[Parameter]) -> String {
    let mut printer = Printer::default();
    printer.parameter_list(parameters);
    printer.text[1..printer.text.len() - 1].to_owned()
}

/// The names that an edge binds.
pub fn print_select(select: &[Binding]) -> String {
    let mut printer = Printer::default();
    printer.bindings(select);
    printer.text
}

/// A synchronisation, such as `c[1]!`.
pub fn print_synchronisation(synchronisation: &Synchronisation) -> String {
    let mut printer = Printer::default();
    printer.synchronisation(synchronisation);
    printer.text
}

/// The rate of a location.
pub fn print_rate(rate: &Rate) -> String {
    let mut printer = Printer::default();
    printer.rate(rate);
    printer.text
}

/// A query on one line.
pub fn print_query(query: &Query) -> String {
    let mut printer = Printer::default();
    printer.query(query);
    printer.text
}

/// A statement with its semicolon.
pub fn print_statement(statement: &Statement) -> String {
    let mut printer = Printer::default();
    printer.statement(statement);
    printer.text
}

/// Declarations, each on lines of its own.
pub fn print_declarations(declarations: &[Declaration]) -> String {
    let mut printer = Printer::default();
    for declaration in declarations {
        printer.declaration(declaration);
        printer.text.push('\n');
    }
    printer.text
}

/// A whole `.net` file.
pub fn print_network(network: &Network) -> String {
    print_declarations(&network.declarations)
}

/// A text that grows.
#[derive(Default)]
struct Printer {
    text: String,
    /// How many blocks are open.
    indentation: usize,
    /// Whether this is about random runs, where formulas have no path quantifiers.
    in_runs: bool,
}

impl Printer {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn new_line(&mut self) {
        self.text.push('\n');
        for _ in 0..self.indentation {
            self.text.push_str("    ");
        }
    }

    /// `{`, then each item on a line of its own, then `}`.
    fn braced<Item>(&mut self, items: &[Item], print: impl Fn(&mut Self, &Item)) {
        self.push("{");
        self.indentation += 1;
        for item in items {
            self.new_line();
            print(self, item);
        }
        self.indentation -= 1;
        if !items.is_empty() {
            self.new_line();
        }
        self.push("}");
    }

    /// The items with a text between.
    fn joined<Item>(&mut self, items: &[Item], between: &str, print: impl Fn(&mut Self, &Item)) {
        for (number, item) in items.iter().enumerate() {
            if number > 0 {
                self.push(between);
            }
            print(self, item);
        }
    }
}
