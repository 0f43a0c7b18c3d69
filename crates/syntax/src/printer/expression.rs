//! Prints expressions with the necessary parentheses.
//!
//! Invariant: no parentheses are added to a tree that the parser built.

use super::super::ast::{
    BinaryOperator, Expression, ExpressionKind, Interval, PathQuantifier, Quantifier, Spelling,
    StepDirection, StepPlace, TemporalOperator, UnaryOperator, UntilOperator,
};
use super::super::precedence::{
    ASSIGNMENT, CONDITIONAL, LOWEST, POSTFIX, UNARY, UNTIL, assignment_text, binary_level, binary_text,
    is_boolean,
};
use super::Printer;

impl Printer {
    pub(super) fn expressions(&mut self, expressions: &[Expression]) {
        self.joined(expressions, ", ", |printer, expression| printer.expression(expression, LOWEST - 1));
    }

    /// Prints an expression, in parentheses if it binds less tightly than `level`.
    pub(super) fn expression(&mut self, expression: &Expression, level: u8) {
        if level_of(expression) < level {
            self.parenthesised(expression);
        } else {
            self.bare_expression(expression);
        }
    }

    /// Prints a left operand, in parentheses if it would absorb the operator after it.
    fn left_operand(&mut self, expression: &Expression, level: u8, is_split: bool) {
        if ends_open(expression, is_split) {
            self.parenthesised(expression);
        } else {
            self.expression(expression, level);
        }
    }

    fn parenthesised(&mut self, expression: &Expression) {
        self.push("(");
        self.bare_expression(expression);
        self.push(")");
    }

