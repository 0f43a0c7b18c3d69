//! Recursive-descent parser: builds syntax trees from tokens.
//!
//! Invariants: parsing never fails and always terminates. Every loop consumes a token or ends; lookahead is bounded, so
//! time is linear; [`Parser::enter`] bounds recursion and [`Parser::deepen_left`] the height of left-recursive trees,
//! so no tree is higher than [`HEIGHT_LIMIT`]. At most one error is reported at a token.

mod declaration;
mod expression;
mod process;
mod proof;
mod query;
mod statement;
mod types;

use tempora_interrupt::checkpoint;
use tempora_source::{Code, Diagnostic, Diagnostics, FileId, Files, Span};

use super::ast::{
    Binding, Declaration, Expression, Name, Network, Parameter, Query, Rate, StringLiteral, Synchronisation,
};
use super::lexer::tokenize;
use super::token::{Symbol, Token, TokenKind, Word};
use super::{BRACKET_LIMIT, HEIGHT_LIMIT};
use crate::codes::structure::{
    MISSING_SEMICOLON, NESTED_TOO_DEEPLY, RESERVED_WORD, TOO_MANY_ERRORS, UNEXPECTED_TOKEN,
};

pub use proof::parse_proof;

/// A syntax tree and the diagnostics of its text.
///
/// There is always a tree. Where the text is wrong, the tree has `Error` nodes or lacks parts, and the diagnostics
/// contain an error.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed<Tree> {
    /// The tree, possibly with `Error` nodes.
    pub tree: Tree,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

/// Number of errors after which the rest of a text is skipped.
const ERROR_LIMIT: usize = 100;

/// Parses the declarations of a model or template, or the text of a system section.
pub fn parse_declarations(files: &Files, file: FileId) -> Parsed<Vec<Declaration>> {
    parse_whole(files, file, Parser::declarations)
}

/// Parses one expression.
pub fn parse_expression(files: &Files, file: FileId) -> Parsed<Expression> {
    parse_whole(files, file, Parser::expression)
}

/// Parses an update: expressions separated by commas; a blank text is an empty list.
pub fn parse_expression_list(files: &Files, file: FileId) -> Parsed<Vec<Expression>> {
    parse_whole(files, file, |parser| if parser.at_end() { Vec::new() } else { parser.expressions() })
}

/// Parses a guard: none for a blank text. An assignment is an error, since `=` is often a typo for `==`.
pub fn parse_guard(files: &Files, file: FileId) -> Parsed<Option<Expression>> {
    parse_whole(files, file, |parser| (!parser.at_end()).then(|| parser.condition()))
}

/// Parses an invariant, like [`parse_guard`].
pub fn parse_invariant(files: &Files, file: FileId) -> Parsed<Option<Expression>> {
    parse_guard(files, file)
}

/// Parses a select label, `i : T, j : U`; a blank text is an empty list.
pub fn parse_select(files: &Files, file: FileId) -> Parsed<Vec<Binding>> {
    parse_whole(files, file, |parser| if parser.at_end() { Vec::new() } else { parser.bindings() })
}

/// Parses a synchronisation label: none for a blank text.
pub fn parse_synchronisation(files: &Files, file: FileId) -> Parsed<Option<Synchronisation>> {
    parse_whole(files, file, |parser| (!parser.at_end()).then(|| parser.synchronisation()))
}

/// Parses the parameters of a template, without parentheses; a blank text is an empty list.
pub fn parse_parameters(files: &Files, file: FileId) -> Parsed<Vec<Parameter>> {
    parse_whole(files, file, |parser| if parser.at_end() { Vec::new() } else { parser.parameters() })
}

/// Parses the exponential rate of a location, `e` or `e : d`: none for a blank text.
pub fn parse_rate(files: &Files, file: FileId) -> Parsed<Option<Rate>> {
    parse_whole(files, file, |parser| (!parser.at_end()).then(|| parser.rate()))
}

/// Parses one query of any number of lines; a blank text is [`QueryKind::Empty`](super::ast::QueryKind::Empty).
pub fn parse_query(files: &Files, file: FileId) -> Parsed<Query> {
    parse_whole(files, file, Parser::query)
}

/// Parses a file of queries, one on each line; a backslash at the end of a line continues it.
pub fn parse_queries(files: &Files, file: FileId) -> Parsed<Vec<Query>> {
    let (tokens, faults) = tokenize(file, files.text(file));
    let mut diagnostics: Diagnostics = faults.into_iter().collect();
    let mut queries = Vec::new();
    let end = tokens.len().saturating_sub(1);
    let mut start = 0;
    while start < end {
        let length = 1 + tokens[start + 1..end].iter().take_while(|token| !token.starts_line).count();
        let mut line = tokens[start..start + length].to_vec();
        let offset = line.last().map_or(0, |token| token.end);
        line.push(Token { kind: TokenKind::End, start: offset, end: offset, starts_line: true });
        let mut parser = Parser::new(files, file, line);
        queries.push(parser.query());
        parser.expect_end();
        diagnostics.extend(parser.diagnostics);
        start += length;
    }
    Parsed { tree: queries, diagnostics }
}

