//! Sends terms to a solver process: each once, with a name made from its id.
//!
//! Invariant: a name is declared or defined before its first use, and only once for each process, because definitions
//! outlive the scope in which they are made.

use std::collections::HashSet;
use std::fmt::Write;

use crate::text::{Naming, SymbolicNames, sort_text, term_text};
use crate::{EnumerationId, Sort, SymbolId, Term, TermId, TermStore, Value};

/// Returns the first commands for a process.
pub(super) fn prelude(seed: u32) -> String {
    format!(
        "(set-option :global-declarations true)\n(set-option :produce-unsat-assumptions true)\n\
         (set-option :produce-models true)\n(set-option :random-seed {seed})\n"
    )
}

/// The names that a process knows.
#[derive(Debug, Default)]
pub(super) struct Script {
    symbols: HashSet<SymbolId>,
    enumerations: HashSet<EnumerationId>,
    terms: HashSet<TermId>,
    assumptions: HashSet<TermId>,
}

/// Names made from ids.
pub(super) struct GeneratedNames<'names> {
    pub(super) terms: &'names HashSet<TermId>,
}

impl Naming for GeneratedNames<'_> {
    fn symbol(&self, _: &TermStore, symbol: SymbolId) -> String {
        symbol_name(symbol)
    }

    fn literal(&self, _: &TermStore, enumeration: EnumerationId, literal: u32) -> String {
        literal_name(enumeration, literal)
    }

    fn enumeration(&self, _: &TermStore, enumeration: EnumerationId) -> String {
        format!("E{}", enumeration.index())
    }

    fn named(&self, term: TermId) -> Option<String> {
        self.terms.contains(&term).then(|| term_name(term))
    }
}

pub(super) fn symbol_name(symbol: SymbolId) -> String {
    format!("s{}", symbol.index())
}

pub(super) fn term_name(term: TermId) -> String {
    format!("t{}", term.index())
}

fn literal_name(enumeration: EnumerationId, literal: u32) -> String {
    format!("E{}_{literal}", enumeration.index())
}

/// Returns the meanings of the names of a process, except those of terms.
pub(super) fn known_names(store: &mut TermStore) -> SymbolicNames {
    let mut names = SymbolicNames::default();
    let enumerations: Vec<(EnumerationId, usize)> =
        store.enumerations().map(|(id, enumeration)| (id, enumeration.literals.len())).collect();
    for (id, literals) in enumerations {
        names.sorts.insert(format!("E{}", id.index()), Sort::Enumeration(id));
        for literal in 0..u32::try_from(literals).unwrap_or(u32::MAX) {
            let term = store.constant(Value::Enumerator(id, literal));
            names.terms.insert(literal_name(id, literal), term);
        }
    }
    names
}

/// Returns the declaration of an enumeration.
fn declaration(store: &TermStore, id: EnumerationId) -> String {
    let count = u32::try_from(store.enumeration(id).literals.len()).unwrap_or(u32::MAX);
    let literals: Vec<String> =
        (0..count).map(|literal| format!("({})", literal_name(id, literal))).collect();
    format!("(declare-datatypes ((E{} 0)) (({})))\n", id.index(), literals.join(" "))
}

impl Script {
    pub(super) fn is_declared(&self, symbol: SymbolId) -> bool {
        self.symbols.contains(&symbol)
    }

    /// Declares the new enumerations of a sort.
    pub(super) fn declare_sort(&mut self, store: &TermStore, sort: &Sort, text: &mut String) {
        match sort {
            Sort::Enumeration(id) => {
                if self.enumerations.insert(*id) {
                    text.push_str(&declaration(store, *id));
                }
            }
            Sort::Array(array) => {
                self.declare_sort(store, &array.index, text);
                self.declare_sort(store, &array.element, text);
            }
            Sort::Boolean | Sort::Integer | Sort::Real | Sort::BitVector(_) | Sort::Float(_) => {}
        }
    }

    /// Returns a name for a term to be written after `text`, which receives the necessary declarations and definitions.
    pub(super) fn name(&mut self, store: &TermStore, term: TermId, text: &mut String) -> String {
        let known = &self.terms;
        for part in store.parts(&[term], |part| known.contains(&part)) {
            self.declare_sort(store, store.sort(part), text);
            match store.term(part) {
                Term::Constant(_) => {}
                Term::Symbol(symbol) => {
                    if self.symbols.insert(*symbol) {
                        let sort = sort_text(store, store.sort(part), &GeneratedNames { terms: &self.terms });
                        // Writing to a string does not fail.
                        let _ = writeln!(text, "(declare-const {} {sort})", symbol_name(*symbol));
                    }
                }
                // Terms without nesting are as short as a name.
                Term::Apply(..) if store.depth(part) < 2 && part != term => {}
                Term::Apply(..) => {
                    let naming = GeneratedNames { terms: &self.terms };
                    let (name, sort) = (term_name(part), sort_text(store, store.sort(part), &naming));
                    let meaning = term_text(store, part, &naming, true);
                    let _ = writeln!(text, "(define-fun {name} () {sort} {meaning})");
                    self.terms.insert(part);
                }
            }
        }
        match store.term(term) {
            Term::Apply(..) => term_name(term),
            _ => term_text(store, term, &GeneratedNames { terms: &self.terms }, true),
        }
    }

    /// Returns a symbol or its negation.
    pub(super) fn literal(&mut self, store: &TermStore, term: TermId, text: &mut String) -> String {
        match store.term(term) {
            Term::Apply(_, inner) => {
                let name = self.name(store, inner[0], text);
                format!("(not {name})")
            }
            _ => self.name(store, term, text),
        }
    }

    /// Returns a constant that can be assumed in place of a term.
    pub(super) fn assumption(&mut self, term: TermId, text: &mut String) -> String {
        let name = format!("a{}", term.index());
        if self.assumptions.insert(term) {
            let _ = writeln!(text, "(declare-const {name} Bool)");
        }
        name
    }
}
