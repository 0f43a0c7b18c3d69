//! `tempora inspect`: reads a model and its queries, and says what is in it.
//!
//! Invariant: nothing is computed but the meaning of the text. A query that is well formed but that no engine answers is
//! no error here.

use std::io;

use tempora_evidence::SystemKind;
use tempora_report::documents::document_text;
use tempora_report::formats::inspection;
use tempora_workbench::jobs::{InspectOutcome, InspectRequest};

use super::OutputFormat;
use super::model::{ModelArguments, refuse};
use super::performing::{Limits, perform};
use crate::Status;
use crate::console::Console;

/// Read a model, check its types, and say what is in it
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    model: ModelArguments,

    /// A query to check the types of; may be given several times
    #[arg(short, long, value_name = "QUERY")]
    query: Vec<String>,

    /// Print the model as the engines see it
    #[arg(long)]
    ir: bool,

    /// How to write it
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = OutputFormat::Text)]
    output: OutputFormat,
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Status> {
    let request = InspectRequest {
        model: arguments.model.request(),
        queries: arguments.query.clone(),
        ir: arguments.ir,
    };
    let InspectOutcome { document, types, kind } = match perform(request, &Limits::default(), console).outcome
    {
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
