//! Errors: run-time failures of the model, and unsupported constructs.
//!
//! A [`Failure`] is a property of the model, with the origin of the failing expression; a [`Declined`] is a limit of
//! this crate, with the origin of the unsupported construct.

use tempora_model::Range;
use tempora_source::Origin;

/// The evaluation of a part of the model failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The kind of failure.
    pub kind: FailureKind,
    /// The expression or statement that failed.
    pub origin: Origin,
}

/// The kinds of failures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// A value is outside the range of the variable, parameter or result that it is assigned to.
    OutOfRange {
        /// The value.
        value: i32,
        /// The range of the target.
        range: Range,
    },
    /// An index is outside the range of the array.
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
    /// An intermediate result does not fit 32 bits.
    Overflow,
    /// A clock is set to a negative value.
    NegativeClock,
    /// An `assert` failed.
    AssertionFailed,
    /// A function that should return a value ended without one.
    MissingReturn,
    /// An evaluation exceeded the step limit, for example in a loop.
    StepLimit,
    /// Calls are nested deeper than the limit.
    NestingLimit,
}

/// A construct that the compiler does not support.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declined {
    /// A noun phrase for the construct.
    pub what: String,
    /// The construct.
    pub origin: Origin,
}

impl Declined {
    pub(crate) fn new(what: impl Into<String>, origin: Origin) -> Declined {
        Declined { what: what.into(), origin }
    }
}
