//! `tempora convert`: writes a model in another language.
//!
//! Invariant: a file is written only if all of the model can be said in the language; what stands in the way is reported
//! all at once.

use std::io;
use std::path::Path;

use tempora_frontends::{Content, FolderFile, WRITERS, Writer, writer_for_file, writer_named};
use tempora_source::{Diagnostic, Files, Origins, nearest_names};
use tempora_transition::SymbolicSystem;
use tempora_workbench::codes::UNWRITABLE_FILE;
use tempora_workbench::{Disk, Loaded, Workspace, horn_clauses};

use super::OutputFormat;
use super::model::{ModelArguments, read_any_model, read_task, refuse, write_file};
use crate::Status;
use crate::codes::UNKNOWN_FORMAT;
use crate::console::Console;

/// Write a model in another language
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    model: ModelArguments,

    /// The file to write, or `-` for standard output; for `--to ecdar`, a folder that is new or empty
    file: String,

    /// The language; without it, the end of the name of the file says which
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Status> {
    let (path, output) = (arguments.model.path(), OutputFormat::Text);
    let writer = chosen_writer(arguments);
    if let Err(diagnostic) = &writer
        && SymbolicFormat::chosen(arguments).is_none()
    {
        return refuse(path, &Files::new(), std::slice::from_ref(diagnostic), output, console);
    }
    let mut loaded = match read_any_model(&arguments.model, output, console)? {
        Ok(loaded) => loaded,
        Err(status) => return Ok(status),
    };
    if loaded.symbolic().is_some() {
        return convert_symbolic(arguments, &mut loaded, console);
    }
    let Ok(writer) = writer else {
        let names = names_for_networks();
        let diagnostic = Diagnostic::error(&UNKNOWN_FORMAT, "this format is for symbolic systems")
            .with_hint(format!("networks can be written as {}", names.join(", ")));
        return refuse(path, &loaded.files, &[diagnostic], output, console);
    };
    let Some(model) = loaded.writable() else { return Ok(Status::Error) };
    let conversion = match writer.write(&model) {
        Ok(conversion) => conversion,
        Err(problems) => {
            let problems = problems.into_sorted(&loaded.files);
            return refuse(path, &loaded.files, &problems, output, console);
        }
    };
    console.report(&loaded.files, &conversion.warnings.into_sorted(&loaded.files));
    let problem = match conversion.content {
        Content::Text(text) => {
            // A document that stays one keeps its encoding too.
            let same =
                loaded.xml().filter(|_| loaded.language.is_some_and(|language| language.name == writer.name));
            let bytes = same
                .and_then(|document| loaded.files.original_bytes(document.file))
                .unwrap_or_else(|| text.into_bytes());
            write_file(&arguments.file, &bytes, console)?
        }
        Content::Folder(files) => write_folder(&arguments.file, &files),
    };
    match problem {
        Some(diagnostic) => refuse(path, &loaded.files, &[diagnostic], output, console),
        None => Ok(Status::Success),
    }
}

/// Writes the files of a folder that is new or empty; returns why they cannot be written.
pub(super) fn write_folder(path: &str, files: &[FolderFile]) -> Option<Diagnostic> {
    let unwritable = |message: String, hint: &str| {
        Some(Diagnostic::error(&UNWRITABLE_FILE, message).with_hint(hint.to_owned()))
    };
    let folder = Path::new(path);
    if path == "-" {
        let message = "a project has several files, and standard output is one".to_owned();
        return unwritable(message, "name a folder");
    }
    if folder.is_dir() && !std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none()) {
        let message = format!("there is something in `{path}` already");
        return unwritable(message, "name a folder that is new or empty");
    }
    for file in files {
        let full = folder.join(&file.path);
        let created = full.parent().map_or(Ok(()), std::fs::create_dir_all);
        if let Err(error) = created.and_then(|()| Disk::default().write(&full.to_string_lossy(), &file.bytes))
        {
            let message = format!("`{}` cannot be written: {error}", full.display());
            return unwritable(message, "name a folder that can be written to");
        }
    }
    None
}

fn names_for_networks() -> Vec<&'static str> {
    WRITERS.iter().filter(|writer| !writer.is_symbolic()).map(|writer| writer.name).collect()
}

