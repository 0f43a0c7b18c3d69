//! Prints expressions with the necessary parentheses.
//!
//! Invariant: precedence numbers are those of the language, and a higher one binds tighter; an operand that binds less
//! tightly than its operator requires is put in parentheses.

use super::Printer;
use crate::expression::{
    BinaryOperator, Binder, Comparison, Expression, ExpressionKind, Quantifier, UnaryOperator,
};
use crate::types::Type;

const QUANTIFIER: u8 = 1;
const ASSIGNMENT: u8 = 2;
const CONDITIONAL: u8 = 3;
const AND: u8 = 5;
const COMPARISON: u8 = 10;
const SUM: u8 = 13;
const UNARY: u8 = 16;
const STEP: u8 = 17;
const POSTFIX: u8 = 18;

impl Printer<'_> {
    pub(super) fn expression(&mut self, expression: &Expression) -> String {
        self.at_least(expression, 0)
    }

    /// Prints a part of a conjunction.
    pub(super) fn conjunct(&mut self, expression: &Expression) -> String {
        self.at_least(expression, AND)
    }

    /// Prints a channel before `!` or `?`, with parentheses if it could be read as part of an operator.
    pub(super) fn channel(&mut self, expression: &Expression) -> String {
        self.at_least(expression, POSTFIX)
    }

    pub(super) fn binder(&mut self, binder: &Binder) -> String {
        let domain = self.index_type(&binder.domain);
        let name = self.names.bind(binder.local, &binder.name);
        format!("{name} : {domain}")
    }

    /// Prints an expression, in parentheses unless it has at least the demanded precedence.
    fn at_least(&mut self, expression: &Expression, demanded: u8) -> String {
        let (text, precedence) = self.with_precedence(expression);
        if precedence < demanded { format!("({text})") } else { text }
    }

    fn with_precedence(&mut self, expression: &Expression) -> (String, u8) {
        match &expression.kind {
            ExpressionKind::Integer(value) if expression.value_type == Type::Boolean => {
                ((*value != 0).to_string(), POSTFIX)
            }
            ExpressionKind::Integer(value) if *value < 0 => (value.to_string(), UNARY),
            ExpressionKind::Integer(value) => (value.to_string(), POSTFIX),
            ExpressionKind::Double(value) => {
                (double_text(*value), if *value < 0.0 { UNARY } else { POSTFIX })
            }
            ExpressionKind::Variable(variable) => {
                let owner = self.network.variables[*variable].owner;
                let name = self.names.variable(*variable);
                match owner {
                    // Only queries refer to variables of processes from outside.
                    Some(owner) if self.process != Some(owner) => {
                        (format!("{}.{name}", self.network.processes[owner].name), POSTFIX)
                    }
                    _ => (name.to_owned(), POSTFIX),
                }
            }
            ExpressionKind::Local(local) => (self.names.local(*local).to_owned(), POSTFIX),
            ExpressionKind::Element { array, index } => {
                let array = self.at_least(array, POSTFIX);
                (format!("{array}[{}]", self.expression(index)), POSTFIX)
            }
            ExpressionKind::Field { record, field } => {
                let name = match &record.value_type {
                    Type::Record(record) => record.fields.get(*field).map_or("", |field| field.name.as_str()),
                    _ => "",
                };
                (format!("{}.{name}", self.at_least(record, POSTFIX)), POSTFIX)
            }
            ExpressionKind::Unary { operator, operand } => {
                let symbol = match operator {
                    UnaryOperator::Negate => "-",
                    UnaryOperator::Not => "!",
                };
                let operand = self.at_least(operand, UNARY);
                // Two adjacent minus signs would be read as a decrement.
                let separator = if symbol == "-" && operand.starts_with('-') { " " } else { "" };
                (format!("{symbol}{separator}{operand}"), UNARY)
            }
            ExpressionKind::Binary { operator, left, right } => {
                let (symbol, precedence) = binary(*operator);
                let (left, right) = (self.at_least(left, precedence), self.at_least(right, precedence + 1));
                (format!("{left} {symbol} {right}"), precedence)
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                let condition = self.at_least(condition, CONDITIONAL + 1);
                let (then, otherwise) =
                    (self.at_least(then, CONDITIONAL + 1), self.at_least(otherwise, CONDITIONAL));
                (format!("{condition} ? {then} : {otherwise}"), CONDITIONAL)
            }
            ExpressionKind::Assign { operator, target, value } => {
                let symbol = operator.map_or("", |operator| binary(operator).0);
                let (target, value) =
                    (self.at_least(target, CONDITIONAL + 1), self.at_least(value, ASSIGNMENT));
                (format!("{target} {symbol}= {value}"), ASSIGNMENT)
            }
            ExpressionKind::Step { target, amount, is_postfix } => {
                let symbol = if *amount > 0 { "++" } else { "--" };
                let target = self.at_least(target, POSTFIX);
                (if *is_postfix { format!("{target}{symbol}") } else { format!("{symbol}{target}") }, STEP)
            }
            ExpressionKind::Call { function, arguments } => {
                let arguments = self.list(arguments);
                (format!("{}({arguments})", self.names.function(*function)), POSTFIX)
            }
            ExpressionKind::CallBuiltin { function, arguments } => {
                (format!("{function}({})", self.list(arguments)), POSTFIX)
            }
            ExpressionKind::Quantified { quantifier, binder, body } => {
                let word = match quantifier {
                    Quantifier::ForAll => "forall",
                    Quantifier::Exists => "exists",
                    Quantifier::Sum => "sum",
                };
                let binder = self.binder(binder);
                (format!("{word} ({binder}) {}", self.at_least(body, QUANTIFIER)), QUANTIFIER)
            }
            ExpressionKind::CompareClocks { left, right, comparison, bound } => {
                let bound = self.at_least(bound, COMPARISON + 1);
                let text = match (left, right) {
                    (Some(left), Some(right)) => {
                        let (left, right) = (self.at_least(left, SUM), self.at_least(right, SUM + 1));
                        format!("{left} - {right} {} {bound}", comparison.symbol())
                    }
                    (Some(left), None) => {
                        format!("{} {} {bound}", self.at_least(left, COMPARISON + 1), comparison.symbol())
                    }
                    (None, Some(right)) => {
                        // Without a positive clock, both sides are exchanged.
                        let right = self.at_least(right, COMPARISON + 1);
                        format!("-({bound}) {} {right}", comparison.symbol())
                    }
                    (None, None) => format!("0 {} {bound}", comparison.symbol()),
                };
                (
                    text,
                    if *comparison == Comparison::Equal || *comparison == Comparison::NotEqual {
                        9
                    } else {
                        COMPARISON
                    },
                )
            }
            ExpressionKind::RateIs { clock, rate } => {
                let (clock, rate) = (self.at_least(clock, POSTFIX), self.at_least(rate, COMPARISON));
                (format!("{clock}' == {rate}"), 9)
            }
            ExpressionKind::At { process, location } => {
                let process_name = &self.network.processes[*process].name;
                (format!("{process_name}.{}", self.names.location(*process, *location)), POSTFIX)
            }
            ExpressionKind::LocationOf(process) => {
                (format!("{}.location", self.network.processes[*process].name), POSTFIX)
            }
            ExpressionKind::HasLabel(label) => (label.clone(), POSTFIX),
            ExpressionKind::Deadlock => ("deadlock".to_owned(), POSTFIX),
        }
    }
}

