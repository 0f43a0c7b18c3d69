//! Reading the model and the queries that a command is about.
//!
//! Invariant: whatever is wrong with the file, the model or a query is reported, as text to standard error and, if the
//! output is JSON, as an object with the errors to standard output; then the status is [`Status::Error`].

use std::io::{self, Read};

use serde_json::json;
use tempora_evidence::Task;
use tempora_model::Query;
use tempora_source::{Diagnostic, DiagnosticRecord, Files};
use tempora_workbench::{
    LANGUAGES, LoadOptions, Loaded, Proof, language_named, load_project, load_with, role_of_file,
};

use super::OutputFormat;
use crate::Status;
use crate::codes::{NO_NETWORK, UNKNOWN_LANGUAGE, UNREADABLE_FILE, UNWRITABLE_FILE};
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
    let path = arguments.path();
    let language = match &arguments.language {
        Some(name) => Some(language_named(name).ok_or_else(|| {
            let names: Vec<&str> = LANGUAGES.iter().map(|language| language.name).collect();
            Diagnostic::error(&UNKNOWN_LANGUAGE, format!("there is no language `{name}`"))
                .with_hint(format!("the languages are {}", names.join(", ")))
        })?),
        None => None,
    };
    let is_project = std::path::Path::new(path).join("Components").is_dir();
    let project = if is_project { Some(project_files(path)?) } else { None };
    let bytes = match project {
        Some(_) => Vec::new(),
        None => readable(path, "MODEL is a file, or `-` for standard input")?,
    };
    let asked = match &arguments.property {
        Some(file) => Some((file.clone(), readable(file, "--property names a file with queries")?)),
        None => None,
    };
    let beside = if asked.is_some() { None } else { queries_beside(path) };
    let name = if path == "-" { "standard input" } else { path };
    let options = LoadOptions {
        language,
        queries: asked.as_ref().map(|(name, bytes)| (name.as_str(), bytes.as_slice())),
        queries_beside: beside.as_ref().map(|(name, bytes)| (name.as_str(), bytes.as_slice())),
    };
    let mut loaded = match project {
        Some(parts) => load_project(name, &parts, options),
        None => load_with(name, &bytes, options),
    };
    loaded.diagnostics.sort(&loaded.files);
    Ok(loaded)
}

/// The files of a project folder that mean something, sorted, with their paths in it.
fn project_files(folder: &str) -> Result<Vec<(String, Vec<u8>)>, Diagnostic> {
    let root = std::path::Path::new(folder);
    let mut paths: Vec<String> =
        ["GlobalDeclarations.json", "SystemDeclarations.json", "Queries.json"].map(str::to_owned).to_vec();
    for inner in ["Components", "Systems", "Tests"] {
        if let Ok(entries) = std::fs::read_dir(root.join(inner)) {
            let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
            paths.extend(names.map(|name| format!("{inner}/{name}")));
        }
    }
    paths.sort();
    let mut parts = Vec::new();
    for path in paths {
        let full = root.join(&path);
        if role_of_file(&path).is_some() && full.is_file() {
            let bytes = readable(&full.to_string_lossy(), "it is a file of the project")?;
            parts.push((path, bytes));
        }
    }
    Ok(parts)
}

/// The file with queries that lies beside a model, as `train.q` beside `train.xml`, or `train.prop` beside `train.xsts`.
fn queries_beside(path: &str) -> Option<(String, Vec<u8>)> {
    let path_of_model = std::path::Path::new(path);
    let is_xsts = path_of_model.extension().is_some_and(|extension| extension == "xsts");
    let file = path_of_model.with_extension(if is_xsts { "prop" } else { "q" });
    if path == "-" || !file.is_file() {
        return None;
    }
    let name = file.to_str()?.to_owned();
    let bytes = read_bytes(&name).ok()?;
    Some((name, bytes))
}

pub(crate) fn readable(path: &str, hint: &str) -> Result<Vec<u8>, Diagnostic> {
    read_bytes(path).map_err(|error| {
        let message = format!("`{path}` cannot be read: {error}");
        Diagnostic::error(&UNREADABLE_FILE, message).with_hint(hint)
    })
}

/// Writes a file, or to standard output; returns why it cannot be written.
pub(crate) fn write_file(path: &str, bytes: &[u8], console: &mut Console) -> io::Result<Option<Diagnostic>> {
    if path == "-" {
        console.print(&String::from_utf8_lossy(bytes))?;
        return Ok(None);
    }
    Ok(std::fs::write(path, bytes).err().map(|error| {
        let message = format!("`{path}` cannot be written: {error}");
        Diagnostic::error(&UNWRITABLE_FILE, message).with_hint("`-` writes to standard output")
    }))
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
    let (task, mut found) = loaded.read_task(texts);
    found.sort(&loaded.files);
    match task {
        Some(task) if !found.has_errors() => {
            console.report(&loaded.files, found.as_slice());
            Ok(Ok(task))
        }
        _ => refuse(path, &loaded.files, found.as_slice(), output, console).map(Err),
    }
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
    let (proof, mut found) = loaded.read_proof(file, &bytes);
    found.sort(&loaded.files);
    match proof {
        Some(proof) => {
            console.report(&loaded.files, found.as_slice());
            Ok(Ok(proof))
        }
        None => refuse(path, &loaded.files, found.as_slice(), output, console).map(Err),
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
