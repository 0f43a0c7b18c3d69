//! Inductive invariants of symbolic systems: why nothing bad can be reached, as terms.
//!
//! Invariant: the formulas are terms of the store that the invariant owns. Whether they are formulas about states, and whether
//! they show anything, is for the checker of certificates to say.

use std::sync::Arc;

use tempora_smt::{SymbolId, TermId, TermStore, print_term};
use tempora_transition::SymbolicSystem;

/// A formula for each control location of a symbolic system that holds whenever a run is there.
///
/// It shows a property if the initial formula implies it, if every edge preserves it (from the formula of its source to that of its
/// target), and if it contradicts every violation.
#[derive(Clone, Debug)]
pub struct InductiveInvariant {
    /// The terms. A copy of an invariant shares them.
    pub store: Arc<TermStore>,
    /// The symbols that stand for variables of the system: each for the one that has its name. Others of the same name may
    /// be in the store, such as the values after a step.
    pub variables: Vec<SymbolId>,
    /// The formulas, in the order of the locations.
    pub formulas: Vec<TermId>,
}

impl InductiveInvariant {
    /// An invariant whose formulas are in a store that was made of that of the system.
    pub fn new(system: &SymbolicSystem, store: TermStore, formulas: Vec<TermId>) -> InductiveInvariant {
        let variables = system.variables.values().map(|variable| variable.symbol).collect();
        InductiveInvariant { store: Arc::new(store), variables, formulas }
    }

    /// Returns the formulas as the text form of systems writes them.
    pub fn texts(&self) -> impl Iterator<Item = String> {
        self.formulas.iter().map(|formula| print_term(&self.store, *formula))
    }
}

/// Invariants are equal if they are written alike: terms of different stores have no other relation.
impl PartialEq for InductiveInvariant {
    fn eq(&self, other: &InductiveInvariant) -> bool {
        self.texts().eq(other.texts())
    }
}
