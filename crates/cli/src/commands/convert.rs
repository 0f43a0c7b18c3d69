//! `tempora convert`: writes a model in another language.
//!
//! Invariant: a file is written only if the language can express the whole model; all obstacles are reported at once.

use std::io;

use tempora_workbench::jobs::{ConvertOutcome, ConvertRequest};

use super::OutputFormat;
use super::job_runner::{JobResult, ResourceLimits, run_job, save_outputs};
use super::model::{ModelArguments, refuse, report_fault};
use crate::Status;
use crate::console::Console;

/// Write a model in another language
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    model: ModelArguments,

    /// File to write, or `-` for standard output; for `--to ecdar`, a new or empty folder
    file: String,

    /// Language to write; by default, inferred from the extension of the file
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,

    #[command(flatten)]
    limits: ResourceLimits,
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Status> {
    let request = ConvertRequest {
        model: arguments.model.request(),
        path: arguments.file.clone(),
        language: arguments.to.clone(),
    };
    let JobResult { outcome, files, .. } = run_job(request, &arguments.limits.all(), console);
    match outcome {
        Ok(ConvertOutcome { output }) => {
            let fault = save_outputs(&[output], &files, console)?;
            fault.map_or(Ok(Status::Success), |fault| report_fault(&fault, console))
        }
        Err(refused) => refuse(arguments.model.path(), &refused, OutputFormat::Text, console),
    }
}
