//! Parses processes and synchronisation vectors, in the form of `.xta` and of `.net` files; a text may mix both.
//!
//! Invariant: lists such as `init A;` and `urgent A, B;` are kept as names, in the order of the text.

use tempora_source::{Diagnostic, Span};

use super::super::ast::DeclarationKind;
use super::super::ast::{
    Branch, Edge, EdgeLabels, EdgeTarget, LocationDeclaration, Name, ProcessDeclaration, Rate,
    SynchronisationVector, VectorParticipant,
};
use super::super::token::{Symbol, TokenKind, Word};
use super::Parser;
use super::expression::error_at;
use crate::codes::structure::REPEATED_LABEL;

impl Parser<'_> {
    pub(super) fn process(&mut self) -> ProcessDeclaration {
        let start = self.advance().start;
        let name = self.name("the name of a process");
        let mut process = ProcessDeclaration {
            name,
            arguments: Vec::new(),
            parameters: Vec::new(),
            template: None,
            declarations: Vec::new(),
            locations: Vec::new(),
            branchpoints: Vec::new(),
            initial: Vec::new(),
            urgent: Vec::new(),
            committed: Vec::new(),
            edges: Vec::new(),
            span: Span::empty(self.file, start),
        };
        if self.at(Symbol::OpenParenthesis) {
            if self.at_process_arguments() {
                process.arguments = self.arguments();
            } else {
                process.parameters = self.process_parameter_list();
            }
        }
        if self.accept(Symbol::Colon) {
            process.template = Some(self.name("the name of a template"));
        }
        if self.expect(Symbol::OpenBrace) {
            while !self.at(Symbol::CloseBrace) && !self.at_end() {
                let position = self.position;
                if !self.accept(Symbol::Semicolon) {
                    self.process_item(&mut process);
                }
                if self.position == position {
                    self.advance();
                }
            }
            self.expect(Symbol::CloseBrace);
        } else {
            self.skip_to_semicolon();
        }
        process.span = self.span_from(start);
        process
    }

    /// Returns whether the parentheses contain constants rather than parameters, which start with a type and a name.
    fn at_process_arguments(&self) -> bool {
        match self.ahead(1).kind {
            TokenKind::Integer
            | TokenKind::Double
            | TokenKind::Symbol(Symbol::Minus)
            | TokenKind::Word(Word::True | Word::False) => true,
            TokenKind::Name => {
                matches!(self.ahead(2).kind, TokenKind::Symbol(Symbol::Comma | Symbol::CloseParenthesis))
            }
            _ => false,
        }
    }

    fn process_item(&mut self, process: &mut ProcessDeclaration) {
        match self.token().kind {
            TokenKind::Word(Word::State) => {
                self.advance();
                process.locations.push(self.state());
                while self.accept(Symbol::Comma) {
                    process.locations.push(self.state());
                }
                self.finish_declaration();
            }
            TokenKind::Word(Word::Trans) => {
                self.advance();
                self.transitions(&mut process.edges);
            }
            TokenKind::Word(Word::Init | Word::Commit) => self.marked_locations(process),
            TokenKind::Word(Word::Urgent)
                if self.is_any_name(1)
                    || matches!(self.ahead(1).kind, TokenKind::Word(Word::Init | Word::Commit)) =>
            {
                self.marked_locations(process);
            }
            TokenKind::Name
                if self.at_name("committed")
                    && (self.is_any_name(1)
                        || matches!(self.ahead(1).kind, TokenKind::Word(Word::Init | Word::Urgent))) =>
            {
                self.marked_locations(process);
            }
            TokenKind::Name if self.at_location() => self.marked_locations(process),
            TokenKind::Name if self.at_name("branchpoint") && self.is_any_name(1) => {
                self.advance();
                process.branchpoints.extend(self.names("the name of a branch point"));
                self.finish_declaration();
            }
            TokenKind::Name if self.at_edge() => {
                let edge = self.edge();
                process.edges.push(edge);
            }
            _ => process.declarations.push(self.declaration()),
        }
    }

    // Locations.

    fn at_location(&self) -> bool {
        self.at_name("location") && self.is_any_name(1)
    }

    /// `init urgent location A { … }`, or `init A, B;`.
    fn marked_locations(&mut self, process: &mut ProcessDeclaration) {
        let (mut is_initial, mut is_urgent, mut is_committed) = (false, false, false);
        loop {
            match self.token().kind {
                TokenKind::Word(Word::Init) => is_initial = true,
                TokenKind::Word(Word::Urgent) => is_urgent = true,
                TokenKind::Word(Word::Commit) => is_committed = true,
                TokenKind::Name if self.at_name("committed") && !self.is_end_of_names(1) => {
                    is_committed = true;
                }
                _ => break,
            }
            self.advance();
        }
        let names = if self.at_location() {
            self.advance();
            let mut names = Vec::new();
            loop {
                let location = self.location();
                names.push(location.name.clone());
                process.locations.push(location);
                if !self.accept(Symbol::Comma) {
                    break;
                }
            }
            self.finish_item();
            names
        } else {
            let names = self.names("the name of a location");
            self.finish_declaration();
            names
        };
        if is_initial {
            process.initial.extend(names.iter().cloned());
        }
        if is_urgent {
            process.urgent.extend(names.iter().cloned());
        }
        if is_committed {
            process.committed.extend(names);
        }
    }

    fn is_end_of_names(&self, distance: usize) -> bool {
        matches!(self.ahead(distance).kind, TokenKind::Symbol(Symbol::Semicolon | Symbol::Comma))
    }

    /// Consumes a semicolon, which is optional after a closing brace.
    fn finish_item(&mut self) {
        let is_behind_brace = self
            .position
            .checked_sub(1)
            .and_then(|position| self.tokens.get(position))
            .is_some_and(|token| token.kind == TokenKind::Symbol(Symbol::CloseBrace));
        if !is_behind_brace || self.at(Symbol::Semicolon) {
            self.finish_declaration();
        }
    }

    /// `A { x <= 5; 1 : 2 }`
    fn state(&mut self) -> LocationDeclaration {
        let start = self.token().start;
        let mut location = self.empty_location();
        if self.accept(Symbol::OpenBrace) {
            if !self.at(Symbol::Semicolon) && !self.at(Symbol::CloseBrace) {
                location.invariant = Some(self.conditions());
            }
            if self.accept(Symbol::Semicolon) && !self.at(Symbol::CloseBrace) {
                location.rate = Some(self.rate());
                self.accept(Symbol::Semicolon);
            }
            self.close_brace();
        }
        location.span = self.span_from(start);
        location
    }

    /// `A { invariant x <= 5; rate 1 : 2; labels a, b; }`
    fn location(&mut self) -> LocationDeclaration {
        let start = self.token().start;
        let mut location = self.empty_location();
        if self.accept(Symbol::OpenBrace) {
            while !self.at(Symbol::CloseBrace) && !self.at_end() {
                let (position, token) = (self.position, self.token());
                if self.accept_name("invariant") {
                    let invariant = self.condition();
                    self.set_once(&mut location.invariant, invariant, token);
                } else if self.accept_name("rate") {
                    let rate = self.rate();
                    self.set_once(&mut location.rate, rate, token);
                } else if self.accept_name("labels") {
                    location.labels.extend(self.names("a label"));
                } else {
                    self.report_expected("`invariant`, `rate` or `labels`");
                    self.skip_to_semicolon();
                    if self.position == position {
                        // A new declaration starts here: the brace was never closed.
                        break;
                    }
                    continue;
                }
                self.finish_label();
                if self.position == position {
                    self.advance();
                }
            }
            self.close_brace();
        }
        location.span = self.span_from(start);
        location
    }

    fn empty_location(&mut self) -> LocationDeclaration {
        let name = self.name("the name of a location");
        let span = name.span;
        LocationDeclaration { name, invariant: None, rate: None, labels: Vec::new(), span }
    }

    /// `e` or `e : d`
    pub(super) fn rate(&mut self) -> Rate {
        let start = self.token().start;
        let value = self.nested(self.context, error_at, Self::expression);
        let divisor =
            self.accept(Symbol::Colon).then(|| self.nested(self.context, error_at, Self::expression));
        Rate { value, divisor, span: self.span_from(start) }
    }

    // Edges.

    /// Returns whether the name here starts an edge: an arrow or a block follows it.
    fn at_edge(&self) -> bool {
        self.is_arrow(1) || self.is_symbol(1, Symbol::OpenBrace)
    }

    fn is_arrow(&self, distance: usize) -> bool {
        self.is_symbol(distance, Symbol::Arrow) || self.is_uncontrollable_arrow(distance)
    }

    fn is_uncontrollable_arrow(&self, distance: usize) -> bool {
        self.is_symbol(distance, Symbol::Minus)
            && self.is_name(distance + 1, "u")
            && self.is_symbol(distance + 2, Symbol::Arrow)
    }

    /// Consumes the arrow and returns whether it is `-u->`.
    fn arrow(&mut self) -> bool {
        if self.is_uncontrollable_arrow(0) {
            self.position += 3;
            return true;
        }
        self.expect(Symbol::Arrow);
        false
    }

    /// `A -> B { … }, -> C { … };`
    fn transitions(&mut self, edges: &mut Vec<Edge>) {
        let mut source = Name { text: String::new(), span: self.here() };
        if self.accept(Symbol::Semicolon) {
            return;
        }
        loop {
            let start = self.token().start;
            if !self.is_arrow(0) || source.text.is_empty() {
                source = self.name("the location where the edge starts");
            }
            let is_uncontrollable = self.arrow();
            let target = EdgeTarget::Single(self.name("the location where the edge ends"));
            let mut labels = EdgeLabels::default();
            if self.at(Symbol::OpenBrace) {
                self.edge_labels(&mut labels);
            }
            let span = self.span_from(start);
            edges.push(Edge { source: source.clone(), is_uncontrollable, labels, target, span });
            if !self.accept(Symbol::Comma) {
                break;
            }
        }
        self.finish_declaration();
    }

    /// `A -> B { … }`, `A { … } -> { weight 1: B { … } weight 2: C; }`
    fn edge(&mut self) -> Edge {
        let start = self.token().start;
        let source = self.name("the location where the edge starts");
        let mut labels = EdgeLabels::default();
        if self.at(Symbol::OpenBrace) {
            self.edge_labels(&mut labels);
        }
        let is_uncontrollable = self.arrow();
        let target = if self.at(Symbol::OpenBrace) {
            EdgeTarget::Branches(self.branches())
        } else {
            let target = self.name("the location where the edge ends");
            if self.at(Symbol::OpenBrace) {
                self.edge_labels(&mut labels);
            }
            EdgeTarget::Single(target)
        };
        self.finish_item();
        Edge { source, is_uncontrollable, labels, target, span: self.span_from(start) }
    }

    fn branches(&mut self) -> Vec<Branch> {
        let mut branches = Vec::new();
        self.advance();
        while !self.at(Symbol::CloseBrace) && !self.at_end() {
            let (position, start) = (self.position, self.token().start);
            let weight = if self.at_name("weight")
                && !self.is_end_of_names(1)
                && !self.is_symbol(1, Symbol::OpenBrace)
            {
                self.advance();
                let weight = self.nested(self.context, error_at, Self::expression);
                self.expect(Symbol::Colon);
                Some(weight)
            } else {
                None
            };
            let target = self.name("the location where the branch ends");
            let mut labels = EdgeLabels::default();
            if self.at(Symbol::OpenBrace) {
                let block = self.here();
                self.edge_labels(&mut labels);
                self.check_branch_labels(&labels, block);
            }
            self.finish_item();
            branches.push(Branch { weight, target, updates: labels.updates, span: self.span_from(start) });
            if self.position == position {
                self.advance();
            }
        }
        self.expect(Symbol::CloseBrace);
        branches
    }

    fn check_branch_labels(&mut self, labels: &EdgeLabels, block: Span) {
        let has_others = !labels.select.is_empty()
            || labels.guard.is_some()
            || labels.synchronisation.is_some()
            || labels.event.is_some()
            || labels.weight.is_some();
        if has_others {
            self.report(
                Diagnostic::error(
                    &crate::codes::structure::LABEL_ON_BRANCH,
                    "a branch can only have updates",
                )
                .with_primary(block, "a branch is chosen after the edge is taken")
                .with_hint(
                    "write select, guard, sync and event before the arrow, and the weight before the target",
                ),
            );
        }
    }

    fn edge_labels(&mut self, labels: &mut EdgeLabels) {
        self.advance();
        while !self.at(Symbol::CloseBrace) && !self.at_end() {
            let (position, token) = (self.position, self.token());
            if self.accept(Symbol::Semicolon) {
                continue;
            }
            if self.accept_word(Word::Select) {
                labels.select.extend(self.bindings());
            } else if self.accept_word(Word::Guard) {
                let guard = self.conditions();
                self.set_once(&mut labels.guard, guard, token);
            } else if self.accept_word(Word::Sync) {
                let synchronisation = self.synchronisation();
                self.set_once(&mut labels.synchronisation, synchronisation, token);
            } else if self.accept_word(Word::Assign) || self.accept_word(Word::Do) {
                labels.updates.extend(self.expressions());
            } else if self.accept_name("event") {
                let event = self.name("the name of an event");
                self.set_once(&mut labels.event, event, token);
            } else if self.accept_name("probability") || self.accept_name("weight") {
                let weight = self.nested(self.context, error_at, Self::expression);
                self.set_once(&mut labels.weight, weight, token);
            } else {
                self.report_expected("`select`, `guard`, `sync`, `event`, `do` or `probability`");
                self.skip_to_semicolon();
                if self.position == position {
                    // A new declaration starts here: the brace was never closed.
                    break;
                }
                continue;
            }
            self.finish_label();
            if self.position == position {
                self.advance();
            }
        }
        self.close_brace();
    }

    fn set_once<Label>(&mut self, place: &mut Option<Label>, label: Label, word: super::Token) {
        if place.is_some() {
            let text = self.text_of(word);
            self.remark(
                Diagnostic::error(&REPEATED_LABEL, format!("repeated `{text}`"))
                    .with_primary(self.span_of(word), "")
                    .with_hint("join conditions with `&&`; any other label can be given only once"),
            );
        } else {
            *place = Some(label);
        }
    }

    /// Consumes the semicolon after a label, which is optional before the closing brace.
    fn finish_label(&mut self) {
        if self.at(Symbol::CloseBrace) {
            return;
        }
        if !self.expect_semicolon() && !self.token().starts_line {
            self.skip_to_semicolon();
        }
    }

    fn close_brace(&mut self) {
        if !self.expect(Symbol::CloseBrace) {
            self.skip_to_semicolon();
            self.accept(Symbol::CloseBrace);
        }
    }

    // Vectors.

    /// Returns whether a vector starts here, rather than a variable whose type is named `vector`.
    pub(super) fn at_vector(&self) -> bool {
        if !self.is_symbol(2, Symbol::OpenParenthesis) {
            return self.is_symbol(2, Symbol::At);
        }
        // Arguments are constants, so there are few tokens.
        const LONGEST: usize = 64;
        (3..LONGEST)
            .find(|&distance| self.is_symbol(distance, Symbol::CloseParenthesis))
            .is_some_and(|distance| self.is_symbol(distance + 1, Symbol::At))
    }

    pub(super) fn vector(&mut self) -> DeclarationKind {
        self.advance();
        let mut participants = Vec::new();
        loop {
            let start = self.token().start;
            let process = self.process_reference();
            self.expect(Symbol::At);
            let event = self.name("the name of an event");
            let is_weak = self.accept(Symbol::Question);
            participants.push(VectorParticipant { process, event, is_weak, span: self.span_from(start) });
            if !self.accept(Symbol::Comma) {
                break;
            }
        }
        self.finish_declaration();
        DeclarationKind::Vector(SynchronisationVector { participants })
    }
}
