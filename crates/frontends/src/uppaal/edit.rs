//! Changes to a document, as replacements of places in its file.
//!
//! Invariant: a change leaves everything else in the file as it is, byte for byte, and its inverse brings the file back.

use std::ops::Range;

use tempora_source::{Files, Span};

use super::document::Text;

/// The replacement of one place of a file by another text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The bytes of the text that are replaced.
    pub range: Range<usize>,
    /// What they become.
    pub replacement: String,
}

impl Splice {
    /// Replaces what stands between the quotes of an attribute.
    pub fn attribute(value: Span, new: &str) -> Splice {
        let escaped =
            new.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;").replace('\'', "&apos;");
        Splice { range: range_of(value), replacement: escaped }
    }

    /// Replaces what stands between the tags of an element, which gets a second tag if it has only one.
    pub fn text(files: &Files, text: &Text, new: &str) -> Splice {
        let escaped = new.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let element = files.text_at(text.element);
        if !element.ends_with("/>") {
            return Splice { range: range_of(text.content), replacement: escaped };
        }
        let end = text.element.end as usize;
        let is_of_name = |character: char| !character.is_whitespace() && !matches!(character, '/' | '>');
        let name: String = element[1..].chars().take_while(|&character| is_of_name(character)).collect();
        Splice { range: end - 2..end, replacement: format!(">{escaped}</{name}>") }
    }

    /// The text with the replacement, and the replacement that undoes it; none if there is no such place.
    pub fn apply(&self, text: &str) -> Option<(String, Splice)> {
        let before = text.get(self.range.clone())?.to_owned();
        let mut changed = String::with_capacity(text.len() + self.replacement.len());
        changed.push_str(&text[..self.range.start]);
        changed.push_str(&self.replacement);
        changed.push_str(&text[self.range.end..]);
        let end = self.range.start + self.replacement.len();
        Some((changed, Splice { range: self.range.start..end, replacement: before }))
    }
}

/// The text with several replacements, which must not overlap; none if they do, or if a place is missing.
pub fn apply_all(text: &str, splices: &[Splice]) -> Option<String> {
    let mut sorted: Vec<&Splice> = splices.iter().collect();
    sorted.sort_by_key(|splice| (splice.range.start, splice.range.end));
    let mut changed = String::with_capacity(text.len());
    let mut position = 0;
    for splice in sorted {
        changed.push_str(text.get(position..splice.range.start)?);
        text.get(splice.range.clone())?;
        changed.push_str(&splice.replacement);
        position = splice.range.end;
    }
    changed.push_str(text.get(position..)?);
    Some(changed)
}

fn range_of(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}
