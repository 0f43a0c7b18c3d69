//! Edits of a document, as replacements of ranges in its file.
//!
//! Invariant: a replacement is escaped, so that reading the file gives the same text.

use tempora_source::{Files, Span, Splice};

use super::document::Text;

/// Replaces the value of an attribute.
pub fn replace_attribute(value: Span, new: &str) -> Splice {
    let escaped =
        new.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;").replace('\'', "&apos;");
    Splice::new(value, escaped)
}

/// Replaces the content of an element, which gets a closing tag if it has none.
pub fn replace_text(files: &Files, text: &Text, new: &str) -> Splice {
    let escaped = escape_text(new);
    let element = files.text_at(text.element);
    if !element.ends_with("/>") {
        return Splice::new(text.content, escaped);
    }
    let end = text.element.end as usize;
    let is_of_name = |character: char| !character.is_whitespace() && !matches!(character, '/' | '>');
    let name: String = element[1..].chars().take_while(|&character| is_of_name(character)).collect();
    Splice { range: end - 2..end, replacement: format!(">{escaped}</{name}>") }
}

/// Escapes a text for the content of an element.
pub(crate) fn escape_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
