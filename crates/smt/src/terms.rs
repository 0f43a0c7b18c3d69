//! A store of terms with sharing.
//!
//! Invariant: two terms with the same operator and arguments have the same id; the arguments of a term have smaller ids
//! than the term, so that terms can be processed in the order of their ids without recursion. Every term in a store has
//! a sort.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::{Enumeration, EvaluationError, Operator, Sort, Value};

/// A term of a store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TermId(u32);

/// A symbol of a store: a constant that a model assigns a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SymbolId(u32);

/// An enumeration of a store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EnumerationId(u32);

impl TermId {
    /// Returns the position in the store.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl SymbolId {
    /// Returns the position in the store.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl EnumerationId {
    /// Returns the position in the store.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kinds of terms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A value.
    Constant(Value),
    /// A symbol.
    Symbol(SymbolId),
    /// An operator with its arguments.
    Apply(Operator, Box<[TermId]>),
}

/// The error that an operator was applied to arguments of the wrong sorts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortError {
    /// The operator.
    pub operator: Operator,
    /// The sorts of the arguments.
    pub arguments: Vec<Sort>,
}

#[derive(Clone, Debug)]
struct TermRecord {
    term: Term,
    sort: Sort,
    /// The length of the longest path to a leaf.
    depth: u32,
    /// The number of subterms, each counted as often as it is used.
    size: u64,
}

#[derive(Clone, Debug)]
struct SymbolRecord {
    name: String,
    sort: Sort,
    term: TermId,
}

/// Terms, symbols and enumerations.
#[derive(Clone, Debug, Default)]
pub struct TermStore {
    records: Vec<TermRecord>,
    ids: HashMap<Term, TermId>,
    symbols: Vec<SymbolRecord>,
    enumerations: Vec<Enumeration>,
}

