//! The job that checks the syntax of a query.
//!
//! There is no model, so names in the query are not resolved.

use std::sync::Arc;

use tempora_source::Files;
use tempora_syntax::parse_query;

use super::{Event, Job, JobContext, Refused, Reported};

/// A request to parse a query.
#[derive(Clone, Debug)]
pub struct ParseQueryRequest {
    /// The query.
    pub text: String,
}

/// The result of parsing a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseQueryOutcome {
    /// Whether the query is syntactically correct.
    pub is_correct: bool,
}

impl Job for ParseQueryRequest {
    type Outcome = ParseQueryOutcome;

    fn run(self, context: &JobContext<'_>) -> Result<ParseQueryOutcome, Refused> {
        let mut files = Files::new();
        let file = files.add("query", self.text.as_str())?;
        let parsed = parse_query(&files, file);
        let is_correct = !parsed.diagnostics.has_errors();
        if !parsed.diagnostics.is_empty() {
            let diagnostics = parsed.diagnostics.as_slice().to_vec();
            context.send(Event::Reported(Reported { files: Arc::new(files), diagnostics }));
        }
        Ok(ParseQueryOutcome { is_correct })
    }
}
