//! Scopes of names, and the system that is being built.
//!
//! Invariant: every variable of the system has a unique name; one that hides another is renamed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tempora_model::Table;
use tempora_smt::{Enumeration, EnumerationId, Sort, TermStore};
use tempora_source::{Diagnostic, Diagnostics, Origin, Origins, Span, nearest_names};
use tempora_transition::{StateVariable, StateVariableId, VariableRole};

use super::trees::TypeTree;
use crate::codes::symbolic::NAME;

/// The names and the parts of a system that expressions need.
pub(crate) struct Scope<'origins> {
    pub(crate) origins: &'origins mut Origins,
    pub(crate) diagnostics: Diagnostics,
    pub(crate) store: TermStore,
    pub(crate) variables: Table<StateVariableId, StateVariable>,
    used_names: BTreeSet<String>,
    /// The variables by name, the innermost block last.
    blocks: Vec<BTreeMap<String, StateVariableId>>,
    enumerations: HashMap<String, EnumerationId>,
    /// The simple types of the language, with their sorts.
    simple_types: &'static [(&'static str, Sort)],
    /// For each variable, the one that stands for its value after a step.
    pub(crate) next: HashMap<StateVariableId, StateVariableId>,
}

impl<'origins> Scope<'origins> {
    pub(crate) fn new(
        origins: &'origins mut Origins,
        diagnostics: Diagnostics,
        simple_types: &'static [(&'static str, Sort)],
    ) -> Scope<'origins> {
        Scope {
            origins,
            diagnostics,
            store: TermStore::new(),
            variables: Table::new(),
            used_names: BTreeSet::new(),
            blocks: vec![BTreeMap::new()],
            enumerations: HashMap::new(),
            simple_types,
            next: HashMap::new(),
        }
    }

    pub(crate) fn error(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub(crate) fn enter(&mut self) {
        self.blocks.push(BTreeMap::new());
    }

    pub(crate) fn leave(&mut self) {
        if self.blocks.len() > 1 {
            self.blocks.pop();
        }
    }

    /// Declares an enumeration.
    pub(crate) fn declare_enumeration(&mut self, name: &str, span: Span, literals: &[(String, Span)]) {
        if self.enumerations.contains_key(name) || self.simple_type(name).is_some() {
            let message = format!("the type `{name}` is declared twice");
            self.error(
                Diagnostic::error(&NAME, message).with_primary(span, "").with_hint("rename one of them"),
            );
            return;
        }
        let mut names: Vec<String> = Vec::new();
        for (literal, span) in literals {
            if names.contains(literal) {
                let message = format!("`{name}` has two literals `{literal}`");
                self.error(
                    Diagnostic::error(&NAME, message).with_primary(*span, "").with_hint("remove one of them"),
                );
            } else {
                names.push(literal.clone());
            }
        }
        let id = self.store.add_enumeration(Enumeration { name: name.to_owned(), literals: names });
        self.enumerations.insert(name.to_owned(), id);
    }

    fn simple_type(&self, name: &str) -> Option<&'static Sort> {
        self.simple_types.iter().find(|(own, _)| *own == name).map(|(_, sort)| sort)
    }

    /// Resolves a type to its sort.
    pub(crate) fn sort(&mut self, tree: &TypeTree) -> Option<Sort> {
        match tree {
            TypeTree::Bits(width) => Some(Sort::BitVector(*width)),
            TypeTree::Float(format) => Some(Sort::Float(*format)),
            TypeTree::Array(index, element) => {
                let (index, element) = (self.sort(index), self.sort(element));
                Some(Sort::array(index?, element?))
            }
            TypeTree::Named(name, span) => {
                if let Some(sort) = self.simple_type(name) {
                    return Some(sort.clone());
                }
                if let Some(id) = self.enumerations.get(name) {
                    return Some(Sort::Enumeration(*id));
                }
                let message = format!("unknown type `{name}`");
                let mut known: Vec<String> =
                    self.simple_types.iter().map(|(name, _)| (*name).to_owned()).collect();
                known.extend(self.store.enumerations().map(|(_, enumeration)| enumeration.name.clone()));
                let hint = format!("the types are {}", known.join(", "));
                self.error(Diagnostic::error(&NAME, message).with_primary(*span, "").with_hint(hint));
                None
            }
        }
    }

    /// Declares a variable in the innermost block.
    pub(crate) fn declare(
        &mut self,
        name: &str,
        span: Span,
        sort: Sort,
        role: VariableRole,
    ) -> Option<StateVariableId> {
        if self.blocks.last().is_some_and(|block| block.contains_key(name)) {
            let message = format!("the variable `{name}` is declared twice");
            self.error(
                Diagnostic::error(&NAME, message).with_primary(span, "").with_hint("rename one of them"),
            );
            return None;
        }
        let origin = self.origins.written(span);
        let id = self.add_variable(name, sort, role, origin);
        if let Some(block) = self.blocks.last_mut() {
            block.insert(name.to_owned(), id);
        }
        Some(id)
    }

    /// Adds a variable without a name in the text.
    pub(crate) fn add_variable(
        &mut self,
        name: &str,
        sort: Sort,
        role: VariableRole,
        origin: Origin,
    ) -> StateVariableId {
        let mut own = name.to_owned();
        let mut number = 1;
        while !self.used_names.insert(own.clone()) {
            number += 1;
            own = format!("{name}'{number}");
        }
        let symbol = self.store.add_symbol(own.clone(), sort);
        self.variables.push(StateVariable { name: own, symbol, role, origin })
    }

    /// Resolves a name to a variable.
    pub(crate) fn variable(&self, name: &str) -> Option<StateVariableId> {
        self.blocks.iter().rev().find_map(|block| block.get(name).copied())
    }

    /// Resolves a name to a variable; reports an unknown name.
    pub(crate) fn need_variable(&mut self, name: &str, span: Span) -> Option<StateVariableId> {
        let found = self.variable(name);
        if found.is_none() {
            self.unknown_name(name, span);
        }
        found
    }

    /// Resolves a qualified literal, such as `Colour.Red`.
    pub(crate) fn long_literal(&self, name: &str) -> Option<(EnumerationId, u32)> {
        let (enumeration, literal) = name.rsplit_once('.')?;
        self.short_literal(*self.enumerations.get(enumeration)?, literal)
    }

    /// Resolves an unqualified literal where this enumeration is expected.
    pub(crate) fn short_literal(
        &self,
        enumeration: EnumerationId,
        name: &str,
    ) -> Option<(EnumerationId, u32)> {
        let literals = &self.store.enumeration(enumeration).literals;
        let position = literals.iter().position(|literal| literal == name)?;
        Some((enumeration, u32::try_from(position).ok()?))
    }

    /// Returns the enumerations that have a literal of this name.
    pub(crate) fn enumerations_with(&self, literal: &str) -> Vec<EnumerationId> {
        let has = |names: &[String]| names.iter().any(|name| name == literal);
        self.store.enumerations().filter(|(_, one)| has(&one.literals)).map(|(id, _)| id).collect()
    }

    /// Reports an unknown name.
    pub(crate) fn unknown_name(&mut self, name: &str, span: Span) {
        let known: BTreeSet<&str> = self.blocks.iter().flat_map(BTreeMap::keys).map(String::as_str).collect();
        let near = nearest_names(name, known);
        let hint = match near.first() {
            Some(near) => format!("did you mean `{near}`?"),
            None => "declare it, or qualify a literal with its type".to_owned(),
        };
        let message = format!("`{name}` is not declared");
        self.error(Diagnostic::error(&NAME, message).with_primary(span, "").with_hint(hint));
    }
}
