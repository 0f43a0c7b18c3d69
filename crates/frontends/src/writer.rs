//! The languages that models can be written in, one line each.
//!
//! Invariant: names are unique, and are those of [`LANGUAGES`](crate::LANGUAGES). A text that is written is read back as
//! a network with the same behaviour; what the language cannot say is refused, all of it at once, with its places.

use std::collections::BTreeSet;

use tempora_model::syntax::ast;
use tempora_model::{Network, Query, SymbolicSystem};
use tempora_source::{Diagnostic, Diagnostics, Files, Origins};

use crate::codes::writing::CANNOT_BE_WRITTEN;
use crate::uppaal::{self, Document};
use crate::{cfa, net, sym, tck, xsts};

/// A way to write models.
pub struct Writer {
    /// The name of the language.
    pub name: &'static str,
    /// How the names of its files end.
    pub extension: &'static str,
    pub(crate) write: fn(&Writable<'_>) -> Result<String, Diagnostics>,
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
    pub document: Option<&'model Document>,
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
                .with_hint("write the model in a language of its own family");
            problems.push(match self.origins.primary_span(omission.origin) {
                Some(span) => problem.with_primary(span, ""),
                None => problem,
            });
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// The words that begin with an underscore in the text of the model, as names that are made up do.
    pub(crate) fn words_with_underscore(&self) -> BTreeSet<&str> {
        let is_of_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let words = self.files.text(self.tree.span.file).split(|character| !is_of_word(character));
        words.filter(|word| word.starts_with('_') || word.ends_with('_')).collect()
    }
}

/// All writers.
pub static WRITERS: &[Writer] = &[net::WRITER, tck::WRITER, uppaal::XML_WRITER, uppaal::XTA_WRITER];

/// A way to write symbolic systems.
pub struct SymbolicWriter {
    /// The name of the language.
    pub name: &'static str,
    /// How the names of its files end.
    pub extension: &'static str,
    pub(crate) write: fn(&SymbolicSystem, &Origins) -> Result<String, Diagnostics>,
}

/// All writers of symbolic systems.
pub static SYMBOLIC_WRITERS: &[SymbolicWriter] = &[sym::WRITER, xsts::WRITER, cfa::WRITER];

impl SymbolicWriter {
    /// The system as a text of the language, or all that the language cannot say.
    pub fn write(&self, system: &SymbolicSystem, origins: &Origins) -> Result<String, Diagnostics> {
        (self.write)(system, origins)
    }
}

/// The writer for the language with this name, or whose files end like this.
pub fn writer_named(name: &str) -> Option<&'static Writer> {
    WRITERS.iter().find(|writer| writer.name == name || writer.extension == name)
}

/// The writer for a file, by the end of its name.
pub fn writer_for_file(name: &str) -> Option<&'static Writer> {
    WRITERS.iter().find(|writer| {
        name.strip_suffix(writer.extension).is_some_and(|rest| rest.ends_with('.') && rest.len() > 1)
    })
}

impl Writer {
    /// The model as a text of the language, or all that the language cannot say.
    pub fn write(&self, model: &Writable<'_>) -> Result<String, Diagnostics> {
        (self.write)(model)
    }
}
