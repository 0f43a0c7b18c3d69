//! Collects the names of symbolic systems in s-expressions.
//!
//! Invariant: a text with unbalanced brackets has no names. Undeclared words are operators or constants.

use std::collections::BTreeMap;

use tempora_smt::{Expression, ExpressionKind, read_expressions};
use tempora_source::{FileId, Files, Span, SymbolId, SymbolKind, SymbolRole, Symbols};

use super::symbols::SymbolCollector;

/// Collects the names of a text, whose items are at the top or, in Theta's languages, inside one list.
pub(crate) fn collect(files: &Files, file: FileId) -> Symbols {
    let text = files.text(file);
    let mut collector =
        ListCollector { text, file, symbols: SymbolCollector::new(), events: BTreeMap::new() };
    let Ok(items) = read_expressions(text) else { return collector.symbols.finish() };
    match items.as_slice() {
        [model] if matches!(head_of(model), Some("process" | "system")) => {
            collector.items(model.list().and_then(|parts| parts.get(1..)).unwrap_or_default());
        }
        items => collector.items(items),
    }
    collector.symbols.finish()
}

struct ListCollector<'text> {
    text: &'text str,
    file: FileId,
    symbols: SymbolCollector,
    events: BTreeMap<String, SymbolId>,
}

/// The locations of a component.
type Locations = BTreeMap<String, SymbolId>;

