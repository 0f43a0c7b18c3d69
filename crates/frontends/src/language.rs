//! The languages, one line each.
//!
//! Invariant: names are unique. A language that takes only its own texts reads them, whatever their name; among those that
//! take every text, the end of the file's name decides, then the order of [`LANGUAGES`].

use tempora_source::{FileId, Files};

use crate::{Written, net, tck, uppaal};

/// A language for models.
pub struct Language {
    /// Its name, as users choose it.
    pub name: &'static str,
    /// What it is, for lists.
    pub title: &'static str,
    /// How the names of its files end, the usual one first.
    pub extensions: &'static [&'static str],
    /// Whether a text could be in this language.
    pub(crate) recognises: fn(&str) -> bool,
    /// Reads the trees of a file.
    pub(crate) parse: fn(&mut Files, FileId) -> Written,
}

/// All languages.
pub static LANGUAGES: &[Language] = &[uppaal::XML, tck::LANGUAGE, net::LANGUAGE, uppaal::XTA];

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
    LANGUAGES
        .iter()
        // Those that take only their own go first, whatever the name says.
        .find(|language| is_fitting(language) && !(language.recognises)(""))
        // A text that no language takes for its own may be faulty; its name says in which one.
        .or_else(|| LANGUAGES.iter().find(is_named))
        .or_else(|| LANGUAGES.iter().find(is_fitting))
        .unwrap_or(&LANGUAGES[LANGUAGES.len() - 1])
}
