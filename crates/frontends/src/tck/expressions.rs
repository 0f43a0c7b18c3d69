//! Parses the conditions in attributes into trees of [`tempora_syntax`].
//!
//! Invariant: no tree is higher than [`HEIGHT_LIMIT`]. Operands that occur twice in the tree, such as `x` in `1 < x <
//! 3`, are copied only as long as all copies of a file together are small. Names are variables of the file or local
//! variables.

use std::collections::{BTreeMap, BTreeSet};

use tempora_model::codes::meaning::{TOO_LARGE, TYPE_MISMATCH, UNKNOWN_NAME};
use tempora_source::{Code, Diagnostic, Diagnostics, Files, Span, nearest_names};
use tempora_syntax::ast::{BinaryOperator, Expression, ExpressionKind, Name, Spelling, UnaryOperator};
use tempora_syntax::codes::expressions::INTEGER_TOO_LARGE;
use tempora_syntax::codes::structure::{
    NESTED_TOO_DEEPLY, NOT_IN_THE_LANGUAGE, RESERVED_WORD, UNEXPECTED_TOKEN,
};
use tempora_syntax::{BRACKET_LIMIT, HEIGHT_LIMIT};

use super::tokens::{Token, TokenKind, tokens_of};
use super::unit::{Unit, clock_constants};

/// The variables of a file, by name.
#[derive(Default)]
pub(super) struct Variables {
    pub(super) table: BTreeMap<String, Variable>,
    /// The variables with one cell that are indexed somewhere, so that they must be arrays.
    pub(super) indexed: BTreeSet<String>,
    /// The number of copied nodes.
    copied: u64,
    /// The unit of the numbers that belong to clocks.
    pub(super) unit: Unit,
}

/// A clock, an integer, or an array of them.
#[derive(Clone, Copy)]
pub(super) struct Variable {
    pub(super) is_clock: bool,
    pub(super) size: i64,
    pub(super) span: Span,
}

impl Variables {
    /// Returns whether the variable is an array in the model.
    pub(super) fn is_array(&self, name: &str) -> bool {
        self.indexed.contains(name) || self.table.get(name).is_some_and(|variable| variable.size > 1)
    }

    /// Records variables with one cell and an index other than the literal zero.
    pub(super) fn note_indices(&mut self, files: &Files, value: Span) {
        // Errors in the text are reported when it is parsed.
        let Ok(tokens) = tokens_of(files, value) else { return };
        for (position, pair) in tokens.windows(2).enumerate() {
            if let (TokenKind::Name(name), TokenKind::Sign("[")) = (pair[0].kind, pair[1].kind)
                && self.table.get(name).is_some_and(|variable| variable.size == 1)
            {
                let index = tokens.get(position + 2).map(|token| token.kind);
                let after = tokens.get(position + 3).map(|token| token.kind);
                let is_zero = matches!(index, Some(TokenKind::Integer(digits)) if digits.bytes().all(|digit| digit == b'0'))
                    && after == Some(TokenKind::Sign("]"));
                if !is_zero {
                    self.indexed.insert(name.to_owned());
                }
            }
        }
    }
}

/// A tree with its properties.
pub(super) struct Built {
    pub(super) tree: Expression,
    pub(super) height: u32,
    nodes: u64,
    /// Whether it is a number and not a comparison, so that it can be an operand of arithmetic.
    is_term: bool,
    has_clocks: bool,
    pub(super) has_names: bool,
}

/// An error of a value, which has been reported.
pub(super) struct Reported;

pub(super) type Result<T> = std::result::Result<T, Reported>;

/// A variable that `local` declares.
pub(super) struct Local {
    pub(super) name: Name,
    pub(super) is_array: bool,
}