/// Returns the text of an operator and its precedence.
fn binary(operator: BinaryOperator) -> (&'static str, u8) {
    match operator {
        BinaryOperator::Or => ("||", 4),
        BinaryOperator::Imply => ("imply", 4),
        BinaryOperator::Xor => ("xor", 4),
        BinaryOperator::And => ("&&", AND),
        BinaryOperator::BitOr => ("|", 6),
        BinaryOperator::BitXor => ("^", 7),
        BinaryOperator::BitAnd => ("&", 8),
        BinaryOperator::Compare(comparison @ (Comparison::Equal | Comparison::NotEqual)) => {
            (comparison.symbol(), 9)
        }
        BinaryOperator::Compare(comparison) => (comparison.symbol(), COMPARISON),
        BinaryOperator::Minimum => ("<?", 11),
        BinaryOperator::Maximum => (">?", 11),
        BinaryOperator::ShiftLeft => ("<<", 12),
        BinaryOperator::ShiftRight => (">>", 12),
        BinaryOperator::Add => ("+", SUM),
        BinaryOperator::Subtract => ("-", SUM),
        BinaryOperator::Multiply => ("*", 14),
        BinaryOperator::Divide => ("/", 14),
        BinaryOperator::Remainder => ("%", 14),
        BinaryOperator::Power => ("**", 15),
    }
}

/// Returns digits that parse to the same number.
fn double_text(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "1e999".to_owned() } else { "-1e999".to_owned() };
    }
    format!("{value:?}")
}
