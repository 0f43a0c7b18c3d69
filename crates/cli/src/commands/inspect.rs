//! `tempora inspect`: parses and type-checks a model and its queries, and summarises the model.
//!
//! No engine runs, so a well-formed query that no engine supports is not an error here.

use std::io;

use tempora_evidence::SystemKind;
use tempora_report::documents::document_text;
use tempora_report::formats::inspection;
use tempora_workbench::jobs::{InspectOutcome, InspectRequest};

use super::OutputFormat;
use super::job_runner::{ResourceLimits, run_job};
use super::model::{ModelArguments, refuse};
use crate::Status;
use crate::console::Console;

/// Parse and type-check a model, and summarise it
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    model: ModelArguments,

    /// Query to type-check; may be repeated
    #[arg(short, long, value_name = "QUERY")]
    query: Vec<String>,

    /// Print the lowered model that the engines work on
    #[arg(long)]
    ir: bool,

    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = OutputFormat::Text)]
    output: OutputFormat,

    #[command(flatten)]
    limits: ResourceLimits,
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Status> {
    let request = InspectRequest {
        model: arguments.model.request(),
        queries: arguments.query.clone(),
        ir: arguments.ir,
    };
    let InspectOutcome { document, types, kind } =
        match run_job(request, &arguments.limits.all(), console).outcome {
            Ok(inspected) => inspected,
            Err(refused) => return refuse(arguments.model.path(), &refused, arguments.output, console),
        };
    let text = match (arguments.output, kind) {
        (OutputFormat::Json, _) => document_text(&document),
        (OutputFormat::Text, _) if arguments.ir => document.ir.unwrap_or_default(),
        (OutputFormat::Text, SystemKind::Network) => inspection::network(&document),
        (OutputFormat::Text, SystemKind::Symbolic) => inspection::symbolic_system(&document, &types),
    };
    console.print(&text)?;
    Ok(Status::Success)
}