    fn bare_expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Integer(value) => self.push(&value.to_string()),
            ExpressionKind::Double(digits) => self.push(digits),
            ExpressionKind::Boolean(value) => self.push(if *value { "true" } else { "false" }),
            ExpressionKind::Text(text) => self.push(&format!("\"{text}\"")),
            ExpressionKind::Name(name) => self.push(name),
            ExpressionKind::Deadlock => self.push("deadlock"),
            ExpressionKind::Parenthesised(inner) => self.parenthesised(inner),
            ExpressionKind::Index { base, index } => {
                self.suffix_operand(base);
                self.push("[");
                self.expression(index, LOWEST - 1);
                self.push("]");
            }
            ExpressionKind::Member { base, member } => {
                self.suffix_operand(base);
                self.push(".");
                self.push(&member.text);
            }
            ExpressionKind::Call { callee, arguments } => {
                self.expression(callee, POSTFIX);
                self.arguments(arguments);
            }
            ExpressionKind::Derivative(inner) => {
                self.expression(inner, POSTFIX);
                self.push("'");
            }
            ExpressionKind::Unary { operator, spelling, operand, .. } => {
                let text = match (operator, spelling) {
                    (UnaryOperator::Negate, _) => "-",
                    (UnaryOperator::Plus, _) => "+",
                    (UnaryOperator::Not, Spelling::Symbol) => "!",
                    (UnaryOperator::Not, Spelling::Word) => "not ",
                };
                self.prefix(text, operand);
            }
            ExpressionKind::Step { place, direction, operand } => {
                let text = if *direction == StepDirection::Up { "++" } else { "--" };
                match place {
                    StepPlace::Before => self.prefix(text, operand),
                    StepPlace::After => {
                        self.expression(operand, POSTFIX);
                        self.push(text);
                    }
                }
            }
            ExpressionKind::Binary { operator, spelling, left, right, .. } => {
                let level = binary_level(*operator);
                self.left_operand(left, level, self.is_split(*operator, right));
                self.push(&format!(" {} ", binary_text(*operator, *spelling)));
                self.expression(right, level + 1);
            }
            ExpressionKind::Conditional { condition, consequence, alternative } => {
                self.left_operand(condition, CONDITIONAL + 1, false);
                self.push(" ? ");
                self.expression(consequence, LOWEST);
                self.push(" : ");
                self.expression(alternative, CONDITIONAL);
            }
            ExpressionKind::Assignment { operator, target, value, .. } => {
                self.left_operand(target, ASSIGNMENT + 1, false);
                self.push(&format!(" {} ", assignment_text(*operator)));
                self.expression(value, ASSIGNMENT);
            }
            ExpressionKind::Quantified { quantifier, binding, body } => {
                self.push(match quantifier {
                    Quantifier::Forall => "forall (",
                    Quantifier::Exists => "exists (",
                    Quantifier::Sum => "sum (",
                    Quantifier::Foreach => "foreach (",
                });
                self.binding(binding);
                self.push(") ");
                self.expression(body, LOWEST);
            }
            ExpressionKind::Spawn { template, arguments } => {
                self.push("spawn ");
                self.push(&template.text);
                self.arguments(arguments);
            }
            ExpressionKind::Exit => self.push("exit()"),
            ExpressionKind::NumberOf(template) => self.push(&format!("numOf({})", template.text)),
            ExpressionKind::Temporal { quantifier, operator, interval, operand } => {
                self.temporal(*quantifier, *operator, interval.as_deref(), operand);
            }
            ExpressionKind::Until { quantifier, operator, interval, left, right } => {
                self.until(*quantifier, *operator, interval.as_deref(), left, right);
            }
            ExpressionKind::LeadsTo { deadline, left, right } => {
                self.expression(left, LOWEST);
                self.push(" -->");
                if let Some(deadline) = deadline {
                    self.push("[<=");
                    self.expression(deadline, LOWEST);
                    self.push("]");
                }
                self.push(" ");
                self.expression(right, LOWEST);
            }
            // An unreadable expression is printed as a text that gives an error again.
            ExpressionKind::Error => self.push("?"),
        }
    }

    /// Prints the operand before `[` or `.`, where `i++` does not bind tightly enough.
    fn suffix_operand(&mut self, base: &Expression) {
        if matches!(base.kind, ExpressionKind::Step { .. }) || is_number(base) {
            self.parenthesised(base);
        } else {
            self.expression(base, POSTFIX);
        }
    }

    fn prefix(&mut self, text: &str, operand: &Expression) {
        self.push(text);
        let start = self.text.len();
        self.expression(operand, UNARY);
        // `- -x` is not `--x`.
        if text.ends_with(['-', '+']) && self.text[start..].starts_with(['-', '+']) {
            self.text.insert(start, ' ');
        }
    }

    pub(super) fn arguments(&mut self, arguments: &[Expression]) {
        self.push("(");
        self.expressions(arguments);
        self.push(")");
    }

    // Temporal formulas.

    fn temporal(
        &mut self,
        quantifier: Option<PathQuantifier>,
        operator: TemporalOperator,
        interval: Option<&Interval>,
        operand: &Expression,
    ) {
        self.push(quantifier_text(quantifier));
        self.push(match operator {
            TemporalOperator::Always => "[]",
            TemporalOperator::Eventually => "<>",
            TemporalOperator::Next => "X",
        });
        self.interval(interval);
        self.push(" ");
        let starts_with_sign = operator == TemporalOperator::Next && starts_with_sign(operand);
        if starts_with_sign || (!self.in_runs && would_be_split(operand)) {
            self.parenthesised(operand);
        } else {
            self.expression(operand, LOWEST);
        }
    }

    fn interval(&mut self, interval: Option<&Interval>) {
        if let Some(interval) = interval {
            self.push("[");
            self.expression(&interval.lower, LOWEST);
            self.push(", ");
            self.expression(&interval.upper, LOWEST);
            self.push("]");
        }
    }

    fn until(
        &mut self,
        quantifier: Option<PathQuantifier>,
        operator: UntilOperator,
        interval: Option<&Interval>,
        left: &Expression,
        right: &Expression,
    ) {
        let operator = match operator {
            UntilOperator::Until => "U",
            UntilOperator::WeakUntil => "W",
            UntilOperator::Release => "R",
        };
        if quantifier.is_some() {
            let in_runs = std::mem::replace(&mut self.in_runs, false);
            self.push(quantifier_text(quantifier));
            self.push("[");
            self.expression(left, UNTIL + 1);
            self.push(&format!(" {operator} "));
            self.expression(right, UNTIL + 1);
            self.push("]");
            self.in_runs = in_runs;
        } else {
            self.left_operand(left, UNTIL, false);
            self.push(&format!(" {operator}"));
            self.interval(interval);
            self.push(" ");
            self.expression(right, UNTIL + 1);
        }
    }

    /// Returns whether the parser ends the path formula on the left at this operator.
    fn is_split(&self, operator: BinaryOperator, right: &Expression) -> bool {
        !self.in_runs && is_boolean(operator) && starts_with_path_formula(right)
    }
}

fn quantifier_text(quantifier: Option<PathQuantifier>) -> &'static str {
    match quantifier {
        Some(PathQuantifier::All) => "A",
        Some(PathQuantifier::Some) => "E",
        None => "",
    }
}