impl ListCollector<'_> {
    fn items(&mut self, items: &[Expression]) {
        for item in items {
            self.declaration(item);
        }
        let mut locations = Locations::new();
        let mut components: BTreeMap<String, Locations> = BTreeMap::new();
        self.locations(items, None, &mut locations);
        for item in items {
            let Some([head, name, inner @ ..]) = item.list() else { continue };
            if let (Some("component"), Some(text)) = (head.word(), name.word()) {
                let component = self.symbols.define_apart(text, SymbolKind::Template, self.span(name));
                let mut own = Locations::new();
                self.locations(inner, Some(component), &mut own);
                for item in inner {
                    self.item(item, &own);
                }
                components.entry(text.to_owned()).or_insert(own);
            }
        }
        for item in items.iter().filter(|item| head_of(item) != Some("component")) {
            self.item(item, &locations);
        }
        self.observed_locations(items, &components);
    }

    /// Collects enumerations, variables and events, which earlier items may use too.
    fn declaration(&mut self, item: &Expression) {
        let Some([head, name, rest @ ..]) = item.list() else { return };
        let Some(text) = name.word() else { return };
        match head.word() {
            Some("enum") => {
                let literals = rest.iter();
                let literals: Vec<(String, Span)> = literals
                    .filter_map(|literal| Some((literal.word()?.to_owned(), self.span(literal))))
                    .collect();
                self.symbols.define_enumeration(text, self.span(name), &literals);
            }
            Some("var") => {
                let is_clock = rest.get(1).and_then(Expression::word) == Some("clock");
                let kind = if is_clock { SymbolKind::Clock } else { SymbolKind::Variable };
                let sort =
                    rest.first().map(|sort| self.text.get(sort.start..sort.end).unwrap_or("").to_owned());
                self.symbols.define(text, kind, self.span(name), sort);
                if let Some(sort) = rest.first() {
                    self.sort(sort);
                }
            }
            Some("event") => {
                let id = self.symbols.define_apart(text, SymbolKind::BroadcastChannel, self.span(name));
                self.events.entry(text.to_owned()).or_insert(id);
            }
            _ => {}
        }
    }

    fn locations(&mut self, items: &[Expression], container: Option<SymbolId>, locations: &mut Locations) {
        for item in items {
            let Some([head, name, ..]) = item.list() else { continue };
            let is_declared = match head.word() {
                Some("location" | "loc" | "final" | "error") => true,
                // In Theta's automata, it declares the initial location.
                Some("init") => {
                    name.word().is_some_and(|_| item.list().is_some_and(|parts| parts.len() == 2))
                }
                _ => false,
            };
            let Some(text) = name.word().filter(|_| is_declared) else { continue };
            if locations.contains_key(text) {
                continue;
            }
            let id = self.symbols.define_apart(text, SymbolKind::Location, self.span(name));
            if let Some(container) = container {
                self.symbols.set_container(id, container);
            }
            locations.insert(text.to_owned(), id);
        }
    }

    /// Collects the uses in an item.
    fn item(&mut self, item: &Expression, locations: &Locations) {
        let Some([head, rest @ ..]) = item.list() else { return };
        match (head.word(), rest) {
            (Some("edge"), [source, target, rest @ ..]) => {
                self.location(source, locations);
                self.location(target, locations);
                for part in rest {
                    self.statement(part);
                }
            }
            (Some("delay"), [place, .., invariant]) => {
                self.location(place, locations);
                self.term(invariant, SymbolRole::Read);
            }
            (Some("initial"), parts) => {
                let known =
                    parts.first().and_then(Expression::word).is_some_and(|name| locations.contains_key(name));
                let (places, formulas) = parts.split_at(usize::from(known));
                for place in places {
                    self.location(place, locations);
                }
                self.terms(formulas, SymbolRole::Read);
            }
            (Some("init" | "trans"), [formula]) if formula.list().is_some() => {
                self.term(formula, SymbolRole::Read);
            }
            (Some("prop"), [formula]) => self.term(formula, SymbolRole::Query),
            (Some("property"), [_, place, condition]) => {
                for place in place.list().unwrap_or_default().iter().skip(1) {
                    self.location(place, locations);
                }
                self.term(condition, SymbolRole::Query);
            }
            _ => {}
        }
    }

    /// Collects uses of component locations in properties, as `Component.location`.
    fn observed_locations(&mut self, items: &[Expression], components: &BTreeMap<String, Locations>) {
        for item in items {
            let Some([head, _, place, _]) = item.list() else { continue };
            if head.word() != Some("property") {
                continue;
            }
            for place in place.list().unwrap_or_default().iter().skip(1) {
                let Some((component, location)) = place.word().and_then(|name| name.split_once('.')) else {
                    continue;
                };
                if let Some(&id) = components.get(component).and_then(|own| own.get(location)) {
                    let whole = self.span(place);
                    let start = whole.start + u32::try_from(component.len() + 1).unwrap_or(u32::MAX);
                    self.symbols.use_symbol(id, Span::new(self.file, start, whole.end), SymbolRole::Query);
                }
            }
        }
    }

    fn location(&mut self, place: &Expression, locations: &Locations) {
        if let Some(&id) = place.word().and_then(|name| locations.get(name)) {
            let span = self.span(place);
            self.symbols.use_symbol(id, span, SymbolRole::Location);
        }
    }

    fn statement(&mut self, statement: &Expression) {
        let Some([head, rest @ ..]) = statement.list() else { return };
        match (head.word(), rest) {
            (Some("set" | "assign"), [variable, value]) => {
                self.variable(variable, SymbolRole::Write);
                self.term(value, SymbolRole::Read);
            }
            (Some("havoc"), [variable]) => self.variable(variable, SymbolRole::Write),
            (Some("for"), [counter, from, to, body]) => {
                self.variable(counter, SymbolRole::Write);
                self.term(from, SymbolRole::Read);
                self.term(to, SymbolRole::Read);
                self.statement(body);
            }
            (Some("relate"), [frame, relation]) => {
                for variable in frame.list().unwrap_or_default() {
                    self.variable(variable, SymbolRole::Write);
                }
                self.term(relation, SymbolRole::Read);
            }
            (Some("on"), events) => {
                for event in events {
                    if let Some(&id) = event.word().and_then(|name| self.events.get(name)) {
                        let span = self.span(event);
                        self.symbols.use_symbol(id, span, SymbolRole::Synchronise);
                    }
                }
            }
            (Some("do" | "choose"), parts) => {
                for part in parts {
                    self.statement(part);
                }
            }
            (_, parts) => self.terms(parts, SymbolRole::Read),
        }
    }

    fn terms(&mut self, terms: &[Expression], role: SymbolRole) {
        for term in terms {
            self.term(term, role);
        }
    }

    fn term(&mut self, term: &Expression, role: SymbolRole) {
        match &term.kind {
            ExpressionKind::Word(_) => self.variable(term, role),
            ExpressionKind::Text(_) => {}
            ExpressionKind::List(parts) => match parts.as_slice() {
                [head, bindings, body] if head.word() == Some("let") => {
                    self.bound_term(term, bindings, body, role);
                }
                parts => self.terms(parts, role),
            },
        }
    }

    /// Collects the names of `(let ((NAME TERM) ...) BODY)`, which are visible in the body, but not in the terms.
    fn bound_term(&mut self, whole: &Expression, bindings: &Expression, body: &Expression, role: SymbolRole) {
        let bindings: Vec<&[Expression]> =
            bindings.list().unwrap_or_default().iter().filter_map(Expression::list).collect();
        for binding in &bindings {
            self.terms(binding.get(1..).unwrap_or_default(), role);
        }
        self.symbols.enter(self.span(whole));
        for name in bindings.iter().filter_map(|binding| binding.first()) {
            if let Some(text) = name.word() {
                self.symbols.define(text, SymbolKind::Bound, self.span(name), None);
            }
        }
        self.term(body, role);
        self.symbols.leave();
    }

    /// Collects the use of a variable or literal; `x'` is the next value of `x`.
    fn variable(&mut self, word: &Expression, role: SymbolRole) {
        let Some(name) = word.word() else { return };
        let span = self.span(word);
        match name.strip_suffix('\'') {
            Some(plain) if !self.symbols.has_variable(name) => {
                let span = Span::new(self.file, span.start, span.end.saturating_sub(1));
                self.symbols.use_name(plain, span, role);
            }
            _ => self.symbols.use_name(name, span, role),
        }
    }

    fn sort(&mut self, sort: &Expression) {
        match &sort.kind {
            ExpressionKind::Word(name) => {
                let span = self.span(sort);
                self.symbols.use_type_name(name, span);
            }
            ExpressionKind::Text(_) => {}
            ExpressionKind::List(parts) => {
                for part in parts {
                    self.sort(part);
                }
            }
        }
    }

    /// Returns the place of a word, without the bars around it.
    fn span(&self, word: &Expression) -> Span {
        let has_bars = self.text.get(word.start..).is_some_and(|rest| rest.starts_with('|'));
        let inner = usize::from(has_bars);
        let offset = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        Span::new(self.file, offset(word.start + inner), offset(word.end.saturating_sub(inner)))
    }
}

fn head_of(item: &Expression) -> Option<&str> {
    item.list()?.first()?.word()
}
