//! Why a computation ends without a result.
//!
//! Invariant: none of these is a verdict.

use tempora_evidence::{Exhausted, UnknownReason};
use tempora_explore::runtime_error;
use tempora_machine::Failure;
use tempora_zones::{BoundOverflow, TooManyClocks};

/// Why there is no result.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Stop {
    /// The budget is used up.
    Exhausted(Exhausted),
    /// A constant does not fit into a matrix.
    Overflow,
    /// The model fails when it is executed.
    Failure(Failure),
    /// Something is not supported.
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
