//! Inductive invariants of symbolic systems, as terms.
//!
//! Invariant: the formulas are terms of the store that the invariant owns. The checker of certificates decides whether
//! they are formulas about states and whether they prove a property.

use std::sync::Arc;

use tempora_smt::{SymbolId, TermId, TermStore, print_term};
use tempora_transition::SymbolicSystem;

/// A formula for each control location of a symbolic system that holds in every reachable state there.
///
/// It proves a property if the initial formula implies it, every edge preserves it (from the formula of its source to
/// that of its target), and it contradicts every violation.
#[derive(Clone, Debug)]
pub struct InductiveInvariant {
    /// The terms. A copy of an invariant shares them.
    pub store: Arc<TermStore>,
    /// The symbols of the system's variables, matched by name. The store may contain other symbols with these names,
    /// such as values after a step.
    pub variables: Vec<SymbolId>,
    /// The formulas, in the order of the locations.
    pub formulas: Vec<TermId>,
}

impl InductiveInvariant {
    /// Creates an invariant whose formulas are in a store derived from that of the system.
    pub fn new(system: &SymbolicSystem, store: TermStore, formulas: Vec<TermId>) -> InductiveInvariant {
        let variables = system.variables.values().map(|variable| variable.symbol).collect();
        InductiveInvariant { store: Arc::new(store), variables, formulas }
    }

    /// Returns the formulas in the text form of systems.
    pub fn texts(&self) -> impl Iterator<Item = String> {
        self.formulas.iter().map(|formula| print_term(&self.store, *formula))
    }
}

/// Invariants are equal if their texts are: terms of different stores are not comparable otherwise.
impl PartialEq for InductiveInvariant {
    fn eq(&self, other: &InductiveInvariant) -> bool {
        self.texts().eq(other.texts())
    }
}
