//! The job that writes a model in another language.
//!
//! Invariant: there is an output only if the language can express the whole model; all obstacles are reported at once.

use tempora_frontends::{Content, WRITERS, Writer, writer_for_file, writer_named};
use tempora_source::{Diagnostic, Files, Origins, nearest_names};
use tempora_symbolic::horn_clauses;
use tempora_transition::SymbolicSystem;

use super::outputs::{Output, OutputContent};
use super::{Job, JobContext, ModelRequest, Refused};
use crate::codes::UNKNOWN_FORMAT;
use crate::loading::Loaded;

/// A request to write a model in another language.
#[derive(Clone, Debug)]
pub struct ConvertRequest {
    /// The model.
    pub model: ModelRequest,
    /// The path to write to, or `-`.
    pub path: String,
    /// The output language; inferred from the extension of the path if not given.
    pub language: Option<String>,
}

/// A model in another language.
#[derive(Clone, Debug)]
pub struct ConvertOutcome {
    /// The file or folder.
    pub output: Output,
}

impl Job for ConvertRequest {
    type Outcome = ConvertOutcome;

    fn run(self, context: &JobContext<'_>) -> Result<ConvertOutcome, Refused> {
        let writer = self.chosen_writer();
        if let Err(diagnostic) = &writer
            && SymbolicFormat::chosen(&self).is_none()
        {
            return Err(diagnostic.clone().into());
        }
        let loaded = context.open_system(&self.model)?;
        if loaded.symbolic().is_some() {
            return self.convert_symbolic(&loaded, context);
        }
        let Ok(writer) = writer else {
            let names = names_for_networks();
            let diagnostic = Diagnostic::error(&UNKNOWN_FORMAT, "this format needs a symbolic system")
                .with_hint(format!("networks can be written as {}", names.join(", ")));
            return Err(Refused::about(&loaded.files, [diagnostic]));
        };
        let model = loaded.writable().ok_or_else(Refused::default)?;
        let conversion = writer
            .write(&model)
            .map_err(|problems| Refused::about(&loaded.files, problems.into_sorted(&loaded.files)))?;
        context.report(&loaded.files, &conversion.warnings.into_sorted(&loaded.files));
        let path = self.path;
        let content = match conversion.content {
            Content::Text(text) => {
                // A document converted to its own language also keeps its encoding.
                let is_same = loaded.language.is_some_and(|language| language.name == writer.name);
                let same = loaded.xml().filter(|_| is_same);
                let bytes = same
                    .and_then(|document| loaded.files.original_bytes(document.file))
                    .unwrap_or_else(|| text.into_bytes());
                OutputContent::File { path, bytes }
            }
            Content::Folder(files) => OutputContent::NewFolder { path, files },
        };
        Ok(ConvertOutcome { output: Output { content, note: String::new() } })
    }
}

fn names_for_networks() -> Vec<&'static str> {
    WRITERS.iter().filter(|writer| !writer.is_symbolic()).map(|writer| writer.name).collect()
}

impl ConvertRequest {
    fn chosen_writer(&self) -> Result<&'static Writer, Diagnostic> {
        let names = names_for_networks();
        let all = format!("models can be written as {}", names.join(", "));
        match &self.language {
            Some(name) => writer_named(name).filter(|writer| !writer.is_symbolic()).ok_or_else(|| {
                let hint = match nearest_names(name, names).first() {
                    Some(nearest) => format!("did you mean `{nearest}`?"),
                    None => all,
                };
                Diagnostic::error(&UNKNOWN_FORMAT, format!("models cannot be written as `{name}`"))
                    .with_hint(hint)
            }),
            None => writer_for_file(&self.path).filter(|writer| !writer.is_symbolic()).ok_or_else(|| {
                let message = format!("`{}` does not determine the output language", self.path);
                Diagnostic::error(&UNKNOWN_FORMAT, message).with_hint(format!("use `--to FORMAT`; {all}"))
            }),
        }
    }

    fn convert_symbolic(&self, loaded: &Loaded, context: &JobContext<'_>) -> Result<ConvertOutcome, Refused> {
        let Some(format) = SymbolicFormat::chosen(self) else {
            let names: Vec<&str> = SymbolicFormat::all().map(|format| format.name()).collect();
            let diagnostic =
                Diagnostic::error(&UNKNOWN_FORMAT, "symbolic systems cannot be written in this format")
                    .with_hint(format!("use --to {}", names.join(" or ")));
            return Err(Refused::about(&loaded.files, [diagnostic]));
        };
        let task = context.accepted(loaded.read_task(&[]))?.value;
        let system = task.system.symbolic().ok_or_else(Refused::default)?;
        let text = format
            .write(system, &loaded.origins, &loaded.files)
            .map_err(|problems| Refused::about(&loaded.files, problems))?;
        Ok(ConvertOutcome { output: Output::file(self.path.as_str(), text, "") })
    }
}

/// An output format for symbolic systems.
enum SymbolicFormat {
    /// A modelling language.
    Language(&'static Writer),
    /// Constrained Horn clauses.
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

    fn chosen(request: &ConvertRequest) -> Option<SymbolicFormat> {
        SymbolicFormat::all().find(|format| match &request.language {
            Some(name) => name == format.name(),
            None => request.path.strip_suffix(format.extension()).is_some_and(|rest| rest.ends_with('.')),
        })
    }

    fn write(
        &self,
        system: &SymbolicSystem,
        origins: &Origins,
        files: &Files,
    ) -> Result<String, Vec<Diagnostic>> {
        let one_only = |why: String| {
            let hint = "pass a file with one property to --property";
            vec![Diagnostic::error(&UNKNOWN_FORMAT, why).with_hint(hint)]
        };
        match (self, system.properties.as_slice()) {
            (SymbolicFormat::Language(writer), _) => {
                writer.write_system(system, origins).map_err(|problems| problems.into_sorted(files))
            }
            (SymbolicFormat::Clauses, [property]) => horn_clauses(system, property).map_err(one_only),
            (SymbolicFormat::Clauses, properties) => Err(one_only(format!(
                "Horn clauses support one property, but the model has {}",
                properties.len()
            ))),
        }
    }
}
