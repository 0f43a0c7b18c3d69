//! Jobs: each has a request, events while it runs, and an outcome.
//!
//! Invariant: requests, events and outcomes own their data, so that they can be sent to another thread or process. A
//! job runs on a thread with a large stack, and its budget starts before it reads the first byte. A new job needs a
//! file here and a line below.

mod check;
mod check_files;
mod check_options;
mod check_plans;
mod convert;
mod draw;
mod inspect;
mod job_thread;
mod lint;
mod lint_settings;
mod observed_graphs;
mod outputs;
mod parse_query;
mod relate;
mod save_components;
mod verify_certificates;
mod verifyta;

pub use check::{CheckOutcome, CheckRequest, Conclusion};
pub use check_options::SearchChoice;
pub use convert::{ConvertOutcome, ConvertRequest};
pub use draw::{DrawOutcome, DrawRequest};
pub use inspect::{InspectOutcome, InspectRequest};
pub use job_thread::{JobContext, ProgressReport};
pub use lint::{LintOutcome, LintRequest};
pub use outputs::{Output, OutputContent};
pub use parse_query::{ParseQueryOutcome, ParseQueryRequest};
pub use relate::{RelateOutcome, RelateRequest, RelatedQuery};
pub use verify_certificates::{VerifyOutcome, VerifyRequest};
pub use verifyta::{VerifytaAnswer, VerifytaOutcome, VerifytaRequest, VerifytaRun};

use std::sync::Arc;
use std::time::Duration;

use tempora_evidence::Exhausted;
use tempora_report::LocatedAnswer;
use tempora_source::{Diagnostic, Files};

/// A request that a session can run.
pub trait Job: Send + 'static {
    /// Its result.
    type Outcome: Send + 'static;

    /// Runs the job within the budget of the context.
    fn run(self, context: &JobContext<'_>) -> Result<Self::Outcome, Refused>;
}

/// The model of a job.
#[derive(Clone, Debug, Default)]
pub struct ModelRequest {
    /// A file, a project folder, or `-`.
    pub path: String,
    /// The name of its language; detected if not given.
    pub language: Option<String>,
    /// A file with queries that replace the model's own.
    pub property: Option<String>,
}

/// Resource limits of a job.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Limit on time.
    pub timeout: Option<Duration>,
    /// Limit on the memory of the whole program.
    pub memory_bytes: Option<u64>,
    /// Limit on stored states.
    pub max_states: Option<u64>,
}

/// An event that a running job sends.
#[derive(Debug)]
pub enum Event {
    /// Diagnostics that do not stop the job.
    Reported(Reported),
    /// The answer to the query with this number, from 0.
    Answered(usize, Box<LocatedAnswer>),
    /// An intermediate file, to be written at once.
    Made(Box<Output>),
    /// The progress so far.
    Progress(ProgressReport),
}

/// Diagnostics with their source files.
#[derive(Clone, Debug, Default)]
pub struct Reported {
    /// The source files.
    pub files: Arc<Files>,
    /// The diagnostics.
    pub diagnostics: Vec<Diagnostic>,
}

/// The error of a job: the request, the model or a query is invalid, or a limit was reached too early for a result.
#[derive(Clone, Debug, Default)]
pub struct Refused {
    /// The diagnostics; empty if they were sent as events before.
    pub reported: Box<Reported>,
    /// The limit that ended the job before it had a result.
    pub limit: Option<Exhausted>,
}

impl Refused {
    /// Returns an error with diagnostics about source files.
    pub fn about(files: &Arc<Files>, diagnostics: impl IntoIterator<Item = Diagnostic>) -> Refused {
        let diagnostics = diagnostics.into_iter().collect();
        Refused { reported: Box::new(Reported { files: Arc::clone(files), diagnostics }), limit: None }
    }
}

impl From<Diagnostic> for Refused {
    fn from(diagnostic: Diagnostic) -> Refused {
        Refused::about(&Arc::default(), [diagnostic])
    }
}
