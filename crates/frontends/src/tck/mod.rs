//! TChecker's text format for networks, `.tck`.
//!
//! Invariant: every text gives a network or an error with a place. Constructs that TChecker refuses only because of its
//! algorithms (differences of clocks, clocks copied to clocks) are accepted.

mod document;
mod expressions;
mod lower;
mod parts;
mod queries;
mod statements;
mod tokens;
mod trees;
mod unit;
mod write;

use std::sync::Arc;

use parts::TckDocument;
use tempora_source::FileId;

use crate::language::Reader;
use crate::{Document, Language, Reading, Written};

pub(crate) use write::WRITER;

/// The registry entry.
pub(crate) static LANGUAGE: Language = Language {
    name: "tck",
    title: "TChecker's text format for networks",
    extensions: &["tck"],
    queries_extension: "q",
    recognises: document::is_recognised,
    reader: Reader::Network(parse),
};

fn parse(reading: &mut Reading<'_>, file: FileId) -> Written {
    let files = &mut *reading.files;
    let (document, mut diagnostics) = document::read_document(files, file);
    let mut tree = lower::lower(files, &document, files.whole(file), &mut diagnostics);
    tree.declarations.extend(queries::default_query(files, &document));
    let document = Box::new(move |tree| Arc::new(TckDocument { file, tree }) as Arc<dyn Document>);
    Written { tree, document, diagnostics }
}
