//! The languages, one line each.
//!
//! Invariant: names are unique. The first language of [`LANGUAGES`] that recognises a text reads it, so one that is
//! easily told from the others stands before one that is not; the last takes everything that no name claims.

use tempora_source::{FileId, Files, Origins};

use crate::{Read, net, tck};

/// A language for models.
pub struct Language {
    /// Its name, as users choose it.
    pub name: &'static str,
    /// What it is, for lists.
    pub title: &'static str,
    /// How the names of its files end, the usual one first.
    pub extensions: &'static [&'static str],
    /// Whether a text looks as if it were in this language.
    pub(crate) recognises: fn(&str) -> bool,
    pub(crate) read: fn(&mut Files, &mut Origins, FileId) -> Read,
}

/// All languages.
pub static LANGUAGES: &[Language] = &[tck::LANGUAGE, net::LANGUAGE];

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
    let is_fitting = |language: &&Language| (language.recognises)(text);
    // The last one takes everything.
    let (others, last) = (&LANGUAGES[..LANGUAGES.len() - 1], &LANGUAGES[LANGUAGES.len() - 1]);
    others
        .iter()
        .find(|language| is_named(language) && is_fitting(language))
        .or_else(|| others.iter().find(is_fitting))
        // A text that no language takes for its own is faulty; its name says in which one.
        .or_else(|| others.iter().find(is_named))
        .unwrap_or(last)
}

impl Language {
    /// Reads a model from a file.
    pub fn read(&self, files: &mut Files, origins: &mut Origins, file: FileId) -> Read {
        (self.read)(files, origins, file)
    }
}
