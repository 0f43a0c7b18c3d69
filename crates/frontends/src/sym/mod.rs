//! Tempora's own text form of symbolic systems, `.sym`.
//!
//! Invariant: whatever the text is, there is a system or an error with a place.

use tempora_model::read_system;
use tempora_source::{Diagnostic, Diagnostics, FileId, Files, Origins, Span};

use crate::Language;
use crate::codes::symbolic::SYNTAX;
use crate::language::Reader;
use crate::symbolic::{PropertyText, ReadSymbolic};

/// The language, for the registry.
pub(crate) const LANGUAGE: Language = Language {
    name: "sym",
    title: "Tempora's text form of symbolic systems",
    extensions: &["sym"],
    recognises: |_| false,
    reader: Reader::Symbolic(read),
};

fn read(files: &Files, origins: &mut Origins, file: FileId, given: &[PropertyText]) -> ReadSymbolic {
    let mut diagnostics = Diagnostics::new();
    if let Some(text) = given.first() {
        diagnostics.push(
            Diagnostic::error(&SYNTAX, "properties of a `.sym` file are written in it")
                .with_primary(files.whole(text.file), "")
                .with_hint("write `(property \"...\" everywhere CONDITION)` into the model"),
        );
    }
    let system = match read_system(file, files.text(file), origins) {
        Ok(system) => Some(system),
        Err(error) => {
            let offset = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
            let span = Span::new(file, offset(error.start), offset(error.end));
            diagnostics.push(Diagnostic::error(&SYNTAX, error.message).with_primary(span, ""));
            None
        }
    };
    ReadSymbolic::finished(system, diagnostics, origins, files.whole(file))
}
