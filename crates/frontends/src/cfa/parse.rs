//! Parses a control flow automaton.
//!
//! Invariant: after an error the parser continues at the next declaration, so that several errors are found.

use tempora_source::{Diagnostic, Diagnostics, FileId, Files, Span};

use crate::codes::symbolic::SYNTAX;
use crate::symbolic::parser::{Parsed, Parser};
use crate::symbolic::tokens::{TokenKind, tokens_of};
use crate::symbolic::trees::{ExpressionTree, TypeTree};

#[derive(Debug, Default)]
pub(super) struct ModelTree {
    pub(super) variables: Vec<(String, Span, TypeTree)>,
    pub(super) processes: Vec<ProcessTree>,
}

#[derive(Debug, Default)]
pub(super) struct ProcessTree {
    pub(super) is_main: bool,
    pub(super) span: Option<Span>,
    pub(super) name: Option<(String, Span)>,
    /// The span in which its names are visible.
    pub(super) body: Option<Span>,
    pub(super) variables: Vec<(String, Span, TypeTree)>,
    pub(super) locations: Vec<LocationTree>,
    pub(super) edges: Vec<EdgeTree>,
}

#[derive(Debug)]
pub(super) struct LocationTree {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) kind: LocationKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LocationKind {
    Plain,
    Initial,
    Final,
    Error,
}

#[derive(Debug)]
pub(super) struct EdgeTree {
    pub(super) source: (String, Span),
    pub(super) target: (String, Span),
    pub(super) statements: Vec<(StatementKind, Span)>,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum StatementKind {
    Assign(String, Span, ExpressionTree),
    Assume(ExpressionTree),
    Havoc(String, Span),
}

/// Reads a model.
pub(super) fn parse_model(files: &Files, file: FileId, diagnostics: &mut Diagnostics) -> ModelTree {
    let mut found = std::mem::take(diagnostics);
    let tokens = tokens_of(files, file, false, &mut found);
    let mut reader = Reader { parser: Parser::new(tokens, found) };
    let model = reader.model();
    *diagnostics = reader.parser.diagnostics;
    model
}

struct Reader<'text> {
    parser: Parser<'text>,
}

impl Reader<'_> {
    fn model(&mut self) -> ModelTree {
        let mut model = ModelTree::default();
        while !self.parser.is_end() {
            let read = if self.parser.at_word("var") {
                self.variable().map(|variable| model.variables.push(variable))
            } else {
                self.process().map(|process| model.processes.push(process))
            };
            if read.is_err() {
                self.parser.advance();
                while !self.parser.is_end() && !self.parser.at_word("process") && !self.parser.at_word("main")
                {
                    self.parser.advance();
                }
            }
        }
        model
    }

    fn variable(&mut self) -> Parsed<(String, Span, TypeTree)> {
        self.parser.expect_word("var")?;
        let (name, span) = self.parser.theta_name()?;
        self.parser.expect_sign(":")?;
        Ok((name, span, self.parser.theta_type()?))
    }

    fn process(&mut self) -> Parsed<ProcessTree> {
        let start = self.parser.span();
        let mut process = ProcessTree { is_main: self.parser.accept_word("main"), ..ProcessTree::default() };
        self.parser.expect_word("process")?;
        process.name = Some(self.parser.theta_name()?);
        if self.parser.at_sign("(") {
            let span = self.parser.span();
            self.parser.advance();
            if !self.parser.accept_sign(")") {
                return Err(self.parser.unsupported("parameters of processes", span));
            }
        }
        process.span = Some(start.cover(self.parser.span_before()));
        let opening = self.parser.span();
        self.parser.expect_sign("{")?;
        while !self.parser.accept_sign("}") {
            if self.parser.is_end() {
                // An unclosed process keeps its names.
                self.parser.unexpected("`}`");
                break;
            }
            if self.member(&mut process).is_err() {
                self.skip_to_member();
            }
        }
        process.body = Some(opening.cover(self.parser.span_before()));
        Ok(process)
    }

    /// Parses a declaration, a location or an edge.
    fn member(&mut self, process: &mut ProcessTree) -> Parsed<()> {
        if self.parser.at_word("var") {
            process.variables.push(self.variable()?);
            return Ok(());
        }
        let kind = match self.parser.token().kind {
            TokenKind::Word("init") => Some(LocationKind::Initial),
            TokenKind::Word("final") => Some(LocationKind::Final),
            TokenKind::Word("error") => Some(LocationKind::Error),
            TokenKind::Word("loc") => Some(LocationKind::Plain),
            _ => None,
        };
        let is_location = self.parser.at_word("loc") || self.parser.peek(1) == TokenKind::Word("loc");
        if let Some(kind) = kind.filter(|_| is_location) {
            if kind != LocationKind::Plain {
                self.parser.advance();
            }
            self.parser.expect_word("loc")?;
            let (name, span) = self.parser.theta_name()?;
            process.locations.push(LocationTree { name, span, kind });
            return Ok(());
        }
        let start = self.parser.span();
        let source = self.parser.theta_name()?;
        self.parser.expect_sign("->")?;
        let target = self.parser.theta_name()?;
        let mut statements = Vec::new();
        if self.parser.accept_sign("{") {
            while !self.parser.accept_sign("}") {
                let start = self.parser.span();
                let kind = self.statement()?;
                statements.push((kind, start.cover(self.parser.span_before())));
            }
        }
        let span = start.cover(self.parser.span_before());
        process.edges.push(EdgeTree { source, target, statements, span });
        Ok(())
    }

    fn statement(&mut self) -> Parsed<StatementKind> {
        if self.parser.accept_word("assume") {
            return Ok(StatementKind::Assume(self.parser.theta_expression()?));
        }
        if self.parser.accept_word("havoc") {
            let (name, span) = self.parser.theta_name()?;
            return Ok(StatementKind::Havoc(name, span));
        }
        if self.parser.at_word("return") || self.parser.peek(1) == TokenKind::Sign("(") {
            let span = self.parser.span();
            return Err(self.parser.unsupported("calls and returns", span));
        }
        let (name, span) = self.parser.theta_name()?;
        self.parser.expect_sign(":=")?;
        if self.parser.at_word("call") {
            let span = self.parser.span();
            return Err(self.parser.unsupported("calls and returns", span));
        }
        Ok(StatementKind::Assign(name, span, self.parser.theta_expression()?))
    }

    /// Skips to the likely start of a location or an edge, or to the end of the process.
    fn skip_to_member(&mut self) {
        self.parser.advance();
        while !self.parser.is_end() {
            match (self.parser.token().kind, self.parser.peek(1)) {
                (TokenKind::Word("loc" | "var"), TokenKind::Word(_))
                | (TokenKind::Word(_), TokenKind::Sign("->"))
                | (TokenKind::Word("init" | "final" | "error"), TokenKind::Word("loc")) => return,
                (TokenKind::Sign("}"), next) => {
                    if !matches!(next, TokenKind::Word(_) | TokenKind::Sign("}")) {
                        return;
                    }
                    if self.parser.peek(2) == TokenKind::Sign("->") || next == TokenKind::Sign("}") {
                        self.parser.advance();
                    } else {
                        return;
                    }
                }
                _ => self.parser.advance(),
            }
        }
    }
}

/// Creates a syntax error with a hint.
pub(super) fn fault(message: impl Into<String>, span: Span, hint: &str) -> Diagnostic {
    Diagnostic::error(&SYNTAX, message).with_primary(span, "").with_hint(hint)
}
