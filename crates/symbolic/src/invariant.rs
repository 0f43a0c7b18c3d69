//! Computes inductive invariants that prove properties.
//!
//! Invariant: none is enforced here; an invariant is a claim for the checker.

use tempora_evidence::{Budget, InductiveInvariant, Progress, UnknownReason};
use tempora_model::Id;
use tempora_smt::TermId;
use tempora_transition::{ControlLocationId, StateVariableId, SymbolicSystem};

use crate::CegarEngine;
use crate::answers::PropertyResult;
use crate::explicit::{PartialState, reason, search_keeping};

/// The source of an invariant.
#[derive(Clone, Debug)]
pub enum InvariantSource {
    /// All states, up to this number.
    States(u64),
    /// The final abstraction of a refinement.
    Abstraction(CegarEngine),
}

/// Computes an invariant for one property of a system; `None` if the property is violated.
pub fn find_invariant(
    system: &SymbolicSystem,
    property: usize,
    source: &InvariantSource,
    budget: &Budget,
    progress: &Progress,
) -> Result<Option<InductiveInvariant>, UnknownReason> {
    let Some(claim) = system.properties.get(property) else { return Ok(None) };
    match source {
        InvariantSource::Abstraction(engine) => engine.invariant(system, claim, budget, progress),
        InvariantSource::States(most) => {
            let mut states = Vec::new();
            match search_keeping(system, claim, Some(*most), &mut states, budget, progress) {
                Ok(PropertyResult::Safe) => Ok(Some(of_states(system, &states))),
                Ok(PropertyResult::Unsafe(_)) => Ok(None),
                Ok(PropertyResult::Unknown(why)) => Err(why),
                Err(stop) => Err(reason(stop)),
            }
        }
    }
}

fn of_states(system: &SymbolicSystem, states: &[(ControlLocationId, PartialState)]) -> InductiveInvariant {
    let mut store = system.store.clone();
    let mut at: Vec<Vec<TermId>> = vec![Vec::new(); system.locations.len()];
    for (location, state) in states {
        let mut parts = Vec::new();
        for (position, value) in state.iter().enumerate() {
            let Some(value) = value else { continue };
            let constant = store.constant(value.clone());
            let variable = system.term_of(StateVariableId::from_index(position));
            parts.push(store.equal(variable, constant));
        }
        at[location.index()].push(store.and(&parts));
    }
    let formulas = at.into_iter().map(|states| store.or(&states)).collect();
    InductiveInvariant::new(system, store, formulas)
}
