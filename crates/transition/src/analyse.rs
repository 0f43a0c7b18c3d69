//! Computes the relevant variables of a property, and the live variables at each location.
//!
//! Invariant: a variable outside of either set can have any value without changing which violations of the property are
//! reachable.

use std::collections::{BTreeMap, BTreeSet};

use tempora_interrupt::checkpoint;
use tempora_smt::{Operator, SymbolId, Term, TermId};

use crate::{
    ControlLocationId, SafetyProperty, StateVariableId, StatementKind, SymbolicStatement, SymbolicSystem,
    Table,
};

/// The variables on which a property or an assumption depends, directly or through assignments.
#[derive(Clone, Debug)]
pub struct RelevantVariables {
    members: BTreeSet<StateVariableId>,
}

/// The live variables at each location: those whose values may be used later.
#[derive(Clone, Debug)]
pub struct Liveness {
    live: Table<ControlLocationId, BTreeSet<StateVariableId>>,
}

struct Reads<'system> {
    system: &'system SymbolicSystem,
    by_symbol: BTreeMap<SymbolId, StateVariableId>,
}

impl<'system> Reads<'system> {
    fn new(system: &'system SymbolicSystem) -> Reads<'system> {
        let by_symbol = system.variables.iter().map(|(id, variable)| (variable.symbol, id)).collect();
        Reads { system, by_symbol }
    }

    fn of(&self, term: TermId) -> impl Iterator<Item = StateVariableId> + '_ {
        self.system
            .store
            .symbols_of(&[term])
            .into_iter()
            .filter_map(|symbol| self.by_symbol.get(&symbol).copied())
    }
}

/// Returns the variables whose initial values depend on each other, or on the satisfiability of the initial formula:
/// all of its variables, except those that it only assigns a value.
fn entangled_at_start(reads: &Reads<'_>) -> BTreeSet<StateVariableId> {
    let store = &reads.system.store;
    let conjuncts = store.conjuncts(reads.system.initial);
    let is_value = |term: TermId| match store.term(term) {
        Term::Symbol(_) => true,
        Term::Apply(Operator::Not, inner) => matches!(store.term(inner[0]), Term::Symbol(_)),
        Term::Apply(Operator::Equal, sides) => {
            matches!(store.term(sides[0]), Term::Symbol(_)) && store.as_value(sides[1]).is_some()
        }
        _ => false,
    };
    let mut entangled = BTreeSet::new();
    let mut valued = BTreeSet::new();
    for conjunct in conjuncts {
        if !is_value(conjunct) {
            entangled.extend(reads.of(conjunct));
            continue;
        }
        // Two values for one variable contradict each other.
        let twice: Vec<StateVariableId> = reads.of(conjunct).filter(|id| !valued.insert(*id)).collect();
        entangled.extend(twice);
    }
    entangled
}

impl RelevantVariables {
    /// Computes the set.
    pub fn of(system: &SymbolicSystem, property: &SafetyProperty) -> RelevantVariables {
        let reads = Reads::new(system);
        let mut members: BTreeSet<StateVariableId> =
            reads.of(property.condition).chain(entangled_at_start(&reads)).collect();
        let mut assigned: BTreeMap<StateVariableId, Vec<TermId>> = BTreeMap::new();
        let mut open: Vec<&SymbolicStatement> = system.edges.values().map(|edge| &edge.statement).collect();
        while let Some(statement) = open.pop() {
            open.extend(statement.parts());
            match &statement.kind {
                StatementKind::Assign(variable, value) => {
                    assigned.entry(*variable).or_default().push(*value);
                }
                StatementKind::Assume(condition) => members.extend(reads.of(*condition)),
                StatementKind::Loop { counter, from, to, .. } => {
                    members.insert(*counter);
                    members.extend(reads.of(*from).chain(reads.of(*to)));
                }
                StatementKind::Havoc(_) | StatementKind::Sequence(_) | StatementKind::Choice(_) => {}
            }
        }
        let mut waiting: Vec<StateVariableId> = members.iter().copied().collect();
        while let Some(variable) = waiting.pop() {
            for value in assigned.get(&variable).into_iter().flatten() {
                waiting.extend(reads.of(*value).filter(|read| members.insert(*read)));
            }
        }
        RelevantVariables { members }
    }

    /// Returns whether it contains a variable.
    pub fn contains(&self, variable: StateVariableId) -> bool {
        self.members.contains(&variable)
    }

    /// Returns the set.
    pub fn members(&self) -> &BTreeSet<StateVariableId> {
        &self.members
    }
}

impl Liveness {
    /// Computes the sets for one property.
    pub fn of(system: &SymbolicSystem, property: &SafetyProperty) -> Liveness {
        let reads = Reads::new(system);
        let mut live: Table<ControlLocationId, BTreeSet<StateVariableId>> = system
            .locations
            .ids()
            .map(|location| {
                if property.is_observed_at(location) {
                    reads.of(property.condition).collect()
                } else {
                    BTreeSet::new()
                }
            })
            .collect();
        loop {
            let mut has_changed = false;
            for edge in system.edges.values() {
                let before = live_before(&reads, &edge.statement, live[edge.target].clone());
                let known = &mut live[edge.source];
                let count = known.len();
                known.extend(before);
                has_changed |= known.len() != count;
            }
            if !has_changed {
                return Liveness { live };
            }
        }
    }

    /// Returns the live variables at a location.
    pub fn at(&self, location: ControlLocationId) -> &BTreeSet<StateVariableId> {
        &self.live[location]
    }
}

fn live_before(
    reads: &Reads<'_>,
    statement: &SymbolicStatement,
    mut after: BTreeSet<StateVariableId>,
) -> BTreeSet<StateVariableId> {
    checkpoint();
    match &statement.kind {
        StatementKind::Assign(variable, value) => {
            if after.remove(variable) {
                after.extend(reads.of(*value));
            }
            after
        }
        StatementKind::Assume(condition) => {
            after.extend(reads.of(*condition));
            after
        }
        StatementKind::Havoc(variable) => {
            after.remove(variable);
            after
        }
        StatementKind::Sequence(parts) => {
            parts.iter().rev().fold(after, |after, part| live_before(reads, part, after))
        }
        StatementKind::Choice(parts) => {
            parts.iter().flat_map(|part| live_before(reads, part, after.clone())).collect()
        }
        StatementKind::Loop { counter, from, to, body } => {
            // The body may be executed any number of times, including zero.
            loop {
                let count = after.len();
                let before = live_before(reads, body, after.clone());
                after.extend(before.into_iter().filter(|variable| variable != counter));
                if after.len() == count {
                    break;
                }
            }
            after.extend(reads.of(*from).chain(reads.of(*to)));
            after
        }
    }
}
