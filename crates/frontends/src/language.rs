//! The languages, one line each.
//!
//! Invariant: names are unique. Among the languages that recognise a text, the end of the file's name decides; then the
//! first in [`LANGUAGES`]. The last recognises everything.

use tempora_source::{FileId, Files};

use crate::{Written, net, uppaal};

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
pub static LANGUAGES: &[Language] = &[uppaal::XML, net::LANGUAGE, uppaal::XTA];

/// The language with this name.
pub fn language_named(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.name == name)
}

/// The language of a file: by its content; where that leaves a choice, by the end of its name.
pub fn recognise_language(name: &str, text: &str) -> &'static Language {
    // A file that is recognised by its content is not of a language that takes everything.
    let fitting = || LANGUAGES.iter().filter(|language| (language.recognises)(text));
    let by_name = fitting().find(|language| {
        language
            .extensions
            .iter()
            .any(|extension| name.strip_suffix(extension).is_some_and(|rest| rest.ends_with('.')))
    });
    by_name.or_else(|| fitting().next()).unwrap_or(&LANGUAGES[LANGUAGES.len() - 1])
}
