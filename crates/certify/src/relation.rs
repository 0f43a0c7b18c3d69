//! Translates a statement of a symbolic system into a relation between the values before and after it.
//!
//! Invariant: for each execution of the statement there are values of the fresh symbols for which the formula holds and
//! the terms equal the values afterwards. The relation may allow more, for example where a division is undefined, but
//! never less.

use std::collections::BTreeMap;

use tempora_model::Id;
use tempora_smt::{Integer, SymbolId, TermId, TermStore, Value};
use tempora_transition::{StateVariableId, StatementKind, SymbolicStatement, SymbolicSystem};

use crate::refusal::{Reason, Refusal};

/// The maximal number of statements in one formula, counting each iteration of a loop.
const MOST_STATEMENTS: usize = 200_000;

/// Translates statements into relations.
pub(crate) struct Relations<'system> {
    pub(crate) system: &'system SymbolicSystem,
    pub(crate) store: TermStore,
    count: usize,
}

/// A relation: its formula, and the value of each variable afterwards.
pub(crate) struct Relation {
    pub(crate) formula: TermId,
    pub(crate) after: Vec<TermId>,
}

impl<'system> Relations<'system> {
    pub(crate) fn new(system: &'system SymbolicSystem) -> Relations<'system> {
        Relations { system, store: system.store.clone(), count: 0 }
    }

    /// Returns the variables themselves, as the values before.
    pub(crate) fn before(&self) -> Vec<TermId> {
        self.system.variables.ids().map(|id| self.system.term_of(id)).collect()
    }

    /// Substitutes values for the variables of a term.
    pub(crate) fn at(&mut self, term: TermId, values: &[TermId]) -> TermId {
        let symbols = self.system.variables.values().map(|variable| variable.symbol);
        let replacement: BTreeMap<SymbolId, TermId> = symbols.zip(values.iter().copied()).collect();
        self.store.substitute(term, &replacement)
    }

    fn fresh(&mut self, variable: usize) -> TermId {
        let own = &self.system.variables[StateVariableId::from_index(variable)];
        let sort = self.store.symbol_sort(own.symbol).clone();
        let symbol = self.store.add_symbol(own.name.clone(), sort);
        self.store.symbol(symbol)
    }

    /// Returns the relation of a whole edge; each edge has its own limit.
    pub(crate) fn of_edge(&mut self, statement: &SymbolicStatement) -> Result<Relation, Refusal> {
        self.count = 0;
        let before = self.before();
        self.of(statement, before)
    }

    fn of(&mut self, statement: &SymbolicStatement, before: Vec<TermId>) -> Result<Relation, Refusal> {
        self.count += 1;
        if self.count > MOST_STATEMENTS {
            let why = "there are too many statements for one formula".to_owned();
            return Err(Refusal::whole(Reason::TooLarge(why)));
        }
        let formula = self.store.truth(true);
        let mut after = before;
        match &statement.kind {
            StatementKind::Assign(variable, value) => {
                after[variable.index()] = self.at(*value, &after);
                Ok(Relation { formula, after })
            }
            StatementKind::Assume(condition) => {
                let formula = self.at(*condition, &after);
                Ok(Relation { formula, after })
            }
            StatementKind::Havoc(variable) => {
                after[variable.index()] = self.fresh(variable.index());
                Ok(Relation { formula, after })
            }
            StatementKind::Sequence(parts) => {
                let mut formulas = Vec::with_capacity(parts.len());
                for part in parts {
                    let relation = self.of(part, after)?;
                    formulas.push(relation.formula);
                    after = relation.after;
                }
                Ok(Relation { formula: self.store.and(&formulas), after })
            }
            StatementKind::Choice(branches) => self.of_choice(branches, after),
            StatementKind::Loop { counter, from, to, body } => {
                let bounds = [*from, *to].map(|bound| {
                    let bound = self.at(bound, &after);
                    self.store.as_value(bound).and_then(Value::as_integer).and_then(Integer::to_i64)
                });
                let [Some(from), Some(to)] = bounds else {
                    let why = "loops without constant bounds".to_owned();
                    return Err(Refusal::whole(Reason::Unsupported(why)));
                };
                let mut formulas = Vec::new();
                for round in from..to {
                    after[counter.index()] = self.store.integer(round);
                    let relation = self.of(body, after)?;
                    formulas.push(relation.formula);
                    after = relation.after;
                }
                Ok(Relation { formula: self.store.and(&formulas), after })
            }
        }
    }

    /// Returns the relation of a choice: a variable with different values in the branches becomes a fresh symbol, equal
    /// to its value in the chosen branch.
    fn of_choice(
        &mut self,
        branches: &[SymbolicStatement],
        before: Vec<TermId>,
    ) -> Result<Relation, Refusal> {
        let relations: Vec<Relation> =
            branches.iter().map(|branch| self.of(branch, before.clone())).collect::<Result<_, _>>()?;
        let mut after = before;
        let mut differing = Vec::new();
        for (variable, value) in after.iter_mut().enumerate() {
            let Some(first) = relations.first().map(|relation| relation.after[variable]) else { break };
            if relations.iter().all(|relation| relation.after[variable] == first) {
                *value = first;
            } else {
                *value = self.fresh(variable);
                differing.push(variable);
            }
        }
        let mut ways = Vec::with_capacity(relations.len());
        for relation in &relations {
            let mut parts = vec![relation.formula];
            for &variable in &differing {
                parts.push(self.store.equal(after[variable], relation.after[variable]));
            }
            ways.push(self.store.and(&parts));
        }
        Ok(Relation { formula: self.store.or(&ways), after })
    }
}