/// Parses a whole `.net` or `.xta` file.
pub fn parse_network(files: &Files, file: FileId) -> Parsed<Network> {
    let parsed = parse_declarations(files, file);
    let network = Network { declarations: parsed.tree, span: files.whole(file) };
    Parsed { tree: network, diagnostics: parsed.diagnostics }
}

fn parse_whole<'files, Tree>(
    files: &'files Files,
    file: FileId,
    parse: impl FnOnce(&mut Parser<'files>) -> Tree,
) -> Parsed<Tree> {
    let (tokens, faults) = tokenize(file, files.text(file));
    let mut parser = Parser::new(files, file, tokens);
    let tree = parse(&mut parser);
    parser.expect_end();
    let diagnostics = faults.into_iter().take(ERROR_LIMIT).chain(parser.diagnostics).collect();
    Parsed { tree, diagnostics }
}

struct Parser<'files> {
    text: &'files str,
    file: FileId,
    /// Ends with [`TokenKind::End`], which is never passed.
    tokens: Vec<Token>,
    position: usize,
    diagnostics: Vec<Diagnostic>,
    /// The position of the last reported error.
    fault_position: Option<usize>,
    /// The rest of the text was abandoned; nothing is reported afterwards.
    has_given_up: bool,
    /// The number of ancestors of the current node.
    depth: u32,
    /// The number of open brackets and blocks.
    brackets: u32,
    /// The greatest depth of any node since the innermost unfinished [`Parser::binary`] began.
    deepest: u32,
    context: Context,
}

/// The context of an expression, which determines its keywords and operators.
#[derive(Clone, Copy, Default)]
struct Context {
    /// Temporal formulas and `deadlock` are allowed.
    in_query: bool,
    /// Formulas without a path quantifier are allowed.
    in_runs: bool,
    /// An assignment is an error.
    in_condition: bool,
    /// Inside `A[] …` and not inside parentheses: another path formula after `&&` is not part of it.
    in_path_body: bool,
}

impl<'files> Parser<'files> {
    fn new(files: &'files Files, file: FileId, tokens: Vec<Token>) -> Parser<'files> {
        Parser {
            text: files.text(file),
            file,
            tokens,
            position: 0,
            diagnostics: Vec::new(),
            fault_position: None,
            has_given_up: false,
            depth: 0,
            brackets: 0,
            deepest: 0,
            context: Context::default(),
        }
    }

    // Lookahead.

    fn token(&self) -> Token {
        self.ahead(0)
    }

    fn ahead(&self, distance: usize) -> Token {
        let end = Token { kind: TokenKind::End, start: 0, end: 0, starts_line: true };
        self.tokens.get(self.position + distance).or(self.tokens.last()).copied().unwrap_or(end)
    }

    fn text_of(&self, token: Token) -> &'files str {
        self.text.get(token.start as usize..token.end as usize).unwrap_or("")
    }

    fn span_of(&self, token: Token) -> Span {
        Span::new(self.file, token.start, token.end)
    }

    fn here(&self) -> Span {
        self.span_of(self.token())
    }

    fn at_end(&self) -> bool {
        self.token().kind == TokenKind::End
    }

    fn at(&self, symbol: Symbol) -> bool {
        self.is_symbol(0, symbol)
    }

    fn at_word(&self, word: Word) -> bool {
        self.token().kind == TokenKind::Word(word)
    }

    fn at_name(&self, name: &str) -> bool {
        self.is_name(0, name)
    }

    fn is_symbol(&self, distance: usize, symbol: Symbol) -> bool {
        self.ahead(distance).kind == TokenKind::Symbol(symbol)
    }

    /// Returns whether the token there is the given name, which may be a keyword in this context.
    fn is_name(&self, distance: usize, name: &str) -> bool {
        let token = self.ahead(distance);
        token.kind == TokenKind::Name && self.text_of(token) == name
    }

    fn is_any_name(&self, distance: usize) -> bool {
        self.ahead(distance).kind == TokenKind::Name
    }

    /// Returns whether two adjacent symbols are there with no space between them, such as `[]`.
    fn is_pair(&self, distance: usize, first: Symbol, second: Symbol) -> bool {
        self.is_symbol(distance, first)
            && self.is_symbol(distance + 1, second)
            && self.ahead(distance).end == self.ahead(distance + 1).start
    }

