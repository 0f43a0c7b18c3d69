//! Copies the formulas of a claimed invariant into the store of the checker.
//!
//! Invariant: a copied formula is Boolean, nested no deeper than the terms of a system, and contains only state
//! variables of the system. Every term is rebuilt, so its sort is computed here; only the operators, constants and
//! names of variables come from the claim.

use std::collections::{BTreeMap, HashMap};

use tempora_evidence::InductiveInvariant;
use tempora_smt::{Sort, SymbolId, Term, TermId, TermStore};
use tempora_transition::{DEEPEST, SymbolicSystem};

use crate::refusal::{Reason, Refusal};

/// Copies the formulas of an invariant into a store with the terms of the system.
pub(crate) fn copy_formulas(
    system: &SymbolicSystem,
    store: &mut TermStore,
    invariant: &InductiveInvariant,
) -> Result<Vec<TermId>, Refusal> {
    let ill_formed = |why: &str| Reason::IllFormed(why.to_owned());
    // Enumerations are identified by number, so the claim must have those of the system.
    let mut own = system.store.enumerations();
    if !invariant.store.enumerations().all(|claimed| own.next() == Some(claimed)) {
        return Err(Refusal::whole(ill_formed(
            "the enumerations of the certificate differ from those of the system",
        )));
    }
    let mut variables: BTreeMap<SymbolId, TermId> = BTreeMap::new();
    for &symbol in &invariant.variables {
        if symbol.index() >= invariant.store.symbol_count() {
            return Err(Refusal::whole(ill_formed(
                "the certificate has a variable that is not among its symbols",
            )));
        }
        let name = invariant.store.symbol_name(symbol);
        let known = system.variables.values().find(|variable| variable.name == name);
        // Local variables are not part of the state.
        if let Some(variable) = known.filter(|variable| variable.role.is_state()) {
            variables.insert(symbol, store.symbol(variable.symbol));
        }
    }
    let mut copies: HashMap<TermId, TermId> = HashMap::new();
    let mut formulas = Vec::with_capacity(invariant.formulas.len());
    for (node, &formula) in invariant.formulas.iter().enumerate() {
        let refusal = |reason| Refusal::at(node, reason);
        if formula.index() >= invariant.store.len() {
            return Err(refusal(ill_formed("the formula is a term of another certificate")));
        }
        copy_term(&invariant.store, store, formula, &variables, &mut copies).map_err(refusal)?;
        let copy = copies[&formula];
        if *store.sort(copy) != Sort::Boolean {
            return Err(refusal(ill_formed("expected a Boolean formula")));
        }
        if store.depth(copy) > DEEPEST {
            return Err(refusal(Reason::IllFormed(format!(
                "the formula is nested more than {DEEPEST} deep"
            ))));
        }
        formulas.push(copy);
    }
    Ok(formulas)
}

/// Copies a term and its subterms, unless they are already copied.
fn copy_term(
    claimed: &TermStore,
    store: &mut TermStore,
    root: TermId,
    variables: &BTreeMap<SymbolId, TermId>,
    copies: &mut HashMap<TermId, TermId>,
) -> Result<(), Reason> {
    // Arguments precede the terms that contain them.
    for part in claimed.parts(&[root], |part| copies.contains_key(&part)) {
        let copy = match claimed.term(part) {
            Term::Constant(value) => store.constant(value.clone()),
            Term::Symbol(symbol) => {
                let name = claimed.symbol_name(*symbol);
                let Some(&variable) = variables.get(symbol) else {
                    return Err(Reason::IllFormed(format!("`{name}` is not a state variable")));
                };
                if store.sort(variable) != claimed.symbol_sort(*symbol) {
                    return Err(Reason::IllFormed(format!(
                        "the variable `{name}` has another sort in the system"
                    )));
                }
                variable
            }
            Term::Apply(operator, arguments) => {
                let arguments: Vec<TermId> = arguments.iter().map(|argument| copies[argument]).collect();
                store.apply(operator.clone(), &arguments).map_err(|_| {
                    Reason::IllFormed("the formula has arguments of the wrong sorts".to_owned())
                })?
            }
        };
        copies.insert(part, copy);
    }
    Ok(())
}
