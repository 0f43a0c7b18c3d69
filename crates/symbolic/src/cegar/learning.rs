//! Refinement of a precision with new formulas.
//!
//! Invariant: a formula adds predicates or variables that are not in the precision yet, or nothing; a variable tracked
//! by its values remains so.

use std::collections::{BTreeMap, BTreeSet};

use tempora_smt::{Operator, Sort, SymbolId, Term, TermId, TermStore};
use tempora_transition::{StateVariableId, StatementKind, SymbolicStatement, SymbolicSystem};

use super::context::Context;
use super::domain::Precision;
use super::{AutomaticValues, PredicateSplit};

/// The atoms of the model about its variables, which distinguish new atoms of a refinement.
pub(super) struct Vocabulary {
    atoms: BTreeSet<TermId>,
    /// The terms with which each variable is compared, and those assigned to it.
    operands: BTreeMap<SymbolId, BTreeSet<TermId>>,
}

impl Vocabulary {
    /// Collects the vocabulary of a system with the property `condition`.
    pub(super) fn of(system: &SymbolicSystem, condition: TermId) -> Vocabulary {
        let mut vocabulary = Vocabulary { atoms: BTreeSet::new(), operands: BTreeMap::new() };
        vocabulary.add(&system.store, condition);
        vocabulary.add(&system.store, system.initial);
        let mut open: Vec<&SymbolicStatement> = system.edges.values().map(|edge| &edge.statement).collect();
        while let Some(statement) = open.pop() {
            open.extend(statement.parts());
            match &statement.kind {
                StatementKind::Assume(formula) => vocabulary.add(&system.store, *formula),
                StatementKind::Assign(variable, value) => {
                    let symbol = system.variables[*variable].symbol;
                    vocabulary.operands.entry(symbol).or_default().insert(*value);
                }
                StatementKind::Havoc(_)
                | StatementKind::Sequence(_)
                | StatementKind::Choice(_)
                | StatementKind::Loop { .. } => {}
            }
        }
        vocabulary
    }

    fn add(&mut self, store: &TermStore, formula: TermId) {
        for atom in store.atoms(formula) {
            self.atoms.insert(atom);
            for (symbol, operand) in comparisons(store, atom) {
                self.operands.entry(symbol).or_default().insert(operand);
            }
        }
    }

    /// Returns the symbols of an atom that it uses in a new way.
    fn new_symbols(&self, store: &TermStore, atom: TermId, how: AutomaticValues) -> BTreeSet<SymbolId> {
        match how {
            AutomaticValues::Static => BTreeSet::new(),
            AutomaticValues::NewAtoms if self.atoms.contains(&atom) => BTreeSet::new(),
            AutomaticValues::NewAtoms => store.symbols_of(&[atom]),
            AutomaticValues::NewOperands => comparisons(store, atom)
                .into_iter()
                .filter(|(symbol, operand)| {
                    !self.operands.get(symbol).is_some_and(|known| known.contains(operand))
                })
                .map(|(symbol, _)| symbol)
                .collect(),
        }
    }
}

/// Returns the variables that an atom compares, with the other sides.
fn comparisons(store: &TermStore, atom: TermId) -> Vec<(SymbolId, TermId)> {
    let Term::Apply(Operator::Equal | Operator::Less | Operator::LessEqual, sides) = store.term(atom) else {
        return Vec::new();
    };
    let pairs = [(sides[0], sides[1]), (sides[1], sides[0])];
    pairs
        .into_iter()
        .filter_map(|(side, other)| match store.term(side) {
            Term::Symbol(symbol) => Some((*symbol, other)),
            _ => None,
        })
        .collect()
}

impl Precision {
    /// Adds the contents of formulas to the precision; returns whether anything was new.
    pub(super) fn learn(&mut self, context: &mut Context<'_>, formulas: &[TermId]) -> bool {
        let before = (self.variables.len(), self.predicates.len());
        for formula in formulas {
            if context.options.domain.predicates().is_none() {
                let named = variables_of(context, &context.store.symbols_of(&[*formula]));
                self.variables.extend(named);
            } else {
                self.learn_predicates(context, *formula);
            }
        }
        before != (self.variables.len(), self.predicates.len())
    }

    fn learn_predicates(&mut self, context: &mut Context<'_>, formula: TermId) {
        if context.options.domain.has_values() {
            for atom in context.store.atoms(formula) {
                let new_symbols =
                    context.vocabulary.new_symbols(&context.store, atom, context.options.automatic_values);
                for variable in variables_of(context, &new_symbols) {
                    // The values of these sorts can be enumerated.
                    if !matches!(context.system.sort_of(variable), Sort::Real | Sort::Array(_)) {
                        self.variables.insert(variable);
                    }
                }
            }
        }
        let parts: Vec<TermId> = match context.options.split {
            PredicateSplit::Whole => vec![formula],
            PredicateSplit::Conjuncts => context.store.conjuncts(formula),
            PredicateSplit::Atoms => context.store.atoms(formula).into_iter().collect(),
        };
        for part in parts {
            let predicate = match context.store.term(part) {
                Term::Apply(Operator::Not, inner) => inner[0],
                Term::Constant(_) => continue,
                _ => part,
            };
            // A predicate about variables with known values adds nothing.
            let named = variables_of(context, &context.store.symbols_of(&[predicate]));
            let is_known = context.options.most_successors == 0
                && named.iter().all(|variable| self.variables.contains(variable));
            if !is_known && !self.predicates.contains(&predicate) {
                self.predicates.push(predicate);
            }
        }
    }
}

fn variables_of(context: &Context<'_>, symbols: &BTreeSet<SymbolId>) -> Vec<StateVariableId> {
    let named = context.variables.iter();
    named.filter(|id| symbols.contains(&context.system.variables[**id].symbol)).copied().collect()
}
