//! The declarations of a model with their uses: read, written, sent, received, or mentioned in a query.
//!
//! Invariant: every declaration of a name that a query mentions counts as used. All other uses come from the symbols of
//! the model.

use std::collections::{BTreeMap, BTreeSet};

use tempora_model::Query;
use tempora_source::{Files, Span, Symbol, SymbolId, SymbolKind, SymbolRole, SymbolUse, Symbols};
use tempora_syntax::ast::{DeclarationKind, Network};

/// All declarations of a model.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) declared: Vec<DeclaredName>,
}

/// A declaration with its uses.
pub(crate) struct DeclaredName {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) kind: SymbolKind,
    /// The template that contains the declaration.
    pub(crate) template: Option<String>,
    /// Whether its value is read, or it is tested, called or mentioned in any other way.
    pub(crate) is_read: bool,
    pub(crate) is_written: bool,
    pub(crate) is_sent: bool,
    pub(crate) is_received: bool,
    pub(crate) is_in_query: bool,
    /// The declaration that it shadows.
    pub(crate) hides: Option<usize>,
}

impl DeclaredName {
    /// Creates a declaration with its uses in the model, without queries and shadowing.
    fn new(files: &Files, symbols: &Symbols, symbol: &Symbol) -> DeclaredName {
        use SymbolRole::{
            Call, Instance, Read, ReadWrite, Receive, Reference, Send, Synchronise, Type, Write,
        };
        let definition = files.outermost(symbol.definition);
        // FIXME: a template that another template spawns before its declaration counts as unused.
        let counts = |found: &SymbolUse| {
            let place = files.outermost(found.span);
            symbol.kind != SymbolKind::Template
                || place.file != definition.file
                || place.start >= definition.start
        };
        let has = |roles: &[SymbolRole]| {
            symbol.uses.iter().any(|found| roles.contains(&found.role) && counts(found))
        };
        DeclaredName {
            name: symbol.name.clone(),
            span: symbol.definition,
            kind: symbol.kind,
            template: template_of(symbols, symbol),
            is_read: has(&[Read, ReadWrite, Reference, Call, Type, Instance]),
            is_written: has(&[Write, ReadWrite, Reference]),
            is_sent: has(&[Send, Synchronise, Reference]),
            is_received: has(&[Receive, Synchronise, Reference]),
            is_in_query: false,
            hides: None,
        }
    }

    /// Returns whether the declaration has no use at all.
    pub(crate) fn is_unused(&self) -> bool {
        !(self.is_read || self.is_written || self.is_sent || self.is_received || self.is_in_query)
    }

    /// Returns the name, qualified by the template.
    pub(crate) fn qualified(&self) -> String {
        match &self.template {
            Some(template) => format!("{template}.{}", self.name),
            None => self.name.clone(),
        }
    }
}

impl Names {
    pub(crate) fn of(symbols: &Symbols, files: &Files, tree: &Network, queries: &[Query]) -> Names {
        let mut texts: Vec<&str> = queries.iter().map(|query| query.text.as_str()).collect();
        for declaration in &tree.declarations {
            if let DeclarationKind::Queries(items) = &declaration.kind {
                texts.extend(items.iter().map(|item| files.text_at(item.span)));
            }
        }
        let asked: BTreeSet<&str> = texts.into_iter().flat_map(words).collect();
        // Positions in `declared`; only declarations can be shadowed.
        let mut positions: BTreeMap<SymbolId, usize> = BTreeMap::new();
        let mut names = Names::default();
        for (id, symbol) in symbols.iter().filter(|(_, symbol)| is_declaration(symbol.kind)) {
            positions.insert(id, names.declared.len());
            let mut declared = DeclaredName::new(files, symbols, symbol);
            declared.hides = symbol.hides.and_then(|hidden| positions.get(&hidden).copied());
            let can_be_asked = !matches!(
                declared.kind,
                SymbolKind::Local | SymbolKind::Bound | SymbolKind::Select | SymbolKind::FunctionParameter
            );
            declared.is_in_query = can_be_asked && asked.contains(declared.name.as_str());
            names.declared.push(declared);
        }
        names
    }

    /// Returns the declarations whose kind satisfies a predicate.
    pub(crate) fn of_kind(
        &self,
        is_selected: impl Fn(SymbolKind) -> bool,
    ) -> impl Iterator<Item = &DeclaredName> {
        self.declared.iter().filter(move |declared| is_selected(declared.kind))
    }
}

/// Returns whether symbols of a kind are declarations of the model, not parts of a declaration or of a query.
fn is_declaration(kind: SymbolKind) -> bool {
    use SymbolKind::{BranchPoint, Field, Location, QueryBound, Specification};
    !matches!(kind, BranchPoint | Field | Location | QueryBound | Specification)
}

/// Returns the name of the template that contains a symbol.
fn template_of(symbols: &Symbols, symbol: &Symbol) -> Option<String> {
    let mut container = symbol.container;
    while let Some(id) = container {
        if symbols[id].kind == SymbolKind::Template {
            return Some(symbols[id].name.clone());
        }
        container = symbols[id].container;
    }
    None
}

/// Returns the words of a text that can be names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric() && character != '_')
        .filter(|word| !word.is_empty())
}
