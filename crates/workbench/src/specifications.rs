//! What is wrong with a question about specifications before it is asked.
//!
//! Invariant: what is said here is an error of the model or the question, never a verdict. A part of the check searches;
//! what takes long is left to the engine, which finds it again.

use std::time::Duration;

use tempora_evidence::Budget;
use tempora_games::composition_problems;
use tempora_model::{Query, QueryKind};
use tempora_source::{Diagnostic, Diagnostics, Origins};

use crate::codes::DO_NOT_COMPOSE;

/// The search of a check before the answer may take so long, and so many states.
const PATIENCE: Duration = Duration::from_secs(2);
const MOST_STATES: u64 = 20_000;

/// Why the specifications of a question cannot be combined.
pub(crate) fn specification_problems(query: &Query, origins: &Origins) -> Diagnostics {
    let QueryKind::Specification { components, question } = &query.kind else { return Diagnostics::new() };
    let budget = Budget::unlimited().with_timeout(PATIENCE).with_max_states(MOST_STATES);
    let problem = composition_problems(components, question, &budget);
    let to_diagnostic = |problem: tempora_games::CompositionProblem| {
        let diagnostic = Diagnostic::error(&DO_NOT_COMPOSE, problem.message)
            .with_hint("the operators are defined for specifications that fit together");
        match origins.primary_span(problem.origin) {
            Some(span) => diagnostic.with_primary(span, ""),
            None => diagnostic,
        }
    };
    problem.into_iter().map(to_diagnostic).collect()
}
