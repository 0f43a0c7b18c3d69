//! Certificates: sets of states that prove bad states unreachable, in a form that a small program can check.
//!
//! Invariant: none is enforced here; a certificate is a claim. It is valid if its states cover all initial states, each
//! transition from a covered state leads to a covered one, and no covered state is bad. The certify crate checks that.

use std::collections::BTreeSet;

use tempora_model::{LocationId, ProcessId, Value, VariableId};

/// How the zones of a certificate are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CertificateZones {
    /// Extrapolated beyond the greatest constants, so that there are finitely many.
    #[default]
    Enlarged,
    /// Exact, possibly infinitely many, but independent of the bounds of clocks.
    Exact,
}

/// A set of states that is closed under transitions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Certificate {
    /// The part of the network that the states describe; `None` for all of it.
    pub part: Option<NetworkPart>,
    /// The states, each with a set of clock values.
    pub states: Vec<CertifiedStates>,
}

/// Some processes and variables of a network; all others may behave arbitrarily. It contains all constants and
/// channels.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NetworkPart {
    /// The processes. All others are in location 0.
    pub processes: BTreeSet<ProcessId>,
    /// The variables, including clocks. All others have their initial values, and their clocks are unbounded.
    pub variables: BTreeSet<VariableId>,
}

/// One discrete state with a convex set of clock values.
#[derive(Clone, PartialEq, Debug)]
pub struct CertifiedStates {
    /// The location of each process.
    pub locations: Vec<LocationId>,
    /// The value of each variable; [`Value::None`] for clocks and channels.
    pub values: Vec<Value>,
    /// The bounds on clocks; that clocks are not negative is implied.
    pub bounds: Vec<ClockBound>,
}

/// A certificate of one of the kinds for networks.
#[derive(Clone, PartialEq, Debug)]
pub enum AnyCertificate {
    /// Certifies that bad states are unreachable.
    States(Certificate),
    /// Certifies a refinement or an implementation.
    Specification(SpecificationCertificate),
}

/// A borrowed [`AnyCertificate`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum CertificateRef<'certificate> {
    /// Certifies that bad states are unreachable.
    States(&'certificate Certificate),
    /// Certifies a refinement or an implementation.
    Specification(&'certificate SpecificationCertificate),
}

impl AnyCertificate {
    /// Borrows the certificate.
    pub fn borrowed(&self) -> CertificateRef<'_> {
        match self {
            AnyCertificate::States(certificate) => CertificateRef::States(certificate),
            AnyCertificate::Specification(certificate) => CertificateRef::Specification(certificate),
        }
    }

    /// Returns the number of nodes.
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

/// A certificate that one specification refines another, or that an implementation implements one: the states of each
/// part and, for a refinement, a relation between states of the two sides.
///
/// The relation proves the refinement if it contains the initial states, is closed under the moves of both sides, and
/// no side refuses a move of the other in it. The parts determine the meaning of the specifications. They are the
/// components and conjunctions of the question, each once, operands before operators and left before right; only the
/// components, where a refinement holds by its form, and for determinism.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SpecificationCertificate {
    /// The description of each part, in this order.
    pub parts: Vec<CertifiedPart>,
    /// Pairs of states of the left and the right side. A quotient on the right, `X <= T \\ S`,
    /// stands for `S || X <= T`.
    pub pairs: Vec<CertifiedLeaves>,
}

/// The states of one component or conjunction.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CertifiedPart {
    /// The states reachable in an arbitrary environment, before pruning.
    pub states: Vec<CertifiedLeaves>,
    /// The states from which the environment can force an error, each after those that justify it.
    pub removed: Vec<CertifiedLeaves>,
}

/// A discrete state of several components, with a convex set of clock values.
///
/// The clocks of a component are its own clock variables, in their order; those of the first component come first.
#[derive(Clone, PartialEq, Debug)]
pub struct CertifiedLeaves {
    /// The components from the left to the right.
    pub leaves: Vec<LeafState>,
    /// The bounds on clocks; that clocks are not negative is implied.
    pub bounds: Vec<ClockBound>,
}

/// A discrete state of one component.
#[derive(Clone, PartialEq, Debug)]
pub struct LeafState {
    /// Its location.
    pub location: LocationId,
    /// The values of its own data variables that are not constant, in their order.
    pub values: Vec<Value>,
}

/// The constraint `left - right <= constant`, or `<` if it is strict; a missing clock is zero.
///
/// Clocks are numbered in the order of their variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClockBound {
    /// The minuend.
    pub left: Option<u32>,
    /// The subtrahend.
    pub right: Option<u32>,
    /// The bound.
    pub constant: i64,
    /// Whether the bound is strict.
    pub is_strict: bool,
}
