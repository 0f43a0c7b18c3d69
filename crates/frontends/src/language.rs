//! The languages, one line each.
//!
//! Invariant: names are unique. A language whose texts are of no other reads them, whatever their name; else the end of
//! the name decides, and what has no such end is read as the last one, `.net`.

use tempora_source::{Diagnostic, FileId};

use crate::symbolic::{PropertyText, ReadSymbolic};
use crate::{
    QueryFile, ReadModel, Reading, Workspace, Written, aiger, cfa, ecdar, lisp, net, sts, sym, tck, uppaal,
    xsts,
};

/// A language for models.
pub struct Language {
    /// Its name, as users choose it.
    pub name: &'static str,
    /// What it is, for lists.
    pub title: &'static str,
    /// How the names of its files end, the usual one first; none for folders.
    pub extensions: &'static [&'static str],
    /// How the name of a file with queries ends that lies beside a model.
    pub queries_extension: &'static str,
    /// Whether a text is in this language and in no other; a language that shares its texts with others never says so.
    pub recognises: fn(&str) -> bool,
    /// Reads a model.
    pub reader: Reader,
}

/// How the models of a language are read.
///
/// Readers of texts get the file of the model, and import others through [`Reading`].
pub enum Reader {
    /// A text, as trees of a network.
    Network(fn(&mut Reading<'_>, FileId) -> Written),
    /// A text, as a symbolic system, with properties in place of its own.
    Symbolic(fn(&mut Reading<'_>, FileId, &[PropertyText]) -> ReadSymbolic),
    /// A text, as a model of its own with a lowering, and queries from another file.
    Lowered(fn(&mut Reading<'_>, FileId, Option<QueryFile>) -> ReadModel),
    /// The files of a folder, as trees of a network.
    Folder(FolderReader),
}

/// How folders are read.
pub struct FolderReader {
    /// Whether a folder is a model of the language.
    pub recognises: fn(&dyn Workspace, &str) -> bool,
    /// The paths of the files that belong to the model, relative to the folder and sorted.
    pub files: fn(&dyn Workspace, &str) -> Vec<String>,
    /// Whether a file with this path in the folder can be added to a model that is there, such as a component to a
    /// project.
    pub is_addition: fn(&str) -> bool,
    /// Reads the model with this name; fails if the files are none.
    pub read: fn(&mut Reading<'_>, &str, &[FolderPart]) -> Result<Written, Diagnostic>,
}

/// A file of a folder that is read as a model.
#[derive(Clone, Debug)]
pub struct FolderPart {
    /// Its path in the folder, with `/`.
    pub path: String,
    /// Its text.
    pub file: FileId,
}

impl Language {
    /// A language of files that are known by the end of their names, with queries in `.q` files.
    pub const fn new(
        name: &'static str,
        title: &'static str,
        extensions: &'static [&'static str],
        reader: Reader,
    ) -> Language {
        Language { name, title, extensions, queries_extension: "q", recognises: |_| false, reader }
    }

    /// The same language with texts that no other language has.
    #[must_use]
    pub const fn recognising(mut self, recognises: fn(&str) -> bool) -> Language {
        self.recognises = recognises;
        self
    }

    /// The same language with another end of the names of files with queries.
    #[must_use]
    pub const fn with_queries_in(mut self, queries_extension: &'static str) -> Language {
        self.queries_extension = queries_extension;
        self
    }

    /// Whether its models are symbolic systems rather than networks.
    pub fn is_symbolic(&self) -> bool {
        matches!(self.reader, Reader::Symbolic(_))
    }

    /// How its models are read, if they are folders.
    pub fn folder(&self) -> Option<&FolderReader> {
        match &self.reader {
            Reader::Folder(folder) => Some(folder),
            Reader::Network(_) | Reader::Symbolic(_) | Reader::Lowered(_) => None,
        }
    }
}

/// All languages.
pub static LANGUAGES: &[&Language] = &[
    &uppaal::XML,
    &tck::LANGUAGE,
    &uppaal::XTA,
    &ecdar::PROJECT,
    &xsts::LANGUAGE,
    &lisp::LANGUAGE,
    &cfa::LANGUAGE,
    &sts::LANGUAGE,
    &aiger::LANGUAGE,
    &sym::LANGUAGE,
    &net::LANGUAGE,
];

/// The language with this name.
pub fn language_named(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().copied().find(|language| language.name == name)
}

/// The language of a file: by its content; where that leaves a choice, by the end of its name.
pub fn recognise_language(name: &str, text: &str) -> &'static Language {
    recognise_among(LANGUAGES, name, text).unwrap_or(&net::LANGUAGE)
}

/// The language of a file among some, the last of which reads texts that are of none; `None` if there is no language of
/// files.
pub fn recognise_among(
    languages: &'static [&'static Language],
    name: &str,
    text: &str,
) -> Option<&'static Language> {
    let is_named = |language: &&Language| {
        let mut extensions = language.extensions.iter();
        extensions.any(|extension| name.strip_suffix(extension).is_some_and(|rest| rest.ends_with('.')))
    };
    let of_files = || languages.iter().copied().filter(|language| language.folder().is_none());
    of_files()
        .find(|language| (language.recognises)(text))
        // A text that is of no language alone is faulty, or of one that shares its texts; its name says which.
        .or_else(|| of_files().find(is_named))
        .or_else(|| of_files().next_back())
}
