//! Parses expressions by precedence climbing, including the temporal operators of queries.
//!
//! Precedences are those of UPPAAL: `imply`, `or` and `xor` share one level and associate to the left; `not` binds
//! tighter than comparisons; quantifiers and path formulas extend as far to the right as possible.

use tempora_source::{Diagnostic, Span};

use super::super::HEIGHT_LIMIT;
use super::super::ast::{
    AssignmentOperator, BinaryOperator, Expression, ExpressionKind, Interval, PathQuantifier, Quantifier,
    Spelling, StepDirection, StepPlace, TemporalOperator, UnaryOperator, UntilOperator,
};
use super::super::precedence::{
    self, ASSIGNMENT, COMPARISON, CONDITIONAL, LOWEST, OR, assignment_operator, binary_operator,
};
use super::super::token::{Symbol, TokenKind, Word};
use super::{Context, Parser};
use crate::codes::expressions::{
    AMBIGUOUS_PATH_FORMULA, ASSIGNMENT_IN_CONDITION, BARE_PATH_OPERATOR, INTEGER_TOO_LARGE, NO_SUCH_OPERATOR,
};

const LARGEST_INTEGER: i64 = 2_147_483_647;

impl Parser<'_> {
    /// Parses any expression; in queries also `p --> q`.
    pub(super) fn expression(&mut self) -> Expression {
        let left = self.binary(LOWEST);
        if !self.context.in_query || !self.at_leads_to() {
            return left;
        }
        self.leads_to_from(left)
    }

    /// Parses a leads-to formula from `-->` on.
    #[inline(never)]
    fn leads_to_from(&mut self, left: Expression) -> Expression {
        let (start, deepest_of_left) = (left.span.start, self.deepest);
        self.advance();
        self.advance();
        let deadline = if self.at(Symbol::OpenBracket) && self.is_symbol(1, Symbol::LessEqual) {
            self.advance();
            self.advance();
            let deadline = self.nested(self.context, error_at, |parser| parser.binary(LOWEST));
            self.expect(Symbol::CloseBracket);
            Some(Box::new(deadline))
        } else {
            None
        };
        let right = self.nested(self.context, error_at, |parser| parser.binary(LOWEST));
        self.deepen_left(deepest_of_left);
        let kind = ExpressionKind::LeadsTo { deadline, left: Box::new(left), right: Box::new(right) };
        Expression { kind, span: self.span_from(start) }
    }

    /// Parses an expression in which an assignment is most likely a mistake.
    pub(super) fn condition(&mut self) -> Expression {
        let context = Context { in_condition: true, ..self.context };
        self.nested(context, error_at, Self::expression)
    }

    /// Parses a conjunction of conditions with commas between, the form of UPPAAL up to 3.4; each is put in
    /// parentheses, because a comma binds less tightly than any operator.
    pub(super) fn conditions(&mut self) -> Expression {
        let start = self.token().start;
        let mut left = self.condition();
        let mut is_list = false;
        while self.at(Symbol::Comma) {
            let deepest_of_left = self.deepest;
            let operator = self.advance();
            self.deepest = self.depth;
            let right = self.condition();
            self.deepen_left(deepest_of_left + 1);
            let parenthesised = |inner: Expression| {
                let span = inner.span;
                Box::new(Expression { kind: ExpressionKind::Parenthesised(Box::new(inner)), span })
            };
            let is_first = !is_list;
            is_list = true;
            let kind = ExpressionKind::Binary {
                operator: BinaryOperator::And,
                spelling: Spelling::Symbol,
                operator_span: self.span_of(operator),
                left: if is_first { parenthesised(left) } else { Box::new(left) },
                right: parenthesised(right),
            };
            left = Expression { kind, span: self.span_from(start) };
            if self.has_given_up {
                break;
            }
        }
        left
    }

    /// Parses one or more expressions separated by commas.
    pub(super) fn expressions(&mut self) -> Vec<Expression> {
        let mut expressions = vec![self.nested_in_brackets(self.context, error_at, Self::expression)];
        while self.accept(Symbol::Comma) {
            expressions.push(self.nested_in_brackets(self.context, error_at, Self::expression));
        }
        expressions
    }

    /// Parses an expression before `!`, `?` or another symbol that is an operator elsewhere.
    pub(super) fn expression_above(&mut self, level: u8) -> Expression {
        self.nested(self.context, error_at, |parser| parser.binary(level))
    }

    /// `(a, b)`, possibly empty.
    pub(super) fn arguments(&mut self) -> Vec<Expression> {
        let context = Context { in_path_body: false, ..self.context };
        let outer = std::mem::replace(&mut self.context, context);
        self.expect(Symbol::OpenParenthesis);
        let arguments = if self.at(Symbol::CloseParenthesis) { Vec::new() } else { self.expressions() };
        self.expect(Symbol::CloseParenthesis);
        self.context = outer;
        arguments
    }

    /// Parses an expression whose operators have at least this level.
    fn binary(&mut self, level: u8) -> Expression {
        let deepest_outside = std::mem::replace(&mut self.deepest, self.depth);
        let mut left = self.unary();
        loop {
            let start = left.span.start;
            let token = self.token();
            let deepest_of_left = self.deepest;
            let kind = if let Some((operator, spelling, operator_level)) =
                binary_operator(token.kind, self.text_of(token))
            {
                if operator_level < level || self.is_end_of_path_body(operator) {
                    break;
                }
                let left = Box::new(left);
                let right = self.right_operand(operator_level + 1);
                ExpressionKind::Binary { operator, spelling, operator_span: self.span_of(token), left, right }
            } else if let Some(operator) = assignment_operator(token.kind) {
                if ASSIGNMENT < level {
                    break;
                }
                self.check_assignment(operator);
                let target = Box::new(left);
                let value = self.right_operand(ASSIGNMENT);
                ExpressionKind::Assignment { operator, operator_span: self.span_of(token), target, value }
            } else if self.at(Symbol::Question) && CONDITIONAL >= level {
                self.conditional_from(left)
            } else if let Some(operator) = self.until_operator().filter(|_| precedence::UNTIL >= level) {
                self.until_from(left, operator)
            } else {
                break;
            };
            self.deepen_left(deepest_of_left);
            left = Expression { kind, span: self.span_from(start) };
        }
        self.deepest = self.deepest.max(deepest_outside);
        left
    }

    /// Consumes the operator and parses its right operand; the caller has saved the depth of the left one.
    fn right_operand(&mut self, level: u8) -> Box<Expression> {
        self.advance();
        self.deepest = self.depth;
        Box::new(self.nested(self.context, error_at, |parser| parser.binary(level)))
    }

    /// Parses a conditional expression from `?` on.
    #[inline(never)]
    fn conditional_from(&mut self, condition: Expression) -> ExpressionKind {
        let condition = Box::new(condition);
        self.advance();
        self.deepest = self.depth;
        let inner = Context { in_path_body: false, ..self.context };
        let consequence = Box::new(self.nested(inner, error_at, |parser| parser.binary(LOWEST)));
        self.expect(Symbol::Colon);
        let alternative = Box::new(self.nested(self.context, error_at, |parser| parser.binary(CONDITIONAL)));
        ExpressionKind::Conditional { condition, consequence, alternative }
    }

    /// Parses an until formula from `U` on.
    #[inline(never)]
    fn until_from(&mut self, left: Expression, operator: UntilOperator) -> ExpressionKind {
        let left = Box::new(left);
        self.advance();
        self.deepest = self.depth;
        let interval = self.interval();
        let right =
            Box::new(self.nested(self.context, error_at, |parser| parser.binary(precedence::UNTIL + 1)));
        ExpressionKind::Until { quantifier: None, operator, interval, left, right }
    }

    fn unary(&mut self) -> Expression {
        let token = self.token();
        let (operator, spelling) = match token.kind {
            TokenKind::Symbol(Symbol::Minus) => (UnaryOperator::Negate, Spelling::Symbol),
            TokenKind::Symbol(Symbol::Plus) => (UnaryOperator::Plus, Spelling::Symbol),
            TokenKind::Symbol(Symbol::Exclamation) => (UnaryOperator::Not, Spelling::Symbol),
            TokenKind::Word(Word::Not) => (UnaryOperator::Not, Spelling::Word),
            TokenKind::Symbol(Symbol::PlusPlus) => return self.step_before(StepDirection::Up),
            TokenKind::Symbol(Symbol::MinusMinus) => return self.step_before(StepDirection::Down),
            _ => return self.postfix(),
        };
        self.advance();
        let operand = if operator == UnaryOperator::Negate && self.token().kind == TokenKind::Integer {
            self.nested(self.context, error_at, |parser| {
                let literal = parser.integer(LARGEST_INTEGER + 1);
                parser.suffixes(literal)
            })
        } else {
            self.nested(self.context, error_at, Self::unary)
        };
        let operator_span = self.span_of(token);
        let kind = ExpressionKind::Unary { operator, spelling, operator_span, operand: Box::new(operand) };
        Expression { kind, span: self.span_from(token.start) }
    }

    #[inline(never)]
    fn step_before(&mut self, direction: StepDirection) -> Expression {
        let start = self.advance().start;
        let operand = Box::new(self.nested(self.context, error_at, Self::unary));
        let kind = ExpressionKind::Step { place: StepPlace::Before, direction, operand };
        Expression { kind, span: self.span_from(start) }
    }

    fn postfix(&mut self) -> Expression {
        let primary = self.primary();
        self.suffixes(primary)
    }

    /// Parses `[i]`, `.m`, `(a)`, `'`, `++` and `--` after an operand.
    fn suffixes(&mut self, operand: Expression) -> Expression {
        let mut left = operand;
        loop {
            let start = left.span.start;
            let TokenKind::Symbol(symbol) = self.token().kind else { break };
            let deepest_of_left = self.deepest;
            let inner = Context { in_path_body: false, ..self.context };
            let kind = match symbol {
                Symbol::OpenBracket if is_indexable(&left) => {
                    let base = Box::new(left);
                    ExpressionKind::Index { base, index: self.bracketed(inner) }
                }
                Symbol::Dot => {
                    self.advance();
                    let member = self.member_name();
                    ExpressionKind::Member { base: Box::new(left), member }
                }
                Symbol::OpenParenthesis if is_callable(&left) => {
                    let arguments = self.arguments();
                    ExpressionKind::Call { callee: Box::new(left), arguments }
                }
                Symbol::Prime => {
                    self.advance();
                    ExpressionKind::Derivative(Box::new(left))
                }
                Symbol::MinusMinus if self.context.in_query && self.at_leads_to() => break,
                Symbol::PlusPlus | Symbol::MinusMinus => {
                    self.advance();
                    let direction =
                        if symbol == Symbol::PlusPlus { StepDirection::Up } else { StepDirection::Down };
                    ExpressionKind::Step { place: StepPlace::After, direction, operand: Box::new(left) }
                }
                _ => break,
            };
            self.deepen_left(deepest_of_left);
            left = Expression { kind, span: self.span_from(start) };
        }
        left
    }

    fn bracketed(&mut self, context: Context) -> Box<Expression> {
        self.advance();
        let index = Box::new(self.nested_in_brackets(context, error_at, Self::expression));
        self.expect(Symbol::CloseBracket);
        index
    }

    /// Parses the name after a dot, where every keyword is a name: `P.location`, `P.init`.
    fn member_name(&mut self) -> super::Name {
        if let TokenKind::Word(word) = self.token().kind {
            let span = self.here();
            self.advance();
            return super::Name { text: word.text().to_owned(), span };
        }
        self.name("a name after the dot")
    }

    fn primary(&mut self) -> Expression {
        let token = self.token();
        let kind = match token.kind {
            TokenKind::Integer => return self.integer(LARGEST_INTEGER),
            TokenKind::Double => ExpressionKind::Double(self.text_of(token).to_owned()),
            TokenKind::Text => {
                let literal = self.string();
                return Expression { kind: ExpressionKind::Text(literal.text), span: literal.span };
            }
            TokenKind::Word(Word::True) => ExpressionKind::Boolean(true),
            TokenKind::Word(Word::False) => ExpressionKind::Boolean(false),
            TokenKind::Word(Word::Forall) => return self.quantified(Quantifier::Forall),
            TokenKind::Word(Word::Exists) => return self.quantified(Quantifier::Exists),
            TokenKind::Word(Word::Sum) => return self.quantified(Quantifier::Sum),
            TokenKind::Symbol(Symbol::OpenParenthesis) => {
                return self.parenthesised();
            }
            TokenKind::Name => return self.named(),
            _ if self.context.in_query && self.temporal_operator(0).is_some() => return self.temporal(None),
            _ => return self.missing_operand(),
        };
        self.advance();
        Expression { kind, span: self.span_of(token) }
    }

    fn parenthesised(&mut self) -> Expression {
        let start = self.advance().start;
        let inner = Context { in_path_body: false, ..self.context };
        let inner = Box::new(self.nested_in_brackets(inner, error_at, Self::expression));
        self.expect(Symbol::CloseParenthesis);
        Expression { kind: ExpressionKind::Parenthesised(inner), span: self.span_from(start) }
    }

    /// Parses an operand that starts with a name: the name itself, or a contextual keyword.
    #[inline(never)]
    fn named(&mut self) -> Expression {
        let token = self.token();
        let is_call = self.is_symbol(1, Symbol::OpenParenthesis);
        let kind = match self.text_of(token) {
            "foreach" if is_call && self.is_any_name(2) && self.is_symbol(3, Symbol::Colon) => {
                return self.quantified(Quantifier::Foreach);
            }
            "spawn" if self.is_any_name(1) => {
                self.advance();
                let template = self.name("the name of a dynamic template");
                let arguments = self.arguments();
                ExpressionKind::Spawn { template, arguments }
            }
            "exit" if is_call && self.is_symbol(2, Symbol::CloseParenthesis) => {
                self.position += 3;
                ExpressionKind::Exit
            }
            "numOf" if is_call && self.is_any_name(2) && self.is_symbol(3, Symbol::CloseParenthesis) => {
                self.position += 2;
                let template = self.name("the name of a dynamic template");
                self.advance();
                ExpressionKind::NumberOf(template)
            }
            "deadlock" if self.context.in_query => {
                self.advance();
                ExpressionKind::Deadlock
            }
            "A" | "E" if self.context.in_query && self.temporal_operator(1).is_some() => {
                return self.temporal(self.path_quantifier());
            }
            "A" | "E" if self.context.in_query && self.is_symbol(1, Symbol::OpenBracket) => {
                return self.until_or_index();
            }
            "X" if self.context.in_runs && self.is_operand(1) => {
                return self.temporal(None);
            }
            text => {
                let kind = ExpressionKind::Name(text.to_owned());
                self.advance();
                kind
            }
        };
        Expression { kind, span: self.span_from(token.start) }
    }

    #[inline(never)]
    fn integer(&mut self, largest: i64) -> Expression {
        let token = self.advance();
        let text = self.text_of(token);
        let value = text.parse::<i64>().unwrap_or(i64::MAX);
        if value > largest {
            self.remark(
                Diagnostic::error(&INTEGER_TOO_LARGE, format!("`{text}` does not fit into 32 bits"))
                    .with_primary(self.span_of(token), format!("at most {LARGEST_INTEGER}"))
                    .with_hint("integers lie between -2147483648 and 2147483647"),
            );
        }
        Expression { kind: ExpressionKind::Integer(value.min(largest)), span: self.span_of(token) }
    }

    #[inline(never)]
    fn quantified(&mut self, quantifier: Quantifier) -> Expression {
        let start = self.advance().start;
        self.expect(Symbol::OpenParenthesis);
        let binding = Box::new(self.binding());
        self.expect(Symbol::CloseParenthesis);
        let body = Box::new(self.nested(self.context, error_at, |parser| parser.binary(LOWEST)));
        let kind = ExpressionKind::Quantified { quantifier, binding, body };
        Expression { kind, span: self.span_from(start) }
    }

    // Temporal formulas.

    pub(super) fn path_quantifier(&self) -> Option<PathQuantifier> {
        match self.text_of(self.token()) {
            "A" => Some(PathQuantifier::All),
            "E" => Some(PathQuantifier::Some),
            _ => None,
        }
    }

    pub(super) fn temporal_operator(&self, distance: usize) -> Option<TemporalOperator> {
        if self.is_pair(distance, Symbol::OpenBracket, Symbol::CloseBracket) {
            Some(TemporalOperator::Always)
        } else if self.is_pair(distance, Symbol::Less, Symbol::Greater) {
            Some(TemporalOperator::Eventually)
        } else {
            None
        }
    }

    /// `A[] p`, `<>[1,5] p`, `X p`.
    #[inline(never)]
    fn temporal(&mut self, quantifier: Option<PathQuantifier>) -> Expression {
        let start = self.token().start;
        if quantifier.is_some() {
            self.advance();
        }
        let operator = match self.temporal_operator(0) {
            Some(operator) => {
                if quantifier.is_none() && !self.context.in_runs {
                    let text = if operator == TemporalOperator::Always { "[]" } else { "<>" };
                    self.report(
                        Diagnostic::error(&BARE_PATH_OPERATOR, format!("`{text}` without a path quantifier"))
                            .with_primary(self.here(), "on all runs or on some?")
                            .with_hint(format!("write `A{text}` for all runs or `E{text}` for some run")),
                    );
                }
                self.advance();
                operator
            }
            None => TemporalOperator::Next,
        };
        self.advance();
        let interval = if quantifier.is_none() { self.interval() } else { None };
        let inner = Context { in_path_body: true, ..self.context };
        let operand = self.nested(inner, error_at, |parser| parser.binary(LOWEST));
        let kind = ExpressionKind::Temporal { quantifier, operator, interval, operand: Box::new(operand) };
        Expression { kind, span: self.span_from(start) }
    }

    /// `[l,u]` after an operator; `[]` and `<>` after it are further operators.
    #[inline(never)]
    fn interval(&mut self) -> Option<Box<Interval>> {
        if !self.at(Symbol::OpenBracket) || self.temporal_operator(0).is_some() {
            return None;
        }
        let start = self.advance().start;
        let inner = Context { in_path_body: false, ..self.context };
        let lower = self.nested(inner, error_at, |parser| parser.binary(LOWEST));
        self.expect(Symbol::Comma);
        let upper = self.nested(inner, error_at, |parser| parser.binary(LOWEST));
        self.expect(Symbol::CloseBracket);
        Some(Box::new(Interval { lower, upper, span: self.span_from(start) }))
    }

    /// `A[p U q]`, or an element of an array named `A`.
    #[inline(never)]
    fn until_or_index(&mut self) -> Expression {
        let quantifier = self.path_quantifier();
        let name = self.advance();
        self.advance();
        let inner = Context { in_path_body: false, in_runs: false, ..self.context };
        let left = self.nested_in_brackets(inner, error_at, |parser| parser.binary(precedence::UNTIL + 1));
        let operator = match self.text_of(self.token()) {
            "U" => UntilOperator::Until,
            "W" => UntilOperator::WeakUntil,
            _ => {
                self.expect(Symbol::CloseBracket);
                let base = Expression {
                    kind: ExpressionKind::Name(self.text_of(name).to_owned()),
                    span: self.span_of(name),
                };
                let kind = ExpressionKind::Index { base: Box::new(base), index: Box::new(left) };
                return Expression { kind, span: self.span_from(name.start) };
            }
        };
        self.advance();
        let right = self.nested_in_brackets(inner, error_at, |parser| parser.binary(precedence::UNTIL + 1));
        self.expect(Symbol::CloseBracket);
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = ExpressionKind::Until { quantifier, operator, interval: None, left, right };
        Expression { kind, span: self.span_from(name.start) }
    }

    /// `U`, `W` or `R` between two path formulas.
    fn until_operator(&self) -> Option<UntilOperator> {
        if !self.context.in_runs || !self.is_any_name(0) {
            return None;
        }
        match self.text_of(self.token()) {
            "U" => Some(UntilOperator::Until),
            "W" => Some(UntilOperator::WeakUntil),
            "R" => Some(UntilOperator::Release),
            _ => None,
        }
    }

    pub(super) fn at_leads_to(&self) -> bool {
        self.is_pair(0, Symbol::MinusMinus, Symbol::Greater)
    }

    /// Whether the operator here joins two path formulas, so that the operand of the current one ends before it.
    #[inline(never)]
    fn is_end_of_path_body(&mut self, operator: BinaryOperator) -> bool {
        if !self.context.in_path_body || self.context.in_runs || !precedence::is_boolean(operator) {
            return false;
        }
        let mut distance = 1;
        while distance < HEIGHT_LIMIT as usize
            && matches!(
                self.ahead(distance).kind,
                TokenKind::Symbol(Symbol::Exclamation | Symbol::OpenParenthesis) | TokenKind::Word(Word::Not)
            )
        {
            distance += 1;
        }
        let is_path_formula = (self.is_name(distance, "A") || self.is_name(distance, "E"))
            && self.temporal_operator(distance + 1).is_some();
        if is_path_formula && operator != BinaryOperator::And && self.fault_position != Some(self.position) {
            self.fault_position = Some(self.position);
            let text = self.text_of(self.token());
            self.remark(
                Diagnostic::warning(
                    &AMBIGUOUS_PATH_FORMULA,
                    format!("`{text}` joins two formulas here; it is not part of the first"),
                )
                .with_primary(self.here(), "")
                .with_hint(
                    "put parentheses around the two formulas, or around the whole operand of the first",
                ),
            );
        }
        is_path_formula
    }

    // Errors.

    #[inline(never)]
    fn check_assignment(&mut self, operator: AssignmentOperator) {
        // `=<` is reported as an operator that does not exist.
        let is_reversed =
            self.is_pair(0, Symbol::Assign, Symbol::Less) || self.is_pair(0, Symbol::Assign, Symbol::Greater);
        if !self.context.in_condition || is_reversed {
            return;
        }
        let place = self.here();
        let text = self.text_of(self.token());
        let mut diagnostic = Diagnostic::error(
            &ASSIGNMENT_IN_CONDITION,
            format!("`{text}` assigns to a variable, but this is a condition"),
        )
        .with_primary(place, "");
        if matches!(operator, AssignmentOperator::Assign | AssignmentOperator::ColonAssign) {
            diagnostic = diagnostic.with_hint("did you mean `==`?");
        }
        self.report(diagnostic);
    }

    #[inline(never)]
    fn missing_operand(&mut self) -> Expression {
        let token = self.token();
        let previous = self.position.checked_sub(1).and_then(|position| self.tokens.get(position)).copied();
        let joined = previous
            .filter(|previous| previous.end == token.start)
            .map(|previous| (previous, format!("{}{}", self.text_of(previous), self.text_of(token))));
        let meant = match joined.as_ref().map(|(_, text)| text.as_str()) {
            Some("<>") => Some("!="),
            Some("=<") => Some("<="),
            Some("=>") => Some(">=` or `imply"),
            Some("===") => Some("=="),
            _ => None,
        };
        if let (Some((previous, written)), Some(meant)) = (joined, meant) {
            let place = Span::new(self.file, previous.start, token.end);
            self.report(
                Diagnostic::error(&NO_SUCH_OPERATOR, format!("unknown operator `{written}`"))
                    .with_primary(place, "")
                    .with_hint(format!("did you mean `{meant}`?")),
            );
            self.advance();
            // Parses the operand so that it causes no further error.
            let mut operand = self.nested(self.context, error_at, |parser| parser.binary(COMPARISON + 1));
            operand.kind = ExpressionKind::Error;
            return operand;
        }
        if token.kind == TokenKind::Unknown {
            // Reported by the lexer.
            self.advance();
            self.fault_position = Some(self.position);
        } else {
            self.report_expected("an expression");
        }
        error_at(Span::empty(self.file, token.start))
    }

    /// Returns whether an operand may start there.
    fn is_operand(&self, distance: usize) -> bool {
        match self.ahead(distance).kind {
            TokenKind::Name
            | TokenKind::Integer
            | TokenKind::Double
            | TokenKind::Text
            | TokenKind::Symbol(Symbol::OpenParenthesis | Symbol::Exclamation) => true,
            TokenKind::Word(word) => {
                matches!(word, Word::Not | Word::True | Word::False | Word::Forall | Word::Exists | Word::Sum)
            }
            _ => self.temporal_operator(distance).is_some(),
        }
    }
}

pub(super) fn error_at(span: Span) -> Expression {
    Expression { kind: ExpressionKind::Error, span }
}

/// A level that excludes the operators that `?` and `!` after a channel could be mistaken for.
pub(super) const ABOVE_CONDITIONAL: u8 = OR;

fn is_callable(expression: &Expression) -> bool {
    matches!(expression.kind, ExpressionKind::Name(_) | ExpressionKind::Member { .. })
}

fn is_indexable(expression: &Expression) -> bool {
    !matches!(
        expression.kind,
        ExpressionKind::Integer(_)
            | ExpressionKind::Double(_)
            | ExpressionKind::Boolean(_)
            | ExpressionKind::Step { .. }
    )
}
