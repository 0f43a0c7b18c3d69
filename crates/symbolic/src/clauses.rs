//! Properties of systems as Horn clauses.
//!
//! There is a relation for each control location, over the variables of the state, and a clause for each edge; see N.
//! Bjørner, A. Gurfinkel, K. McMillan, A. Rybalchenko: Horn clause solvers for program verification, 2015.
//!
//! Invariant: the clauses are satisfiable exactly if the property holds.

use tempora_model::Id;
use tempora_smt::{HornClause, RelationId, SymbolId, TermId, horn_problem_text};
use tempora_transition::{SafetyProperty, StateVariableId, SymbolicSystem};

use crate::encode::Encoder;

/// Returns the clauses of a property as an SMT-LIB problem, or why it cannot be expressed.
pub fn horn_clauses(system: &SymbolicSystem, property: &SafetyProperty) -> Result<String, String> {
    let mut store = system.store.clone();
    let variables: Vec<StateVariableId> =
        system.variables.iter().filter(|(_, variable)| variable.role.is_state()).map(|(id, _)| id).collect();
    let symbols: Vec<SymbolId> = variables.iter().map(|id| system.variables[*id].symbol).collect();
    let plain: Vec<TermId> = variables.iter().map(|id| system.term_of(*id)).collect();
    let mut clauses = vec![HornClause {
        body: None,
        constraint: system.initial,
        head: Some((RelationId(system.initial_location.index()), plain.clone())),
    }];
    for edge in system.edges.values() {
        let mut encoder = Encoder::new(system);
        let before = encoder.plain_environment();
        let encoded = encoder.encode(&mut store, &edge.statement, before)?;
        let after = variables.iter().map(|id| encoded.environment[id.index()]).collect();
        clauses.push(HornClause {
            body: Some((RelationId(edge.source.index()), plain.clone())),
            constraint: encoded.constraint,
            head: Some((RelationId(edge.target.index()), after)),
        });
    }
    let wrong = store.not(property.condition);
    for location in system.locations.ids().filter(|location| property.is_observed_at(*location)) {
        clauses.push(HornClause {
            body: Some((RelationId(location.index()), plain.clone())),
            constraint: wrong,
            head: None,
        });
    }
    let relations = vec![symbols; system.locations.len()];
    Ok(horn_problem_text(&store, &relations, &clauses))
}