    // Consuming tokens.

    fn advance(&mut self) -> Token {
        checkpoint();
        let token = self.token();
        if token.kind != TokenKind::End {
            self.position += 1;
        }
        token
    }

    fn accept(&mut self, symbol: Symbol) -> bool {
        let found = self.at(symbol);
        if found {
            self.advance();
        }
        found
    }

    fn accept_word(&mut self, word: Word) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn accept_name(&mut self, name: &str) -> bool {
        let found = self.at_name(name);
        if found {
            self.advance();
        }
        found
    }

    #[inline(never)]
    fn expect(&mut self, symbol: Symbol) -> bool {
        let found = self.accept(symbol);
        if !found {
            self.report_expected(&format!("`{}`", symbol.text()));
        }
        found
    }

    fn expect_end(&mut self) {
        if !self.at_end() {
            self.report_expected("the end of the text");
        }
    }

    /// Consumes a semicolon; a missing one is reported at the end of the previous line if a new line or `}` follows.
    fn expect_semicolon(&mut self) -> bool {
        if self.accept(Symbol::Semicolon) {
            return true;
        }
        let next = self.token();
        if (next.starts_line || next.kind == TokenKind::Symbol(Symbol::CloseBrace)) && self.position > 0 {
            let place = Span::empty(self.file, self.previous_end());
            self.report(
                Diagnostic::error(&MISSING_SEMICOLON, "a `;` is missing")
                    .with_primary(place, "expected `;` here")
                    .with_hint("end declarations, statements and labels with `;`"),
            );
        } else {
            self.report_expected("`;`");
        }
        false
    }

    /// Consumes the name here, or reports an error and returns an empty name.
    fn name(&mut self, what: &str) -> Name {
        let token = self.token();
        match token.kind {
            TokenKind::Name => {
                self.advance();
                Name { text: self.text_of(token).to_owned(), span: self.span_of(token) }
            }
            TokenKind::Word(word) => {
                let text = word.text();
                self.report(
                    Diagnostic::error(&RESERVED_WORD, format!("`{text}` is a keyword, not a name"))
                        .with_primary(self.span_of(token), format!("expected {what}"))
                        .with_hint(format!("choose another name, such as `{text}_`")),
                );
                // Used as the name unless it starts the next construct.
                let is_used_as_name = !token.starts_line
                    && matches!(
                        self.ahead(1).kind,
                        TokenKind::Symbol(
                            Symbol::Semicolon
                                | Symbol::Comma
                                | Symbol::Assign
                                | Symbol::OpenBracket
                                | Symbol::CloseParenthesis
                                | Symbol::Colon
                        )
                    );
                if is_used_as_name {
                    self.advance();
                    return Name { text: text.to_owned(), span: self.span_of(token) };
                }
                Name { text: String::new(), span: Span::empty(self.file, token.start) }
            }
            _ => {
                self.report_expected(what);
                Name { text: String::new(), span: Span::empty(self.file, token.start) }
            }
        }
    }

    fn names(&mut self, what: &str) -> Vec<Name> {
        let mut names = vec![self.name(what)];
        while self.accept(Symbol::Comma) {
            names.push(self.name(what));
        }
        names
    }

    fn string(&mut self) -> StringLiteral {
        let token = self.token();
        if token.kind == TokenKind::Text {
            self.advance();
            let text = self.text_of(token);
            let text = text.strip_prefix('"').unwrap_or(text);
            let text = text.strip_suffix('"').unwrap_or(text).to_owned();
            return StringLiteral { text, span: self.span_of(token) };
        }
        self.report_expected("a string in double quotes");
        StringLiteral { text: String::new(), span: Span::empty(self.file, token.start) }
    }

    /// Recovers from an error: skips to the next place where a construct may begin, after a `;` or before a `}` or the
    /// end.
    ///
    /// Blocks in braces are skipped as a whole.
    fn skip_to_semicolon(&mut self) {
        let mut open = 0_usize;
        loop {
            match self.token().kind {
                TokenKind::End => return,
                TokenKind::Symbol(Symbol::Semicolon) if open == 0 => {
                    self.advance();
                    return;
                }
                TokenKind::Symbol(Symbol::CloseBrace) if open == 0 => return,
                TokenKind::Symbol(Symbol::CloseBrace) => {
                    open -= 1;
                    if open == 0 {
                        self.advance();
                        return;
                    }
                }
                TokenKind::Symbol(Symbol::OpenBrace) => open += 1,
                // A line that starts with such a keyword starts a declaration, even if the one before is incomplete.
                TokenKind::Word(
                    Word::Typedef
                    | Word::Process
                    | Word::System
                    | Word::Clock
                    | Word::Chan
                    | Word::Trans
                    | Word::Void,
                ) if self.token().starts_line && open == 0 => return,
                _ => {}
            }
            self.advance();
        }
    }

