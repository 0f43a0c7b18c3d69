//! Collects the symbols of a model: definitions, and the uses of each with their roles.
//!
//! Invariant: a use belongs to the innermost visible definition, as in elaboration; each template is visited once,
//! regardless of its instances; a tree with errors gives the symbols of the parsed part. A name that is passed by
//! reference counts as used in every role, because its uses there are not tracked.

mod declarations;
mod documentation;
mod expressions;
mod processes;
mod queries;

use std::collections::BTreeMap;

use tempora_source::{Files, Span, Symbol, SymbolId, SymbolKind, SymbolRole, Symbols};
use tempora_syntax::ast::{self, DeclarationKind, Name};

use documentation::documentation;

/// Collects the symbols of a model, with their uses in its queries.
pub fn collect_symbols(files: &Files, model: &ast::Network) -> Symbols {
    let mut collector = Collector::new(files);
    for declaration in &model.declarations {
        if !is_resolved_later(&declaration.kind) {
            collector.declaration(declaration);
        }
    }
    // These may refer to processes that are declared after them, as in elaboration.
    for declaration in &model.declarations {
        if is_resolved_later(&declaration.kind) && !matches!(declaration.kind, DeclarationKind::Queries(_)) {
            collector.declaration(declaration);
        }
    }
    collector.resolve_pending();
    for declaration in &model.declarations {
        if let DeclarationKind::Queries(items) = &declaration.kind {
            items.iter().for_each(|item| collector.query(&item.query));
        }
    }
    collector.symbols
}

fn is_resolved_later(kind: &DeclarationKind) -> bool {
    matches!(
        kind,
        DeclarationKind::System(_)
            | DeclarationKind::Vector(_)
            | DeclarationKind::InputOutput { .. }
            | DeclarationKind::Queries(_)
    )
}

/// The position of a record type in the collector.
type RecordPosition = usize;

/// The symbols of names.
type Names = BTreeMap<String, SymbolId>;

/// The way in which an expression is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Usage {
    /// Its value is used.
    Value,
    /// Only its effect is used.
    Effect,
    /// A reference to it is kept.
    Reference,
}

/// The properties of a type that name resolution needs.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Shape {
    class: Class,
    /// The fields, if it is a record or an array of records.
    record: Option<RecordPosition>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Data,
    Clock,
    Channel { is_broadcast: bool },
}

const DATA: Shape = Shape { class: Class::Data, record: None };

/// Visits a model and keeps track of the visible names.
struct Collector<'files> {
    files: &'files Files,
    symbols: Symbols,
    /// The names of each scope, the innermost last, with the text of the scope.
    scopes: Vec<(Names, Option<Span>)>,
    /// The enclosing template and function, the innermost last.
    containers: Vec<SymbolId>,
    /// For each function, template and instantiation, a flag for each parameter: whether it is a reference.
    references: BTreeMap<SymbolId, Vec<bool>>,
    /// The names in each template that queries can refer to.
    members: BTreeMap<SymbolId, Names>,
    /// The template of each instantiation.
    templates: BTreeMap<SymbolId, SymbolId>,
    /// The fields of each record type.
    records: Vec<Names>,
    /// The shape of each type, variable and function.
    shapes: BTreeMap<SymbolId, Shape>,
    /// Uses in templates of names that may be declared after them.
    pending: Vec<(String, Span, SymbolRole)>,
    in_query: bool,
}

impl<'files> Collector<'files> {
    fn new(files: &'files Files) -> Collector<'files> {
        Collector {
            files,
            symbols: Symbols::new(),
            scopes: vec![(BTreeMap::new(), None)],
            containers: Vec::new(),
            references: BTreeMap::new(),
            members: BTreeMap::new(),
            templates: BTreeMap::new(),
            records: Vec::new(),
            shapes: BTreeMap::new(),
            pending: Vec::new(),
            in_query: false,
        }
    }

    fn find(&self, name: &str) -> Option<SymbolId> {
        self.scopes.iter().rev().find_map(|(scope, _)| scope.get(name)).copied()
    }

    /// Defines a name in the innermost scope. `whole` is the declaration, which a comment may document.
    fn define(&mut self, name: &Name, kind: SymbolKind, value_type: Option<String>, whole: Span) -> SymbolId {
        let outer = &self.scopes[..self.scopes.len() - 1];
        let hides = outer.iter().rev().find_map(|(scope, _)| scope.get(&name.text)).copied();
        let symbol = Symbol {
            value_type,
            documentation: documentation(self.files.text(whole.file), whole.start, whole.end),
            scope: self.scopes.last().and_then(|(_, span)| *span),
            container: self.containers.last().copied(),
            hides,
            ..Symbol::new(name.text.clone(), kind, name.span)
        };
        let id = self.symbols.define(symbol);
        if let Some((scope, _)) = self.scopes.last_mut()
            && !name.text.is_empty()
        {
            scope.insert(name.text.clone(), id);
        }
        id
    }

    /// Defines a name that no scope contains: a field or a location.
    fn define_member(
        &mut self,
        name: &Name,
        kind: SymbolKind,
        value_type: Option<String>,
        whole: Span,
    ) -> SymbolId {
        let symbol = Symbol {
            value_type,
            documentation: documentation(self.files.text(whole.file), whole.start, whole.end),
            scope: self.scopes.last().and_then(|(_, span)| *span),
            container: self.containers.last().copied(),
            ..Symbol::new(name.text.clone(), kind, name.span)
        };
        self.symbols.define(symbol)
    }

    /// Records a use of a name.
    fn use_name(&mut self, name: &str, span: Span, role: SymbolRole) -> Option<SymbolId> {
        let found = self.find(name);
        match found {
            Some(id) => self.use_symbol(id, span, role),
            // All global names are visible in a template, including those declared after it.
            None if !self.containers.is_empty() => self.pending.push((name.to_owned(), span, role)),
            None => {}
        }
        found
    }

    fn use_symbol(&mut self, id: SymbolId, span: Span, role: SymbolRole) {
        self.symbols.add_use(id, span, if self.in_query { SymbolRole::Query } else { role });
    }

    fn resolve_pending(&mut self) {
        for (name, span, role) in std::mem::take(&mut self.pending) {
            if let Some(id) = self.find(&name) {
                self.use_symbol(id, span, role);
            }
        }
    }

    /// Visits a part in a new scope.
    fn scoped(&mut self, scope: Span, walk: impl FnOnce(&mut Self)) {
        self.scopes.push((BTreeMap::new(), Some(scope)));
        walk(self);
        self.scopes.pop();
    }

    /// Visits a part whose names belong to a template or function.
    fn contained(&mut self, container: SymbolId, walk: impl FnOnce(&mut Self)) {
        self.containers.push(container);
        walk(self);
        self.containers.pop();
    }
}
