//! Changes to a text, as replacements of places in it.
//!
//! Invariant: a change leaves everything else in the text as it is, byte for byte, and its inverse brings the text back.

use std::ops::Range;

use crate::Span;

/// The replacement of one place of a text by another text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The bytes of the text that are replaced.
    pub range: Range<usize>,
    /// The text in their place.
    pub replacement: String,
}

impl Splice {
    /// Replaces the text at a span.
    pub fn new(span: Span, replacement: impl Into<String>) -> Splice {
        Splice { range: span.start as usize..span.end as usize, replacement: replacement.into() }
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
pub fn apply_splices(text: &str, splices: &[Splice]) -> Option<String> {
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
