//! The languages that models can be written in, one line each.
//!
//! Invariant: names are unique, and are those of [`LANGUAGES`](crate::LANGUAGES). A text that is written is read back as
//! a network with the same behaviour; what the language cannot say is refused, all of it at once, with its places.

use tempora_model::{Network, Query};
use tempora_source::{Diagnostics, Origins};

use crate::{net, tck};

/// A way to write models.
pub struct Writer {
    /// The name of the language.
    pub name: &'static str,
    /// How the names of its files end.
    pub extension: &'static str,
    pub(crate) write: fn(&Network, &[Query], &Origins) -> Result<String, Diagnostics>,
}

/// All writers.
pub static WRITERS: &[Writer] = &[net::WRITER, tck::WRITER];

/// The writer for the language with this name.
pub fn writer_named(name: &str) -> Option<&'static Writer> {
    WRITERS.iter().find(|writer| writer.name == name)
}

/// The writer for a file, by the end of its name.
pub fn writer_for_file(name: &str) -> Option<&'static Writer> {
    WRITERS.iter().find(|writer| {
        name.strip_suffix(writer.extension).is_some_and(|rest| rest.ends_with('.') && rest.len() > 1)
    })
}

impl Writer {
    /// The model as a text of the language, or all that the language cannot say.
    pub fn write(
        &self,
        network: &Network,
        queries: &[Query],
        origins: &Origins,
    ) -> Result<String, Diagnostics> {
        (self.write)(network, queries, origins)
    }
}
