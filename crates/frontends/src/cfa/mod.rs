//! Theta's control flow automata, `.cfa`, and PLCverif's, `.theta`.
//!
//! Invariant: every text gives a system or an error with a place. The property is that the error location is
//! unreachable.

mod lower;
mod parse;
mod symbols;
mod write;

use tempora_source::{Diagnostics, FileId};

use crate::language::Reader;
use crate::symbolic::{PropertyText, ReadSymbolic};
use crate::writer::Method;
use crate::{Language, Reading, Writer};

/// The registry entry.
pub(crate) static LANGUAGE: Language = Language {
    name: "cfa",
    title: "Theta's control flow automata",
    extensions: &["cfa", "theta"],
    queries_extension: "q",
    recognises: |_| false,
    reader: Reader::Symbolic(read),
};

/// The registry entry of the writer.
pub(crate) const WRITER: Writer =
    Writer { name: "cfa", extension: "cfa", method: Method::System(write::write) };

/// Reads a model; a given property is the name of the error location.
fn read(reading: &mut Reading<'_>, file: FileId, given: &[PropertyText]) -> ReadSymbolic {
    let (files, origins) = (&*reading.files, &mut *reading.origins);
    let mut diagnostics = Diagnostics::new();
    let model = parse::parse_model(files, file, &mut diagnostics);
    let symbols = symbols::collect(&model);
    if diagnostics.has_errors() {
        return ReadSymbolic { system: None, symbols, diagnostics };
    }
    let system = lower::lower(files, origins, &model, given, file, &mut diagnostics);
    ReadSymbolic::finished(system, symbols, diagnostics, origins, files.whole(file))
}
