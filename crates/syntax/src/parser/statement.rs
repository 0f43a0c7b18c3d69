//! Parses functions and statements.
//!
//! Invariant: a block ends at its own brace or at the end of the text, even after errors inside it.

use tempora_source::Diagnostic;

use super::super::ast::{
    Block, ConditionalBranch, Declaration, DeclarationKind, FunctionDeclaration, Name, Statement,
    StatementKind, TypeExpression,
};
use super::super::token::{Symbol, TokenKind, Word};
use super::Parser;
use super::expression::error_at;
use crate::codes::structure::{DECLARATION_AFTER_STATEMENT, NOT_IN_THE_LANGUAGE};

impl Parser<'_> {
    /// Parses a function from its parameters on.
    pub(super) fn function(
        &mut self,
        start: u32,
        return_type: TypeExpression,
        name: Name,
    ) -> FunctionDeclaration {
        let parameters = self.parameter_list();
        let body = self.block();
        FunctionDeclaration { return_type, name, parameters, body, span: self.span_from(start) }
    }

    fn block(&mut self) -> Block {
        let start = self.token().start;
        let (mut declarations, mut statements) = (Vec::new(), Vec::new());
        if self.expect(Symbol::OpenBrace) {
            while !self.at(Symbol::CloseBrace) && !self.at_end() {
                let position = self.position;
                let is_typed = self.at_type() && !self.at_assertion() && self.foreign_statement().is_none();
                if is_typed || self.at_word(Word::Typedef) {
                    if !statements.is_empty() {
                        self.report_late_declaration();
                    }
                    declarations.push(self.local_declaration());
                } else {
                    statements.push(self.statement());
                }
                if self.position == position {
                    // Nothing starts with this token.
                    self.advance();
                }
            }
            self.expect(Symbol::CloseBrace);
        }
        Block { declarations, statements, span: self.span_from(start) }
    }

    fn local_declaration(&mut self) -> Declaration {
        let declaration = self.declaration();
        if matches!(declaration.kind, DeclarationKind::Function(_)) {
            self.remark(
                Diagnostic::error(&NOT_IN_THE_LANGUAGE, "a function cannot be declared inside a function")
                    .with_primary(declaration.span, "")
                    .with_hint("declare it before the function that uses it"),
            );
        }
        declaration
    }

    fn report_late_declaration(&mut self) {
        self.report(
            Diagnostic::error(&DECLARATION_AFTER_STATEMENT, "a declaration after a statement")
                .with_primary(self.here(), "this belongs at the start of the block")
                .with_hint("move the declaration before the first statement, or open a new block"),
        );
    }

    pub(super) fn statement(&mut self) -> Statement {
        let fallback = |span| Statement { kind: StatementKind::Error, span };
        self.nested_in_brackets(self.context, fallback, Self::statement_inside)
    }

    fn statement_inside(&mut self) -> Statement {
        let token = self.token();
        let kind = match token.kind {
            TokenKind::Symbol(Symbol::Semicolon) => {
                self.advance();
                StatementKind::Empty
            }
            TokenKind::Symbol(Symbol::OpenBrace) => StatementKind::Block(self.block()),
            TokenKind::Word(Word::If) => self.conditional(),
            TokenKind::Word(Word::For) => self.for_loop(),
            TokenKind::Word(Word::While) => {
                self.advance();
                let condition = self.parenthesised_condition();
                StatementKind::While { condition, body: Box::new(self.statement()) }
            }
            TokenKind::Word(Word::Do) => self.do_while(),
            TokenKind::Word(Word::Return) => {
                self.advance();
                let value = if self.at(Symbol::Semicolon) {
                    None
                } else {
                    Some(self.nested(self.context, error_at, Self::expression))
                };
                self.finish_statement();
                StatementKind::Return(value)
            }
            TokenKind::Word(Word::Else) => {
                self.report(
                    self.expected("a statement")
                        .with_hint("this `else` has no `if`; check for a stray `;` before it"),
                );
                self.advance();
                StatementKind::Error
            }
            TokenKind::Name if self.at_assertion() => {
                self.advance();
                let condition = self.nested(self.context, error_at, Self::expression);
                self.finish_statement();
                StatementKind::Assert(condition)
            }
            TokenKind::Name if self.foreign_statement().is_some() => {
                let hint = self.foreign_statement().unwrap_or_default();
                let text = self.text_of(token);
                self.report(
                    Diagnostic::error(&NOT_IN_THE_LANGUAGE, format!("the language has no `{text}`"))
                        .with_primary(self.here(), "")
                        .with_hint(hint),
                );
                self.skip_to_semicolon();
                StatementKind::Error
            }
            _ => {
                let expressions = self.expressions();
                self.finish_statement();
                StatementKind::Expressions(expressions)
            }
        };
        Statement { kind, span: self.span_from(token.start) }
    }

    /// Returns the hint for a statement of C that this language does not have.
    fn foreign_statement(&self) -> Option<&'static str> {
        let next = self.ahead(1).kind;
        let text = self.text_of(self.token());
        match (text, next) {
            ("break" | "continue", TokenKind::Symbol(Symbol::Semicolon)) => {
                Some("move the exit into the condition of the loop, or return from the function")
            }
            ("switch", TokenKind::Symbol(Symbol::OpenParenthesis)) => {
                Some("write a chain of `if` and `else if`")
            }
            ("goto", TokenKind::Name) => Some("write a loop or a function"),
            _ => None,
        }
    }

    fn at_assertion(&self) -> bool {
        if !self.at_name("assert") {
            return false;
        }
        match self.ahead(1).kind {
            TokenKind::Symbol(symbol) => {
                matches!(symbol, Symbol::OpenParenthesis | Symbol::Exclamation | Symbol::Minus | Symbol::Plus)
            }
            TokenKind::End | TokenKind::Unknown => false,
            _ => true,
        }
    }

    fn finish_statement(&mut self) {
        if !self.expect_semicolon() && !self.at_statement() {
            self.skip_to_semicolon();
        }
    }

    /// Returns whether the next line most likely starts a new statement.
    fn at_statement(&self) -> bool {
        let token = self.token();
        token.starts_line
            && match token.kind {
                TokenKind::Name => true,
                TokenKind::Word(word) => matches!(
                    word,
                    Word::If | Word::For | Word::While | Word::Do | Word::Return | Word::Int | Word::Bool
                ),
                _ => false,
            }
    }

    fn parenthesised_condition(&mut self) -> super::Expression {
        self.expect(Symbol::OpenParenthesis);
        let condition = self.nested(self.context, error_at, Self::expression);
        if !self.expect(Symbol::CloseParenthesis) {
            self.skip_parenthesis();
        }
        condition
    }

    /// Skips to the token after the missing `)`, if it is in the same statement.
    fn skip_parenthesis(&mut self) {
        loop {
            match self.token().kind {
                TokenKind::Symbol(Symbol::CloseParenthesis) => {
                    self.advance();
                    return;
                }
                TokenKind::End
                | TokenKind::Symbol(Symbol::Semicolon | Symbol::OpenBrace | Symbol::CloseBrace) => {
                    return;
                }
                _ => self.advance(),
            };
        }
    }

    fn conditional(&mut self) -> StatementKind {
        let mut branches = Vec::new();
        loop {
            let start = self.advance().start;
            let condition = self.parenthesised_condition();
            let body = self.statement();
            branches.push(ConditionalBranch { condition, body, span: self.span_from(start) });
            if !self.accept_word(Word::Else) {
                return StatementKind::If { branches, otherwise: None };
            }
            if !self.at_word(Word::If) {
                let otherwise = Some(Box::new(self.statement()));
                return StatementKind::If { branches, otherwise };
            }
        }
    }

    fn for_loop(&mut self) -> StatementKind {
        self.advance();
        self.expect(Symbol::OpenParenthesis);
        if self.is_any_name(0) && self.is_symbol(1, Symbol::Colon) {
            let binding = Box::new(self.binding());
            if !self.expect(Symbol::CloseParenthesis) {
                self.skip_parenthesis();
            }
            return StatementKind::ForEach { binding, body: Box::new(self.statement()) };
        }
        if self.at_type() {
            self.report(
                Diagnostic::error(&DECLARATION_AFTER_STATEMENT, "a declaration in the head of a loop")
                    .with_primary(self.here(), "")
                    .with_hint(
                        "declare the variable at the start of the block, or write `for (i : int[0,9])`",
                    ),
            );
            self.type_expression();
        }
        let initial = self.optional_expressions(Symbol::Semicolon);
        self.expect(Symbol::Semicolon);
        let condition = self.optional_expressions(Symbol::Semicolon);
        self.expect(Symbol::Semicolon);
        let step = self.optional_expressions(Symbol::CloseParenthesis);
        if !self.expect(Symbol::CloseParenthesis) {
            self.skip_parenthesis();
        }
        StatementKind::For { initial, condition, step, body: Box::new(self.statement()) }
    }

    fn optional_expressions(&mut self, end: Symbol) -> Vec<super::Expression> {
        if self.at(end) { Vec::new() } else { self.expressions() }
    }

    fn do_while(&mut self) -> StatementKind {
        self.advance();
        let body = Box::new(self.statement());
        if !self.accept_word(Word::While) {
            self.report_expected("`while`");
        }
        let condition = self.parenthesised_condition();
        self.finish_statement();
        StatementKind::DoWhile { body, condition }
    }
}
