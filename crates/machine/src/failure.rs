//! What can go wrong: a model that fails when it is executed, and one that is not compiled.
//!
//! Invariant: a [`Failure`] is a fact about the model, with the place of the expression that failed; a [`Declined`] is
//! a fact about this crate, with the place of what it does not know.

use tempora_model::Range;
use tempora_source::Origin;

/// The evaluation of a part of the model failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What went wrong.
    pub kind: FailureKind,
    /// The expression or statement that failed.
    pub origin: Origin,
}

/// What can go wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// A value does not fit the range of what it is assigned to, passed to or returned as.
    OutOfRange {
        /// The value.
        value: i32,
        /// The range that it should be in.
        range: Range,
    },
    /// An index is none of the array.
    IndexOutOfRange {
        /// The index.
        index: i32,
        /// The least and the greatest index.
        range: Range,
    },
    /// Division or remainder by zero.
    DivisionByZero,
    /// A shift by a negative number.
    NegativeShift,
    /// An integer raised to a negative power.
    NegativeExponent,
    /// An intermediate result is no 32-bit integer.
    Overflow,
    /// A clock is set to a negative value.
    NegativeClock,
    /// An `assert` failed.
    AssertionFailed,
    /// A function that should return a value ended without.
    MissingReturn,
    /// A loop went on for longer than the limit on steps of one evaluation.
    StepLimit,
    /// Calls are nested deeper than the limit.
    NestingLimit,
}

/// Something that is not compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declined {
    /// What it is, by name.
    pub what: String,
    /// Where it is.
    pub origin: Origin,
}

impl Declined {
    pub(crate) fn new(what: impl Into<String>, origin: Origin) -> Declined {
        Declined { what: what.into(), origin }
    }
}
