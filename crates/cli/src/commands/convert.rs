//! `tempora convert`: writes a model in another language.
//!
//! Invariant: a file is written only if all of the model can be said in the language; what stands in the way is reported
//! all at once.

use std::io;

use tempora_frontends::{WRITERS, Writer, writer_for_file, writer_named};
use tempora_source::{Diagnostic, Files, nearest_names};

use super::OutputFormat;
use super::model::{ModelArguments, read_model, refuse, write_file};
use crate::Status;
use crate::codes::UNKNOWN_FORMAT;
use crate::console::Console;

/// Write a model in another language
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    model: ModelArguments,

    /// The file to write, or `-` for standard output
    file: String,

    /// The language; without it, the end of the name of the file says which
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Status> {
    let (path, output) = (arguments.model.path(), OutputFormat::Text);
    let writer = match chosen_writer(arguments) {
        Ok(writer) => writer,
        Err(diagnostic) => return refuse(path, &Files::new(), &[diagnostic], output, console),
    };
    let loaded = match read_model(&arguments.model, output, console)? {
        Ok(loaded) => loaded,
        Err(status) => return Ok(status),
    };
    let Some(model) = loaded.writable() else { return Ok(Status::Error) };
    let text = match writer.write(&model) {
        Ok(text) => text,
        Err(problems) => {
            let problems = problems.into_sorted(&loaded.files);
            return refuse(path, &loaded.files, &problems, output, console);
        }
    };
    // A document that stays one keeps its encoding too.
    let same = loaded
        .document
        .as_ref()
        .filter(|_| loaded.language.is_some_and(|language| language.name == writer.name));
    let bytes = same
        .and_then(|document| loaded.files.original_bytes(document.file))
        .unwrap_or_else(|| text.into_bytes());
    if let Some(diagnostic) = write_file(&arguments.file, &bytes, console)? {
        return refuse(path, &loaded.files, &[diagnostic], output, console);
    }
    Ok(Status::Success)
}

fn chosen_writer(arguments: &Arguments) -> Result<&'static Writer, Diagnostic> {
    let names: Vec<&str> = WRITERS.iter().map(|writer| writer.name).collect();
    let all = format!("models can be written as {}", names.join(", "));
    match &arguments.to {
        Some(name) => writer_named(name).ok_or_else(|| {
            let hint = match nearest_names(name, names).first() {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => all,
            };
            Diagnostic::error(&UNKNOWN_FORMAT, format!("there is no way to write `{name}`")).with_hint(hint)
        }),
        None => writer_for_file(&arguments.file).ok_or_else(|| {
            let message = format!("`{}` does not say in which language to write", arguments.file);
            Diagnostic::error(&UNKNOWN_FORMAT, message).with_hint(format!("write `--to FORMAT`; {all}"))
        }),
    }
}
