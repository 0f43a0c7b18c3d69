//! The languages that models can be written in, one line each.
//!
//! Invariant: names are unique, and are those of [`LANGUAGES`](crate::LANGUAGES). A text that is written is read back
//! as a network with the same behaviour; what the language cannot say is refused, all of it at once, with its places.

use std::collections::BTreeSet;

use tempora_model::{Network, Query};
use tempora_source::{Diagnostic, Diagnostics, Files, Origins};
use tempora_syntax::ast;
use tempora_transition::SymbolicSystem;

use crate::codes::writing::{CANNOT_BE_WRITTEN, WRITTEN_OTHERWISE};
use crate::uppaal::{self, XmlDocument};
use crate::{ComponentLayout, Project, cfa, ecdar, net, sym, tck, xsts};

/// A way to write models.
pub struct Writer {
    /// The name of the language.
    pub name: &'static str,
    /// How the names of its files end; for folders, how they must end to be taken for one.
    pub extension: &'static str,
    pub(crate) method: Method,
}

/// How models are written.
pub(crate) enum Method {
    /// As one text.
    Text(fn(&Writable<'_>, &mut Diagnostics) -> Result<String, Diagnostics>),
    /// As the files of a folder.
    Folder(fn(&Writable<'_>, &mut Diagnostics) -> Result<Vec<FolderFile>, Diagnostics>),
    /// A symbolic system, as one text.
    System(fn(&SymbolicSystem, &Origins) -> Result<String, Diagnostics>),
}

/// A model as it is written.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// What is written.
    pub content: Content,
    /// What had to be said in another way than the model says it.
    pub warnings: Diagnostics,
}

/// What is written.
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
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// A model without errors, as it was written and as it is meant.
#[derive(Clone, Copy)]
pub struct Writable<'model> {
    /// The texts.
    pub files: &'model Files,
    /// Where everything comes from.
    pub origins: &'model Origins,
    /// What was written.
    pub tree: &'model ast::Network,
    /// The places of a document's parts, for languages that have diagrams.
    pub document: Option<&'model XmlDocument>,
    /// The files of a project, with what they say about diagrams.
    pub project: Option<&'model Project>,
    /// What it means.
    pub network: &'model Network,
    /// The queries that come with it.
    pub queries: &'model [Query],
}

impl Writable<'_> {
    /// Complains about everything that the network does not say and a writer of networks would lose.
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

    /// How a component is drawn, if its author has said so.
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

    /// Says which labels with a meaning for specifications are left out.
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

    /// The words that begin with an underscore in the text of the model, as names that are made up do.
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

/// The writer for the language with this name, or whose files end like this.
pub fn writer_named(name: &str) -> Option<&'static Writer> {
    WRITERS.iter().find(|writer| writer.name == name || (writer.extension == name && !writer.is_folder()))
}

/// The writer for a file, by the end of its name; a name that ends with `/` is that of a folder.
pub fn writer_for_file(name: &str) -> Option<&'static Writer> {
    WRITERS.iter().find(|writer| {
        let rest = name.strip_suffix(writer.extension);
        rest.is_some_and(|rest| rest.len() > 1 && (writer.is_folder() || rest.ends_with('.')))
    })
}

impl Writer {
    /// Whether models are written as folders.
    pub fn is_folder(&self) -> bool {
        matches!(self.method, Method::Folder(_))
    }

    /// Whether it writes symbolic systems, and not networks.
    pub fn is_symbolic(&self) -> bool {
        matches!(self.method, Method::System(_))
    }

    /// The network in the language, or all that the language cannot say.
    pub fn write(&self, model: &Writable<'_>) -> Result<Conversion, Diagnostics> {
        let mut warnings = Diagnostics::new();
        let content = match self.method {
            Method::Text(write) => Content::Text(write(model, &mut warnings)?),
            Method::Folder(write) => Content::Folder(write(model, &mut warnings)?),
            Method::System(_) => return Err(self.refused("networks")),
        };
        Ok(Conversion { content, warnings })
    }

    /// The symbolic system as a text of the language, or all that the language cannot say.
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
    /// The text of a language whose models are one file; of a folder, all of its files.
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
