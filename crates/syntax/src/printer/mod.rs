//! Prints syntax trees.
//!
//! Invariant: parsing the printed text gives the same tree, except for spans and for parentheses, which are added where
//! a tree that no parser built needs them. Processes are always printed in the form of `.net` files.

mod declaration;
mod expression;
mod query;
mod statement;

use super::DEEPEST_INDENTATION;
use super::ast::{
    Binding, Declaration, Expression, Network, Parameter, Query, Rate, Statement, Synchronisation,
};

/// Prints an expression on one line.
pub fn print_expression(expression: &Expression) -> String {
    let mut printer = Printer::default();
    printer.expression(expression, super::precedence::LOWEST - 1);
    printer.text
}

/// Prints expressions, separated by commas, on one line.
pub fn print_expressions(expressions: &[Expression]) -> String {
    let mut printer = Printer::default();
    printer.expressions(expressions);
    printer.text
}

/// Prints parameters, separated by commas, without the parentheses.
pub fn print_parameters(parameters: &[Parameter]) -> String {
    let mut printer = Printer::default();
    printer.parameter_list(parameters);
    printer.text[1..printer.text.len() - 1].to_owned()
}

/// Prints the select label of an edge.
pub fn print_select(select: &[Binding]) -> String {
    let mut printer = Printer::default();
    printer.bindings(select);
    printer.text
}

/// Prints a synchronisation, such as `c[1]!`.
pub fn print_synchronisation(synchronisation: &Synchronisation) -> String {
    let mut printer = Printer::default();
    printer.synchronisation(synchronisation);
    printer.text
}

/// Prints the rate of a location.
pub fn print_rate(rate: &Rate) -> String {
    let mut printer = Printer::default();
    printer.rate(rate);
    printer.text
}

/// Prints a query on one line.
pub fn print_query(query: &Query) -> String {
    let mut printer = Printer::default();
    printer.query(query);
    printer.text
}

/// Prints a statement with its semicolon.
pub fn print_statement(statement: &Statement) -> String {
    let mut printer = Printer::default();
    printer.statement(statement);
    printer.text
}

/// Prints declarations, each on separate lines.
pub fn print_declarations(declarations: &[Declaration]) -> String {
    let mut printer = Printer::default();
    for declaration in declarations {
        printer.declaration(declaration);
        printer.text.push('\n');
    }
    printer.text
}

/// Prints a whole `.net` file.
pub fn print_network(network: &Network) -> String {
    print_declarations(&network.declarations)
}

/// The printed text and the state of the printer.
#[derive(Default)]
struct Printer {
    text: String,
    /// The number of open blocks.
    indentation: usize,
    /// Inside a formula about random runs, which has no path quantifiers.
    in_runs: bool,
}

impl Printer {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn new_line(&mut self) {
        self.text.push('\n');
        tempora_interrupt::checkpoint();
        for _ in 0..self.indentation.min(DEEPEST_INDENTATION) {
            self.text.push_str("    ");
        }
    }

    /// Prints `{`, each item on a separate line, and `}`.
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

    /// Prints the items, separated by a text.
    fn joined<Item>(&mut self, items: &[Item], between: &str, print: impl Fn(&mut Self, &Item)) {
        for (number, item) in items.iter().enumerate() {
            if number > 0 {
                self.push(between);
            }
            print(self, item);
        }
    }
}
