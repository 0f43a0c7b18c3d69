//! Reading the model and the queries that a command is about.
//!
//! Invariant: whatever is wrong with the file, the model or a query is reported, as text to standard error and, if the
//! output is JSON, as an object with the errors to standard output; then the status is [`Status::Error`].

use std::io::{self, Read};

use serde_json::json;
use tempora_model::Query;
use tempora_source::{Diagnostic, DiagnosticRecord, Files};
use tempora_workbench::{Loaded, load};

use super::OutputFormat;
use crate::Status;
use crate::codes::UNREADABLE_FILE;
use crate::console::Console;

/// A model without errors, or how the command ends.
pub(crate) fn read_model(
    path: &str,
    output: OutputFormat,
    console: &mut Console,
) -> io::Result<Result<Loaded, Status>> {
    let bytes = match read_bytes(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let message = format!("`{path}` cannot be read: {error}");
            let hint = "MODEL is a file, or `-` for standard input";
            let diagnostic = Diagnostic::error(&UNREADABLE_FILE, message).with_hint(hint);
            return refuse(path, &Files::new(), &[diagnostic], output, console).map(Err);
        }
    };
    let name = if path == "-" { "standard input" } else { path };
    let mut loaded = load(name, &bytes);
    loaded.diagnostics.sort(&loaded.files);
    if loaded.network.is_none() {
        return refuse(path, &loaded.files, loaded.diagnostics.as_slice(), output, console).map(Err);
    }
    console.report(&loaded.files, loaded.diagnostics.as_slice());
    Ok(Ok(loaded))
}

/// The queries that the user typed, or how the command ends if one of them is wrong.
pub(crate) fn read_queries(
    path: &str,
    loaded: &mut Loaded,
    texts: &[String],
    output: OutputFormat,
    console: &mut Console,
) -> io::Result<Result<Vec<Query>, Status>> {
    let mut queries = Vec::with_capacity(texts.len());
    let mut found = tempora_source::Diagnostics::new();
    for (number, text) in texts.iter().enumerate() {
        let (query, diagnostics) = loaded.read_query(&format!("query {}", number + 1), text);
        queries.extend(query);
        found.extend(diagnostics);
    }
    found.sort(&loaded.files);
    if found.has_errors() {
        return refuse(path, &loaded.files, found.as_slice(), output, console).map(Err);
    }
    console.report(&loaded.files, found.as_slice());
    Ok(Ok(queries))
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
        let errors: Vec<DiagnosticRecord> =
            diagnostics.iter().map(|diagnostic| DiagnosticRecord::new(files, diagnostic)).collect();
        console.print(&format!("{:#}\n", json!({ "version": 1, "model": path, "errors": errors })))?;
    }
    console.report(files, diagnostics);
    Ok(Status::Error)
}

/// More than this is no model that anybody wrote.
const LARGEST_FILE: u64 = 1 << 30;

fn read_bytes(path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == "-" {
        io::stdin().lock().take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    } else {
        let file = std::fs::File::open(path)?;
        if file.metadata()?.is_dir() {
            return Err(io::Error::other("it is a folder"));
        }
        file.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(io::Error::other("it has more than 1 GiB"));
    }
    Ok(bytes)
}
