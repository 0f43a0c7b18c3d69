//! Theta's extended symbolic transition systems, `.xsts`, with properties in `.prop` files or in the model.
//!
//! Invariant: every text gives a system or an error with a place.

mod lower;
mod parse;
mod symbols;
mod trees;
mod write;

use tempora_source::{Diagnostics, FileId};

use crate::language::Reader;
use crate::symbolic::{PropertyText, ReadSymbolic};
use crate::writer::Method;
use crate::{Language, Reading, Writer};

/// The registry entry.
pub(crate) static LANGUAGE: Language = Language {
    name: "xsts",
    title: "Theta's extended symbolic transition systems",
    extensions: &["xsts"],
    queries_extension: "prop",
    recognises: |_| false,
    reader: Reader::Symbolic(read),
};

/// The registry entry of the writer.
pub(crate) const WRITER: Writer =
    Writer { name: "xsts", extension: "xsts", method: Method::System(write::write) };

/// Reads a model; given properties replace the model's own.
fn read(reading: &mut Reading<'_>, file: FileId, given: &[PropertyText]) -> ReadSymbolic {
    let (files, origins) = (&*reading.files, &mut *reading.origins);
    let mut diagnostics = Diagnostics::new();
    let model = parse::parse_model(files, file, &mut diagnostics);
    let mut properties = Vec::new();
    for text in given {
        properties.extend(parse::parse_property(files, text.file, text.is_bare, &mut diagnostics));
    }
    if given.is_empty() {
        properties.extend(model.property.clone());
    }
    let symbols = symbols::collect(&model, &properties);
    // Declarations with syntax errors are missing from the tree, so that names would seem to be undeclared.
    if diagnostics.has_errors() {
        return ReadSymbolic { system: None, symbols, diagnostics };
    }
    let whole = files.whole(file);
    let system = lower::lower(files, origins, &model, &properties, whole, &mut diagnostics);
    ReadSymbolic::finished(system, symbols, diagnostics, origins, whole)
}
