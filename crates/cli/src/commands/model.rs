//! Arguments that select a model, and the report of errors in it.
//!
//! Invariant: errors are printed as text to standard error and, if the output is JSON, also as an object to standard
//! output; the status is then [`Status::Error`].

use std::io;

use tempora_report::documents::{ErrorsDocument, document_text};
use tempora_source::{Diagnostic, Files};
use tempora_workbench::jobs::{ModelRequest, Refused};

use super::OutputFormat;
use crate::Status;
use crate::console::Console;

/// The model of a command, its language and its queries.
#[derive(clap::Args)]
pub(crate) struct ModelArguments {
    /// Model: a file, a project folder, or `-` for standard input
    model: String,

    /// Language of the model; by default, detected
    #[arg(long, value_name = "NAME")]
    language: Option<String>,

    /// File with queries to use instead of the model's own
    #[arg(long, value_name = "FILE")]
    property: Option<String>,
}

impl ModelArguments {
    /// Returns the path of the model as given by the user.
    pub(crate) fn path(&self) -> &str {
        &self.model
    }

    /// Returns the model of a job request.
    pub(crate) fn request(&self) -> ModelRequest {
        let ModelArguments { model, language, property } = self;
        ModelRequest { path: model.clone(), language: language.clone(), property: property.clone() }
    }
}

/// Reports why a job was refused; the status is [`Status::Unknown`] if it reached a limit.
pub(crate) fn refuse(
    path: &str,
    refused: &Refused,
    output: OutputFormat,
    console: &mut Console,
) -> io::Result<Status> {
    let reported = &refused.reported;
    let status = report_errors(path, &reported.files, &reported.diagnostics, output, console)?;
    Ok(if refused.limit.is_some() { Status::Unknown } else { status })
}

/// Reports an error that has no place in a source file.
pub(crate) fn report_fault(fault: &Diagnostic, console: &mut Console) -> io::Result<Status> {
    report_errors("", &Files::new(), std::slice::from_ref(fault), OutputFormat::Text, console)
}

fn report_errors(
    path: &str,
    files: &Files,
    diagnostics: &[Diagnostic],
    output: OutputFormat,
    console: &mut Console,
) -> io::Result<Status> {
    if output == OutputFormat::Json {
        console.print(&document_text(&ErrorsDocument::new(Some(path), files, diagnostics)))?;
    }
    console.report(files, diagnostics);
    Ok(Status::Error)
}
