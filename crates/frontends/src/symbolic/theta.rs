//! Types and expressions as Theta writes them in CFA and STS models.
//!
//! Invariant: what is not supported (bit-vectors, floating point numbers, functions, quantifiers) is an error that says so.

use tempora_smt::Sort;
use tempora_source::{Diagnostic, Span};

use super::parser::{Parsed, Parser};
use super::tokens::TokenKind;
use super::trees::{ArithmeticOperator, ExpressionKind, ExpressionTree, Relation, TypeTree};
use crate::codes::symbolic::SYNTAX;

/// The simple types.
pub(crate) static TYPES: [(&str, Sort); 3] =
    [("bool", Sort::Boolean), ("int", Sort::Integer), ("rat", Sort::Real)];

/// The words that cannot be names.
const WORDS: [&str; 18] = [
    "if", "then", "else", "iff", "imply", "forall", "exists", "or", "xor", "and", "not", "mod", "rem",
    "true", "false", "default", "havoc", "assume",
];

impl Parser<'_> {
    /// A name.
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

    /// A type.
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
        if matches!(name.as_str(), "bv" | "fp") {
            let what = if name == "bv" { "bit-vectors" } else { "floating point numbers" };
            return Err(self.unsupported(what, span));
        }
        Ok(TypeTree::Named(name, span))
    }

    /// Reports something that is of the language, but that nobody here understands yet.
    pub(crate) fn unsupported(&mut self, what: &str, span: Span) -> super::parser::Failed {
        let diagnostic = Diagnostic::error(&SYNTAX, format!("{what} are not supported yet"))
            .with_primary(span, "")
            .with_hint("use truth values, integers, rationals and arrays");
        self.diagnostics.push(diagnostic);
        super::parser::Failed
    }

    /// An expression.
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

    /// `iff`, then `imply`, both read from right to left, then disjunction.
    fn theta_right(&mut self, level: usize) -> Parsed<ExpressionTree> {
        let start = self.span();
        let (word, relation) =
            if level == 0 { ("iff", Relation::IfAndOnlyIf) } else { ("imply", Relation::Implies) };
        let left = if level == 0 { self.theta_right(1)? } else { self.theta_disjunction()? };
        if !self.accept_word(word) {
            return Ok(left);
        }
        self.enter()?;
        let right = self.theta_right(level);
        self.leave();
        let kind = ExpressionKind::Relation(relation, Box::new(left), Box::new(right?));
        Ok(self.tree(kind, start))
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
        let left = self.theta_sum()?;
        let relation = match self.token().kind {
            TokenKind::Sign("<") => Relation::Less,
            TokenKind::Sign("<=") => Relation::LessEqual,
            TokenKind::Sign(">") => Relation::Greater,
            TokenKind::Sign(">=") => Relation::GreaterEqual,
            _ => return Ok(left),
        };
        self.advance();
        let right = self.theta_sum()?;
        Ok(self.tree(ExpressionKind::Relation(relation, Box::new(left), Box::new(right)), start))
    }

    fn theta_sum(&mut self) -> Parsed<ExpressionTree> {
        let start = self.span();
        let first = self.theta_product()?;
        let mut rest = Vec::new();
        loop {
            let operator = match self.token().kind {
                TokenKind::Sign("+") => ArithmeticOperator::Add,
                TokenKind::Sign("-") => ArithmeticOperator::Subtract,
                TokenKind::Word(word) if is_machine_operator(word) => {
                    return Err(self.unsupported("bit-vectors and floating point numbers", self.span()));
                }
                _ => break,
            };
            self.advance();
            rest.push((operator, self.theta_product()?));
        }
        Ok(self.theta_chain(first, rest, start))
    }

    fn theta_product(&mut self) -> Parsed<ExpressionTree> {
        let start = self.span();
        let first = self.theta_unary()?;
        let mut rest = Vec::new();
        loop {
            let operator = match self.token().kind {
                TokenKind::Sign("*") => ArithmeticOperator::Multiply,
                TokenKind::Sign("/") => ArithmeticOperator::Divide,
                TokenKind::Word("mod") => ArithmeticOperator::Modulo,
                TokenKind::Word("rem") => ArithmeticOperator::Remainder,
                _ => break,
            };
            self.advance();
            rest.push((operator, self.theta_unary()?));
        }
        Ok(self.theta_chain(first, rest, start))
    }

    fn theta_chain(
        &self,
        first: ExpressionTree,
        rest: Vec<(ArithmeticOperator, ExpressionTree)>,
        start: Span,
    ) -> ExpressionTree {
        if rest.is_empty() { first } else { self.tree(ExpressionKind::Chain(Box::new(first), rest), start) }
    }

    fn theta_unary(&mut self) -> Parsed<ExpressionTree> {
        let start = self.span();
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
        /// More brackets behind each other than this are refused.
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
            } else if self.at_sign(":") {
                return Err(self.unsupported("bit-vectors", self.span()));
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
                if self.at_sign("'") {
                    return Err(self.unsupported("bit-vectors", start));
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
                return Err(self.unsupported("bit-vectors and floating point numbers", start));
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

/// Whether a word is an operator on bit-vectors or floating point numbers.
fn is_machine_operator(word: &str) -> bool {
    const AFTER_BV: [&str; 28] = [
        "or",
        "xor",
        "and",
        "shl",
        "ashr",
        "lshr",
        "rol",
        "ror",
        "add",
        "sub",
        "mul",
        "udiv",
        "sdiv",
        "smod",
        "urem",
        "srem",
        "pos",
        "neg",
        "not",
        "ult",
        "ule",
        "ugt",
        "uge",
        "slt",
        "sle",
        "sgt",
        "sge",
        "_zero_extend",
    ];
    const AFTER_FP: [&str; 8] = ["add", "sub", "mul", "div", "rem", "max", "min", "neg"];
    word.strip_prefix("bv").is_some_and(|rest| AFTER_BV.contains(&rest) || rest == "_sign_extend")
        || word.strip_prefix("fp").is_some_and(|rest| AFTER_FP.contains(&rest))
}
