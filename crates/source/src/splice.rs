//! Text edits as replacements of byte ranges.
//!
//! Invariant: an edit preserves all other bytes of the text, and its inverse restores the text.

use std::ops::Range;

use crate::Span;

/// The replacement of one byte range of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The replaced bytes of the text.
    pub range: Range<usize>,
    /// The new text.
    pub replacement: String,
}

impl Splice {
    /// Creates the replacement of the text at a span.
    pub fn new(span: Span, replacement: impl Into<String>) -> Splice {
        Splice { range: span.start as usize..span.end as usize, replacement: replacement.into() }
    }

    /// Returns the edited text and the inverse edit; `None` if the range is not in the text.
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

/// Applies several edits; returns `None` if they overlap or a range is not in the text.
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
