//! Parses the types and expressions of Theta's CFA and STS models.
//!
//! Invariant: unsupported constructs (functions, quantifiers) are reported as such.

use num_bigint::BigInt;
use tempora_smt::{BitOperator, Sort, WIDEST_BIT_VECTOR};
use tempora_source::{Diagnostic, Span};

use super::parser::{Parsed, Parser};
use super::theta_floats::{FLOAT_EXTREMES, FLOAT_PRODUCTS, FLOAT_SUMS, is_float_operator};
use super::tokens::TokenKind;
use super::trees::{ArithmeticOperator, BitOperation, ExpressionKind, ExpressionTree, Relation, TypeTree};
use crate::codes::symbolic::SYNTAX;

/// The simple types.
pub(crate) static TYPES: [(&str, Sort); 3] =
    [("bool", Sort::Boolean), ("int", Sort::Integer), ("rat", Sort::Real)];

/// The reserved words.
const WORDS: [&str; 18] = [
    "if", "then", "else", "iff", "imply", "forall", "exists", "or", "xor", "and", "not", "mod", "rem",
    "true", "false", "default", "havoc", "assume",
];

impl Parser<'_> {
    /// Parses a name.
    pub(crate) fn theta_name(&mut self) -> Parsed<(String, Span)> {
        let span = self.span();
        match self.token().kind {
            TokenKind::Word(word) if !WORDS.contains(&word) => {
                self.advance();
                Ok((word.to_owned(), span))
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    /// Parses a type.
    pub(crate) fn theta_type(&mut self) -> Parsed<TypeTree> {
        if self.accept_sign("[") {
            self.enter()?;
            let index = self.theta_type()?;
            self.expect_sign("]")?;
            self.expect_sign("->")?;
            let element = self.theta_type()?;
            self.leave();
            return Ok(TypeTree::Array(Box::new(index), Box::new(element)));
        }
        let (name, span) = self.theta_name()?;
        if name == "fp" {
            return self.theta_format().map(TypeTree::Float);
        }
        if name == "bv" {
            return self.theta_width().map(TypeTree::Bits);
        }
        Ok(TypeTree::Named(name, span))
    }

    /// Parses `[N]` after `bv`.
    fn theta_width(&mut self) -> Parsed<u32> {
        self.expect_sign("[")?;
        let width = self.theta_number()?;
        self.expect_sign("]")?;
        Ok(width)
    }

    /// Parses a number of bits.
    pub(super) fn theta_number(&mut self) -> Parsed<u32> {
        let TokenKind::Integer(digits) = self.token().kind else {
            return Err(self.unexpected("a number of bits"));
        };
        match digits.parse() {
            Ok(width) if (1..=WIDEST_BIT_VECTOR).contains(&width) => {
                self.advance();
                Ok(width)
            }
            _ => Err(self.unexpected(&format!("a number of bits from 1 to {WIDEST_BIT_VECTOR}"))),
        }
    }

    /// Reports an unsupported construct of the language.
    pub(crate) fn unsupported(&mut self, what: &str, span: Span) -> super::parser::Failed {
        let diagnostic = Diagnostic::error(&SYNTAX, format!("{what} are not supported yet"))
            .with_primary(span, "")
            .with_hint(
                "use truth values, integers, rationals, bit-vectors, floating point numbers and arrays",
            );
        self.diagnostics.push(diagnostic);
        super::parser::Failed
    }

    /// Parses an expression.
    pub(crate) fn theta_expression(&mut self) -> Parsed<ExpressionTree> {
        self.enter()?;
        let result = self.theta_conditional();
        self.leave();
        result
    }

    fn tree(&self, kind: ExpressionKind, start: Span) -> ExpressionTree {
        ExpressionTree { kind, span: start.cover(self.span_before()) }
    }

    fn theta_conditional(&mut self) -> Parsed<ExpressionTree> {
        let start = self.span();
        if !self.accept_word("if") {
            return self.theta_right(0);
        }
        let condition = self.theta_expression()?;
        self.expect_word("then")?;
        let then = self.theta_expression()?;
        self.expect_word("else")?;
        let otherwise = self.theta_expression()?;
        let kind = ExpressionKind::IfThenElse(Box::new(condition), Box::new(then), Box::new(otherwise));
        Ok(self.tree(kind, start))
    }

    /// Parses `iff`, then `imply`, both right-associative, then disjunction.
    fn theta_right(&mut self, level: usize) -> Parsed<ExpressionTree> {
        let start = self.span();
        let (word, relation) =
            if level == 0 { ("iff", Relation::IfAndOnlyIf) } else { ("imply", Relation::Implies) };
        let left = if level == 0 { self.theta_right(1)? } else { self.theta_extreme()? };
        if !self.accept_word(word) {
            return Ok(left);
        }
        self.enter()?;
        let right = self.theta_right(level);
        self.leave();
        let kind = ExpressionKind::Relation(relation, Box::new(left), Box::new(right?));
        Ok(self.tree(kind, start))
    }

    /// Parses a maximum or minimum of two numbers.
    fn theta_extreme(&mut self) -> Parsed<ExpressionTree> {
        let start = self.span();
        let left = self.theta_disjunction()?;
        match self.theta_float_operation(&FLOAT_EXTREMES)? {
            None => Ok(left),
            Some(operator) => {
                let right = self.theta_disjunction()?;
                Ok(self.tree(ExpressionKind::FloatOperation(operator, vec![left, right]), start))
            }
        }
    }

    fn theta_disjunction(&mut self) -> Parsed<ExpressionTree> {
        let start = self.span();
        if self.at_word("forall") || self.at_word("exists") {
            return Err(self.unsupported("quantifiers", start));
        }
        let mut parts = vec![self.theta_exclusive()?];
        while self.accept_word("or") {
            parts.push(self.theta_exclusive()?);
        }
        Ok(self.theta_junction(parts, ExpressionKind::Or, start))
    }

    fn theta_exclusive(&mut self) -> Parsed<ExpressionTree> {
        let start = self.span();
        let left = self.theta_conjunction()?;
        if !self.accept_word("xor") {
            return Ok(left);
        }
        self.enter()?;
        let right = self.theta_exclusive();
        self.leave();
        let kind = ExpressionKind::Relation(Relation::ExclusiveOr, Box::new(left), Box::new(right?));
        Ok(self.tree(kind, start))
    }

    fn theta_conjunction(&mut self) -> Parsed<ExpressionTree> {
        let start = self.span();
        let mut parts = vec![self.theta_negation()?];
        while self.accept_word("and") {
            parts.push(self.theta_negation()?);
        }
        Ok(self.theta_junction(parts, ExpressionKind::And, start))
    }

    fn theta_junction(
        &self,
        parts: Vec<ExpressionTree>,
        make: fn(Vec<ExpressionTree>) -> ExpressionKind,
        start: Span,
    ) -> ExpressionTree {
        ExpressionTree::joined(parts, make, start.cover(self.span_before()))
    }

    fn theta_negation(&mut self) -> Parsed<ExpressionTree> {
        let start = self.span();
        if !self.accept_word("not") {
            return self.theta_equality();
        }
        self.enter()?;
        let inner = self.theta_negation();
        self.leave();
        Ok(self.tree(ExpressionKind::Not(Box::new(inner?)), start))
    }

    fn theta_equality(&mut self) -> Parsed<ExpressionTree> {
        let start = self.span();
        let left = self.theta_comparison()?;
        let relation = match self.token().kind {
            TokenKind::Sign("=") => Relation::Equal,
            TokenKind::Sign("/=") => Relation::NotEqual,
            _ => return Ok(left),
        };
        self.advance();
        let right = self.theta_comparison()?;
        Ok(self.tree(ExpressionKind::Relation(relation, Box::new(left), Box::new(right)), start))
    }

    fn theta_comparison(&mut self) -> Parsed<ExpressionTree> {
        let start = self.span();
        let left = self.theta_bits(0)?;
        if let TokenKind::Word(word) = self.token().kind
            && let Some((_, operation)) = COMPARISONS.iter().find(|(name, _)| *name == word)
        {
            self.advance();
            let right = self.theta_bits(0)?;
            return Ok(self.tree(ExpressionKind::BitOperation(*operation, vec![left, right]), start));
        }
        let relation = match self.token().kind {
            TokenKind::Sign("<") => Relation::Less,
            TokenKind::Sign("<=") => Relation::LessEqual,
            TokenKind::Sign(">") => Relation::Greater,
            TokenKind::Sign(">=") => Relation::GreaterEqual,
            _ => return Ok(left),
        };
        self.advance();
        let right = self.theta_bits(0)?;
        Ok(self.tree(ExpressionKind::Relation(relation, Box::new(left), Box::new(right)), start))
    }

    /// Parses operators on bit-vectors with a lower precedence than sums, the lowest first.
    fn theta_bits(&mut self, level: usize) -> Parsed<ExpressionTree> {
        let Some(operators) = BIT_LEVELS.get(level) else { return self.theta_sum() };
        let start = self.span();
        let mut left = self.theta_bits(level + 1)?;
        while let Some(operation) = self.theta_operation(operators) {
            self.enter()?;
            let right = self.theta_bits(level + 1);
            self.leave();
            left = self.tree(ExpressionKind::BitOperation(operation, vec![left, right?]), start);
            self.theta_long(&left)?;
        }
        Ok(left)
    }

    /// Refuses long chains of operators, whose trees are as deep as the chains are long.
    fn theta_long(&mut self, tree: &ExpressionTree) -> Parsed<()> {
        let mut depth = 0;
        let mut current = tree;
        while let ExpressionKind::BitOperation(_, parts) | ExpressionKind::FloatOperation(_, parts) =
            &current.kind
        {
            depth += 1;
            match parts.first() {
                Some(first) if depth <= LONGEST_CHAIN => current = first,
                Some(_) => return Err(self.unexpected("an expression with fewer operators")),
                None => break,
            }
        }
        Ok(())
    }

    /// Accepts one of the given operators on bit-vectors.
    fn theta_operation(&mut self, operators: &[(&str, BitOperation)]) -> Option<BitOperation> {
        let TokenKind::Word(word) = self.token().kind else { return None };
        let (_, operation) = operators.iter().find(|(name, _)| *name == word)?;
        self.advance();
        Some(*operation)
    }

    fn theta_sum(&mut self) -> Parsed<ExpressionTree> {
        let start = self.span();
        let mut first = self.theta_product()?;
        let mut rest = Vec::new();
        while let Some(operation) = self.theta_operation(&BIT_SUMS) {
            let right = self.theta_product()?;
            first = self.tree(ExpressionKind::BitOperation(operation, vec![first, right]), start);
            self.theta_long(&first)?;
        }
        while let Some(operator) = self.theta_float_operation(&FLOAT_SUMS)? {
            let right = self.theta_product()?;
            first = self.tree(ExpressionKind::FloatOperation(operator, vec![first, right]), start);
            self.theta_long(&first)?;
        }
        loop {
            let operator = match self.token().kind {
                TokenKind::Sign("+") => ArithmeticOperator::Add,
                TokenKind::Sign("-") => ArithmeticOperator::Subtract,
                _ => break,
            };
            self.advance();
            rest.push((operator, self.theta_product()?));
        }
        Ok(self.theta_chain(first, rest, start))
    }

    fn theta_product(&mut self) -> Parsed<ExpressionTree> {
        let start = self.span();
        let mut first = self.theta_concatenation()?;
        let mut rest = Vec::new();
        while let Some(operation) = self.theta_operation(&BIT_PRODUCTS) {
            let right = self.theta_concatenation()?;
            first = self.tree(ExpressionKind::BitOperation(operation, vec![first, right]), start);
            self.theta_long(&first)?;
        }
        while let Some(operator) = self.theta_float_operation(&FLOAT_PRODUCTS)? {
            let right = self.theta_concatenation()?;
            first = self.tree(ExpressionKind::FloatOperation(operator, vec![first, right]), start);
            self.theta_long(&first)?;
        }
        loop {
            let operator = match self.token().kind {
                TokenKind::Sign("*") => ArithmeticOperator::Multiply,
                TokenKind::Sign("/") => ArithmeticOperator::Divide,
                TokenKind::Word("mod") => ArithmeticOperator::Modulo,
                TokenKind::Word("rem") => ArithmeticOperator::Remainder,
                _ => break,
            };
            self.advance();
            rest.push((operator, self.theta_concatenation()?));
        }
        Ok(self.theta_chain(first, rest, start))
    }

    /// Parses `++`, whose operands are extensions.
    fn theta_concatenation(&mut self) -> Parsed<ExpressionTree> {
        let start = self.span();
        let mut left = self.theta_extension()?;
        while self.accept_sign("++") {
            let right = self.theta_extension()?;
            let operation = BitOperation::Plain(BitOperator::Concatenate);
            left = self.tree(ExpressionKind::BitOperation(operation, vec![left, right]), start);
            self.theta_long(&left)?;
        }
        Ok(left)
    }

    fn theta_extension(&mut self) -> Parsed<ExpressionTree> {
        let start = self.span();
        let inner = self.theta_unary()?;
        let is_signed = self.at_word("bv_sign_extend");
        if !is_signed && !self.at_word("bv_zero_extend") {
            return Ok(inner);
        }
        self.advance();
        self.expect_word("bv")?;
        let width = self.theta_width()?;
        let operation = BitOperation::Extend { width, is_signed };
        Ok(self.tree(ExpressionKind::BitOperation(operation, vec![inner]), start))
    }

    fn theta_chain(
        &self,
        first: ExpressionTree,
        rest: Vec<(ArithmeticOperator, ExpressionTree)>,
        start: Span,
    ) -> ExpressionTree {
        if rest.is_empty() { first } else { self.tree(ExpressionKind::Chain(Box::new(first), rest), start) }
    }

    /// Parses the operand of a prefix operator.
    pub(super) fn theta_operand(&mut self) -> Parsed<ExpressionTree> {
        self.enter()?;
        let inner = self.theta_unary();
        self.leave();
        inner
    }

    fn theta_unary(&mut self) -> Parsed<ExpressionTree> {
        let start = self.span();
        if let Some(tree) = self.theta_float_sign()? {
            return Ok(tree);
        }
        if let Some(operation) = self.theta_operation(&BIT_SIGNS) {
            self.enter()?;
            let inner = self.theta_unary();
            self.leave();
            return Ok(self.tree(ExpressionKind::BitOperation(operation, vec![inner?]), start));
        }
        if self.accept_word("bvpos") {
            self.enter()?;
            let inner = self.theta_unary();
            self.leave();
            return inner;
        }
        let is_negative = self.at_sign("-");
        if !is_negative && !self.at_sign("+") {
            return self.theta_accessor();
        }
        self.advance();
        self.enter()?;
        let inner = self.theta_unary();
        self.leave();
        let inner = inner?;
        Ok(if is_negative { self.tree(ExpressionKind::Negative(Box::new(inner)), start) } else { inner })
    }

    fn theta_accessor(&mut self) -> Parsed<ExpressionTree> {
        /// The largest number of consecutive brackets.
        const MOST: usize = 100;
        let start = self.span();
        let mut value = self.theta_primary()?;
        for _ in 0..MOST {
            if self.accept_sign("'") {
                value = self.tree(ExpressionKind::Prime(Box::new(value)), start);
                continue;
            }
            if !self.at_sign("[") {
                return Ok(value);
            }
            self.advance();
            let index = self.theta_expression()?;
            let kind = if self.accept_sign("<-") {
                let element = self.theta_expression()?;
                ExpressionKind::Write(Box::new(value), Box::new(index), Box::new(element))
            } else if self.accept_sign(":") {
                let ExpressionKind::Integer(until) = &index.kind else {
                    return Err(self.unexpected("a number before `:`"));
                };
                let from = match self.token().kind {
                    TokenKind::Integer(digits) => digits.parse::<u32>().ok(),
                    _ => None,
                };
                let (Some(until), Some(low)) = (until.parse::<u32>().ok(), from) else {
                    return Err(self.unexpected("the position of a bit"));
                };
                self.advance();
                let Some(high) = until.checked_sub(1).filter(|high| *high >= low) else {
                    return Err(self.unexpected("a range of at least one bit"));
                };
                let operation = BitOperation::Plain(BitOperator::Extract { high, low });
                ExpressionKind::BitOperation(operation, vec![value])
            } else {
                ExpressionKind::Read(Box::new(value), Box::new(index))
            };
            self.expect_sign("]")?;
            value = self.tree(kind, start);
        }
        Err(self.unexpected("an expression with fewer brackets"))
    }

    fn theta_primary(&mut self) -> Parsed<ExpressionTree> {
        let start = self.span();
        let kind = match self.token().kind {
            TokenKind::Word("true") => ExpressionKind::Boolean(true),
            TokenKind::Word("false") => ExpressionKind::Boolean(false),
            TokenKind::Integer(digits) => {
                self.advance();
                if self.accept_sign("'") {
                    let word = self.theta_word(digits, start)?;
                    return self.theta_significand(word);
                }
                if !self.accept_sign("%") {
                    return Ok(self.tree(ExpressionKind::Integer(digits.to_owned()), start));
                }
                let TokenKind::Integer(denominator) = self.token().kind else {
                    return Err(self.unexpected("the denominator"));
                };
                ExpressionKind::Rational(digits.to_owned(), denominator.to_owned())
            }
            TokenKind::Word(word) if is_machine_operator(word) => {
                return Err(self.unexpected("an expression"));
            }
            TokenKind::Word(_) => {
                let (name, span) = self.theta_name()?;
                if self.at_sign("(") {
                    return Err(self.unsupported("functions", span));
                }
                return Ok(ExpressionTree { kind: ExpressionKind::Name(name), span });
            }
            TokenKind::Sign("(") => {
                self.advance();
                let inner = self.theta_expression()?;
                self.expect_sign(")")?;
                return Ok(inner);
            }
            TokenKind::Sign("[") => return self.theta_array(),
            _ => return Err(self.unexpected("an expression")),
        };
        self.advance();
        Ok(self.tree(kind, start))
    }

    /// Parses a bit-vector after its width and `'`: `d12`, `b0101` or `xF0`.
    pub(super) fn theta_word(&mut self, width: &str, start: Span) -> Parsed<ExpressionTree> {
        let width = width.parse().ok().filter(|width| (1..=WIDEST_BIT_VECTOR).contains(width));
        let TokenKind::Word(written) = self.token().kind else {
            return Err(self.unexpected("`d`, `b` or `x` with digits"));
        };
        let radix = match written.as_bytes().first() {
            Some(b'd') => 10,
            Some(b'b') => 2,
            Some(b'x') => 16,
            _ => return Err(self.unexpected("`d`, `b` or `x` with digits")),
        };
        self.advance();
        let mut digits = written[1..].to_owned();
        if digits.is_empty() {
            // A sign separates the digits from their radix.
            let is_negative = self.at_sign("-");
            if is_negative || self.at_sign("+") {
                self.advance();
            }
            let (TokenKind::Integer(rest) | TokenKind::Word(rest)) = self.token().kind else {
                return Err(self.unexpected("digits"));
            };
            self.advance();
            digits = if is_negative { format!("-{rest}") } else { rest.to_owned() };
        }
        let number =
            if digits.len() > LONGEST_WORD { None } else { BigInt::parse_bytes(digits.as_bytes(), radix) };
        match (width, number) {
            (Some(width), Some(number)) => Ok(self.tree(ExpressionKind::Bits(width, number), start)),
            _ => Err(self.unexpected("a bit-vector, such as 8'd5, before this")),
        }
    }

    fn theta_array(&mut self) -> Parsed<ExpressionTree> {
        let start = self.span();
        self.expect_sign("[")?;
        let index = if self.accept_sign("<") {
            let index = self.theta_type()?;
            self.expect_sign(">")?;
            Some(index)
        } else {
            None
        };
        let mut entries = Vec::new();
        while !self.accept_word("default") {
            let index = self.theta_expression()?;
            self.expect_sign("<-")?;
            entries.push((index, self.theta_expression()?));
            self.expect_sign(",")?;
        }
        self.expect_sign("<-")?;
        let rest = Box::new(self.theta_expression()?);
        self.expect_sign("]")?;
        Ok(self.tree(ExpressionKind::ArrayLiteral { index, entries, rest }, start))
    }
}

/// Returns whether a word is reserved.
pub(crate) fn is_reserved(word: &str) -> bool {
    WORDS.contains(&word) || is_machine_operator(word)
}

/// Returns whether a word is an operator on bit-vectors or floating point numbers.
fn is_machine_operator(word: &str) -> bool {
    let is_listed = |list: &[(&str, BitOperation)]| list.iter().any(|(name, _)| *name == word);
    is_listed(&COMPARISONS)
        || BIT_LEVELS.iter().any(|level| is_listed(level))
        || is_listed(&BIT_SUMS)
        || is_listed(&BIT_PRODUCTS)
        || is_listed(&BIT_SIGNS)
        || matches!(word, "bvpos" | "bv_zero_extend" | "bv_sign_extend")
        || is_float_operator(word)
}

/// The largest number of digits of a bit-vector, and the longest chain of its operators.
const LONGEST_WORD: usize = 4200;
const LONGEST_CHAIN: usize = 100;

const fn plain(operator: BitOperator) -> BitOperation {
    BitOperation::Plain(operator)
}

const COMPARISONS: [(&str, BitOperation); 8] = [
    ("bvult", plain(BitOperator::LessUnsigned)),
    ("bvule", plain(BitOperator::LessEqualUnsigned)),
    ("bvugt", BitOperation::Swapped(BitOperator::LessUnsigned)),
    ("bvuge", BitOperation::Swapped(BitOperator::LessEqualUnsigned)),
    ("bvslt", plain(BitOperator::LessSigned)),
    ("bvsle", plain(BitOperator::LessEqualSigned)),
    ("bvsgt", BitOperation::Swapped(BitOperator::LessSigned)),
    ("bvsge", BitOperation::Swapped(BitOperator::LessEqualSigned)),
];

const BIT_LEVELS: [&[(&str, BitOperation)]; 4] = [
    &[("bvor", plain(BitOperator::Or))],
    &[("bvxor", plain(BitOperator::Xor))],
    &[("bvand", plain(BitOperator::And))],
    &[
        ("bvshl", plain(BitOperator::ShiftLeft)),
        ("bvashr", plain(BitOperator::ShiftRightSigned)),
        ("bvlshr", plain(BitOperator::ShiftRight)),
        ("bvrol", BitOperation::RotateLeft),
        ("bvror", BitOperation::RotateRight),
    ],
];

const BIT_SUMS: [(&str, BitOperation); 2] =
    [("bvadd", plain(BitOperator::Add)), ("bvsub", plain(BitOperator::Subtract))];

const BIT_PRODUCTS: [(&str, BitOperation); 6] = [
    ("bvmul", plain(BitOperator::Multiply)),
    ("bvudiv", plain(BitOperator::DivideUnsigned)),
    ("bvsdiv", plain(BitOperator::DivideSigned)),
    ("bvsmod", plain(BitOperator::ModuloSigned)),
    ("bvurem", plain(BitOperator::RemainderUnsigned)),
    ("bvsrem", plain(BitOperator::RemainderSigned)),
];

const BIT_SIGNS: [(&str, BitOperation); 2] =
    [("bvneg", plain(BitOperator::Negate)), ("bvnot", plain(BitOperator::Not))];
