//! Jobs: a request, events while it is worked on, and an outcome.
//!
//! Invariant: requests, events and outcomes own their data, so that another thread or process can carry them. A job runs on a
//! thread with a deep stack, and its budget starts before it reads the first byte. Adding a job takes a file here and a line below.

mod check;
mod check_files;
mod check_options;
mod check_plans;
mod convert;
mod draw;
mod inspect;
mod lint;
mod lint_settings;
mod observed_graphs;
mod outputs;
mod parse_query;
mod relate;
mod running;
mod save_components;
mod verify_certificates;
mod verifyta;

pub use check::{CheckOutcome, CheckRequest, Conclusion};
pub use check_options::SearchChoice;
pub use convert::{ConvertOutcome, ConvertRequest};
pub use draw::{DrawOutcome, DrawRequest};
pub use inspect::{InspectOutcome, InspectRequest};
pub use lint::{LintOutcome, LintRequest};
pub use outputs::{Output, OutputContent};
pub use parse_query::{ParseQueryOutcome, ParseQueryRequest};
pub use relate::{RelateOutcome, RelateRequest, RelatedQuery};
pub use running::{JobContext, ProgressReport};
pub use verify_certificates::{VerifyOutcome, VerifyRequest};
pub use verifyta::{VerifytaAnswer, VerifytaOutcome, VerifytaRequest, VerifytaRun};

use std::sync::Arc;
use std::time::Duration;

use tempora_report::LocatedAnswer;
use tempora_source::{Diagnostic, Files};

/// A piece of work that a session does.
pub trait Job: Send + 'static {
    /// Its result.
    type Outcome: Send + 'static;

    /// Does the work, within the budget of the context.
    fn run(self, context: &JobContext<'_>) -> Result<Self::Outcome, Refused>;
}

/// The model that a job is about.
#[derive(Clone, Debug, Default)]
pub struct ModelRequest {
    /// A file, a project folder, or `-`.
    pub path: String,
    /// The name of its language; recognised if not given.
    pub language: Option<String>,
    /// A file with queries, in place of those that come with the model.
    pub property: Option<String>,
}

/// How much a job may take.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Time.
    pub timeout: Option<Duration>,
    /// Memory of the whole program.
    pub memory_bytes: Option<u64>,
    /// Stored states.
    pub max_states: Option<u64>,
}

/// Something that happens while a job runs.
#[derive(Debug)]
pub enum Event {
    /// The job has read a text and has something to say about it, which does not stop it.
    Reported(Reported),
    /// A query has its answer; the number is that of the query, from 0.
    Answered(usize, Box<LocatedAnswer>),
    /// The job has made a file that does not wait for its end.
    Made(Box<Output>),
    /// The job goes on.
    Progress(ProgressReport),
}

/// Diagnostics with the texts that they are about.
#[derive(Clone, Debug, Default)]
pub struct Reported {
    /// The texts.
    pub files: Arc<Files>,
    /// The diagnostics.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why a job was not done: the request, the model or a query is at fault.
#[derive(Clone, Debug, Default)]
pub struct Refused {
    /// The diagnostics; none if they were events already.
    pub reported: Box<Reported>,
}

impl Refused {
    /// Diagnostics about texts.
    pub fn about(files: &Arc<Files>, diagnostics: impl IntoIterator<Item = Diagnostic>) -> Refused {
        let diagnostics = diagnostics.into_iter().collect();
        Refused { reported: Box::new(Reported { files: Arc::clone(files), diagnostics }) }
    }
}

impl From<Diagnostic> for Refused {
    fn from(diagnostic: Diagnostic) -> Refused {
        Refused::about(&Arc::default(), [diagnostic])
    }
}
