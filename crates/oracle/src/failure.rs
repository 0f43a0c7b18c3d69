//! Failures to build a region graph or to answer from it.
//!
//! Invariant: a failure is never a verdict. Comparisons with an engine must distinguish them: `TooLarge` calls for a
//! smaller model, and a `ModelError` must be reported by the engine too.

use std::fmt;

use tempora_evidence::{RuntimeError, RuntimeErrorKind};

/// The reason why there is no answer.
#[derive(Clone, PartialEq, Debug)]
pub enum ExplorationFailure {
    /// There are more regions than allowed.
    TooLarge {
        /// The number of allowed regions.
        limit: usize,
    },
    /// The model has a runtime error in a reachable state.
    ModelError(RuntimeError),
    /// An unsupported construct or query.
    Unsupported(String),
}

impl From<RuntimeError> for ExplorationFailure {
    fn from(error: RuntimeError) -> ExplorationFailure {
        match error.kind {
            // These are limits of the interpreter, not errors of the model.
            RuntimeErrorKind::Unsupported(_)
            | RuntimeErrorKind::IllFormed(_)
            | RuntimeErrorKind::StepLimit
            | RuntimeErrorKind::TimeOver
            | RuntimeErrorKind::Stopped(_)
            | RuntimeErrorKind::NestingLimit
            | RuntimeErrorKind::TimeOverflow => ExplorationFailure::Unsupported(error.to_string()),
            _ => ExplorationFailure::ModelError(error),
        }
    }
}

impl fmt::Display for ExplorationFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExplorationFailure::TooLarge { limit } => {
                write!(formatter, "there are more than {limit} regions")
            }
            ExplorationFailure::ModelError(error) => write!(formatter, "model error: {error}"),
            ExplorationFailure::Unsupported(what) => write!(formatter, "not supported: {what}"),
        }
    }
}

impl std::error::Error for ExplorationFailure {}
