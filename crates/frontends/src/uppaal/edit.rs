//! Changes to a document, as replacements of places in its file.
//!
//! Invariant: a replacement is escaped, so that a reader of the file gets the same text back.

use tempora_source::{Files, Span, Splice};

use super::document::Text;

/// Replaces what stands between the quotes of an attribute.
pub fn replace_attribute(value: Span, new: &str) -> Splice {
    let escaped =
        new.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;").replace('\'', "&apos;");
    Splice::new(value, escaped)
}

/// Replaces what stands between the tags of an element, which gets a second tag if it has only one.
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

/// A text as it stands between tags.
pub(crate) fn escape_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
