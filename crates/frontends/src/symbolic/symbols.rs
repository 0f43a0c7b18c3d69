//! Collects the names of symbolic languages, with definitions and uses.
//!
//! Invariant: names are resolved as in the lowering, the innermost block first. An unresolved name is not a use.

use std::collections::BTreeMap;

use tempora_source::{Id, Span, Symbol, SymbolId, SymbolKind, SymbolRole, Symbols};

use super::trees::{ExpressionKind, ExpressionTree, TypeTree};

/// A collector for the names of a model.
pub(crate) struct SymbolCollector {
    symbols: Symbols,
    /// The span and the names of each block, the innermost last.
    blocks: Vec<(Option<Span>, BTreeMap<String, SymbolId>)>,
    types: BTreeMap<String, SymbolId>,
    /// The literals of each name, with their types.
    literals: BTreeMap<String, Vec<(String, SymbolId)>>,
}

impl SymbolCollector {
    /// Creates an empty collector.
    pub(crate) fn new() -> SymbolCollector {
        SymbolCollector {
            symbols: Symbols::new(),
            blocks: vec![(None, BTreeMap::new())],
            types: BTreeMap::new(),
            literals: BTreeMap::new(),
        }
    }

    /// Returns the table of all names, in the order of their definitions in the text.
    pub(crate) fn finish(self) -> Symbols {
        let sorted = self.symbols.sorted();
        let ids: BTreeMap<SymbolId, SymbolId> =
            sorted.iter().enumerate().map(|(number, (id, _))| (*id, SymbolId::from_index(number))).collect();
        let mut symbols = Symbols::new();
        for (_, symbol) in sorted {
            let mut symbol = symbol.clone();
            symbol.container = symbol.container.and_then(|id| ids.get(&id).copied());
            symbol.hides = symbol.hides.and_then(|id| ids.get(&id).copied());
            symbols.define(symbol);
        }
        symbols
    }

    /// Begins a block, in which the names declared there are visible.
    pub(crate) fn enter(&mut self, scope: Span) {
        self.blocks.push((Some(scope), BTreeMap::new()));
    }

    /// Ends a block.
    pub(crate) fn leave(&mut self) {
        self.blocks.pop();
    }

    /// Adds a name to the innermost block. Uses refer to the first of two equal names.
    pub(crate) fn define(
        &mut self,
        name: &str,
        kind: SymbolKind,
        span: Span,
        value_type: Option<String>,
    ) -> SymbolId {
        let hides = self.variable(name);
        let mut symbol = Symbol::new(name, kind, span);
        symbol.value_type = value_type;
        if let Some((scope, _)) = self.blocks.last() {
            symbol.scope = *scope;
        }
        let is_new = self.blocks.last().is_some_and(|(_, names)| !names.contains_key(name));
        symbol.hides = hides.filter(|_| is_new);
        let id = self.symbols.define(symbol);
        if let Some((_, names)) = self.blocks.last_mut() {
            names.entry(name.to_owned()).or_insert(id);
        }
        id
    }

    /// Adds a name of a separate name space, such as that of a location.
    pub(crate) fn define_apart(&mut self, name: &str, kind: SymbolKind, span: Span) -> SymbolId {
        let mut symbol = Symbol::new(name, kind, span);
        symbol.scope = self.blocks.last().and_then(|(scope, _)| *scope);
        self.symbols.define(symbol)
    }

    /// Returns whether a variable with this name is visible.
    pub(crate) fn has_variable(&self, name: &str) -> bool {
        self.variable(name).is_some()
    }

    /// Adds a variable, and the use of its type.
    pub(crate) fn define_variable(&mut self, name: &str, kind: SymbolKind, span: Span, tree: &TypeTree) {
        self.define(name, kind, span, Some(type_text(tree)));
        self.use_type(tree);
    }

    /// Adds an enumeration with its literals.
    pub(crate) fn define_enumeration(&mut self, name: &str, span: Span, literals: &[(String, Span)]) {
        let enumeration = self.symbols.define(Symbol::new(name, SymbolKind::Type, span));
        self.types.entry(name.to_owned()).or_insert(enumeration);
        for (literal, span) in literals {
            let mut symbol = Symbol::new(literal, SymbolKind::Constant, *span);
            (symbol.value_type, symbol.container) = (Some(name.to_owned()), Some(enumeration));
            let id = self.symbols.define(symbol);
            self.literals.entry(literal.clone()).or_default().push((name.to_owned(), id));
        }
    }