/// Converts an index: a store never has more than 2^32 entries, which would not fit into memory.
fn dense(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

impl TermStore {
    /// Creates a store without terms.
    pub fn new() -> TermStore {
        TermStore::default()
    }

    /// Declares an enumeration.
    pub fn add_enumeration(&mut self, enumeration: Enumeration) -> EnumerationId {
        self.enumerations.push(enumeration);
        EnumerationId(dense(self.enumerations.len() - 1))
    }

    /// Returns an enumeration.
    pub fn enumeration(&self, id: EnumerationId) -> &Enumeration {
        &self.enumerations[id.index()]
    }

    /// Returns all enumerations, in the order of their declaration.
    pub fn enumerations(&self) -> impl Iterator<Item = (EnumerationId, &Enumeration)> {
        self.enumerations.iter().enumerate().map(|(index, one)| (EnumerationId(dense(index)), one))
    }

    /// Returns the name of a literal.
    pub fn literal_name(&self, id: EnumerationId, literal: u32) -> &str {
        self.enumeration(id).literals.get(literal as usize).map_or("?", String::as_str)
    }

    /// Declares a symbol; several may have the same name.
    pub fn add_symbol(&mut self, name: impl Into<String>, sort: Sort) -> SymbolId {
        let symbol = SymbolId(dense(self.symbols.len()));
        let term = self.intern(Term::Symbol(symbol), sort.clone(), 0, 1);
        self.symbols.push(SymbolRecord { name: name.into(), sort, term });
        symbol
    }

    /// Returns the number of symbols.
    pub fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    /// Returns the name of a symbol.
    pub fn symbol_name(&self, symbol: SymbolId) -> &str {
        &self.symbols[symbol.index()].name
    }

    /// Returns the sort of a symbol.
    pub fn symbol_sort(&self, symbol: SymbolId) -> &Sort {
        &self.symbols[symbol.index()].sort
    }

    /// Returns the term of a symbol.
    pub fn symbol(&self, symbol: SymbolId) -> TermId {
        self.symbols[symbol.index()].term
    }

    /// Returns the term of a value.
    pub fn constant(&mut self, value: Value) -> TermId {
        let sort = value.sort();
        self.intern(Term::Constant(value), sort, 0, 1)
    }

    /// Returns an application without simplification.
    pub fn apply(&mut self, operator: Operator, arguments: &[TermId]) -> Result<TermId, SortError> {
        let sorts: Vec<&Sort> = arguments.iter().map(|argument| self.sort(*argument)).collect();
        let Some(sort) = operator.result_sort(&sorts) else {
            let arguments = sorts.into_iter().cloned().collect();
            return Err(SortError { operator, arguments });
        };
        let depth = arguments.iter().map(|argument| self.depth(*argument) + 1).max().unwrap_or(0);
        let size =
            arguments.iter().fold(1u64, |size, argument| size.saturating_add(self.written_size(*argument)));
        Ok(self.intern(Term::Apply(operator, arguments.into()), sort, depth, size))
    }

    fn intern(&mut self, term: Term, sort: Sort, depth: u32, size: u64) -> TermId {
        if let Some(id) = self.ids.get(&term) {
            return *id;
        }
        tempora_interrupt::checkpoint();
        let id = TermId(dense(self.records.len()));
        self.ids.insert(term.clone(), id);
        self.records.push(TermRecord { term, sort, depth, size });
        id
    }

    /// Returns the contents of a term.
    pub fn term(&self, id: TermId) -> &Term {
        &self.records[id.index()].term
    }

    /// Returns the sort of a term.
    pub fn sort(&self, id: TermId) -> &Sort {
        &self.records[id.index()].sort
    }

    /// Returns the nesting depth of a term.
    pub fn depth(&self, id: TermId) -> u32 {
        self.records[id.index()].depth
    }

    /// Returns the number of operators, symbols and values in a term written without sharing.
    pub fn written_size(&self, id: TermId) -> u64 {
        self.records[id.index()].size
    }

    /// Returns the number of terms.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns the value of a constant term.
    pub fn as_value(&self, id: TermId) -> Option<&Value> {
        match self.term(id) {
            Term::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the truth value of a constant term.
    pub fn as_boolean(&self, id: TermId) -> Option<bool> {
        self.as_value(id).and_then(Value::as_boolean)
    }

    /// Returns all subterms, each once and after its arguments; terms for which `is_known` returns true are left out
    /// with their subterms.
    pub fn parts(&self, roots: &[TermId], mut is_known: impl FnMut(TermId) -> bool) -> Vec<TermId> {
        let mut found = BTreeSet::new();
        let mut open: Vec<TermId> = roots.to_vec();
        while let Some(id) = open.pop() {
            if is_known(id) || !found.insert(id) {
                continue;
            }
            if let Term::Apply(_, arguments) = self.term(id) {
                open.extend(arguments.iter().copied());
            }
        }
        found.into_iter().collect()
    }

    /// Returns the symbols that occur in terms.
    pub fn symbols_of(&self, roots: &[TermId]) -> BTreeSet<SymbolId> {
        self.parts(roots, |_| false)
            .into_iter()
            .filter_map(|id| match self.term(id) {
                Term::Symbol(symbol) => Some(*symbol),
                _ => None,
            })
            .collect()
    }

    /// Returns the conjuncts of a formula; a term other than a conjunction is its only conjunct.
    pub fn conjuncts(&self, id: TermId) -> Vec<TermId> {
        let mut parts = Vec::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            match self.term(id) {
                Term::Apply(Operator::And, arguments) => open.extend(arguments.iter().rev().copied()),
                _ => parts.push(id),
            }
        }
        parts
    }

    /// Returns the atoms of a formula: its Boolean subterms without Boolean arguments.
    pub fn atoms(&self, id: TermId) -> BTreeSet<TermId> {
        let mut atoms = BTreeSet::new();
        let mut open = vec![id];
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.term(id) {
                Term::Apply(Operator::Not | Operator::And | Operator::Or, arguments) => {
                    open.extend(arguments.iter().copied());
                }
                Term::Apply(Operator::IfThenElse | Operator::Equal, arguments)
                    if *self.sort(arguments[arguments.len() - 1]) == Sort::Boolean =>
                {
                    open.extend(arguments.iter().copied());
                }
                Term::Constant(_) => {}
                _ => {
                    atoms.insert(id);
                }
            }
        }
        atoms
    }

    /// Substitutes terms for symbols; other symbols stay. The result is simplified.
    pub fn substitute(&mut self, id: TermId, replacement: &BTreeMap<SymbolId, TermId>) -> TermId {
        let mut done = HashMap::new();
        self.substitute_with(id, replacement, &mut done)
    }

    /// Substitutes in several terms with the same replacement; `done` caches results.
    pub fn substitute_with(
        &mut self,
        id: TermId,
        replacement: &BTreeMap<SymbolId, TermId>,
        done: &mut HashMap<TermId, TermId>,
    ) -> TermId {
        for part in self.parts(&[id], |part| done.contains_key(&part)) {
            let replaced = match self.term(part) {
                Term::Constant(_) => part,
                Term::Symbol(symbol) => replacement.get(symbol).copied().unwrap_or(part),
                Term::Apply(operator, arguments) => {
                    let operator = operator.clone();
                    let new: Vec<TermId> = arguments
                        .iter()
                        .map(|argument| done.get(argument).copied().unwrap_or(*argument))
                        .collect();
                    self.simplified(&operator, &new)
                }
            };
            done.insert(part, replaced);
        }
        done.get(&id).copied().unwrap_or(id)
    }

    /// Evaluates a term with these values of symbols; returns `Ok(None)` if the value depends on a symbol without one.
    ///
    /// A subterm without a value (division by zero) is an error only if the value of the term depends on it.
    pub fn evaluate(
        &self,
        id: TermId,
        value_of: &dyn Fn(SymbolId) -> Option<Value>,
    ) -> Result<Option<Value>, EvaluationError> {
        let mut values: HashMap<TermId, Result<Option<Value>, EvaluationError>> = HashMap::new();
        for part in self.parts(&[id], |_| false) {
            let value = match self.term(part) {
                Term::Constant(value) => Ok(Some(value.clone())),
                Term::Symbol(symbol) => Ok(value_of(*symbol)),
                Term::Apply(operator, arguments) => {
                    let arguments: Vec<&Result<Option<Value>, EvaluationError>> =
                        arguments.iter().filter_map(|argument| values.get(argument)).collect();
                    self.combine(operator, &arguments)
                }
            };
            values.insert(part, value);
        }
        values.remove(&id).unwrap_or(Ok(None))
    }

    /// Evaluates an operator over arguments that may be unknown or erroneous; some operators are decided by one
    /// argument.
    fn combine(
        &self,
        operator: &Operator,
        arguments: &[&Result<Option<Value>, EvaluationError>],
    ) -> Result<Option<Value>, EvaluationError> {
        let decisive = match operator {
            Operator::And => Some(false),
            Operator::Or => Some(true),
            _ => None,
        };
        if let Some(decisive) = decisive {
            let decides = |argument: &&Result<Option<Value>, EvaluationError>| matches!(argument, Ok(Some(Value::Boolean(value))) if *value == decisive);
            if arguments.iter().any(decides) {
                return Ok(Some(Value::Boolean(decisive)));
            }
        }
        if let (Operator::IfThenElse, [Ok(Some(Value::Boolean(condition))), then, otherwise]) =
            (operator, arguments)
        {
            return if *condition { (*then).clone() } else { (*otherwise).clone() };
        }
        let mut known = Vec::with_capacity(arguments.len());
        let mut is_unknown = false;
        for argument in arguments {
            match argument {
                Ok(Some(value)) => known.push(value.clone()),
                Ok(None) => is_unknown = true,
                Err(error) => return Err(*error),
            }
        }
        if is_unknown { Ok(None) } else { operator.apply(self, &known).map(Some) }
    }
}