/// A parser for the value of one attribute.
pub(super) struct ValueParser<'reader> {
    tokens: Vec<Token<'reader>>,
    /// The positions of the numbers that belong to clocks, if their unit is not one.
    clock_constants: Vec<usize>,
    position: usize,
    pub(super) variables: &'reader mut Variables,
    diagnostics: &'reader mut Diagnostics,
    /// The visible local variables, the innermost last.
    pub(super) locals: Vec<Local>,
    is_invariant: bool,
    depth: u32,
}

/// The largest number of copied nodes.
const COPY_LIMIT: u64 = 1 << 20;

impl<'reader> ValueParser<'reader> {
    /// Creates a parser for a value.
    pub(super) fn new(
        files: &'reader Files,
        value: Span,
        variables: &'reader mut Variables,
        diagnostics: &'reader mut Diagnostics,
    ) -> Result<ValueParser<'reader>> {
        match tokens_of(files, value) {
            Ok(tokens) => Ok(ValueParser {
                clock_constants: match variables.unit == Unit::default() {
                    true => Vec::new(),
                    false => clock_constants(&tokens, variables),
                },
                tokens,
                position: 0,
                variables,
                diagnostics,
                locals: Vec::new(),
                is_invariant: false,
                depth: 0,
            }),
            Err(diagnostic) => {
                diagnostics.push(diagnostic);
                Err(Reported)
            }
        }
    }

    /// Parses a whole value as a guard.
    pub(super) fn guard(mut self) -> Result<Built> {
        let condition = self.condition()?;
        self.expect_end()?;
        Ok(condition)
    }

    /// Parses a whole value as an invariant.
    pub(super) fn invariant(mut self) -> Result<Built> {
        self.is_invariant = true;
        self.guard()
    }

    /// Parses comparisons and terms that are joined by `&&`.
    pub(super) fn condition(&mut self) -> Result<Built> {
        let mut conjuncts = vec![self.atom()?];
        while self.at_sign("&&") {
            self.advance();
            conjuncts.push(self.atom()?);
        }
        match conjunction(conjuncts) {
            Some(condition) => self.built(condition),
            None => Err(Reported),
        }
    }

    fn atom(&mut self) -> Result<Built> {
        if self.at_sign("!") {
            let operator_span = self.advance().span;
            let operand = self.nested(Self::atom)?;
            // In this language a negation extends over a comparison, unlike in the shared tree.
            let operand = if operand.is_term { operand } else { self.parenthesised(operand, None)? };
            let span = operator_span.cover(operand.tree.span);
            let kind = ExpressionKind::Unary {
                operator: UnaryOperator::Not,
                spelling: Spelling::Symbol,
                operator_span,
                operand: Box::new(operand.tree),
            };
            let (nodes, has_clocks, has_names) = (operand.nodes + 1, operand.has_clocks, operand.has_names);
            let tree = Expression { kind, span };
            return self.built(Built {
                tree,
                height: operand.height + 1,
                nodes,
                is_term: false,
                has_clocks,
                has_names,
            });
        }
        let left = self.term()?;
        let Some((operator, operator_span)) = self.comparison() else { return Ok(left) };
        let middle = self.term()?;
        let Some((second, second_span)) = self.comparison() else {
            return self.compared(operator, left, operator_span, middle);
        };
        let is_upward = |operator| matches!(operator, BinaryOperator::Less | BinaryOperator::LessEqual);
        if !is_upward(operator) || !is_upward(second) {
            return self.refuse(
                &UNEXPECTED_TOKEN,
                second_span,
                "only `<` and `<=` can be chained",
                "join two comparisons with `&&`",
            );
        }
        let right = self.term()?;
        if self.comparison().is_some() {
            return self.unexpected("`&&` or the end");
        }
        let again = self.copied(&middle)?;
        let first = self.compared(operator, left, operator_span, middle)?;
        let second = self.compared(second, again, second_span, right)?;
        self.binary(BinaryOperator::And, first, second_span, second)
    }

    fn comparison(&mut self) -> Option<(BinaryOperator, Span)> {
        let operator = match self.token().kind {
            TokenKind::Sign("==") => BinaryOperator::Equal,
            TokenKind::Sign("!=") => BinaryOperator::NotEqual,
            TokenKind::Sign("<") => BinaryOperator::Less,
            TokenKind::Sign("<=") => BinaryOperator::LessEqual,
            TokenKind::Sign(">=") => BinaryOperator::GreaterEqual,
            TokenKind::Sign(">") => BinaryOperator::Greater,
            _ => return None,
        };
        Some((operator, self.advance().span))
    }

    fn compared(
        &mut self,
        operator: BinaryOperator,
        left: Built,
        operator_span: Span,
        right: Built,
    ) -> Result<Built> {
        self.require_term(&left)?;
        self.require_term(&right)?;
        if self.is_invariant && operator == BinaryOperator::Equal && (left.has_clocks || right.has_clocks) {
            // In the shared tree, invariants have no equalities of clocks; each becomes two bounds.
            let (left_again, right_again) = (self.copied(&left)?, self.copied(&right)?);
            let above = self.binary(BinaryOperator::LessEqual, left, operator_span, right)?;
            let below = self.binary(BinaryOperator::GreaterEqual, left_again, operator_span, right_again)?;
            return self.binary(BinaryOperator::And, above, operator_span, below);
        }
        self.binary(operator, left, operator_span, right)
    }

    /// Parses a sum of numbers and clocks.
    pub(super) fn term(&mut self) -> Result<Built> {
        let mut sum = self.product()?;
        loop {
            let operator = match self.token().kind {
                TokenKind::Sign("+") => BinaryOperator::Add,
                TokenKind::Sign("-") => BinaryOperator::Subtract,
                _ => return Ok(sum),
            };
            let operator_span = self.advance().span;
            let right = self.product()?;
            sum = self.calculated(operator, sum, operator_span, right)?;
        }
    }

    fn product(&mut self) -> Result<Built> {
        let mut product = self.factor()?;
        loop {
            let operator = match self.token().kind {
                TokenKind::Sign("*") => BinaryOperator::Multiply,
                TokenKind::Sign("/") => BinaryOperator::Divide,
                TokenKind::Sign("%") => BinaryOperator::Remainder,
                _ => return Ok(product),
            };
            let operator_span = self.advance().span;
            let right = self.factor()?;
            product = self.calculated(operator, product, operator_span, right)?;
        }
    }

    fn calculated(
        &mut self,
        operator: BinaryOperator,
        left: Built,
        operator_span: Span,
        right: Built,
    ) -> Result<Built> {
        self.require_term(&left)?;
        self.require_term(&right)?;
        self.binary(operator, left, operator_span, right)
    }

    fn factor(&mut self) -> Result<Built> {
        let token = self.token();
        match token.kind {
            TokenKind::Integer(digits) => self.integer(digits, i64::from(i32::MAX)),
            TokenKind::Name(name) => {
                self.advance();
                self.variable(name, token.span)
            }
            TokenKind::Sign("-") => {
                self.advance();
                let next = self.token();
                let operand = match next.kind {
                    TokenKind::Integer(digits) => self.integer(digits, -i64::from(i32::MIN))?,
                    _ => self.nested(Self::factor)?,
                };
                self.require_term(&operand)?;
                let span = token.span.cover(operand.tree.span);
                let kind = ExpressionKind::Unary {
                    operator: UnaryOperator::Negate,
                    spelling: Spelling::Symbol,
                    operator_span: token.span,
                    operand: Box::new(operand.tree),
                };
                let tree = Expression { kind, span };
                self.built(Built { tree, height: operand.height + 1, nodes: operand.nodes + 1, ..operand })
            }
            TokenKind::Sign("(") => {
                self.advance();
                if self.at_word("if") {
                    return self.nested(|parser| parser.choice(token.span));
                }
                let inner = self.nested(Self::condition)?;
                let end = self.expect_sign(")")?;
                self.parenthesised(inner, Some(token.span.cover(end)))
            }
            _ => self.unexpected("a number, a name or `(`"),
        }
    }

    /// Parses `(if c then a else b)`, starting at `if`.
    fn choice(&mut self, open: Span) -> Result<Built> {
        self.advance();
        let condition = self.condition()?;
        self.expect_word("then")?;
        let consequence = self.term()?;
        self.expect_word("else")?;
        let alternative = self.term()?;
        let span = open.cover(self.expect_sign(")")?);
        for value in [&consequence, &alternative] {
            self.require_term(value)?;
        }
        let height = 1 + condition.height.max(consequence.height).max(alternative.height);
        let nodes = 1 + condition.nodes + consequence.nodes + alternative.nodes;
        let parts = [&condition, &consequence, &alternative];
        let (has_clocks, has_names) =
            (parts.iter().any(|part| part.has_clocks), parts.iter().any(|part| part.has_names));
        let kind = ExpressionKind::Conditional {
            condition: Box::new(condition.tree),
            consequence: Box::new(consequence.tree),
            alternative: Box::new(alternative.tree),
        };
        let tree = Expression { kind, span };
        let choice = self.built(Built { tree, height, nodes, is_term: true, has_clocks, has_names })?;
        self.parenthesised(choice, Some(span))
    }

    /// Parses the number at the current position.
    fn integer(&mut self, digits: &str, greatest: i64) -> Result<Built> {
        let unit = if self.clock_constants.binary_search(&self.position).is_ok() {
            self.variables.unit
        } else {
            Unit::default()
        };
        let span = self.advance().span;
        match digits.parse::<i64>().ok().map(|value| unit.count(value)).filter(|value| *value <= greatest) {
            Some(value) => Ok(leaf(ExpressionKind::Integer(value), span)),
            None => self.refuse(
                &INTEGER_TOO_LARGE,
                span,
                format!("{digits} is larger than the largest integer, {}", i32::MAX),
                "integers have 32 bits",
            ),
        }
    }

    /// Parses the optional index of a variable whose name has been consumed.
    pub(super) fn variable(&mut self, name: &str, span: Span) -> Result<Built> {
        let local = self.locals.iter().rev().find(|local| local.name.text == name);
        let (is_array, is_clock) = match (local, self.variables.table.get(name)) {
            (Some(local), _) => (local.is_array, false),
            (None, Some(variable)) => (self.variables.is_array(name), variable.is_clock),
            (None, None) => return self.unknown_name(name, span),
        };
        let has_one_cell =
            local.is_none() && self.variables.table.get(name).is_some_and(|variable| variable.size == 1);
        let mut base = leaf(ExpressionKind::Name(name.to_owned()), span);
        (base.has_clocks, base.has_names) = (is_clock, true);
        if !self.at_sign("[") {
            if !is_array {
                return Ok(base);
            }
            if has_one_cell {
                let zero = leaf(ExpressionKind::Integer(0), span);
                return self.element(base, zero, span);
            }
            return self.refuse(
                &TYPE_MISMATCH,
                span,
                format!("`{name}` is an array, but one of its cells is expected here"),
                format!("write `{name}[0]` for the first cell"),
            );
        }
        self.advance();
        let index = self.nested(Self::term)?;
        self.require_term(&index)?;
        let whole = span.cover(self.expect_sign("]")?);
        if is_array {
            return self.element(base, index, whole);
        }
        if has_one_cell {
            // The index is zero, because otherwise the variable would be an array.
            base.tree.span = whole;
            return Ok(base);
        }
        self.refuse(&TYPE_MISMATCH, span, format!("`{name}` is not an array"), "remove the index")
    }

    fn element(&mut self, base: Built, index: Built, span: Span) -> Result<Built> {
        let kind = ExpressionKind::Index { base: Box::new(base.tree), index: Box::new(index.tree) };
        let (height, nodes) = (1 + base.height.max(index.height), 1 + base.nodes + index.nodes);
        let tree = Expression { kind, span };
        self.built(Built { tree, height, nodes, is_term: true, has_clocks: base.has_clocks, has_names: true })
    }

    fn unknown_name<T>(&mut self, name: &str, span: Span) -> Result<T> {
        if self.at_sign(".") {
            return self.unexpected("an operator");
        }
        let locals = self.locals.iter().map(|local| local.name.text.as_str());
        let names: Vec<&str> = self.variables.table.keys().map(String::as_str).chain(locals).collect();
        let hint = match nearest_names(name, names).first() {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("declare it with `clock:1:{name}` or `int:1:0:1:0:{name}`"),
        };
        self.refuse(&UNKNOWN_NAME, span, format!("`{name}` is not declared"), hint)
    }

    // Trees.

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: Built,
        operator_span: Span,
        right: Built,
    ) -> Result<Built> {
        self.built(joined(operator, left, operator_span, right))
    }

    fn parenthesised(&mut self, inner: Built, span: Option<Span>) -> Result<Built> {
        let span = span.unwrap_or(inner.tree.span);
        let tree = Expression { kind: ExpressionKind::Parenthesised(Box::new(inner.tree)), span };
        self.built(Built { tree, height: inner.height + 1, nodes: inner.nodes + 1, ..inner })
    }

    fn built(&mut self, built: Built) -> Result<Built> {
        if built.height >= HEIGHT_LIMIT {
            return self.too_deep(built.tree.span);
        }
        Ok(built)
    }

    fn copied(&mut self, built: &Built) -> Result<Built> {
        self.variables.copied += built.nodes;
        if self.variables.copied > COPY_LIMIT {
            return self.refuse(
                &TOO_LARGE,
                built.tree.span,
                "the comparisons of this file expand to too many terms",
                "split chained comparisons of long terms",
            );
        }
        Ok(Built { tree: built.tree.clone(), ..*built })
    }

    pub(super) fn require_term(&mut self, built: &Built) -> Result<()> {
        if built.is_term {
            return Ok(());
        }
        self.refuse(
            &TYPE_MISMATCH,
            built.tree.span,
            "a comparison is not a number",
            "write `(if c then 1 else 0)` to turn a condition into a number",
        )
    }

    pub(super) fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= BRACKET_LIMIT {
            let span = self.token().span;
            return self.too_deep(span);
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    fn too_deep<T>(&mut self, span: Span) -> Result<T> {
        self.refuse(
            &NESTED_TOO_DEEPLY,
            span,
            "this is nested too deeply",
            "split the expression into smaller ones",
        )
    }

    // Tokens.

    pub(super) fn token(&self) -> Token<'reader> {
        self.tokens[self.position]
    }

    pub(super) fn advance(&mut self) -> Token<'reader> {
        let token = self.token();
        if token.kind != TokenKind::End {
            self.position += 1;
        }
        token
    }

    pub(super) fn at_sign(&self, sign: &str) -> bool {
        matches!(self.token().kind, TokenKind::Sign(found) if found == sign)
    }

    pub(super) fn at_word(&self, word: &str) -> bool {
        matches!(self.token().kind, TokenKind::Word(found) if found == word)
    }

    pub(super) fn expect_sign(&mut self, sign: &str) -> Result<Span> {
        if self.at_sign(sign) {
            return Ok(self.advance().span);
        }
        self.unexpected(&format!("`{sign}`"))
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<Span> {
        if self.at_word(word) {
            return Ok(self.advance().span);
        }
        self.unexpected(&format!("`{word}`"))
    }

    pub(super) fn expect_end(&mut self) -> Result<()> {
        if self.token().kind == TokenKind::End { Ok(()) } else { self.unexpected("the end of the attribute") }
    }

    // Errors.

    pub(super) fn unexpected<T>(&mut self, expected: &str) -> Result<T> {
        let token = self.token();
        let found = token.kind.described();
        let next = self.tokens.get(self.position + 1).map(|token| token.kind);
        let (code, message, hint) = match (token.kind, next) {
            (TokenKind::Sign("||" | "|"), _) => (
                &NOT_IN_THE_LANGUAGE,
                "the language has no `||`".to_owned(),
                "write one edge for each alternative".to_owned(),
            ),
            (TokenKind::Sign("&"), _) => (
                &NOT_IN_THE_LANGUAGE,
                "the language has no `&`".to_owned(),
                "write a conjunction with `&&`".to_owned(),
            ),
            (TokenKind::Sign("?"), _) => (
                &NOT_IN_THE_LANGUAGE,
                "the language has no `? :`".to_owned(),
                "write `(if c then a else b)`".to_owned(),
            ),
            (TokenKind::Sign("+" | "-" | "*" | "/" | "%"), Some(TokenKind::Sign("="))) => (
                &NOT_IN_THE_LANGUAGE,
                "the language has no assignments like `+=`".to_owned(),
                "write `i = i + 1`".to_owned(),
            ),
            (TokenKind::Sign("+"), Some(TokenKind::Sign("+"))) => {
                (&NOT_IN_THE_LANGUAGE, "the language has no `++`".to_owned(), "write `i = i + 1`".to_owned())
            }
            (TokenKind::Sign("="), _) => (
                &UNEXPECTED_TOKEN,
                format!("expected {expected}, found {found}"),
                "`==` compares, `=` assigns".to_owned(),
            ),
            (TokenKind::Sign(","), _) => (
                &UNEXPECTED_TOKEN,
                format!("expected {expected}, found {found}"),
                "join conditions with `&&`, and statements with `;`".to_owned(),
            ),
            (TokenKind::Sign("."), _) => (
                &UNEXPECTED_TOKEN,
                "names with dots are not allowed in conditions and statements".to_owned(),
                "rename the variable".to_owned(),
            ),
            (TokenKind::Word(word), _) if expected.contains("name") => (
                &RESERVED_WORD,
                format!("`{word}` is a reserved word"),
                format!("{expected} is expected here"),
            ),
            _ => (
                &UNEXPECTED_TOKEN,
                format!("expected {expected}, found {found}"),
                "conditions look like `x <= 3 && i == 0`, statements like `x = 0; i = i + 1`".to_owned(),
            ),
        };
        self.refuse(code, token.span, message, hint)
    }

    pub(super) fn refuse<T>(
        &mut self,
        code: &'static Code,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Result<T> {
        self.push(Diagnostic::error(code, message).with_primary(span, "").with_hint(hint));
        Err(Reported)
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}

/// Joins all conditions in a tree of logarithmic height; `None` if there are none.
pub(super) fn conjunction(mut parts: Vec<Built>) -> Option<Built> {
    while parts.len() > 1 {
        let mut combined = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some(left) = rest.next() {
            combined.push(match rest.next() {
                Some(right) => joined(BinaryOperator::And, left, right.tree.span, right),
                None => left,
            });
        }
        parts = combined;
    }
    parts.pop()
}

fn joined(operator: BinaryOperator, left: Built, operator_span: Span, right: Built) -> Built {
    let span = left.tree.span.cover(right.tree.span);
    let kind = ExpressionKind::Binary {
        operator,
        spelling: Spelling::Symbol,
        operator_span,
        left: Box::new(left.tree),
        right: Box::new(right.tree),
    };
    let is_term = matches!(
        operator,
        BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Remainder
    );
    Built {
        tree: Expression { kind, span },
        height: 1 + left.height.max(right.height),
        nodes: 1 + left.nodes + right.nodes,
        is_term,
        has_clocks: left.has_clocks || right.has_clocks,
        has_names: left.has_names || right.has_names,
    }
}

fn leaf(kind: ExpressionKind, span: Span) -> Built {
    let tree = Expression { kind, span };
    Built { tree, height: 1, nodes: 1, is_term: true, has_clocks: false, has_names: false }
}
