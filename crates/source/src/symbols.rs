//! The symbol table of a model, for all languages: names with their definitions and uses.
//!
//! Invariant: the ids of symbols follow the order of their definitions in the text of the language. Names do not
//! overlap, so that every place has at most one symbol.

use std::collections::{BTreeMap, BTreeSet};

use crate::{FileId, Files, Span, Table, declare_ids};

declare_ids! {
    /// A symbol of a table.
    SymbolId;
}

/// The symbols of a model.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    entries: Table<SymbolId, Symbol>,
    /// The symbol at each definition and use.
    places: BTreeMap<Span, SymbolId>,
    by_name: BTreeMap<String, Vec<SymbolId>>,
}

/// A name with its definition and its uses.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// The kind of the named entity.
    pub kind: SymbolKind,
    /// The span of the name in its definition.
    pub definition: Span,
    /// The uses, in the order of their places.
    pub uses: BTreeSet<SymbolUse>,
    /// The type, in the syntax of the language.
    pub value_type: Option<String>,
    /// The comment immediately before the definition, or else after it on the same line.
    pub documentation: Option<String>,
    /// The scope of the name; `None` is the whole model.
    pub scope: Option<Span>,
    /// The template, function or record that contains the definition.
    pub container: Option<SymbolId>,
    /// The symbol of an outer scope that this symbol shadows.
    pub hides: Option<SymbolId>,
}

/// One use of a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SymbolUse {
    /// The place of the name.
    pub span: Span,
    /// The purpose of the use.
    pub role: SymbolRole,
}

/// The purpose of a use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SymbolRole {
    /// Its value is read.
    Read,
    /// It is assigned to.
    Write,
    /// It is assigned to, and the value is used.
    ReadWrite,
    /// It is passed by reference, or its rate is set: it may be read, written, sent and received.
    Reference,
    /// A function is called.
    Call,
    /// A type is used to declare something.
    Type,
    /// A template or process is instantiated or listed.
    Instance,
    /// An edge sends on a channel.
    Send,
    /// An edge receives on a channel.
    Receive,
    /// An edge synchronises on a channel without a direction.
    Synchronise,
    /// A channel gets a priority.
    Priority,
    /// A location is the end of an edge, or is marked as initial, urgent or committed.
    Location,
    /// A query or a named specification refers to it.
    Query,
}

/// The kind of a named entity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SymbolKind {
    /// A variable of the state.
    Variable,
    /// A constant.
    Constant,
    /// A clock.
    Clock,
    /// A channel between two processes.
    Channel,
    /// A channel with any number of receivers.
    BroadcastChannel,
    /// A type.
    Type,
    /// A field of a record.
    Field,
    /// A function.
    Function,
    /// A parameter of a template.
    TemplateParameter,
    /// A parameter of a function.
    FunctionParameter,
    /// A local variable of a function.
    Local,
    /// A name bound by the select of an edge.
    Select,
    /// A name bound by a quantifier, a loop or an instantiation.
    Bound,
    /// A name bound by a quantifier in a query.
    QueryBound,
    /// A template, or a process that is declared directly.
    Template,
    /// A named instance of a template.
    Process,
    /// A location.
    Location,
    /// A point at which an edge branches.
    BranchPoint,
    /// A named expression over specifications.
    Specification,
}

impl Symbols {
    /// Creates an empty table.
    pub fn new() -> Symbols {
        Symbols::default()
    }

    /// Adds a symbol.
    pub fn define(&mut self, symbol: Symbol) -> SymbolId {
        let id = self.entries.next_id();
        self.places.entry(symbol.definition).or_insert(id);
        for symbol_use in &symbol.uses {
            self.places.entry(symbol_use.span).or_insert(id);
        }
        self.by_name.entry(symbol.name.clone()).or_default().push(id);
        self.entries.push(symbol)
    }

    /// Adds a use of a symbol. A definition may also be a use, such as that of a component that is also a process.
    pub fn add_use(&mut self, id: SymbolId, span: Span, role: SymbolRole) {
        self.entries[id].uses.insert(SymbolUse { span, role });
        self.places.entry(span).or_insert(id);
    }

