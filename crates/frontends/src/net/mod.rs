//! Tempora's own text form of networks, `.net`.
//!
//! Invariant: whatever the text is, there is a network or an error with a place.

mod write;

use tempora_model::syntax::parse_network;
use tempora_source::{Diagnostic, FileId, Files, Origins, Span};

use crate::codes::LANGUAGE_NOT_READ;
use crate::{Language, Read};

pub(crate) use write::WRITER;

/// The language, for the registry.
pub(crate) const LANGUAGE: Language = Language {
    name: "net",
    title: "Tempora's text form of networks",
    extensions: &["net"],
    recognises: |_| true,
    read,
};

fn read(files: &mut Files, origins: &mut Origins, file: FileId) -> Read {
    let mut parsed = parse_network(files, file);
    if let Some(diagnostic) = other_language(files, file) {
        parsed.diagnostics = [diagnostic].into_iter().collect();
    }
    Read::from_tree(files, origins, parsed.tree, parsed.diagnostics)
}

/// A complaint about a file in a language that is known but not read.
fn other_language(files: &Files, file: FileId) -> Option<Diagnostic> {
    // No declaration begins like this, and every XML file does.
    let text = files.text(file);
    let start = text.len() - text.trim_start().len();
    text[start..].starts_with('<').then(|| {
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        Diagnostic::error(&LANGUAGE_NOT_READ, "XML files cannot be read yet")
            .with_primary(Span::new(file, start, start + 1), "")
            .with_hint("write the model in the text form of networks, `.net`")
    })
}
