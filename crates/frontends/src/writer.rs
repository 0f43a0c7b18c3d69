//! The registry of writers.
//!
//! Invariant: names are unique, and are those of [`LANGUAGES`](crate::LANGUAGES). Reading the output back gives a
//! network with the same behaviour; constructs that the language cannot express are refused, all at once, with their
//! places.

use std::collections::BTreeSet;

use tempora_model::{Network, Query};
use tempora_source::{Diagnostic, Diagnostics, Files, Origins};
use tempora_syntax::ast;
use tempora_transition::SymbolicSystem;

use crate::codes::writing::{CANNOT_BE_WRITTEN, WRITTEN_OTHERWISE};
use crate::uppaal::{self, XmlDocument};
use crate::{ComponentLayout, Project, cfa, ecdar, net, sym, tck, xsts};

/// A writer of models in one language.
pub struct Writer {
    /// The name of the language.
    pub name: &'static str,
    /// The extension of its files; for folders, the required end of the name.
    pub extension: &'static str,
    pub(crate) method: Method,
}

/// The kind of models and of output.
pub(crate) enum Method {
    /// Writes a network as one text.
    Text(fn(&Writable<'_>, &mut Diagnostics) -> Result<String, Diagnostics>),
    /// Writes a network as the files of a folder.
    Folder(fn(&Writable<'_>, &mut Diagnostics) -> Result<Vec<FolderFile>, Diagnostics>),
    /// Writes a symbolic system as one text.
    System(fn(&SymbolicSystem, &Origins) -> Result<String, Diagnostics>),
}

/// A model in another language.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// The output of a writer.
    pub content: Content,
    /// Warnings about constructs that are expressed differently.
    pub warnings: Diagnostics,
}

/// The output of a writer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// One file.
    Text(String),
    /// A folder.
    Folder(Vec<FolderFile>),
}

/// A file of a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FolderFile {
    /// Its path in the folder, with `/`.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// A model without errors: its text, its tree and its network.
#[derive(Clone, Copy)]
pub struct Writable<'model> {
    /// The texts.
    pub files: &'model Files,
    /// The origins of its parts.
    pub origins: &'model Origins,
    /// The tree.
    pub tree: &'model ast::Network,
    /// The document, for languages with diagrams.
    pub document: Option<&'model XmlDocument>,
    /// The files of a project, with their layouts.
    pub project: Option<&'model Project>,
    /// The elaborated network.
    pub network: &'model Network,
    /// The queries of the model.
    pub queries: &'model [Query],
}

impl Writable<'_> {
    /// Refuses constructs that the network omits, which a writer of networks would lose.
    pub(crate) fn require_complete_network(&self) -> Result<(), Diagnostics> {
        let mut problems = Diagnostics::new();
        for omission in &self.network.omissions {
            let message = format!("{} cannot be written in this language", omission.construct);
            let problem = Diagnostic::error(&CANNOT_BE_WRITTEN, message)
                .with_hint("choose a language of the same family");
            problems.push(match self.origins.primary_span(omission.origin) {
                Some(span) => problem.with_primary(span, ""),
                None => problem,
            });
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Returns the layout of a component, if the model has one.
    pub(crate) fn layout_of(&self, process: &ast::ProcessDeclaration) -> Option<ComponentLayout> {
        if let Some(document) = self.document {
            return ComponentLayout::of_document(self.files, document, process);
        }
        let layouts = self.project.map(|project| project.layouts.as_slice()).unwrap_or_default();
        let layout = layouts.iter().find(|layout| layout.component == process.name.text)?;
        let fits =
            layout.locations.len() == process.locations.len() && layout.edges.len() == process.edges.len();
        fits.then(|| layout.clone())
    }

    /// Warns of omitted labels that have a meaning for specifications.
    pub(crate) fn warn_of_labels(&self, warnings: &mut Diagnostics) {
        for declaration in &self.tree.declarations {
            let ast::DeclarationKind::Process(process) = &declaration.kind else { continue };
            for location in &process.locations {
                for label in &location.labels {
                    if ecdar::SPECIAL_LABELS.contains(&label.text.as_str()) {
                        let message = format!("the label `{}` is omitted", label.text);
                        let warning = Diagnostic::warning(&WRITTEN_OTHERWISE, message)
                            .with_primary(label.span, "its meaning for specifications is lost")
                            .with_hint("`--to ecdar` keeps it, `--to ecdar-xml` expresses it differently");
                        warnings.push(warning);
                    }
                }
            }
        }
    }

    /// Returns the words of the model's text that begin or end with an underscore, as generated names do.
    pub(crate) fn words_with_underscore(&self) -> BTreeSet<&str> {
        let is_of_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let words = self.files.text(self.tree.span.file).split(|character| !is_of_word(character));
        words.filter(|word| word.starts_with('_') || word.ends_with('_')).collect()
    }
}

/// All writers.
pub static WRITERS: &[Writer] = &[
    net::WRITER,
    tck::WRITER,
    uppaal::XML_WRITER,
    uppaal::XTA_WRITER,
    ecdar::PROJECT_WRITER,
    ecdar::DOCUMENT_WRITER,
    sym::WRITER,
    xsts::WRITER,
    cfa::WRITER,
];

/// Returns the writer with this language name or extension.
pub fn writer_named(name: &str) -> Option<&'static Writer> {
    WRITERS.iter().find(|writer| writer.name == name || (writer.extension == name && !writer.is_folder()))
}

/// Returns the writer for a file name; a name that ends with `/` is a folder.
pub fn writer_for_file(name: &str) -> Option<&'static Writer> {
    WRITERS.iter().find(|writer| {
        let rest = name.strip_suffix(writer.extension);
        rest.is_some_and(|rest| rest.len() > 1 && (writer.is_folder() || rest.ends_with('.')))
    })
}

impl Writer {
    /// Returns whether it writes folders.
    pub fn is_folder(&self) -> bool {
        matches!(self.method, Method::Folder(_))
    }

    /// Returns whether it writes symbolic systems rather than networks.
    pub fn is_symbolic(&self) -> bool {
        matches!(self.method, Method::System(_))
    }

    /// Writes a network; fails with all constructs that the language cannot express.
    pub fn write(&self, model: &Writable<'_>) -> Result<Conversion, Diagnostics> {
        let mut warnings = Diagnostics::new();
        let content = match self.method {
            Method::Text(write) => Content::Text(write(model, &mut warnings)?),
            Method::Folder(write) => Content::Folder(write(model, &mut warnings)?),
            Method::System(_) => return Err(self.refused("networks")),
        };
        Ok(Conversion { content, warnings })
    }

    /// Writes a symbolic system; fails with all constructs that the language cannot express.
    pub fn write_system(&self, system: &SymbolicSystem, origins: &Origins) -> Result<String, Diagnostics> {
        match self.method {
            Method::System(write) => write(system, origins),
            Method::Text(_) | Method::Folder(_) => Err(self.refused("symbolic systems")),
        }
    }

    fn refused(&self, systems: &str) -> Diagnostics {
        let message = format!("{systems} cannot be written in the language `{}`", self.name);
        let hint = "choose another target language";
        [Diagnostic::error(&CANNOT_BE_WRITTEN, message).with_hint(hint)].into_iter().collect()
    }
}

impl Conversion {
    /// Returns the text, or the texts of all files of a folder.
    pub fn text(&self) -> String {
        match &self.content {
            Content::Text(text) => text.clone(),
            Content::Folder(files) => {
                let files = files.iter();
                files
                    .map(|file| format!("{}\n{}\n", file.path, String::from_utf8_lossy(&file.bytes)))
                    .collect()
            }
        }
    }
}