    /// Sets the container of a symbol.
    pub fn set_container(&mut self, id: SymbolId, container: SymbolId) {
        self.entries[id].container = Some(container);
    }

    /// Returns the number of symbols.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether the table is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns all symbols in the order of definition.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        self.entries.iter()
    }

    /// Returns all symbols in the order of the spans of their definitions.
    pub fn sorted(&self) -> Vec<(SymbolId, &Symbol)> {
        let mut symbols: Vec<(SymbolId, &Symbol)> = self.entries.iter().collect();
        symbols.sort_by_key(|(id, symbol)| (symbol.definition, *id));
        symbols
    }

    /// Returns the symbol whose definition or use includes an offset. The position after the last character of a name
    /// counts as part of it, as for a cursor in an editor.
    pub fn at(&self, file: FileId, offset: u32) -> Option<SymbolId> {
        let before = self.places.range(..=Span::new(file, offset, u32::MAX)).rev();
        // A name that starts here takes precedence over a name that ends here.
        before.take(2).find(|(span, _)| span.file == file && offset <= span.end).map(|(_, &id)| id)
    }

    /// Returns the innermost symbol with this name that is visible at a place of a file.
    ///
    /// Scopes are compared within one file; use [`Symbols::in_real_files`] for embedded texts.
    pub fn visible(&self, name: &str, file: FileId, offset: u32) -> Option<SymbolId> {
        let is_visible = |scope: Option<Span>| {
            scope.is_none_or(|scope| scope.file == file && scope.start <= offset && offset <= scope.end)
        };
        let size =
            |scope: Option<Span>| scope.map_or(u32::MAX, |scope| scope.end.saturating_sub(scope.start));
        let candidates = self.by_name.get(name).into_iter().flatten().copied();
        candidates
            .filter(|&id| is_visible(self.entries[id].scope) && self.entries[id].kind != SymbolKind::Field)
            .min_by_key(|&id| (size(self.entries[id].scope), id))
    }

    /// Returns the spans of all occurrences of a symbol, its definition first, for renaming.
    pub fn occurrences(&self, id: SymbolId) -> Vec<Span> {
        let symbol = &self.entries[id];
        let mut occurrences = vec![symbol.definition];
        let places = symbol.uses.iter().map(|symbol_use| symbol_use.span);
        occurrences.extend(places.filter(|&place| place != symbol.definition));
        // One place may have several roles.
        occurrences.dedup();
        occurrences
    }

    /// Returns the same symbols with all spans mapped from embedded texts to real files.
    #[must_use]
    pub fn in_real_files(&self, files: &Files) -> Symbols {
        let mut moved = Symbols::new();
        for symbol in self.entries.values() {
            let mut symbol = symbol.clone();
            symbol.definition = files.outermost(symbol.definition);
            symbol.scope = symbol.scope.map(|scope| files.outermost(scope));
            let uses = symbol.uses.into_iter();
            symbol.uses = uses
                .map(|SymbolUse { span, role }| SymbolUse { span: files.outermost(span), role })
                .collect();
            moved.define(symbol);
        }
        moved
    }
}

impl std::ops::Index<SymbolId> for Symbols {
    type Output = Symbol;

    fn index(&self, id: SymbolId) -> &Symbol {
        &self.entries[id]
    }
}

