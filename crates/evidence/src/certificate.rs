//! Why nothing bad can be reached, in a form that a small program can check.
//!
//! Invariant: none is enforced here; a certificate is a claim. It holds if its states cover all initial states, if each
//! transition from a covered state leads to a covered one, and if no covered state is bad. The certify crate checks that.

use std::collections::BTreeSet;

use tempora_model::{LocationId, ProcessId, Value, VariableId};

/// How the zones of a certificate are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CertificateZones {
    /// Enlarged beyond the greatest constants, so that there are finitely many.
    #[default]
    Enlarged,
    /// As they are reached: more, possibly infinitely many, but nothing depends on the bounds of clocks.
    Exact,
}

/// A set of states that no run leaves.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Certificate {
    /// What of the network the states are about; `None` if they are about all of it.
    pub part: Option<NetworkPart>,
    /// The states, each standing for many clock values.
    pub states: Vec<CertifiedStates>,
}

/// Some processes and variables of a network; for all else, anything is possible. Constants and channels are in every part.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NetworkPart {
    /// The processes. All others are in location 0.
    pub processes: BTreeSet<ProcessId>,
    /// The variables, clocks among them. All others have their initial values, and their clocks no bounds.
    pub variables: BTreeSet<VariableId>,
}

/// One discrete state with a convex set of clock values.
#[derive(Clone, PartialEq, Debug)]
pub struct CertifiedStates {
    /// Where each process is.
    pub locations: Vec<LocationId>,
    /// The value of each variable; [`Value::None`] for clocks and channels.
    pub values: Vec<Value>,
    /// What holds of the clocks; clocks are not negative, which goes without saying.
    pub bounds: Vec<ClockBound>,
}

/// A certificate of one of the kinds that are about networks.
#[derive(Clone, PartialEq, Debug)]
pub enum AnyCertificate {
    /// Nothing bad can be reached.
    States(Certificate),
    /// A specification refines another, or something implements one.
    Specification(SpecificationCertificate),
}

/// The same, borrowed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum CertificateRef<'certificate> {
    /// Nothing bad can be reached.
    States(&'certificate Certificate),
    /// A specification refines another, or something implements one.
    Specification(&'certificate SpecificationCertificate),
}

impl AnyCertificate {
    /// The same, borrowed.
    pub fn borrowed(&self) -> CertificateRef<'_> {
        match self {
            AnyCertificate::States(certificate) => CertificateRef::States(certificate),
            AnyCertificate::Specification(certificate) => CertificateRef::Specification(certificate),
        }
    }

    /// How many nodes it has.
    pub fn node_count(&self) -> usize {
        match self {
            AnyCertificate::States(certificate) => certificate.states.len(),
            AnyCertificate::Specification(certificate) => {
                let parts = certificate.parts.iter();
                let in_parts: usize = parts.map(|part| part.states.len() + part.removed.len()).sum();
                in_parts + certificate.pairs.len()
            }
        }
    }
}

/// Why one specification refines another, or why something implements one: states of the parts alone, and for a refinement states of
/// both sides that are related.
///
/// The relation shows the refinement if it has the initial states, if it is closed under the moves of both sides, and if no
/// side refuses a move of the other in it. The parts show what the specifications mean. They are the components and conjunctions of the
/// question, each once, operands before operators and those on the left first; only the components, where a refinement holds by its
/// form, and for determinism.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SpecificationCertificate {
    /// The description of each part alone, in this order.
    pub parts: Vec<CertifiedPart>,
    /// States of the left side and the right side together. A quotient on the right, `X <= T \\ S`, stands for `S || X <= T`.
    pub pairs: Vec<CertifiedLeaves>,
}

/// What is known of a component or a conjunction alone.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CertifiedPart {
    /// The states that it can be in, whatever its environment does, before anything is removed from it.
    pub states: Vec<CertifiedLeaves>,
    /// Those from which the environment can bring about an error. What shows that of one comes before it in the list.
    pub removed: Vec<CertifiedLeaves>,
}

/// A discrete state of several components, with a convex set of clock values.
///
/// The clocks of a component are those variables of its own that are clocks, in their order; those of the first component come
/// first.
#[derive(Clone, PartialEq, Debug)]
pub struct CertifiedLeaves {
    /// The components from the left to the right.
    pub leaves: Vec<LeafState>,
    /// What holds of the clocks; clocks are not negative, which goes without saying.
    pub bounds: Vec<ClockBound>,
}

/// A discrete state of one component.
#[derive(Clone, PartialEq, Debug)]
pub struct LeafState {
    /// Where it is.
    pub location: LocationId,
    /// The values of those variables of its own that have data and may change, in their order.
    pub values: Vec<Value>,
}

/// `left - right <= constant`, or `<` if it is strict; a missing clock is zero.
///
/// Clocks are numbered in the order of the variables that they are in, end to end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClockBound {
    /// The clock that counts positively.
    pub left: Option<u32>,
    /// The clock that counts negatively.
    pub right: Option<u32>,
    /// The bound.
    pub constant: i64,
    /// Whether the bound itself is excluded.
    pub is_strict: bool,
}
