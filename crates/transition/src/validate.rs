//! Validates symbolic systems.
//!
//! Invariant: engines rely on exactly this: ids are in range; terms have the right sorts and mention only variables;
//! names are unique; nothing is nested deeper than [`DEEPEST`]; locals appear in statements only, and loop counters are
//! local integers that the body does not change; choices have a branch; clocks are reals, delay edges change clocks
//! only and stuttering edges change nothing; only ghosts and properties depend on ghosts.

use std::collections::BTreeSet;

use tempora_smt::{Sort, SymbolId, TermId};
use tempora_source::Origin;

use crate::{
    ControlEdge, EdgeKind, Observation, StateVariableId, StatementKind, SymbolicStatement, SymbolicSystem,
    VariableRole,
};

/// The limit on the nesting of terms and statements, so that engines may use recursion.
pub const DEEPEST: u32 = 600;

/// The limit on the written size of a term, in which shared parts count wherever they are used.
const LARGEST: u64 = 2_000_000;

/// Returns all faults of a system, with their places.
pub fn validate_system(system: &SymbolicSystem) -> Vec<(Option<Origin>, String)> {
    let mut faults: Vec<(Option<Origin>, String)> = Vec::new();
    let known: BTreeSet<SymbolId> = system.variables.values().map(|variable| variable.symbol).collect();
    let locals: BTreeSet<SymbolId> = system
        .variables
        .values()
        .filter(|variable| !variable.role.is_state())
        .map(|variable| variable.symbol)
        .collect();
    let mut names = BTreeSet::new();
    for variable in system.variables.values() {
        if !names.insert(&variable.name) {
            faults.push((Some(variable.origin), format!("duplicate variable `{}`", variable.name)));
        }
        if variable.role == VariableRole::Clock && *system.store.symbol_sort(variable.symbol) != Sort::Real {
            faults
                .push((Some(variable.origin), format!("the clock `{}` is not a real number", variable.name)));
        }
    }
    let mut names = BTreeSet::new();
    for location in system.locations.values() {
        if !names.insert(&location.name) {
            faults.push((Some(location.origin), format!("duplicate location `{}`", location.name)));
        }
    }
    let Some(initial_location) = system.locations.get(system.initial_location) else {
        faults.push((None, "the initial location does not exist".to_owned()));
        return faults;
    };
    let ghosts = system.variables.values().filter(|variable| variable.role == VariableRole::Ghost);
    let ghosts = ghosts.map(|variable| variable.symbol).collect();
    let mut validator = Validator { system, known: &known, ghosts, faults: Vec::new() };
    validator.term(system.initial, &Sort::Boolean, initial_location.origin, "the initial formula");
    for edge in system.edges.values() {
        for end in [edge.source, edge.target] {
            if system.locations.get(end).is_none() {
                validator.faults.push((edge.origin, "the target of an edge does not exist".to_owned()));
            }
        }
        validator.statement(&edge.statement, 0, &mut Vec::new());
        validator.edge_kind(edge);
    }
    for property in &system.properties {
        validator.term(property.condition, &Sort::Boolean, property.origin, "a property");
        if let Observation::At(locations) = &property.observation
            && locations.iter().any(|location| system.locations.get(*location).is_none())
        {
            validator
                .faults
                .push((property.origin, "a property is observed at an unknown location".to_owned()));
        }
    }
    faults.extend(validator.faults.into_iter().map(|(origin, fault)| (Some(origin), fault)));
    let outside = system.properties.iter().map(|property| (property.condition, property.origin));
    for (term, origin) in outside.chain([(system.initial, initial_location.origin)]) {
        if !system.store.symbols_of(&[term]).is_disjoint(&locals) {
            faults.push((Some(origin), "a local variable has no value between steps".to_owned()));
        }
    }
    faults
}

struct Validator<'system> {
    system: &'system SymbolicSystem,
    known: &'system BTreeSet<SymbolId>,
    ghosts: BTreeSet<SymbolId>,
    faults: Vec<(Origin, String)>,
}

