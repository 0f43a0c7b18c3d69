//! UPPAAL's languages: the XML documents of its editor, and textual `.xta` and `.ta` files.
//!
//! Invariant: reading a document loses no content; see [`XmlDocument`].

pub(crate) mod codes;
mod document;
mod edit;
mod markup;
mod parts;
mod tree;
mod write;

use std::sync::Arc;

use parts::UppaalDocument;
use tempora_source::FileId;
use tempora_syntax::parse_network;

pub use document::{
    BranchpointElement, Coordinate, LabelElement, LabelKind, LocationElement, Position, QueryOption,
    QueryRow, Recorded, Template, Text, TransitionElement, XmlDocument, read_document,
};
pub(crate) use edit::escape_text;
pub use edit::{replace_attribute, replace_text};
pub use markup::{Attribute, Element, ElementId, Markup, read_markup};
pub(crate) use tree::demoted;
pub(crate) use write::{
    PrintedEdge, PrintedTemplate, XML_WRITER, XTA_WRITER, document_text, name_places, place_in_rows, refuse,
    sections_of, sections_with_names, with_renamed_member,
};

use crate::language::Reader;
use crate::{Document, Language, Reading, Written};

/// The registry entry for XML documents.
pub(crate) static XML: Language = Language {
    name: "uppaal",
    title: "UPPAAL's XML documents",
    extensions: &["xml"],
    queries_extension: "q",
    recognises: |text| text.trim_start().starts_with('<'),
    reader: Reader::Network(parse_xml),
};

/// The registry entry for textual models.
pub(crate) static XTA: Language = Language {
    name: "xta",
    title: "UPPAAL's textual models",
    extensions: &["xta", "ta"],
    queries_extension: "q",
    // The grammar is the same as that of `.net`.
    recognises: |_| false,
    reader: Reader::Network(parse_xta),
};

fn parse_xml(reading: &mut Reading<'_>, file: FileId) -> Written {
    let files = &mut *reading.files;
    let (document, mut diagnostics) = read_document(files, file);
    let is_whole = !diagnostics.has_errors();
    let (mut tree, found) = tree::tree_of_document(files, &document, is_whole);
    diagnostics.extend(found);
    crate::ecdar::tolerate_components(&mut tree, &mut diagnostics);
    let document =
        Box::new(move |tree| Arc::new(UppaalDocument { tree, xml: document }) as Arc<dyn Document>);
    Written { tree, document, diagnostics }
}

fn parse_xta(reading: &mut Reading<'_>, file: FileId) -> Written {
    let files = &mut *reading.files;
    let parsed = parse_network(files, file);
    Written::text(file, parsed.tree, parsed.diagnostics)
}
