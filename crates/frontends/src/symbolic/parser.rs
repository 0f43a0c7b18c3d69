//! The shared parser of the symbolic languages: a cursor over tokens, with error reports.
//!
//! Invariant: a parser never moves backwards, and nests at most [`DEEPEST`] levels deep.

use tempora_source::{Diagnostic, Diagnostics, Span};

use super::tokens::{Token, TokenKind};
use crate::codes::symbolic::SYNTAX;

/// The largest depth of nested expressions and statements.
const DEEPEST: usize = 200;

/// An error, which has been reported; the caller recovers.
pub(crate) struct Failed;

pub(crate) type Parsed<T> = Result<T, Failed>;

/// A cursor over a list of tokens.
pub(crate) struct Parser<'text> {
    tokens: Vec<Token<'text>>,
    position: usize,
    depth: usize,
    pub(crate) diagnostics: Diagnostics,
}

impl<'text> Parser<'text> {
    /// Creates a parser at the first of the tokens, of which there is at least one.
    pub(crate) fn new(tokens: Vec<Token<'text>>, diagnostics: Diagnostics) -> Parser<'text> {
        Parser { tokens, position: 0, depth: 0, diagnostics }
    }

    pub(crate) fn token(&self) -> Token<'text> {
        self.tokens[self.position.min(self.tokens.len() - 1)]
    }

    pub(crate) fn span(&self) -> Span {
        self.token().span
    }

    /// Returns the span of the previous token.
    pub(crate) fn span_before(&self) -> Span {
        self.tokens[self.position.saturating_sub(1).min(self.tokens.len() - 1)].span
    }

    pub(crate) fn peek(&self, ahead: usize) -> TokenKind<'text> {
        self.tokens[(self.position + ahead).min(self.tokens.len() - 1)].kind
    }

    pub(crate) fn advance(&mut self) {
        self.position = (self.position + 1).min(self.tokens.len() - 1);
    }

    pub(crate) fn is_end(&self) -> bool {
        self.token().kind == TokenKind::End
    }

    pub(crate) fn at_sign(&self, sign: &str) -> bool {
        matches!(self.token().kind, TokenKind::Sign(own) if own == sign)
    }

    pub(crate) fn at_word(&self, word: &str) -> bool {
        self.token().kind == TokenKind::Word(word)
    }

    pub(crate) fn accept_sign(&mut self, sign: &str) -> bool {
        let is_there = self.at_sign(sign);
        if is_there {
            self.advance();
        }
        is_there
    }

    pub(crate) fn accept_word(&mut self, word: &str) -> bool {
        let is_there = self.at_word(word);
        if is_there {
            self.advance();
        }
        is_there
    }

    pub(crate) fn expect_sign(&mut self, sign: &str) -> Parsed<()> {
        if self.accept_sign(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    pub(crate) fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.accept_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    /// Reports an unexpected token.
    pub(crate) fn unexpected(&mut self, expected: &str) -> Failed {
        let found = match self.token().kind {
            TokenKind::Word(text) | TokenKind::Integer(text) => format!("`{text}`"),
            TokenKind::Sign(sign) => format!("`{sign}`"),
            TokenKind::End => "the end of the text".to_owned(),
        };
        let diagnostic = Diagnostic::error(&SYNTAX, format!("expected {expected}, found {found}"));
        self.diagnostics.push(diagnostic.with_primary(self.span(), ""));
        Failed
    }

    /// Enters a nested level, unless it is too deep; [`Parser::leave`] leaves it.
    pub(crate) fn enter(&mut self) -> Parsed<()> {
        if self.depth >= DEEPEST {
            let diagnostic =
                Diagnostic::error(&SYNTAX, format!("this is nested more than {DEEPEST} levels deep"))
                    .with_primary(self.span(), "")
                    .with_hint("introduce variables for parts of it");
            self.diagnostics.push(diagnostic);
            return Err(Failed);
        }
        self.depth += 1;
        Ok(())
    }

    /// Leaves a nested level.
    pub(crate) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }
}
