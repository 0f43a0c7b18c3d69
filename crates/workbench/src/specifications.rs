//! Checks that the operands of a query about specifications can be combined, before an engine runs.
//!
//! Invariant: a problem is an error of the model or the query, never a verdict. Part of the check is a search with a
//! small budget; problems beyond it are found by the engine.

use std::time::Duration;

use tempora_evidence::Budget;
use tempora_games::composition_problems;
use tempora_model::{Query, QueryKind};
use tempora_source::{Diagnostic, Diagnostics, Origins};

use crate::codes::DO_NOT_COMPOSE;

/// The budget of the search.
const PATIENCE: Duration = Duration::from_secs(2);
const MOST_STATES: u64 = 20_000;

/// Returns errors for specifications of a query that cannot be combined.
pub(crate) fn specification_problems(query: &Query, origins: &Origins) -> Diagnostics {
    let QueryKind::Specification { components, question } = &query.kind else { return Diagnostics::new() };
    let budget = Budget::unlimited().with_timeout(PATIENCE).with_max_states(MOST_STATES);
    let problem = composition_problems(components, question, &budget);
    let to_diagnostic = |problem: tempora_games::CompositionProblem| {
        let diagnostic = Diagnostic::error(&DO_NOT_COMPOSE, problem.message)
            .with_hint("change the specifications or the operator; it is undefined for these operands");
        match origins.primary_span(problem.origin) {
            Some(span) => diagnostic.with_primary(span, ""),
            None => diagnostic,
        }
    };
    problem.into_iter().map(to_diagnostic).collect()
}
