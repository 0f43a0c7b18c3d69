//! Reasons why a computation ends without a result.
//!
//! Invariant: none of them is a verdict.

use tempora_evidence::{Exhausted, UnknownReason};
use tempora_explore::runtime_error;
use tempora_machine::Failure;
use tempora_zones::{BoundOverflow, TooManyClocks};

/// The reason why there is no result.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Stop {
    /// The budget is exhausted.
    Exhausted(Exhausted),
    /// A constant exceeds the range of zone bounds.
    Overflow,
    /// The model has a runtime error.
    Failure(Failure),
    /// An unsupported construct.
    Unsupported(String),
}

impl From<Exhausted> for Stop {
    fn from(exhausted: Exhausted) -> Stop {
        Stop::Exhausted(exhausted)
    }
}

impl From<BoundOverflow> for Stop {
    fn from(_: BoundOverflow) -> Stop {
        Stop::Overflow
    }
}

impl From<TooManyClocks> for Stop {
    fn from(error: TooManyClocks) -> Stop {
        Stop::Unsupported(error.to_string())
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failure(failure)
    }
}

impl From<Stop> for UnknownReason {
    fn from(stop: Stop) -> UnknownReason {
        match stop {
            Stop::Exhausted(exhausted) => exhausted.into(),
            Stop::Overflow => UnknownReason::Unsupported("clock constants that are too large".to_owned()),
            Stop::Failure(failure) => UnknownReason::ModelError(runtime_error(&failure)),
            Stop::Unsupported(what) => UnknownReason::Unsupported(what),
        }
    }
}