impl Validator<'_> {
    fn term(&mut self, term: TermId, sort: &Sort, origin: Origin, what: &str) {
        let store = &self.system.store;
        if term.index() >= store.len() {
            self.faults.push((origin, format!("{what} belongs to another system")));
            return;
        }
        if store.sort(term) != sort {
            self.faults.push((origin, format!("{what} has the wrong sort")));
        }
        if store.depth(term) > DEEPEST {
            self.faults.push((origin, format!("{what} is nested more than {DEEPEST} deep")));
        }
        if store.written_size(term) > LARGEST {
            self.faults.push((origin, format!("{what} has more than {LARGEST} operators")));
        }
        if !store.symbols_of(&[term]).is_subset(self.known) {
            self.faults.push((origin, format!("{what} contains a symbol that is not a variable")));
        }
    }

    fn statement(&mut self, statement: &SymbolicStatement, depth: u32, counters: &mut Vec<StateVariableId>) {
        let origin = statement.origin;
        if depth > DEEPEST {
            self.faults.push((origin, format!("statements are nested more than {DEEPEST} deep")));
            return;
        }
        match &statement.kind {
            StatementKind::Assign(variable, value) => {
                if self.assignable(*variable, counters, origin) {
                    match self.system.variables[*variable].role {
                        VariableRole::Ghost => {}
                        VariableRole::Input => {
                            self.faults.push((origin, "an input cannot be assigned".to_owned()));
                        }
                        _ => self.no_ghost(*value, origin),
                    }
                    let sort = self.system.sort_of(*variable).clone();
                    self.term(*value, &sort, origin, "the value of an assignment");
                }
            }
            StatementKind::Assume(condition) => {
                self.no_ghost(*condition, origin);
                self.term(*condition, &Sort::Boolean, origin, "an assumption");
            }
            StatementKind::Havoc(variable) => {
                self.assignable(*variable, counters, origin);
            }
            StatementKind::Sequence(_) => {}
            StatementKind::Choice(parts) => {
                if parts.is_empty() {
                    self.faults.push((origin, "a choice without branches".to_owned()));
                }
            }
            StatementKind::Loop { counter, from, to, body } => {
                if !self.assignable(*counter, counters, origin) {
                    return;
                }
                let variable = &self.system.variables[*counter];
                if variable.role != VariableRole::Local || *self.system.sort_of(*counter) != Sort::Integer {
                    self.faults.push((origin, "the counter of a loop must be a local integer".to_owned()));
                }
                self.no_ghost(*from, origin);
                self.no_ghost(*to, origin);
                self.term(*from, &Sort::Integer, origin, "a bound of a loop");
                self.term(*to, &Sort::Integer, origin, "a bound of a loop");
                counters.push(*counter);
                self.statement(body, depth + 1, counters);
                counters.pop();
                return;
            }
        }
        for part in statement.parts() {
            self.statement(part, depth + 1, counters);
        }
    }

    /// Checks the restrictions that the kind of an edge imposes.
    fn edge_kind(&mut self, edge: &ControlEdge) {
        let mut open = vec![&edge.statement];
        while let Some(statement) = open.pop() {
            open.extend(statement.parts());
            let changed = match &statement.kind {
                StatementKind::Assign(variable, _) | StatementKind::Havoc(variable) => *variable,
                _ => continue,
            };
            let Some(variable) = self.system.variables.get(changed) else { continue };
            let is_allowed = match edge.kind {
                EdgeKind::Delay => !variable.role.is_state() || variable.role == VariableRole::Clock,
                EdgeKind::Stutter => !variable.role.is_state(),
                _ => true,
            };
            if !is_allowed {
                let kind = edge.kind.name();
                let message = format!("an edge of kind `{kind}` cannot change `{}`", variable.name);
                self.faults.push((statement.origin, message));
            }
        }
        if edge.kind == EdgeKind::Stutter && edge.source != edge.target {
            self.faults
                .push((edge.origin, "an edge of kind `stutter` cannot change the location".to_owned()));
        }
    }

    /// Checks that a term does not depend on a ghost.
    fn no_ghost(&mut self, term: TermId, origin: Origin) {
        if self.ghosts.is_empty() || term.index() >= self.system.store.len() {
            return;
        }
        let symbols = self.system.store.symbols_of(&[term]);
        if let Some(ghost) = self.ghosts.intersection(&symbols).next() {
            let name = self.system.store.symbol_name(*ghost);
            self.faults.push((origin, format!("a variable depends on the ghost `{name}`")));
        }
    }

    fn assignable(
        &mut self,
        variable: StateVariableId,
        counters: &[StateVariableId],
        origin: Origin,
    ) -> bool {
        let Some(found) = self.system.variables.get(variable) else {
            self.faults.push((origin, "a statement changes a variable of another system".to_owned()));
            return false;
        };
        if counters.contains(&variable) {
            self.faults.push((origin, format!("the loop counter `{}` is changed in the loop", found.name)));
        }
        true
    }
}