    /// Makes a symbol the container of another one.
    pub(crate) fn set_container(&mut self, id: SymbolId, container: SymbolId) {
        self.symbols.set_container(id, container);
    }

    /// Adds a use of a variable.
    pub(crate) fn use_variable(&mut self, name: &str, span: Span, role: SymbolRole) {
        if let Some(id) = self.variable(name) {
            self.symbols.add_use(id, span, role);
        }
    }

    /// Adds a use of a symbol.
    pub(crate) fn use_symbol(&mut self, id: SymbolId, span: Span, role: SymbolRole) {
        self.symbols.add_use(id, span, role);
    }

    /// Adds the uses of the names in a type.
    pub(crate) fn use_type(&mut self, tree: &TypeTree) {
        match tree {
            TypeTree::Named(name, span) => self.use_type_name(name, *span),
            TypeTree::Array(index, element) => {
                self.use_type(index);
                self.use_type(element);
            }
            TypeTree::Bits(_) | TypeTree::Float(_) => {}
        }
    }

    /// Adds a use of a type.
    pub(crate) fn use_type_name(&mut self, name: &str, span: Span) {
        if let Some(id) = self.types.get(name) {
            self.symbols.add_use(*id, span, SymbolRole::Type);
        }
    }

    /// Adds the use of a variable or literal in an expression.
    pub(crate) fn use_name(&mut self, name: &str, span: Span, role: SymbolRole) {
        if self.variable(name).is_some() {
            return self.use_variable(name, span, role);
        }
        if let Some((enumeration, literal)) = name.rsplit_once('.') {
            let literals = self.literals.get(literal).into_iter().flatten();
            let known = literals.clone().find(|(of, _)| of == enumeration).map(|(_, id)| *id);
            if let Some(id) = known {
                let dot = span.start + u32::try_from(enumeration.len()).unwrap_or(u32::MAX);
                self.use_type_name(enumeration, Span::new(span.file, span.start, dot));
                self.symbols.add_use(id, Span::new(span.file, dot + 1, span.end), role);
            }
            return;
        }
        // The literal of a short name with several types depends on the expected type, which is unknown here.
        if let Some([(_, id)]) = self.literals.get(name).map(Vec::as_slice) {
            self.symbols.add_use(*id, span, role);
        }
    }

    /// Adds the uses of the names in an expression.
    pub(crate) fn expression(&mut self, tree: &ExpressionTree, role: SymbolRole) {
        match &tree.kind {
            ExpressionKind::Boolean(_)
            | ExpressionKind::Integer(_)
            | ExpressionKind::Rational(..)
            | ExpressionKind::Bits(..)
            | ExpressionKind::Float(..) => {}
            ExpressionKind::Name(name) => self.use_name(name, tree.span, role),
            ExpressionKind::FloatOperation(_, parts)
            | ExpressionKind::BitOperation(_, parts)
            | ExpressionKind::And(parts)
            | ExpressionKind::Or(parts) => {
                for part in parts {
                    self.expression(part, role);
                }
            }
            ExpressionKind::Not(inner) | ExpressionKind::Negative(inner) | ExpressionKind::Prime(inner) => {
                self.expression(inner, role);
            }
            ExpressionKind::Chain(first, rest) => {
                self.expression(first, role);
                for (_, part) in rest {
                    self.expression(part, role);
                }
            }
            ExpressionKind::Relation(_, left, right) | ExpressionKind::Read(left, right) => {
                self.expression(left, role);
                self.expression(right, role);
            }
            ExpressionKind::IfThenElse(one, two, three) | ExpressionKind::Write(one, two, three) => {
                for part in [one, two, three] {
                    self.expression(part, role);
                }
            }
            ExpressionKind::ArrayLiteral { index, entries, rest } => {
                if let Some(index) = index {
                    self.use_type(index);
                }
                for (index, element) in entries {
                    self.expression(index, role);
                    self.expression(element, role);
                }
                self.expression(rest, role);
            }
        }
    }

    fn variable(&self, name: &str) -> Option<SymbolId> {
        self.blocks.iter().rev().find_map(|(_, names)| names.get(name).copied())
    }
}

/// Returns a type in the notation of the languages.
fn type_text(tree: &TypeTree) -> String {
    match tree {
        TypeTree::Named(name, _) => name.clone(),
        TypeTree::Bits(width) => format!("bv[{width}]"),
        TypeTree::Float(format) => format!("fp[{}:{}]", format.exponent_bits(), format.significand_bits()),
        TypeTree::Array(index, element) => format!("[{}] -> {}", type_text(index), type_text(element)),
    }
}
