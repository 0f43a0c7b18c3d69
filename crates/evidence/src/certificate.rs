//! Why nothing bad can be reached, in a form that a small program can check.
//!
//! Invariant: none is enforced here; a certificate is a claim. It holds if its states cover all initial states, if each
//! transition from a covered state leads to a covered one, and if no covered state is bad. The certify crate checks that.

use tempora_model::{LocationId, Value};

/// A set of states that no run leaves.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Certificate {
    /// The states, each standing for many clock values.
    pub states: Vec<CertifiedStates>,
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

/// A formula for each control location of a symbolic system that holds whenever a run is there.
///
/// It shows a property if it follows from the initial formula, if every edge leads from what it says of its source to what it
/// says of its target, and if it contradicts violations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InductiveInvariant {
    /// The formulas, in the order of the locations, as the text form of systems writes them.
    pub formulas: Vec<String>,
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
