//! Runtime errors: failures while a model is executed.
//!
//! Invariant: an error is a fact about the model (or about a limit of this program that the message names), with the
//! place of the failing expression. It ends a verification without a verdict.

use std::fmt;

use tempora_model::{Range, Value};
use tempora_source::Origin;

use crate::StopCause;

/// A runtime error: the evaluation of a part of the model failed.
#[derive(Clone, PartialEq, Debug)]
pub struct RuntimeError {
    /// The kind of error.
    pub kind: RuntimeErrorKind,
    /// The expression or statement that failed.
    pub origin: Origin,
}

/// The kinds of runtime errors.
#[derive(Clone, PartialEq, Debug)]
pub enum RuntimeErrorKind {
    /// A value is outside the range of the variable, parameter or return type that receives it.
    OutOfRange {
        /// The value.
        value: Value,
        /// The range of the receiver.
        range: Range,
    },
    /// An index is outside the array.
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
    /// An intermediate result does not fit into 32 bits.
    Overflow,
    /// A clock is set to a negative value.
    NegativeClock,
    /// A clock has two rates at the same time.
    ConflictingRates,
    /// An `assert` failed.
    AssertionFailed,
    /// A function with a return type ended without returning a value.
    MissingReturn,
    /// A loop or a combination of choices exceeded the limit on steps of one evaluation.
    StepLimit,
    /// The time limit of the execution was reached.
    TimeOver,
    /// The execution was asked to stop.
    Stopped(StopCause),
    /// Calls and expressions are nested deeper than the limit.
    NestingLimit,
    /// A time is not a quotient of 64-bit integers.
    TimeOverflow,
    /// An expression that must not have a side effect has one.
    SideEffect,
    /// A construct that this program does not execute, by name.
    Unsupported(String),
    /// The network is not well formed, which validation should have reported.
    IllFormed(&'static str),
}

impl fmt::Display for RuntimeErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuntimeErrorKind::OutOfRange { value, range } => {
                write!(
                    formatter,
                    "the value {value} is not in the range {} to {}",
                    range.least, range.greatest
                )
            }
            RuntimeErrorKind::IndexOutOfRange { index, range } => {
                write!(
                    formatter,
                    "the index {index} is not in the range {} to {}",
                    range.least, range.greatest
                )
            }
            RuntimeErrorKind::DivisionByZero => formatter.write_str("division by zero"),
            RuntimeErrorKind::NegativeShift => formatter.write_str("shift by a negative number"),
            RuntimeErrorKind::NegativeExponent => formatter.write_str("integer raised to a negative power"),
            RuntimeErrorKind::Overflow => formatter.write_str("the result does not fit into 32 bits"),
            RuntimeErrorKind::NegativeClock => formatter.write_str("a clock is set to a negative value"),
            RuntimeErrorKind::ConflictingRates => {
                formatter.write_str("a clock has two rates at the same time")
            }
            RuntimeErrorKind::AssertionFailed => formatter.write_str("the assertion does not hold"),
            RuntimeErrorKind::MissingReturn => {
                formatter.write_str("the function ended without returning a value")
            }
            RuntimeErrorKind::StepLimit => formatter.write_str("the evaluation takes too many steps"),
            RuntimeErrorKind::TimeOver => formatter.write_str("timeout reached"),
            RuntimeErrorKind::Stopped(cause) => formatter.write_str(cause.describe()),
            RuntimeErrorKind::NestingLimit => formatter.write_str("the evaluation is nested too deeply"),
            RuntimeErrorKind::TimeOverflow => {
                formatter.write_str("a time is too large or too finely divided")
            }
            RuntimeErrorKind::SideEffect => formatter.write_str("a condition changes a variable"),
            RuntimeErrorKind::Unsupported(what) => write!(formatter, "{what} cannot be executed"),
            RuntimeErrorKind::IllFormed(what) => write!(formatter, "the network is not well formed: {what}"),
        }
    }
}

impl fmt::Display for RuntimeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(formatter)
    }
}

impl std::error::Error for RuntimeError {}
