//! Parses an XSTS model.
//!
//! Invariant: after an error the parser continues at the next section or after the next `;`, so that several errors are
//! found; an incomplete tree is used only to find further errors.

use tempora_source::{Diagnostic, Diagnostics, FileId, Files, Span};

use super::trees::{EnumerationTree, ModelTree, StatementKind, StatementTree, VariableTree};
use crate::codes::symbolic::SYNTAX;
use crate::symbolic::parser::{Failed, Parsed, Parser};
use crate::symbolic::tokens::{TokenKind, tokens_of};
use crate::symbolic::trees::{ArithmeticOperator, ExpressionKind, ExpressionTree, Relation, TypeTree};

/// The reserved words.
pub(super) const WORDS: [&str; 31] = [
    "type", "var", "ctrl", "local", "trans", "init", "env", "prop", "choice", "or", "if", "else", "then",
    "for", "from", "to", "do", "assume", "havoc", "boolean", "integer", "true", "false", "default", "rem",
    "iff", "xor", "not", "and", "imply", "return",
];

/// The words with which a section or a declaration begins.
const STARTS: [&str; 7] = ["type", "var", "ctrl", "trans", "init", "env", "prop"];

/// Reads a model.
pub(super) fn parse_model(files: &Files, file: FileId, diagnostics: &mut Diagnostics) -> ModelTree {
    let mut reader = reader(files, file, diagnostics);
    let model = reader.model(files.whole(file));
    *diagnostics = reader.parser.diagnostics;
    model
}

/// Parses a property: `prop { ... }`, or only its condition.
pub(super) fn parse_property(
    files: &Files,
    file: FileId,
    is_bare: bool,
    diagnostics: &mut Diagnostics,
) -> Option<ExpressionTree> {
    let mut reader = reader(files, file, diagnostics);
    let property =
        if is_bare && !reader.parser.at_word("prop") { reader.expression() } else { reader.property() };
    if property.is_ok() && !reader.parser.is_end() {
        reader.parser.unexpected("the end of the property");
    }
    *diagnostics = reader.parser.diagnostics;
    property.ok()
}

fn reader<'text>(files: &'text Files, file: FileId, diagnostics: &mut Diagnostics) -> Reader<'text> {
    let mut found = std::mem::take(diagnostics);
    let tokens = tokens_of(files, file, true, &mut found);
    Reader { parser: Parser::new(tokens, found) }
}

struct Reader<'text> {
    parser: Parser<'text>,
}

