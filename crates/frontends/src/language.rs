//! The languages, one line each.
//!
//! Invariant: names are unique. A language whose texts are of no other reads them, whatever their name; else the end of the
//! name decides, and what has no such end is read as the last one, `.net`.

use tempora_source::{FileId, Files, Origins};

use crate::symbolic::{PropertyText, ReadSymbolic};
use crate::{Written, aiger, cfa, lisp, net, sts, sym, tck, uppaal, xsts};

/// A language for models.
pub struct Language {
    /// Its name, as users choose it.
    pub name: &'static str,
    /// What it is, for lists.
    pub title: &'static str,
    /// How the names of its files end, the usual one first.
    pub extensions: &'static [&'static str],
    /// How the name of a file with queries ends that lies beside a model.
    pub queries_extension: &'static str,
    /// Whether a text is in this language and in no other; a language that shares its texts with others never says so.
    pub(crate) recognises: fn(&str) -> bool,
    /// Reads a file.
    pub(crate) reader: Reader,
}

/// How the texts of a language are read.
pub(crate) enum Reader {
    /// As trees of a network.
    Network(fn(&mut Files, FileId) -> Written),
    /// As a symbolic system, with properties in place of its own.
    Symbolic(fn(&Files, &mut Origins, FileId, &[PropertyText]) -> ReadSymbolic),
}

impl Language {
    /// Whether its models are symbolic systems rather than networks.
    pub fn is_symbolic(&self) -> bool {
        matches!(self.reader, Reader::Symbolic(_))
    }
}

/// All languages.
pub static LANGUAGES: &[Language] = &[
    uppaal::XML,
    tck::LANGUAGE,
    uppaal::XTA,
    xsts::LANGUAGE,
    lisp::LANGUAGE,
    cfa::LANGUAGE,
    sts::LANGUAGE,
    aiger::LANGUAGE,
    sym::LANGUAGE,
    net::LANGUAGE,
];

/// The language with this name.
pub fn language_named(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.name == name)
}

/// The language of a file: by its content; where that leaves a choice, by the end of its name.
pub fn recognise_language(name: &str, text: &str) -> &'static Language {
    let is_named = |language: &&Language| {
        let mut extensions = language.extensions.iter();
        extensions.any(|extension| name.strip_suffix(extension).is_some_and(|rest| rest.ends_with('.')))
    };
    LANGUAGES
        .iter()
        .find(|language| (language.recognises)(text))
        // A text that is of no language alone is faulty, or of one that shares its texts; its name says which.
        .or_else(|| LANGUAGES.iter().find(is_named))
        .unwrap_or(&LANGUAGES[LANGUAGES.len() - 1])
}
