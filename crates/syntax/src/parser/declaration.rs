//! Parses declarations of all kinds, including the system line.
//!
//! Invariant: after an error, parsing resumes after the next `;`, at a `}`, or at a line that starts a declaration.

use tempora_source::Diagnostic;

use super::super::ast::{
    BaseType, ChannelPriorityItem, ChannelPriorityKind, Declaration, DeclarationKind, Declarator, GanttBar,
    GanttRow, ImportedFunction, Initialiser, InitialiserKind, Instantiation, ProcessReference,
    ProgressMeasure, QueryItem, SystemLine, TypeExpression, TypePrefix, TypePrefixKind, VariableDeclaration,
};
use super::super::token::{Symbol, TokenKind, Word};
use super::Parser;
use super::expression::{ABOVE_CONDITIONAL, error_at};
use crate::codes::structure::{FUNCTION_WITHOUT_TYPE, NOT_IN_THE_LANGUAGE};

/// Lookahead limit for the end of a list in braces.
const LOOKAHEAD_LIMIT: usize = 1000;

impl Parser<'_> {
    /// Parses all declarations up to the end of the text.
    pub(super) fn declarations(&mut self) -> Vec<Declaration> {
        let mut declarations = Vec::new();
        while !self.at_end() {
            let position = self.position;
            if self.at(Symbol::Semicolon) {
                self.stray_semicolon();
                continue;
            }
            declarations.push(self.declaration());
            if self.position == position {
                // A brace that closes nothing.
                self.advance();
            }
        }
        declarations
    }

    /// Consumes a stray semicolon: an error, except after a brace, where C programmers often write one.
    fn stray_semicolon(&mut self) {
        let is_behind_brace = self
            .position
            .checked_sub(1)
            .and_then(|position| self.tokens.get(position))
            .is_some_and(|token| token.kind == TokenKind::Symbol(Symbol::CloseBrace));
        if !is_behind_brace {
            self.report_expected("a declaration");
        }
        self.advance();
    }

    pub(super) fn declaration(&mut self) -> Declaration {
        let start = self.token().start;
        let kind = self.declaration_kind(start);
        Declaration { kind, span: self.span_from(start) }
    }

    fn declaration_kind(&mut self, start: u32) -> DeclarationKind {
        match self.token().kind {
            TokenKind::Word(Word::Typedef) => {
                self.advance();
                let variable_type = self.type_expression();
                let declarators = self.declarators(false);
                self.finish_declaration();
                DeclarationKind::TypeDefinition(VariableDeclaration { variable_type, declarators })
            }
            TokenKind::Word(Word::Process) => DeclarationKind::Process(Box::new(self.process())),
            TokenKind::Word(Word::System) => self.system_line(),
            TokenKind::Word(Word::Chan) if self.at_channel_priority() => self.channel_priority(),
            TokenKind::Name => self.named_declaration(start),
            TokenKind::Word(
                Word::Urgent
                | Word::Broadcast
                | Word::Const
                | Word::Meta
                | Word::Int
                | Word::Bool
                | Word::Clock
                | Word::Chan
                | Word::Void
                | Word::Scalar
                | Word::Struct,
            ) => self.typed_declaration(start),
            _ => {
                self.report_expected("a declaration");
                self.skip_to_semicolon();
                DeclarationKind::Error
            }
        }
    }

    /// Parses a declaration that starts with a name: a contextual keyword, a type, or the name of an instance.
    fn named_declaration(&mut self, start: u32) -> DeclarationKind {
        let is_block = self.is_symbol(1, Symbol::OpenBrace);
        match self.text_of(self.token()) {
            "before_update" if is_block => DeclarationKind::BeforeUpdate(self.update_hook()),
            "after_update" if is_block => DeclarationKind::AfterUpdate(self.update_hook()),
            "import" if self.ahead(1).kind == TokenKind::Text => self.import(),
            "dynamic" if self.is_any_name(1) && self.is_symbol(2, Symbol::OpenParenthesis) => {
                self.advance();
                let name = self.name("the name of a template");
                let parameters = self.parameter_list();
                self.finish_declaration();
                DeclarationKind::Dynamic { name, parameters }
            }
            "IO" if self.is_any_name(1) => self.input_output(),
            "progress" if is_block => self.progress(),
            "gantt" if is_block => self.gantt(),
            "vector" if self.is_any_name(1) && self.at_vector() => self.vector(),
            "query"
                if !matches!(
                    self.ahead(1).kind,
                    TokenKind::Symbol(
                        Symbol::Assign | Symbol::ColonAssign | Symbol::Semicolon | Symbol::Comma
                    )
                ) && !self.at_declarator(1) =>
            {
                self.queries()
            }
            "enum" | "union" | "static" | "extern" | "unsigned" | "float" | "long" | "short" | "char"
                if self.is_any_name(1) || is_block || matches!(self.ahead(1).kind, TokenKind::Word(_)) =>
            {
                self.foreign_declaration()
            }
            _ if self.is_symbol(1, Symbol::Assign)
                || self.is_symbol(1, Symbol::ColonAssign)
                || self.is_symbol(1, Symbol::OpenParenthesis) =>
            {
                self.instantiation()
            }
            _ => self.typed_declaration(start),
        }
    }

    /// Whether a declarator is there: a name that `=`, `;` or `,` follows, so that the word before it is a type.
    fn at_declarator(&self, distance: usize) -> bool {
        self.is_any_name(distance)
            && matches!(
                self.ahead(distance + 1).kind,
                TokenKind::Symbol(Symbol::Assign | Symbol::Semicolon | Symbol::Comma)
            )
    }

    /// `const k 2, m 3;`, the form of UPPAAL up to 3.4.
    fn old_constants(&mut self) -> DeclarationKind {
        let word = self.advance();
        let prefix = TypePrefix { kind: TypePrefixKind::Const, span: self.span_of(word) };
        let variable_type =
            TypeExpression { prefixes: vec![prefix], base: BaseType::Integer, span: self.span_of(word) };
        let mut declarators = Vec::new();
        loop {
            let start = self.token().start;
            let name = self.name("the name of a constant");
            let value = self.nested_in_brackets(self.context, error_at, Self::expression);
            let span = value.span;
            let initialiser = Some(Initialiser { kind: InitialiserKind::Expression(value), span });
            let span = self.span_from(start);
            declarators.push(Declarator { name, dimensions: Vec::new(), initialiser, span });
            if !self.accept(Symbol::Comma) {
                break;
            }
        }
        self.finish_declaration();
        DeclarationKind::Variables(VariableDeclaration { variable_type, declarators })
    }

    fn typed_declaration(&mut self, start: u32) -> DeclarationKind {
        if self.at_word(Word::Const)
            && self.is_any_name(1)
            && matches!(self.ahead(2).kind, TokenKind::Integer | TokenKind::Symbol(Symbol::Minus))
        {
            return self.old_constants();
        }
        let variable_type = self.type_expression();
        let name_start = self.token().start;
        if self.is_any_name(0) && self.is_symbol(1, Symbol::OpenParenthesis) {
            let name = self.name("the name of a function");
            return DeclarationKind::Function(self.function(start, variable_type, name));
        }
        let declarators = self.declarators(true);
        self.finish_declaration();
        if name_start == start && self.token().start == start {
            // Nothing was consumed.
            return DeclarationKind::Error;
        }
        DeclarationKind::Variables(VariableDeclaration { variable_type, declarators })
    }

    pub(super) fn finish_declaration(&mut self) {
        if !self.expect_semicolon() && !self.at_declaration() {
            self.skip_to_semicolon();
        }
    }

    /// Returns whether the next line most likely starts a new declaration.
    fn at_declaration(&self) -> bool {
        self.token().starts_line && (self.at_type() || matches!(self.token().kind, TokenKind::Word(_)))
    }

    fn foreign_declaration(&mut self) -> DeclarationKind {
        let text = self.text_of(self.token());
        let hint = match text {
            "enum" => "declare constants, or a type such as `typedef int[0,2] colour_t;`",
            "float" => "write `double`",
            "unsigned" | "long" | "short" | "char" => "write `int`, or a range such as `int[0,255]`",
            "static" | "extern" => "remove the keyword",
            _ => "write `struct`",
        };
        self.report(
            Diagnostic::error(&NOT_IN_THE_LANGUAGE, format!("the language has no `{text}`"))
                .with_primary(self.here(), "")
                .with_hint(hint),
        );
        self.skip_to_semicolon();
        DeclarationKind::Error
    }

    // Channels and hooks.

    fn at_channel_priority(&self) -> bool {
        self.is_name(1, "priority") && self.is_any_name(2)
    }

    fn channel_priority(&mut self) -> DeclarationKind {
        self.advance();
        self.advance();
        let mut levels = vec![vec![self.channel_priority_item()]];
        loop {
            if self.accept(Symbol::Less) {
                levels.push(Vec::new());
            } else if !self.accept(Symbol::Comma) {
                break;
            }
            let item = self.channel_priority_item();
            if let Some(level) = levels.last_mut() {
                level.push(item);
            }
        }
        self.finish_declaration();
        DeclarationKind::ChannelPriority(levels)
    }

    fn channel_priority_item(&mut self) -> ChannelPriorityItem {
        let start = self.token().start;
        let kind = if self.accept_name("default") {
            ChannelPriorityKind::Default
        } else {
            // Tighter than `<`, which separates levels here.
            ChannelPriorityKind::Channel(self.expression_above(super::super::precedence::UNARY))
        };
        ChannelPriorityItem { kind, span: self.span_from(start) }
    }

    fn update_hook(&mut self) -> Vec<super::Expression> {
        self.advance();
        self.advance();
        let mut expressions = Vec::new();
        if !self.at(Symbol::CloseBrace) {
            expressions = self.expressions();
            self.accept(Symbol::Semicolon);
        }
        if !self.expect(Symbol::CloseBrace) {
            self.skip_to_semicolon();
            self.accept(Symbol::CloseBrace);
        }
        expressions
    }

    fn input_output(&mut self) -> DeclarationKind {
        self.advance();
        let process = self.process_reference();
        let mut channels = Vec::new();
        if self.expect(Symbol::OpenBrace) {
            if !self.at(Symbol::CloseBrace) {
                channels.push(self.synchronisation());
                while self.accept(Symbol::Comma) {
                    channels.push(self.synchronisation());
                }
            }
            self.expect(Symbol::CloseBrace);
        }
        DeclarationKind::InputOutput { process, channels }
    }

    // Libraries.

    fn import(&mut self) -> DeclarationKind {
        self.advance();
        let path = self.string();
        let mut functions = Vec::new();
        if self.accept(Symbol::OpenBrace) {
            while !self.at(Symbol::CloseBrace) && !self.at_end() {
                let position = self.position;
                functions.push(self.imported_function());
                self.finish_declaration();
                if self.position == position {
                    self.advance();
                }
            }
            self.expect(Symbol::CloseBrace);
            self.accept(Symbol::Semicolon);
        } else {
            functions.push(self.imported_function());
            self.finish_declaration();
        }
        DeclarationKind::Import { path, functions }
    }

    fn imported_function(&mut self) -> ImportedFunction {
        let start = self.token().start;
        let alias = if self.is_any_name(0) && self.is_symbol(1, Symbol::Assign) {
            let alias = self.name("the name of a function");
            self.advance();
            Some(alias)
        } else {
            None
        };
        let return_type = self.type_expression();
        let name = self.name("the name of a function");
        let parameters = self.parameter_list();
        ImportedFunction { alias, return_type, name, parameters, span: self.span_from(start) }
    }

    // The system.

    fn instantiation(&mut self) -> DeclarationKind {
        let name = self.name("a name");
        let parameters = self.at(Symbol::OpenParenthesis).then(|| self.parameter_list());
        if self.at(Symbol::OpenBrace) {
            self.report(
                Diagnostic::error(
                    &FUNCTION_WITHOUT_TYPE,
                    format!("the function `{}` has no type", name.text),
                )
                .with_primary(name.span, "")
                .with_hint(format!("write `void {}(…)` if it returns nothing", name.text)),
            );
            self.skip_to_semicolon();
            return DeclarationKind::Error;
        }
        let colon_assign = self.at(Symbol::ColonAssign);
        if colon_assign {
            self.advance();
        } else {
            self.expect(Symbol::Assign);
        }
        let template = self.name("the name of a template");
        let arguments = self.arguments();
        self.finish_declaration();
        DeclarationKind::Instantiation(Instantiation { name, parameters, colon_assign, template, arguments })
    }

    pub(super) fn process_reference(&mut self) -> ProcessReference {
        let start = self.token().start;
        let name = self.name("the name of a process");
        let arguments = self.at(Symbol::OpenParenthesis).then(|| self.arguments());
        ProcessReference { name, arguments, span: self.span_from(start) }
    }

    fn system_line(&mut self) -> DeclarationKind {
        self.advance();
        if self.is_symbol(1, Symbol::Assign) {
            let name = self.name("the name of a specification");
            self.advance();
            let specification = self.spec_expression();
            self.finish_declaration();
            return DeclarationKind::NamedSpecification { name, specification };
        }
        let mut levels = vec![vec![self.process_reference()]];
        loop {
            if self.accept(Symbol::Less) {
                levels.push(Vec::new());
            } else if !self.accept(Symbol::Comma) {
                break;
            }
            let process = self.process_reference();
            if let Some(level) = levels.last_mut() {
                level.push(process);
            }
        }
        self.finish_declaration();
        DeclarationKind::System(SystemLine { levels })
    }

    /// Parses the items between braces, each with its semicolon.
    fn braced_items<Item>(&mut self, item: impl Fn(&mut Self) -> Item) -> Vec<Item> {
        let mut items = Vec::new();
        if self.expect(Symbol::OpenBrace) {
            while !self.at(Symbol::CloseBrace) && !self.at_end() {
                let position = self.position;
                items.push(item(self));
                if self.position == position {
                    self.advance();
                }
            }
            self.expect(Symbol::CloseBrace);
        }
        items
    }

    fn progress(&mut self) -> DeclarationKind {
        self.advance();
        DeclarationKind::Progress(self.braced_items(|parser| {
            let start = parser.token().start;
            let mut measure = parser.nested(parser.context, error_at, Self::expression);
            let mut guard = None;
            if parser.accept(Symbol::Colon) {
                let second = parser.nested(parser.context, error_at, Self::expression);
                guard = Some(std::mem::replace(&mut measure, second));
            }
            parser.finish_declaration();
            ProgressMeasure { guard, measure, span: parser.span_from(start) }
        }))
    }

    fn gantt(&mut self) -> DeclarationKind {
        self.advance();
        DeclarationKind::Gantt(self.braced_items(|parser| {
            let start = parser.token().start;
            let name = parser.name("the name of a row");
            let bindings = parser.optional_bindings();
            parser.expect(Symbol::Colon);
            let mut bars = vec![parser.gantt_bar()];
            while parser.accept(Symbol::Comma) {
                bars.push(parser.gantt_bar());
            }
            parser.finish_declaration();
            GanttRow { name, bindings, bars, span: parser.span_from(start) }
        }))
    }

    fn optional_bindings(&mut self) -> Vec<super::Binding> {
        if !self.accept(Symbol::OpenParenthesis) {
            return Vec::new();
        }
        let bindings = self.bindings();
        self.expect(Symbol::CloseParenthesis);
        bindings
    }

    fn gantt_bar(&mut self) -> GanttBar {
        let start = self.token().start;
        let bindings = if self.accept_word(Word::For) { self.optional_bindings() } else { Vec::new() };
        let condition = self.nested(self.context, error_at, Self::expression);
        self.expect(Symbol::Arrow);
        let colour = self.nested(self.context, error_at, Self::expression);
        GanttBar { bindings, condition, colour, span: self.span_from(start) }
    }

    // Queries inside a model.

    fn queries(&mut self) -> DeclarationKind {
        self.advance();
        let outer = std::mem::take(&mut self.context);
        let items =
            if self.at_query_block() { self.braced_items(Self::query_item) } else { vec![self.query_item()] };
        self.context = outer;
        DeclarationKind::Queries(items)
    }

    /// Returns whether the brace here opens a block rather than a list of observations, as in `{x} control: …`.
    fn at_query_block(&self) -> bool {
        if !self.at(Symbol::OpenBrace) {
            return false;
        }
        let mut distance = 1;
        while distance < LOOKAHEAD_LIMIT
            && !matches!(
                self.ahead(distance).kind,
                TokenKind::End
                    | TokenKind::Symbol(Symbol::OpenBrace | Symbol::CloseBrace | Symbol::Semicolon)
            )
        {
            distance += 1;
        }
        !(self.is_symbol(distance, Symbol::CloseBrace) && self.is_name(distance + 1, "control"))
    }

    fn query_item(&mut self) -> QueryItem {
        let start = self.token().start;
        let title = (self.token().kind == TokenKind::Text).then(|| self.string());
        let query = self.query();
        self.finish_declaration();
        QueryItem { title, query, span: self.span_from(start) }
    }

    /// `c!`, `c?` or `c`.
    pub(super) fn synchronisation(&mut self) -> super::Synchronisation {
        use super::super::ast::Direction;
        let start = self.token().start;
        let channel = self.expression_above(ABOVE_CONDITIONAL);
        let direction = if self.accept(Symbol::Exclamation) {
            Direction::Send
        } else if self.accept(Symbol::Question) {
            Direction::Receive
        } else {
            Direction::Both
        };
        super::Synchronisation { channel, direction, span: self.span_from(start) }
    }
}