fn level_of(expression: &Expression) -> u8 {
    match &expression.kind {
        ExpressionKind::LeadsTo { .. } => LOWEST - 1,
        ExpressionKind::Assignment { .. } => ASSIGNMENT,
        ExpressionKind::Conditional { .. } => CONDITIONAL,
        ExpressionKind::Until { quantifier: None, .. } => UNTIL,
        ExpressionKind::Binary { operator, .. } => binary_level(*operator),
        // Quantifiers and path formulas extend far to the right, but may start at any operand.
        ExpressionKind::Unary { .. }
        | ExpressionKind::Step { place: StepPlace::Before, .. }
        | ExpressionKind::Quantified { .. }
        | ExpressionKind::Temporal { .. } => UNARY,
        _ => POSTFIX,
    }
}

/// Returns whether the text ends with an operand that would absorb the following operator.
fn ends_open(expression: &Expression, is_split: bool) -> bool {
    match &expression.kind {
        ExpressionKind::Quantified { .. } | ExpressionKind::Temporal { quantifier: None, .. } => true,
        ExpressionKind::Temporal { quantifier: Some(_), .. } => !is_split,
        ExpressionKind::Unary { operand: last, .. }
        | ExpressionKind::Step { place: StepPlace::Before, operand: last, .. }
        | ExpressionKind::Binary { right: last, .. }
        | ExpressionKind::Conditional { alternative: last, .. }
        | ExpressionKind::Assignment { value: last, .. }
        | ExpressionKind::Until { quantifier: None, right: last, .. }
        | ExpressionKind::LeadsTo { right: last, .. } => ends_open(last, is_split),
        _ => false,
    }
}

/// Returns whether the expression starts with a path formula, after negations and parentheses.
fn starts_with_path_formula(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Temporal { quantifier, .. } => quantifier.is_some(),
        ExpressionKind::Parenthesised(first)
        | ExpressionKind::Derivative(first)
        | ExpressionKind::Unary { operator: UnaryOperator::Not, operand: first, .. }
        | ExpressionKind::Step { place: StepPlace::After, operand: first, .. }
        | ExpressionKind::Index { base: first, .. }
        | ExpressionKind::Member { base: first, .. }
        | ExpressionKind::Call { callee: first, .. }
        | ExpressionKind::Binary { left: first, .. }
        | ExpressionKind::Conditional { condition: first, .. }
        | ExpressionKind::Assignment { target: first, .. }
        | ExpressionKind::Until { quantifier: None, left: first, .. }
        | ExpressionKind::LeadsTo { left: first, .. } => starts_with_path_formula(first),
        _ => false,
    }
}

/// Returns whether the parser would end the path formula inside this body.
fn would_be_split(body: &Expression) -> bool {
    match &body.kind {
        ExpressionKind::Binary { operator, left, right, .. } => {
            (is_boolean(*operator) && starts_with_path_formula(right))
                || would_be_split(left)
                || would_be_split(right)
        }
        ExpressionKind::Derivative(inner)
        | ExpressionKind::Unary { operand: inner, .. }
        | ExpressionKind::Step { operand: inner, .. }
        | ExpressionKind::Index { base: inner, .. }
        | ExpressionKind::Member { base: inner, .. }
        | ExpressionKind::Quantified { body: inner, .. }
        | ExpressionKind::Temporal { operand: inner, .. } => would_be_split(inner),
        ExpressionKind::Conditional { condition: first, alternative: last, .. }
        | ExpressionKind::Assignment { target: first, value: last, .. }
        | ExpressionKind::Until { quantifier: None, left: first, right: last, .. } => {
            would_be_split(first) || would_be_split(last)
        }
        _ => false,
    }
}

fn starts_with_sign(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Unary { operator, .. } => *operator != UnaryOperator::Not,
        ExpressionKind::Step { place, operand, .. } => {
            *place == StepPlace::Before || starts_with_sign(operand)
        }
        ExpressionKind::Binary { left: first, .. }
        | ExpressionKind::Conditional { condition: first, .. }
        | ExpressionKind::Assignment { target: first, .. }
        | ExpressionKind::Until { quantifier: None, left: first, .. } => starts_with_sign(first),
        _ => false,
    }
}

fn is_number(expression: &Expression) -> bool {
    matches!(
        expression.kind,
        ExpressionKind::Integer(_) | ExpressionKind::Double(_) | ExpressionKind::Boolean(_)
    )
}