impl Symbol {
    /// Creates a symbol without uses that is visible everywhere.
    pub fn new(name: impl Into<String>, kind: SymbolKind, definition: Span) -> Symbol {
        Symbol {
            name: name.into(),
            kind,
            definition,
            uses: BTreeSet::new(),
            value_type: None,
            documentation: None,
            scope: None,
            container: None,
            hides: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Symbol, SymbolKind, SymbolRole, Symbols};
    use crate::{EmbeddedText, FileId, Files, Span, decode_xml_text};

    fn span(start: u32, end: u32) -> Span {
        Span::new(FileId::from_index(0), start, end)
    }

    /// `int x; f(x) { int x; x = g; }` with a global `x`, a local `x` and a function.
    fn shadowed() -> Symbols {
        let mut symbols = Symbols::new();
        let outer = symbols.define(Symbol::new("x", SymbolKind::Variable, span(4, 5)));
        symbols.define(Symbol::new("f", SymbolKind::Function, span(7, 8)));
        let mut inner = Symbol::new("x", SymbolKind::Local, span(18, 19));
        (inner.scope, inner.hides) = (Some(span(12, 30)), Some(outer));
        let inner = symbols.define(inner);
        symbols.add_use(inner, span(21, 22), SymbolRole::Write);
        symbols.add_use(outer, span(9, 10), SymbolRole::Read);
        symbols
    }

    #[test]
    fn offset_finds_definition_or_use() {
        let symbols = shadowed();
        let found = |offset| {
            let id = symbols.at(FileId::from_index(0), offset)?;
            Some((symbols[id].name.as_str(), symbols[id].kind))
        };
        assert_eq!(found(4), Some(("x", SymbolKind::Variable)));
        assert_eq!(found(5), Some(("x", SymbolKind::Variable)), "after the name");
        assert_eq!(found(6), None);
        assert_eq!(found(7), Some(("f", SymbolKind::Function)));
        assert_eq!(found(9), Some(("x", SymbolKind::Variable)), "a use");
        assert_eq!(found(21), Some(("x", SymbolKind::Local)), "a use");
        assert_eq!(symbols.at(FileId::from_index(1), 4), None);
    }

    #[test]
    fn adjacent_names_belong_to_their_starts() {
        let mut symbols = Symbols::new();
        let first = symbols.define(Symbol::new("a", SymbolKind::Variable, span(0, 1)));
        let second = symbols.define(Symbol::new("b", SymbolKind::Variable, span(1, 2)));
        let found: Vec<_> = (0..3).map(|offset| symbols.at(FileId::from_index(0), offset)).collect();
        assert_eq!(found, [Some(first), Some(second), Some(second)]);
    }

    #[test]
    fn innermost_name_is_visible() {
        let symbols = shadowed();
        let kind =
            |name, offset| symbols.visible(name, FileId::from_index(0), offset).map(|id| symbols[id].kind);
        assert_eq!(kind("x", 6), Some(SymbolKind::Variable));
        assert_eq!(kind("x", 20), Some(SymbolKind::Local));
        assert_eq!(kind("x", 31), Some(SymbolKind::Variable));
        assert_eq!(kind("y", 20), None);
    }

    #[test]
    fn occurrences_start_with_definition() {
        let mut symbols = shadowed();
        let id = symbols.at(FileId::from_index(0), 18).unwrap();
        symbols.add_use(id, span(21, 22), SymbolRole::Read);
        symbols.add_use(id, span(18, 19), SymbolRole::Read);
        assert_eq!(symbols.occurrences(id), [span(18, 19), span(21, 22)]);
        let hidden = symbols[id].hides.unwrap();
        assert_eq!(symbols.occurrences(hidden), [span(4, 5), span(9, 10)]);
    }

    #[test]
    fn iteration_follows_definitions() {
        let mut symbols = Symbols::new();
        for (name, start) in [("late", 9), ("early", 2), ("middle", 5)] {
            symbols.define(Symbol::new(name, SymbolKind::Variable, span(start, start + 1)));
        }
        let in_order: Vec<&str> = symbols.iter().map(|(_, symbol)| symbol.name.as_str()).collect();
        assert_eq!(in_order, ["late", "early", "middle"]);
        let sorted: Vec<&str> = symbols.sorted().iter().map(|(_, symbol)| symbol.name.as_str()).collect();
        assert_eq!(sorted, ["early", "middle", "late"]);
    }

    #[test]
    fn embedded_names_move_to_real_file() {
        let mut files = Files::new();
        let file = files.add("model.xml", "<label>a &lt; b</label>").unwrap();
        let (text, _): (EmbeddedText, _) = decode_xml_text(&files, Span::new(file, 7, 15));
        let label = files.add_embedded("guard", text);
        let mut symbols = Symbols::new();
        let id = symbols.define(Symbol::new("a", SymbolKind::Variable, Span::new(label, 0, 1)));
        symbols.add_use(id, Span::new(label, 4, 5), SymbolRole::Read);
        let moved = symbols.in_real_files(&files);
        assert_eq!(moved.occurrences(id), [Span::new(file, 7, 8), Span::new(file, 14, 15)]);
        assert_eq!(moved.at(file, 14), Some(id));
    }
}
