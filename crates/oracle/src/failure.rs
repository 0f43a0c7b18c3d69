//! Why there is no region graph, or no answer from it.
//!
//! Invariant: a failure is never a verdict. Whoever compares an engine with the oracle must treat each of them apart:
//! the first is a reason to take a smaller model, the second is something that an engine must report too.

use std::fmt;

use tempora_evidence::{RuntimeError, RuntimeErrorKind};

/// Why there is no answer.
#[derive(Clone, PartialEq, Debug)]
pub enum ExplorationFailure {
    /// There are more regions than allowed.
    TooLarge {
        /// How many are allowed.
        limit: usize,
    },
    /// The model fails in a reachable state.
    ModelError(RuntimeError),
    /// The oracle does not do this, by name.
    Unsupported(String),
}

impl From<RuntimeError> for ExplorationFailure {
    fn from(error: RuntimeError) -> ExplorationFailure {
        match error.kind {
            // These say something about the interpreter, not about the model.
            RuntimeErrorKind::Unsupported(_)
            | RuntimeErrorKind::IllFormed(_)
            | RuntimeErrorKind::StepLimit
            | RuntimeErrorKind::TimeOver
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
