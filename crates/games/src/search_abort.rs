//! Reasons why a computation ends without a result.
//!
//! Invariant: none of them is a verdict.

use tempora_evidence::{Exhausted, UnknownReason};
use tempora_explore::runtime_error;
use tempora_machine::Failure;
use tempora_zones::{BoundOverflow, TooManyClocks};

/// The reason why there is no result.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum SearchAbort {
    /// The budget is exhausted.
    Exhausted(Exhausted),
    /// A constant exceeds the range of zone bounds.
    Overflow,
    /// The model has a runtime error.
    Failure(Failure),
    /// An unsupported construct.
    Unsupported(String),
}

impl From<Exhausted> for SearchAbort {
    fn from(exhausted: Exhausted) -> SearchAbort {
        SearchAbort::Exhausted(exhausted)
    }
}

impl From<BoundOverflow> for SearchAbort {
    fn from(_: BoundOverflow) -> SearchAbort {
        SearchAbort::Overflow
    }
}

impl From<TooManyClocks> for SearchAbort {
    fn from(error: TooManyClocks) -> SearchAbort {
        SearchAbort::Unsupported(error.to_string())
    }
}

impl From<Failure> for SearchAbort {
    fn from(failure: Failure) -> SearchAbort {
        SearchAbort::Failure(failure)
    }
}

impl From<SearchAbort> for UnknownReason {
    fn from(stop: SearchAbort) -> UnknownReason {
        match stop {
            SearchAbort::Exhausted(exhausted) => exhausted.into(),
            SearchAbort::Overflow => {
                UnknownReason::Unsupported("clock constants that are too large".to_owned())
            }
            SearchAbort::Failure(failure) => UnknownReason::ModelError(runtime_error(&failure)),
            SearchAbort::Unsupported(what) => UnknownReason::Unsupported(what),
        }
    }
}
