//! Tempora's own text format for symbolic systems, `.sym`.
//!
//! Invariant: every text gives a system or an error with a place.

use tempora_source::FileId;
use tempora_transition::{print_system, read_system};

use crate::language::Reader;
use crate::symbolic::{PropertyText, ReadSymbolic};
use crate::writer::Method;
use crate::{Language, Reading, Writer};

/// The registry entry.
pub(crate) static LANGUAGE: Language = Language {
    name: "sym",
    title: "Tempora's text format for symbolic systems",
    extensions: &["sym"],
    queries_extension: "q",
    recognises: |_| false,
    reader: Reader::Symbolic(read),
};

/// The registry entry of the writer.
pub(crate) const WRITER: Writer =
    Writer { name: "sym", extension: "sym", method: Method::System(|system, _| Ok(print_system(system))) };

fn read(reading: &mut Reading<'_>, file: FileId, given: &[PropertyText]) -> ReadSymbolic {
    let (files, origins) = (&*reading.files, &mut *reading.origins);
    let system = read_system(file, files.text(file), origins);
    let hint = "add `(property \"...\" everywhere CONDITION)` to it";
    ReadSymbolic::of_expressions(files, origins, file, system, given, hint)
}
