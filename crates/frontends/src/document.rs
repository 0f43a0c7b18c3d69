//! Documents: models as written, with the parts that an editor changes and the diagrams that it shows.
//!
//! Invariant: a part is a range of a real file; an edit replaces that range and keeps every other byte.

use std::fmt::Debug;

use tempora_draw::{Diagram, ElementRef};
use tempora_source::{Diagnostics, FileId, Files, Span, Table, declare_ids};
use tempora_syntax::ast;

use crate::Project;
use crate::edits::edited_files;
use crate::uppaal::{Text, XmlDocument};

declare_ids! {
    /// A part of a document.
    PartId;
}

/// A model as written: one file, or the files of a folder. Files with errors have one too.
///
/// The texts are in the arena of the model, which every method takes as an argument.
pub trait Document: Debug + Send + Sync {
    /// Returns its files.
    fn files(&self) -> Vec<FileId>;

    /// Returns the editable parts, in the order of the files. Parts may contain others.
    fn parts(&self, files: &Files) -> Table<PartId, Part>;

    /// Returns the diagrams, with the author's layout.
    fn diagrams(&self, files: &Files) -> Vec<DocumentDiagram>;

    /// Returns the trees of a network, for languages of networks.
    fn network(&self) -> Option<WrittenNetwork<'_>> {
        None
    }

    /// Returns all its files with these parts replaced. Fails if a part is unknown, if edits overlap, or if the
    /// encoding of a file cannot represent a character.
    fn with_edits(&self, files: &Files, edits: &[PartEdit]) -> Result<Vec<FileText>, Diagnostics> {
        edited_files(files, &self.files(), &self.parts(files), edits)
    }
}

/// A part of a document.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// Its kind.
    pub kind: PartKind,
    /// The name of its owner, such as a template or a location; empty if the owner has no name.
    pub name: String,
    /// The diagram element that it belongs to.
    pub element: Option<ElementRef>,
    /// The bytes that an edit replaces.
    pub span: Span,
    /// Its text, decoded.
    pub text: String,
    /// The notation of its text in the file.
    pub notation: Notation,
}

/// The notation of a text in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// Verbatim, without escapes.
    Verbatim,
    /// Between the tags of an XML element.
    XmlText {
        /// The element.
        element: Span,
    },
    /// Between the quotes of a JSON text.
    JsonText,
}

/// The kinds of parts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PartKind {
    /// A whole text.
    Whole,
    /// Several declarations.
    Declarations,
    /// One declaration.
    Declaration,
    /// A template, process or component with everything in it.
    Template,
    /// The name of a template, process or component.
    TemplateName,
    /// The parameters of a template.
    Parameters,
    /// The name of a location.
    LocationName,
    /// The invariant of a location.
    Invariant,
    /// The rate of a location.
    Rate,
    /// An edge with its labels.
    Edge,
    /// The selections of an edge.
    Select,
    /// The guard of an edge.
    Guard,
    /// The synchronisation of an edge.
    Synchronisation,
    /// The updates of an edge.
    Update,
    /// The probability weight of an edge.
    Probability,
    /// A comment at an element, or about a query.
    Comment,
    /// Code for generated tests.
    TestCode,
    /// The instantiations and the list of processes.
    System,
    /// A query or property.
    Query,
    /// A kind that is specific to one language.
    Other(&'static str),
}

/// A replacement for the text of a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartEdit {
    /// The part.
    pub part: PartId,
    /// Its new text, unescaped.
    pub text: String,
}

/// A file with its new content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileText {
    /// The file.
    pub file: FileId,
    /// Its bytes, in the encoding of the file.
    pub bytes: Vec<u8>,
}

/// A diagram of a document.
#[derive(Clone, PartialEq, Debug)]
pub struct DocumentDiagram {
    /// Its kind.
    pub kind: DiagramKind,
    /// The diagram, with the author's layout.
    pub diagram: Diagram,
}

/// The kinds of diagrams.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DiagramKind {
    /// A template or process of timed automata.
    TimedAutomaton,
    /// A component of a specification, with its inputs and outputs.
    Component,
    /// A kind that is specific to one language.
    Other(&'static str),
}

/// The trees of a network, with their source format.
#[derive(Clone, Copy, Debug)]
pub struct WrittenNetwork<'document> {
    /// The trees, including parts with errors.
    pub tree: &'document ast::Network,
    /// The elements of an UPPAAL document.
    pub xml: Option<&'document XmlDocument>,
    /// The files and layouts of an Ecdar project.
    pub project: Option<&'document Project>,
}

impl Part {
    /// Creates a part whose text is verbatim in the file.
    pub fn verbatim(files: &Files, kind: PartKind, name: impl Into<String>, span: Span) -> Part {
        let text = files.text_at(span).to_owned();
        Part { kind, name: name.into(), element: None, span, text, notation: Notation::Verbatim }
    }

    /// Creates a part between the tags of an XML element.
    pub(crate) fn xml(files: &Files, kind: PartKind, name: impl Into<String>, text: &Text) -> Part {
        Part {
            kind,
            name: name.into(),
            element: None,
            span: text.content,
            text: files.text(text.file).to_owned(),
            notation: Notation::XmlText { element: text.element },
        }
    }

    /// Assigns the part to a diagram element.
    #[must_use]
    pub fn of_element(self, element: ElementRef) -> Part {
        Part { element: Some(element), ..self }
    }
}
