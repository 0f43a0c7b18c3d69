//! Parses types, declarators, initialisers, parameters and bindings.
//!
//! A few tokens of lookahead decide whether a type starts at a token, see [`Parser::at_type`].

use tempora_source::Span;

use super::super::ast::{
    ArrayDimension, ArrayDimensionKind, BaseType, Binding, Declarator, FieldInitialiser, Initialiser,
    InitialiserKind, Parameter, StructField, TypeExpression, TypePrefix, TypePrefixKind,
};
use super::super::token::{Symbol, TokenKind, Word};
use super::expression::error_at;
use super::{Context, Parser};

/// Lookahead limit for recognising parameter lists in the old form.
const LONGEST_OLD_LIST: usize = 1000;

impl Parser<'_> {
    /// Returns whether a type that starts with a keyword starts here.
    fn at_type_word(&self) -> bool {
        match self.token().kind {
            TokenKind::Word(word) => matches!(
                word,
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
                    | Word::Struct
            ),
            TokenKind::Name => match self.text_of(self.token()) {
                "hybrid" => self.ahead(1).kind == TokenKind::Word(Word::Clock),
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns whether a declaration of a variable starts here: a type, then a name.
    pub(super) fn at_type(&self) -> bool {
        if self.at_type_word() {
            return true;
        }
        // Of two adjacent names the first is a type, unless one of them is a keyword here: `spawn T()`, `a xor b`.
        let is_spawn = self.at_name("spawn") && self.is_symbol(2, Symbol::OpenParenthesis);
        let is_xor = self.is_name(1, "xor")
            && !matches!(
                self.ahead(2).kind,
                TokenKind::Symbol(Symbol::Semicolon | Symbol::Comma | Symbol::Assign | Symbol::OpenBracket)
            );
        self.is_any_name(0) && self.is_any_name(1) && !is_spawn && !is_xor
    }

    pub(super) fn type_expression(&mut self) -> TypeExpression {
        let fallback = |span| TypeExpression { prefixes: Vec::new(), base: BaseType::Error, span };
        let context = Context { in_path_body: false, ..self.context };
        self.nested_in_brackets(context, fallback, Self::type_expression_inside)
    }

    fn type_expression_inside(&mut self) -> TypeExpression {
        let start = self.token().start;
        let mut prefixes = Vec::new();
        loop {
            let kind = match self.token().kind {
                TokenKind::Word(Word::Urgent) => TypePrefixKind::Urgent,
                TokenKind::Word(Word::Broadcast) => TypePrefixKind::Broadcast,
                TokenKind::Word(Word::Const) => TypePrefixKind::Const,
                TokenKind::Word(Word::Meta) => TypePrefixKind::Meta,
                TokenKind::Name if self.at_type_word() => TypePrefixKind::Hybrid,
                _ => break,
            };
            prefixes.push(TypePrefix { kind, span: self.here() });
            self.advance();
        }
        let base = self.base_type();
        TypeExpression { prefixes, base, span: self.span_from(start) }
    }

    fn base_type(&mut self) -> BaseType {
        let TokenKind::Word(word) = self.token().kind else {
            if !self.is_any_name(0) {
                self.report_expected("a type");
                return BaseType::Error;
            }
            return match self.text_of(self.token()) {
                "double" => {
                    self.advance();
                    BaseType::Double
                }
                "string" => {
                    self.advance();
                    BaseType::Text
                }
                _ => BaseType::Named(self.name("a type")),
            };
        };
        let base = match word {
            Word::Int => {
                self.advance();
                return self.integer_type();
            }
            Word::Scalar => {
                self.advance();
                self.expect(Symbol::OpenBracket);
                let size = self.nested(self.context, error_at, Self::expression);
                self.expect(Symbol::CloseBracket);
                return BaseType::Scalar { size: Box::new(size) };
            }
            Word::Struct => {
                self.advance();
                return self.structure();
            }
            Word::Bool => BaseType::Boolean,
            Word::Clock => BaseType::Clock,
            Word::Chan => BaseType::Channel,
            Word::Void => BaseType::Void,
            _ => {
                self.report_expected("a type");
                return BaseType::Error;
            }
        };
        self.advance();
        base
    }

    fn integer_type(&mut self) -> BaseType {
        if !self.accept(Symbol::OpenBracket) {
            return BaseType::Integer;
        }
        let lower = self.nested(self.context, error_at, Self::expression);
        self.expect(Symbol::Comma);
        let upper = self.nested(self.context, error_at, Self::expression);
        self.expect(Symbol::CloseBracket);
        BaseType::BoundedInteger { lower: Box::new(lower), upper: Box::new(upper) }
    }

    fn structure(&mut self) -> BaseType {
        let mut fields = Vec::new();
        if self.expect(Symbol::OpenBrace) {
            while !self.at(Symbol::CloseBrace) && !self.at_end() {
                let (position, start) = (self.position, self.token().start);
                let field_type = self.type_expression();
                let declarators = self.declarators(false);
                if !self.expect_semicolon() && !self.at_type() {
                    self.skip_to_semicolon();
                }
                fields.push(StructField { field_type, declarators, span: self.span_from(start) });
                if self.position == position {
                    self.advance();
                }
            }
            self.expect(Symbol::CloseBrace);
        }
        BaseType::Struct { fields }
    }

    pub(super) fn declarators(&mut self, with_initialisers: bool) -> Vec<Declarator> {
        let mut declarators = vec![self.declarator(with_initialisers)];
        while self.accept(Symbol::Comma) {
            declarators.push(self.declarator(with_initialisers));
        }
        declarators
    }

    pub(super) fn declarator(&mut self, with_initialiser: bool) -> Declarator {
        let start = self.token().start;
        let name = self.name("a name");
        let dimensions = self.dimensions();
        let initialiser =
            if with_initialiser && (self.accept(Symbol::Assign) || self.accept(Symbol::ColonAssign)) {
                Some(self.initialiser())
            } else {
                None
            };
        Declarator { name, dimensions, initialiser, span: self.span_from(start) }
    }

    pub(super) fn dimensions(&mut self) -> Vec<ArrayDimension> {
        let mut dimensions = Vec::new();
        while self.at(Symbol::OpenBracket) {
            let start = self.advance().start;
            let kind = if self.at_type_word() {
                ArrayDimensionKind::Index(self.type_expression())
            } else {
                ArrayDimensionKind::Size(self.nested(self.context, error_at, Self::expression))
            };
            self.expect(Symbol::CloseBracket);
            dimensions.push(ArrayDimension { kind, span: self.span_from(start) });
        }
        dimensions
    }

    fn initialiser(&mut self) -> Initialiser {
        let fallback = |span: Span| Initialiser { kind: InitialiserKind::Expression(error_at(span)), span };
        self.nested_in_brackets(self.context, fallback, Self::initialiser_inside)
    }

    fn initialiser_inside(&mut self) -> Initialiser {
        let start = self.token().start;
        let kind = if self.accept(Symbol::OpenBrace) {
            let mut values = Vec::new();
            if !self.at(Symbol::CloseBrace) {
                values.push(self.field_initialiser());
                while self.accept(Symbol::Comma) {
                    values.push(self.field_initialiser());
                }
            }
            self.expect(Symbol::CloseBrace);
            InitialiserKind::List(values)
        } else {
            InitialiserKind::Expression(self.nested(self.context, error_at, Self::expression))
        };
        Initialiser { kind, span: self.span_from(start) }
    }

    fn field_initialiser(&mut self) -> FieldInitialiser {
        let start = self.token().start;
        let field = if self.is_any_name(0) && self.is_symbol(1, Symbol::Colon) {
            let field = self.name("the name of a field");
            self.advance();
            Some(field)
        } else {
            None
        };
        let value = self.initialiser();
        FieldInitialiser { field, value, span: self.span_from(start) }
    }

    /// `int a, bool &b[2]`; at least one.
    pub(super) fn parameters(&mut self) -> Vec<Parameter> {
        let mut parameters = vec![self.parameter()];
        while self.accept(Symbol::Comma) {
            parameters.push(self.parameter());
        }
        parameters
    }

    /// `( … )` of a process, possibly empty; accepts the form of UPPAAL up to 3.4 as well.
    pub(super) fn process_parameter_list(&mut self) -> Vec<Parameter> {
        if self.at(Symbol::OpenParenthesis) && self.at_old_parameters() {
            self.advance();
            let parameters = self.old_parameters();
            self.expect(Symbol::CloseParenthesis);
            return parameters;
        }
        self.parameter_list()
    }

    /// Returns whether parameters have the form of UPPAAL up to 3.4: with semicolons, or with constants without a type.
    fn at_old_parameters(&self) -> bool {
        let ends = |distance: usize| {
            matches!(
                self.ahead(distance).kind,
                TokenKind::Symbol(Symbol::Comma | Symbol::Semicolon | Symbol::CloseParenthesis)
                    | TokenKind::End
            )
        };
        (1..LONGEST_OLD_LIST)
            .map_while(|distance| match self.ahead(distance).kind {
                TokenKind::Symbol(Symbol::CloseParenthesis | Symbol::OpenBrace) | TokenKind::End => None,
                TokenKind::Symbol(Symbol::Semicolon) => Some(true),
                TokenKind::Word(Word::Const) => Some(self.is_any_name(distance + 1) && ends(distance + 2)),
                _ => Some(false),
            })
            .any(|is_old| is_old)
    }

    /// `clock x, y; const k; int i`: a type applies to all names up to the semicolon, and a parameter that is not
    /// constant is a reference.
    fn old_parameters(&mut self) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        loop {
            let start = self.token().start;
            let parameter_type = if self.at_word(Word::Const) && self.is_any_name(1) {
                let word = self.advance();
                let prefix = TypePrefix { kind: TypePrefixKind::Const, span: self.span_of(word) };
                TypeExpression { prefixes: vec![prefix], base: BaseType::Integer, span: self.span_of(word) }
            } else {
                self.type_expression()
            };
            let is_constant =
                parameter_type.prefixes.iter().any(|prefix| prefix.kind == TypePrefixKind::Const);
            loop {
                let by_reference = self.accept(Symbol::Ampersand) || !is_constant;
                let name = self.name("the name of a parameter");
                let dimensions = self.dimensions();
                let (parameter_type, span) = (parameter_type.clone(), self.span_from(start));
                parameters.push(Parameter { parameter_type, by_reference, name, dimensions, span });
                let is_another_name = self.at(Symbol::Comma) && self.is_any_name(1) && !self.is_any_name(2);
                if !is_another_name {
                    break;
                }
                self.advance();
            }
            if !self.accept(Symbol::Semicolon) && !self.accept(Symbol::Comma) {
                return parameters;
            }
        }
    }

    /// `( … )`, possibly empty.
    pub(super) fn parameter_list(&mut self) -> Vec<Parameter> {
        self.expect(Symbol::OpenParenthesis);
        let parameters = if self.at(Symbol::CloseParenthesis) { Vec::new() } else { self.parameters() };
        self.expect(Symbol::CloseParenthesis);
        parameters
    }

    fn parameter(&mut self) -> Parameter {
        let start = self.token().start;
        let parameter_type = self.type_expression();
        let by_reference = self.accept(Symbol::Ampersand);
        let name = self.name("the name of a parameter");
        let dimensions = self.dimensions();
        Parameter { parameter_type, by_reference, name, dimensions, span: self.span_from(start) }
    }

    /// `i : T, j : U`; at least one.
    pub(super) fn bindings(&mut self) -> Vec<Binding> {
        let mut bindings = vec![self.binding()];
        while self.accept(Symbol::Comma) {
            bindings.push(self.binding());
        }
        bindings
    }

    pub(super) fn binding(&mut self) -> Binding {
        let start = self.token().start;
        let name = self.name("a name");
        self.expect(Symbol::Colon);
        let domain = self.type_expression();
        Binding { name, domain, span: self.span_from(start) }
    }
}
