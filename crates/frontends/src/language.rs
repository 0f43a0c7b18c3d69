//! The registry of languages.
//!
//! Invariant: names are unique. A text that only one language recognises is read in that language, whatever its file
//! name; otherwise the file name extension decides, and the last language, `.net`, is the default.

use tempora_source::{Diagnostic, FileId};

use crate::symbolic::{PropertyText, ReadSymbolic};
use crate::{
    QueryFile, ReadModel, Reading, Workspace, Written, aiger, cfa, ecdar, lisp, net, sts, sym, tck, uppaal,
    xsts,
};

/// A language for models.
pub struct Language {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its title in lists.
    pub title: &'static str,
    /// The extensions of its files, the usual one first; empty for folders.
    pub extensions: &'static [&'static str],
    /// The extension of a query file beside a model.
    pub queries_extension: &'static str,
    /// Returns whether a text is in this language and in no other; always false for a language that shares its grammar.
    pub recognises: fn(&str) -> bool,
    /// Reads a model.
    pub reader: Reader,
}

/// The reader of a language.
///
/// Readers of texts receive the file of the model, and import others through [`Reading`].
pub enum Reader {
    /// Reads a text as trees of a network.
    Network(fn(&mut Reading<'_>, FileId) -> Written),
    /// Reads a text as a symbolic system; the given properties replace its own.
    Symbolic(fn(&mut Reading<'_>, FileId, &[PropertyText]) -> ReadSymbolic),
    /// Reads a text as a model with a lowering, with queries from another file.
    Lowered(fn(&mut Reading<'_>, FileId, Option<QueryFile>) -> ReadModel),
    /// Reads the files of a folder as trees of a network.
    Folder(FolderReader),
}

/// The reader of a language whose models are folders.
pub struct FolderReader {
    /// Returns whether a folder is a model of the language.
    pub recognises: fn(&dyn Workspace, &str) -> bool,
    /// Returns the paths of the model's files, relative to the folder and sorted.
    pub files: fn(&dyn Workspace, &str) -> Vec<String>,
    /// Returns whether a file with this path can be added to an existing model, such as a component to a project.
    pub is_addition: fn(&str) -> bool,
    /// Reads the model with this name; fails if the files are not a model.
    pub read: fn(&mut Reading<'_>, &str, &[FolderPart]) -> Result<Written, Diagnostic>,
}

/// A file of a model that is a folder.
#[derive(Clone, Debug)]
pub struct FolderPart {
    /// Its path in the folder, with `/`.
    pub path: String,
    /// Its text.
    pub file: FileId,
}

impl Language {
    /// Creates a language whose files are recognised by extension, with queries in `.q` files.
    pub const fn new(
        name: &'static str,
        title: &'static str,
        extensions: &'static [&'static str],
        reader: Reader,
    ) -> Language {
        Language { name, title, extensions, queries_extension: "q", recognises: |_| false, reader }
    }

    /// Sets the function that recognises texts of this language alone.
    #[must_use]
    pub const fn recognising(mut self, recognises: fn(&str) -> bool) -> Language {
        self.recognises = recognises;
        self
    }

    /// Sets the extension of query files.
    #[must_use]
    pub const fn with_queries_in(mut self, queries_extension: &'static str) -> Language {
        self.queries_extension = queries_extension;
        self
    }

    /// Returns whether its models are symbolic systems rather than networks.
    pub fn is_symbolic(&self) -> bool {
        matches!(self.reader, Reader::Symbolic(_))
    }

    /// Returns the folder reader, if its models are folders.
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

/// Returns the language with this name.
pub fn language_named(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().copied().find(|language| language.name == name)
}

/// Determines the language of a file by its content, or else by its extension.
pub fn recognise_language(name: &str, text: &str) -> &'static Language {
    recognise_among(LANGUAGES, name, text).unwrap_or(&net::LANGUAGE)
}

/// Determines the language of a file among the given ones, the last of which is the default; `None` if all of them are
/// languages of folders.
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
        // An unrecognised text is malformed or in a language that shares its grammar; the extension decides.
        .or_else(|| of_files().find(is_named))
        .or_else(|| of_files().next_back())
}