fn chosen_writer(arguments: &Arguments) -> Result<&'static Writer, Diagnostic> {
    let names = names_for_networks();
    let all = format!("models can be written as {}", names.join(", "));
    match &arguments.to {
        Some(name) => writer_named(name).filter(|writer| !writer.is_symbolic()).ok_or_else(|| {
            let hint = match nearest_names(name, names).first() {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => all,
            };
            Diagnostic::error(&UNKNOWN_FORMAT, format!("there is no way to write `{name}`")).with_hint(hint)
        }),
        None => writer_for_file(&arguments.file).filter(|writer| !writer.is_symbolic()).ok_or_else(|| {
            let message = format!("`{}` does not say in which language to write", arguments.file);
            Diagnostic::error(&UNKNOWN_FORMAT, message).with_hint(format!("write `--to FORMAT`; {all}"))
        }),
    }
}

/// A form in which symbolic systems are written.
enum SymbolicFormat {
    /// A language that is read too.
    Language(&'static Writer),
    /// Horn clauses for solvers.
    Clauses,
}

impl SymbolicFormat {
    fn all() -> impl Iterator<Item = SymbolicFormat> {
        let writers = WRITERS.iter().filter(|writer| writer.is_symbolic());
        writers.map(SymbolicFormat::Language).chain([SymbolicFormat::Clauses])
    }

    fn name(&self) -> &'static str {
        match self {
            SymbolicFormat::Language(writer) => writer.name,
            SymbolicFormat::Clauses => "chc",
        }
    }

    fn extension(&self) -> &'static str {
        match self {
            SymbolicFormat::Language(writer) => writer.extension,
            SymbolicFormat::Clauses => "smt2",
        }
    }

    fn chosen(arguments: &Arguments) -> Option<SymbolicFormat> {
        SymbolicFormat::all().find(|format| match &arguments.to {
            Some(name) => name == format.name(),
            None => arguments.file.strip_suffix(format.extension()).is_some_and(|rest| rest.ends_with('.')),
        })
    }

    fn write(
        &self,
        system: &SymbolicSystem,
        origins: &Origins,
        files: &Files,
    ) -> Result<String, Vec<Diagnostic>> {
        let one_only = |why: String| {
            let hint = "--property names a file with one property";
            vec![Diagnostic::error(&UNKNOWN_FORMAT, why).with_hint(hint)]
        };
        match (self, system.properties.as_slice()) {
            (SymbolicFormat::Language(writer), _) => {
                writer.write_system(system, origins).map_err(|problems| problems.into_sorted(files))
            }
            (SymbolicFormat::Clauses, [property]) => horn_clauses(system, property).map_err(one_only),
            (SymbolicFormat::Clauses, properties) => Err(one_only(format!(
                "Horn clauses are about one property, and there are {}",
                properties.len()
            ))),
        }
    }
}

fn convert_symbolic(arguments: &Arguments, loaded: &mut Loaded, console: &mut Console) -> io::Result<Status> {
    let (path, output) = (arguments.model.path(), OutputFormat::Text);
    let Some(format) = SymbolicFormat::chosen(arguments) else {
        let names: Vec<&str> = SymbolicFormat::all().map(|format| format.name()).collect();
        let diagnostic =
            Diagnostic::error(&UNKNOWN_FORMAT, "symbolic systems are not written in this format")
                .with_hint(format!("use --to {}", names.join(" or ")));
        return refuse(path, &loaded.files, &[diagnostic], output, console);
    };
    let task = match read_task(path, loaded, &[], output, console)? {
        Ok(task) => task,
        Err(status) => return Ok(status),
    };
    let Some(system) = task.system.symbolic() else { return Ok(Status::Error) };
    let text = match format.write(system, &loaded.origins, &loaded.files) {
        Ok(text) => text,
        Err(problems) => return refuse(path, &loaded.files, &problems, output, console),
    };
    match write_file(&arguments.file, text.as_bytes(), console)? {
        Some(diagnostic) => refuse(path, &loaded.files, &[diagnostic], output, console),
        None => Ok(Status::Success),
    }
}
