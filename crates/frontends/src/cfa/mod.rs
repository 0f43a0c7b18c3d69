//! Theta's control flow automata, `.cfa`, and those that PLCverif writes, `.theta`.
//!
//! Invariant: whatever the text is, there is a system or an error with a place. The property is that the error location
//! cannot be reached.

mod lower;
mod parse;
mod symbols;
mod write;

use tempora_source::{Diagnostics, FileId};

use crate::language::Reader;
use crate::symbolic::{PropertyText, ReadSymbolic};
use crate::writer::Method;
use crate::{Language, Reading, Writer};

/// The language, for the registry.
pub(crate) static LANGUAGE: Language = Language {
    name: "cfa",
    title: "Theta's control flow automata",
    extensions: &["cfa", "theta"],
    queries_extension: "q",
    recognises: |_| false,
    reader: Reader::Symbolic(read),
};

/// The way to write it, for the registry.
pub(crate) const WRITER: Writer =
    Writer { name: "cfa", extension: "cfa", method: Method::System(write::write) };

/// A property that is given is the name of the error location.
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
