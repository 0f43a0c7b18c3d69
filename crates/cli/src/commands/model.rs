//! The model that a command is about, and errors in it.
//!
//! Invariant: whatever is wrong with the file, the model or a query is reported, as text to standard error and, if the
//! output is JSON, as an object with the errors to standard output; then the status is [`Status::Error`].

use std::io;

use tempora_report::documents::{ErrorsDocument, document_text};
use tempora_source::{Diagnostic, Files};
use tempora_workbench::jobs::{ModelRequest, Refused};

use super::OutputFormat;
use crate::Status;
use crate::console::Console;

/// Which model a command is about.
#[derive(clap::Args)]
pub(crate) struct ModelArguments {
    /// The model: a file, a project folder, or `-` for standard input
    model: String,

    /// The language of the model; recognised if not given
    #[arg(long, value_name = "NAME")]
    language: Option<String>,

    /// A file with queries, in place of those that come with the model
    #[arg(long, value_name = "FILE")]
    property: Option<String>,
}

impl ModelArguments {
    /// The model as the user named it.
    pub(crate) fn path(&self) -> &str {
        &self.model
    }

    /// The model, for a job.
    pub(crate) fn request(&self) -> ModelRequest {
        let ModelArguments { model, language, property } = self;
        ModelRequest { path: model.clone(), language: language.clone(), property: property.clone() }
    }
}

/// Reports why a job was refused, in both ways.
pub(crate) fn refuse(
    path: &str,
    refused: &Refused,
    output: OutputFormat,
    console: &mut Console,
) -> io::Result<Status> {
    let reported = &refused.reported;
    report_errors(path, &reported.files, &reported.diagnostics, output, console)
}

/// Reports an error that is about no text.
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
