//! Tempora's own text format for networks, `.net`.
//!
//! Invariant: every text gives a tree or an error with a place.

mod write;

use tempora_source::FileId;
use tempora_syntax::parse_network;

use crate::language::Reader;
use crate::{Language, Reading, Written};

pub(crate) use write::WRITER;

/// The registry entry.
pub(crate) static LANGUAGE: Language = Language {
    name: "net",
    title: "Tempora's text format for networks",
    extensions: &["net"],
    queries_extension: "q",
    // The grammar is the same as that of `.xta`.
    recognises: |_| false,
    reader: Reader::Network(parse),
};

fn parse(reading: &mut Reading<'_>, file: FileId) -> Written {
    let files = &mut *reading.files;
    let parsed = parse_network(files, file);
    Written::text(file, parsed.tree, parsed.diagnostics)
}