impl Reader<'_> {
    fn model(&mut self, whole: Span) -> ModelTree {
        let mut model = ModelTree::default();
        // The required order of sections; a section that is out of order is reported and parsed.
        let order = ["type", "var", "trans", "init", "env", "prop"];
        let mut latest = 0;
        while !self.parser.is_end() {
            let start = self.parser.span();
            let word = match self.parser.token().kind {
                TokenKind::Word("ctrl") => "var",
                TokenKind::Word(word) => word,
                _ => "",
            };
            let Some(rank) = order.iter().position(|section| *section == word) else {
                self.parser.unexpected("a declaration, `trans`, `init`, `env` or `prop`");
                self.skip_to_start();
                continue;
            };
            if rank < latest || (rank == latest && rank > 1 && latest > 0) {
                let message = format!("`{word}` is not allowed after `{}`", order[latest]);
                self.parser.diagnostics.push(
                    Diagnostic::error(&SYNTAX, message).with_primary(start, "").with_hint(
                        "the order is types, variables, `trans`, `init`, `env`, `prop`, each section once",
                    ),
                );
            }
            latest = latest.max(rank);
            let read = match word {
                "type" => self.enumeration().map(|tree| model.types.push(tree)),
                "var" => self.variable().map(|tree| model.variables.push(tree)),
                "trans" => self.section("trans").map(|branches| model.trans = Some(branches)),
                "init" => self.section("init").map(|branches| model.init = Some(branches)),
                "env" => self.section("env").map(|branches| model.env = Some(branches)),
                _ => self.property().map(|property| model.property = Some(property)),
            };
            if read.is_err() {
                self.skip_to_start();
            }
        }
        if !self.parser.diagnostics.has_errors() {
            for (name, is_missing) in [
                ("trans", model.trans.is_none()),
                ("init", model.init.is_none()),
                ("env", model.env.is_none()),
            ] {
                if is_missing {
                    let end = Span::empty(whole.file, whole.end);
                    self.parser.diagnostics.push(
                        Diagnostic::error(&SYNTAX, format!("`{name}` is missing"))
                            .with_primary(end, "")
                            .with_hint(format!("write `{name} {{}}` for an empty section")),
                    );
                }
            }
        }
        model
    }

    fn skip_to_start(&mut self) {
        self.parser.advance();
        while !self.parser.is_end()
            && !matches!(self.parser.token().kind, TokenKind::Word(word) if STARTS.contains(&word))
        {
            self.parser.advance();
        }
    }

    fn name(&mut self) -> Parsed<(String, Span)> {
        let span = self.parser.span();
        match self.parser.token().kind {
            TokenKind::Word(word) if !WORDS.contains(&word) => {
                self.parser.advance();
                Ok((word.to_owned(), span))
            }
            _ => Err(self.parser.unexpected("a name")),
        }
    }

    fn enumeration(&mut self) -> Parsed<EnumerationTree> {
        self.parser.expect_word("type")?;
        let (name, span) = self.name()?;
        self.parser.expect_sign(":")?;
        self.parser.expect_sign("{")?;
        let mut literals = vec![self.name()?];
        while self.parser.accept_sign(",") {
            literals.push(self.name()?);
        }
        self.parser.expect_sign("}")?;
        Ok(EnumerationTree { name, span, literals })
    }

    /// Parses a variable, starting at `ctrl` or `var`.
    fn variable(&mut self) -> Parsed<VariableTree> {
        let is_control = self.parser.accept_word("ctrl");
        self.parser.expect_word("var")?;
        let (name, span) = self.name()?;
        self.parser.expect_sign(":")?;
        let value_type = self.value_type()?;
        let initial = if self.parser.accept_sign("=") { Some(self.expression()?) } else { None };
        Ok(VariableTree { name, span, is_control, value_type, initial })
    }

    fn value_type(&mut self) -> Parsed<TypeTree> {
        if self.parser.accept_sign("[") {
            return self.deeper(|reader| {
                let index = reader.value_type()?;
                reader.parser.expect_sign("]")?;
                reader.parser.expect_sign("->")?;
                let element = reader.value_type()?;
                Ok(TypeTree::Array(Box::new(index), Box::new(element)))
            });
        }
        let span = self.parser.span();
        match self.parser.token().kind {
            TokenKind::Word(word) if !WORDS.contains(&word) || word == "boolean" || word == "integer" => {
                self.parser.advance();
                Ok(TypeTree::Named(word.to_owned(), span))
            }
            _ => Err(self.parser.unexpected("a type")),
        }
    }

    fn section(&mut self, word: &str) -> Parsed<Vec<StatementTree>> {
        self.parser.expect_word(word)?;
        let mut branches = vec![self.statement()?];
        while self.parser.accept_word("or") {
            branches.push(self.statement()?);
        }
        Ok(branches)
    }

    fn property(&mut self) -> Parsed<ExpressionTree> {
        self.parser.expect_word("prop")?;
        self.parser.expect_sign("{")?;
        let condition = self.expression()?;
        self.parser.expect_sign("}")?;
        Ok(condition)
    }

    fn statement(&mut self) -> Parsed<StatementTree> {
        self.deeper(Reader::statement_inside)
    }

    fn deeper<T>(&mut self, action: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.parser.enter()?;
        let result = action(self);
        self.parser.leave();
        result
    }

    fn statement_inside(&mut self) -> Parsed<StatementTree> {
        let start = self.parser.span();
        let kind = match self.parser.token().kind {
            TokenKind::Sign("{") => {
                self.parser.advance();
                let mut statements = Vec::new();
                while !self.parser.at_sign("}") {
                    if self.parser.is_end() {
                        return Err(self.parser.unexpected("`}`"));
                    }
                    match self.statement() {
                        Ok(statement) => statements.push(statement),
                        Err(Failed) => self.recover_in_block()?,
                    }
                }
                self.parser.advance();
                StatementKind::Block(statements)
            }
            TokenKind::Word("choice") => {
                self.parser.advance();
                let mut branches = vec![self.statement()?];
                while self.parser.accept_word("or") {
                    branches.push(self.statement()?);
                }
                StatementKind::Choice(branches)
            }
            TokenKind::Word("if") => {
                self.parser.advance();
                self.parser.expect_sign("(")?;
                let condition = self.expression()?;
                self.parser.expect_sign(")")?;
                let then = Box::new(self.statement()?);
                let otherwise =
                    if self.parser.accept_word("else") { Some(Box::new(self.statement()?)) } else { None };
                StatementKind::If { condition, then, otherwise }
            }
            TokenKind::Word("for") => {
                self.parser.advance();
                let (counter, counter_span) = self.name()?;
                self.parser.expect_word("from")?;
                let from = self.expression()?;
                self.parser.expect_word("to")?;
                let to = self.expression()?;
                self.parser.expect_word("do")?;
                let body = Box::new(self.statement()?);
                StatementKind::For { counter, counter_span, from, to, body }
            }
            TokenKind::Word("assume") => {
                self.parser.advance();
                let condition = self.expression()?;
                self.parser.expect_sign(";")?;
                StatementKind::Assume(condition)
            }
            TokenKind::Word("havoc") => {
                self.parser.advance();
                let (name, span) = self.name()?;
                self.parser.expect_sign(";")?;
                StatementKind::Havoc(name, span)
            }
            TokenKind::Word("local") => {
                self.parser.advance();
                let variable = self.variable()?;
                self.parser.expect_sign(";")?;
                if variable.is_control {
                    let diagnostic = Diagnostic::error(&SYNTAX, "a local variable cannot be `ctrl`")
                        .with_primary(variable.span, "")
                        .with_hint("remove `ctrl`");
                    self.parser.diagnostics.push(diagnostic);
                }
                StatementKind::Local(variable)
            }
            TokenKind::Word("ort") if self.parser.peek(1) == TokenKind::Sign("{") => {
                let diagnostic = Diagnostic::error(&SYNTAX, "`ort` is no longer part of the language")
                    .with_primary(start, "")
                    .with_hint("write the statements one after the other");
                self.parser.diagnostics.push(diagnostic);
                return Err(Failed);
            }
            TokenKind::Word(word) if !WORDS.contains(&word) => {
                let (name, name_span) = self.name()?;
                let mut indexes = Vec::new();
                while self.parser.accept_sign("[") {
                    indexes.push(self.expression()?);
                    self.parser.expect_sign("]")?;
                }
                self.parser.expect_sign(":=")?;
                let value = self.expression()?;
                self.parser.expect_sign(";")?;
                StatementKind::Assign { name, name_span, indexes, value }
            }
            _ => return Err(self.parser.unexpected("a statement")),
        };
        Ok(StatementTree { kind, span: start.cover(self.parser.span_before()) })
    }

    /// Continues after the next `;` of the block, or at its end; fails at the start of the next section.
    fn recover_in_block(&mut self) -> Parsed<()> {
        loop {
            match self.parser.token().kind {
                TokenKind::Sign(";") => {
                    self.parser.advance();
                    return Ok(());
                }
                TokenKind::Sign("}") => return Ok(()),
                TokenKind::End => return Err(Failed),
                TokenKind::Word(word) if STARTS.contains(&word) && word != "var" && word != "ctrl" => {
                    return Err(Failed);
                }
                _ => self.parser.advance(),
            }
        }
    }

    fn expression(&mut self) -> Parsed<ExpressionTree> {
        self.deeper(|reader| {
            let start = reader.parser.span();
            if reader.parser.accept_word("if") {
                let condition = reader.expression()?;
                reader.parser.expect_word("then")?;
                let then = reader.expression()?;
                reader.parser.expect_word("else")?;
                let otherwise = reader.expression()?;
                let kind =
                    ExpressionKind::IfThenElse(Box::new(condition), Box::new(then), Box::new(otherwise));
                return Ok(ExpressionTree { kind, span: start.cover(reader.parser.span_before()) });
            }
            reader.right_relation(0)
        })
    }

    /// Parses `iff`, then `=>`, both right-associative, then disjunction.
    fn right_relation(&mut self, level: usize) -> Parsed<ExpressionTree> {
        let start = self.parser.span();
        let (relation, left) = match level {
            0 => (Relation::IfAndOnlyIf, self.right_relation(1)?),
            _ => (Relation::Implies, self.disjunction()?),
        };
        let is_there = match level {
            0 => self.parser.accept_word("iff"),
            _ => self.parser.accept_sign("=>"),
        };
        if !is_there {
            return Ok(left);
        }
        let right = self.deeper(|reader| reader.right_relation(level))?;
        let kind = ExpressionKind::Relation(relation, Box::new(left), Box::new(right));
        Ok(ExpressionTree { kind, span: start.cover(self.parser.span_before()) })
    }

    fn disjunction(&mut self) -> Parsed<ExpressionTree> {
        let start = self.parser.span();
        let mut parts = vec![self.exclusive()?];
        while self.parser.accept_sign("||") {
            parts.push(self.exclusive()?);
        }
        Ok(self.junction(parts, ExpressionKind::Or, start))
    }

    fn exclusive(&mut self) -> Parsed<ExpressionTree> {
        let start = self.parser.span();
        let left = self.conjunction()?;
        if !self.parser.accept_word("xor") {
            return Ok(left);
        }
        let right = self.deeper(Reader::exclusive)?;
        let kind = ExpressionKind::Relation(Relation::ExclusiveOr, Box::new(left), Box::new(right));
        Ok(ExpressionTree { kind, span: start.cover(self.parser.span_before()) })
    }

    fn conjunction(&mut self) -> Parsed<ExpressionTree> {
        let start = self.parser.span();
        let mut parts = vec![self.negation()?];
        while self.parser.accept_sign("&&") {
            parts.push(self.negation()?);
        }
        Ok(self.junction(parts, ExpressionKind::And, start))
    }

    fn junction(
        &self,
        parts: Vec<ExpressionTree>,
        make: fn(Vec<ExpressionTree>) -> ExpressionKind,
        start: Span,
    ) -> ExpressionTree {
        ExpressionTree::joined(parts, make, start.cover(self.parser.span_before()))
    }

    fn negation(&mut self) -> Parsed<ExpressionTree> {
        let start = self.parser.span();
        if self.parser.accept_sign("!") {
            let inner = self.deeper(Reader::negation)?;
            let kind = ExpressionKind::Not(Box::new(inner));
            return Ok(ExpressionTree { kind, span: start.cover(self.parser.span_before()) });
        }
        self.equality()
    }

    fn equality(&mut self) -> Parsed<ExpressionTree> {
        let start = self.parser.span();
        let left = self.comparison()?;
        let relation = match self.parser.token().kind {
            TokenKind::Sign("==") => Relation::Equal,
            TokenKind::Sign("!=") => Relation::NotEqual,
            _ => return Ok(left),
        };
        self.parser.advance();
        let right = self.comparison()?;
        let kind = ExpressionKind::Relation(relation, Box::new(left), Box::new(right));
        Ok(ExpressionTree { kind, span: start.cover(self.parser.span_before()) })
    }

    fn comparison(&mut self) -> Parsed<ExpressionTree> {
        let start = self.parser.span();
        let left = self.sum()?;
        let relation = match self.parser.token().kind {
            TokenKind::Sign("<") => Relation::Less,
            TokenKind::Sign("<=") => Relation::LessEqual,
            TokenKind::Sign(">") => Relation::Greater,
            TokenKind::Sign(">=") => Relation::GreaterEqual,
            _ => return Ok(left),
        };
        self.parser.advance();
        let right = self.sum()?;
        let kind = ExpressionKind::Relation(relation, Box::new(left), Box::new(right));
        Ok(ExpressionTree { kind, span: start.cover(self.parser.span_before()) })
    }

    fn sum(&mut self) -> Parsed<ExpressionTree> {
        let start = self.parser.span();
        let first = self.product()?;
        let mut rest = Vec::new();
        loop {
            let operator = match self.parser.token().kind {
                TokenKind::Sign("+") => ArithmeticOperator::Add,
                TokenKind::Sign("-") => ArithmeticOperator::Subtract,
                _ => break,
            };
            self.parser.advance();
            rest.push((operator, self.product()?));
        }
        Ok(self.chain(first, rest, start))
    }

    fn product(&mut self) -> Parsed<ExpressionTree> {
        let start = self.parser.span();
        let first = self.unary()?;
        let mut rest = Vec::new();
        loop {
            let operator = match self.parser.token().kind {
                TokenKind::Sign("*") => ArithmeticOperator::Multiply,
                TokenKind::Sign("/") => ArithmeticOperator::Divide,
                TokenKind::Sign("%") => ArithmeticOperator::Modulo,
                TokenKind::Word("rem") => ArithmeticOperator::Remainder,
                _ => break,
            };
            self.parser.advance();
            rest.push((operator, self.unary()?));
        }
        Ok(self.chain(first, rest, start))
    }

    fn chain(
        &self,
        first: ExpressionTree,
        rest: Vec<(ArithmeticOperator, ExpressionTree)>,
        start: Span,
    ) -> ExpressionTree {
        if rest.is_empty() {
            return first;
        }
        let kind = ExpressionKind::Chain(Box::new(first), rest);
        ExpressionTree { kind, span: start.cover(self.parser.span_before()) }
    }

    fn unary(&mut self) -> Parsed<ExpressionTree> {
        let start = self.parser.span();
        if self.parser.accept_sign("+") {
            return self.deeper(Reader::unary);
        }
        if self.parser.accept_sign("-") {
            let inner = self.deeper(Reader::unary)?;
            let kind = ExpressionKind::Negative(Box::new(inner));
            return Ok(ExpressionTree { kind, span: start.cover(self.parser.span_before()) });
        }
        self.accessor()
    }

    fn accessor(&mut self) -> Parsed<ExpressionTree> {
        let start = self.parser.span();
        let mut value = self.primary()?;
        let mut accesses = 0;
        while self.parser.accept_sign("[") {
            accesses += 1;
            if accesses > 100 {
                return Err(self.parser.unexpected("an expression with fewer brackets"));
            }
            let index = self.expression()?;
            let kind = if self.parser.accept_sign("<-") {
                let element = self.expression()?;
                ExpressionKind::Write(Box::new(value), Box::new(index), Box::new(element))
            } else {
                ExpressionKind::Read(Box::new(value), Box::new(index))
            };
            self.parser.expect_sign("]")?;
            value = ExpressionTree { kind, span: start.cover(self.parser.span_before()) };
        }
        Ok(value)
    }

    fn primary(&mut self) -> Parsed<ExpressionTree> {
        let span = self.parser.span();
        let kind = match self.parser.token().kind {
            TokenKind::Word("true") => ExpressionKind::Boolean(true),
            TokenKind::Word("false") => ExpressionKind::Boolean(false),
            TokenKind::Integer(digits) => ExpressionKind::Integer(digits.to_owned()),
            TokenKind::Word(word) if !WORDS.contains(&word) => ExpressionKind::Name(word.to_owned()),
            TokenKind::Sign("(") => {
                self.parser.advance();
                let inner = self.expression()?;
                self.parser.expect_sign(")")?;
                return Ok(inner);
            }
            TokenKind::Sign("[") => return self.array_literal(),
            _ => return Err(self.parser.unexpected("an expression")),
        };
        self.parser.advance();
        Ok(ExpressionTree { kind, span })
    }

    fn array_literal(&mut self) -> Parsed<ExpressionTree> {
        let start = self.parser.span();
        self.parser.expect_sign("[")?;
        let index = if self.parser.accept_sign("<") {
            let index = self.value_type()?;
            self.parser.expect_sign(">")?;
            Some(index)
        } else {
            None
        };
        let mut entries = Vec::new();
        while !self.parser.accept_word("default") {
            let index = self.expression()?;
            self.parser.expect_sign("<-")?;
            entries.push((index, self.expression()?));
            self.parser.expect_sign(",")?;
        }
        self.parser.expect_sign("<-")?;
        let rest = Box::new(self.expression()?);
        self.parser.expect_sign("]")?;
        let kind = ExpressionKind::ArrayLiteral { index, entries, rest };
        Ok(ExpressionTree { kind, span: start.cover(self.parser.span_before()) })
    }
}