    // Spans.

    fn previous_end(&self) -> u32 {
        self.position
            .checked_sub(1)
            .and_then(|position| self.tokens.get(position))
            .map_or(0, |token| token.end)
    }

    /// Returns the span from `start` to the end of the last consumed token.
    fn span_from(&self, start: u32) -> Span {
        Span::new(self.file, start, self.previous_end().max(start))
    }

    // Reporting.

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.has_given_up || self.fault_position == Some(self.position) {
            return;
        }
        self.fault_position = Some(self.position);
        if self.token().kind == TokenKind::Unknown {
            // Reported by the lexer.
            return;
        }
        self.diagnostics.push(diagnostic);
        if self.diagnostics.len() >= ERROR_LIMIT {
            self.give_up(&TOO_MANY_ERRORS, "too many errors", "the rest of the text is not read");
        }
    }

    /// Reports a problem that does not disturb parsing, even if another one was reported here.
    fn remark(&mut self, diagnostic: Diagnostic) {
        if !self.has_given_up {
            self.diagnostics.push(diagnostic);
        }
    }

    #[inline(never)]
    fn report_expected(&mut self, what: &str) {
        let diagnostic = self.expected(what);
        self.report(diagnostic);
    }

    #[inline(never)]
    fn expected(&self, what: &str) -> Diagnostic {
        let token = self.token();
        let found = self.describe(token);
        let place = if token.kind == TokenKind::End {
            Span::empty(self.file, self.previous_end().max(token.start.min(self.previous_end())))
        } else {
            self.span_of(token)
        };
        Diagnostic::error(&UNEXPECTED_TOKEN, format!("expected {what}, found {found}"))
            .with_primary(place, format!("expected {what}"))
    }

    fn describe(&self, token: Token) -> String {
        match token.kind {
            TokenKind::End => "the end of the text".to_owned(),
            TokenKind::Text => "a string".to_owned(),
            _ => {
                let text = self.text_of(token);
                let short: String = text.chars().take(40).collect();
                if short.len() < text.len() { format!("`{short}…`") } else { format!("`{short}`") }
            }
        }
    }

    fn give_up(&mut self, code: &'static Code, message: &str, hint: &str) {
        if self.has_given_up {
            return;
        }
        self.diagnostics.push(Diagnostic::error(code, message).with_primary(self.here(), "").with_hint(hint));
        self.has_given_up = true;
        self.position = self.tokens.len().saturating_sub(1);
    }

    // Heights.

    // The functions marked `inline(never)` keep the stack frames of the recursive functions small.

    /// Enters one level of the tree. Returns false if that is too deep; then the rest of the text is abandoned.
    fn enter(&mut self) -> bool {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        if self.depth + 1 >= HEIGHT_LIMIT {
            self.give_up_too_deep();
            return false;
        }
        true
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Records that the last node becomes the child of a new node, so its subtree is one level deeper.
    fn deepen_left(&mut self, deepest_of_left: u32) {
        self.deepest = self.deepest.max(deepest_of_left + 1);
        if self.deepest + 1 >= HEIGHT_LIMIT {
            self.give_up_too_deep();
        }
    }

    fn give_up_too_deep(&mut self) {
        self.give_up(
            &NESTED_TOO_DEEPLY,
            "this is nested too deeply",
            "split it into functions or variables; long sums can be written with `sum` or a loop",
        );
    }

    /// Like [`Parser::nested`], for constructs in brackets or braces, which need more stack for each level.
    fn nested_in_brackets<Tree>(
        &mut self,
        context: Context,
        fallback: impl FnOnce(Span) -> Tree,
        parse: impl FnOnce(&mut Self) -> Tree,
    ) -> Tree {
        self.brackets += 1;
        let tree = if self.brackets > BRACKET_LIMIT {
            self.give_up_too_deep();
            fallback(self.here())
        } else {
            self.nested(context, fallback, parse)
        };
        self.brackets -= 1;
        tree
    }

    /// Runs `parse` one level down in the given context; returns the fallback if that is too deep.
    fn nested<Tree>(
        &mut self,
        context: Context,
        fallback: impl FnOnce(Span) -> Tree,
        parse: impl FnOnce(&mut Self) -> Tree,
    ) -> Tree {
        let outer = std::mem::replace(&mut self.context, context);
        let tree = if self.enter() { parse(self) } else { fallback(self.here()) };
        self.leave();
        self.context = outer;
        tree
    }
}
