//! Reading the model and the queries that a command is about.
//!
//! Invariant: whatever is wrong with the file, the model or a query is reported, as text to standard error and, if the
//! output is JSON, as an object with the errors to standard output; then the status is [`Status::Error`].

use std::io;

use tempora_evidence::Task;
use tempora_model::Query;
use tempora_report::documents::{ErrorsDocument, document_text};
use tempora_source::{Diagnostic, Files};
use tempora_workbench::{Asked, Disk, Loaded, OpenOptions, Proof, Session};

use super::OutputFormat;
use crate::Status;
use crate::codes::NO_NETWORK;
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
    /// The model in a file, with the queries in another if that is given.
    pub(crate) fn new(model: &str, property: Option<&str>) -> ModelArguments {
        ModelArguments { model: model.to_owned(), language: None, property: property.map(str::to_owned) }
    }

    /// The model as the user named it.
    pub(crate) fn path(&self) -> &str {
        &self.model
    }
}

/// A network without errors, or how the command ends.
pub(crate) fn read_model(
    arguments: &ModelArguments,
    output: OutputFormat,
    console: &mut Console,
) -> io::Result<Result<Loaded, Status>> {
    let path = arguments.path();
    match read_any_model(arguments, output, console)? {
        Ok(loaded) if loaded.network().is_none() => {
            refuse(path, &loaded.files, &[no_network()], output, console).map(Err)
        }
        other => Ok(other),
    }
}

/// What is said about a symbolic system where a network is needed.
pub(crate) fn no_network() -> Diagnostic {
    Diagnostic::error(&NO_NETWORK, "this is a symbolic system, and the command is for networks")
        .with_hint("symbolic systems can be checked and inspected")
}

/// A network or a symbolic system without errors, or how the command ends.
pub(crate) fn read_any_model(
    arguments: &ModelArguments,
    output: OutputFormat,
    console: &mut Console,
) -> io::Result<Result<Loaded, Status>> {
    let path = arguments.path();
    let loaded = match load_model(arguments) {
        Ok(loaded) => loaded,
        Err(diagnostic) => return refuse(path, &Files::new(), &[diagnostic], output, console).map(Err),
    };
    if loaded.system.is_none() {
        return refuse(path, &loaded.files, loaded.diagnostics.as_slice(), output, console).map(Err);
    }
    console.report(&loaded.files, loaded.diagnostics.as_slice());
    Ok(Ok(loaded))
}

/// A model, as far as it could be understood.
pub(crate) fn load_model(arguments: &ModelArguments) -> Result<Loaded, Diagnostic> {
    let options =
        OpenOptions { language: arguments.language.as_deref(), property: arguments.property.as_deref() };
    Session::new(&Disk::default()).open(arguments.path(), options)
}

pub(crate) fn readable(path: &str, hint: &str) -> Result<Vec<u8>, Diagnostic> {
    Session::new(&Disk::default()).read(path, hint)
}

/// Writes a file, or to standard output; returns why it cannot be written.
pub(crate) fn write_file(path: &str, bytes: &[u8], console: &mut Console) -> io::Result<Option<Diagnostic>> {
    if path == "-" {
        console.print(&String::from_utf8_lossy(bytes))?;
        return Ok(None);
    }
    Ok(Session::new(&Disk::default()).write(path, bytes, "`-` writes to standard output").err())
}

/// The task to answer queries that the user typed, or those of the model if there are none; or how the command ends if one of them
/// is wrong.
pub(crate) fn read_task(
    path: &str,
    loaded: &mut Loaded,
    texts: &[String],
    output: OutputFormat,
    console: &mut Console,
) -> io::Result<Result<Task, Status>> {
    let asked = loaded.read_task(texts);
    accept(path, loaded, asked, output, console)
}

/// The queries that the user typed, or how the command ends if one of them is wrong.
pub(crate) fn read_queries(
    path: &str,
    loaded: &mut Loaded,
    texts: &[String],
    output: OutputFormat,
    console: &mut Console,
) -> io::Result<Result<Vec<Query>, Status>> {
    let asked = loaded.read_queries(texts);
    accept(path, loaded, asked, output, console)
}

/// The proof in a file, or how the command ends if it is wrong.
pub(crate) fn read_proof(
    path: &str,
    loaded: &mut Loaded,
    file: &str,
    output: OutputFormat,
    console: &mut Console,
) -> io::Result<Result<Proof, Status>> {
    let bytes = match readable(file, "--proof names a file with a proof") {
        Ok(bytes) => bytes,
        Err(diagnostic) => return refuse(path, &loaded.files, &[diagnostic], output, console).map(Err),
    };
    let asked = loaded.read_proof(file, &bytes);
    accept(path, loaded, asked, output, console)
}

/// What was read, or how the command ends if it has errors. The command goes on with the texts and origins that were read.
fn accept<T>(
    path: &str,
    loaded: &mut Loaded,
    asked: Asked<T>,
    output: OutputFormat,
    console: &mut Console,
) -> io::Result<Result<T, Status>> {
    (loaded.files, loaded.origins) = (asked.files, asked.origins);
    match asked.value {
        Some(value) => {
            console.report(&loaded.files, asked.diagnostics.as_slice());
            Ok(Ok(value))
        }
        None => refuse(path, &loaded.files, asked.diagnostics.as_slice(), output, console).map(Err),
    }
}

/// Reports errors in both ways.
pub(crate) fn refuse(
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
