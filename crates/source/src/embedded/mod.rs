//! Texts that are embedded in other texts: a guard in an XML element, a model in a JSON string.
//!
//! Invariant: the length of an [`EmbeddedText`] fits an offset, and its map covers all of it. The decoders never fail:
//! undecodable text is kept as written and reported by a diagnostic.

mod json;
mod xml;

use std::ops::Range;

pub use json::decode_json_string;
pub use xml::{decode_xml_attribute, decode_xml_text};

use crate::codes::files::FILE_TOO_LARGE;
use crate::escape_map::EscapeMap;
use crate::span::to_offset;
use crate::{Diagnostic, FileId, Files, Span};

/// A decoded text with a map from its characters to their places in the parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddedText {
    parent: FileId,
    text: String,
    map: EscapeMap,
}

/// Builds an [`EmbeddedText`] piece by piece; raw text that is not pushed is a gap.
#[derive(Clone, Debug)]
pub struct EmbeddedTextBuilder<'files> {
    parent_text: &'files str,
    raw: Span,
    text: String,
    map: EscapeMap,
}

impl EmbeddedText {
    /// Returns the decoded text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the file that contains the text.
    pub fn parent(&self) -> FileId {
        self.parent
    }

    /// Returns the map from the decoded to the raw text.
    pub fn map(&self) -> &EscapeMap {
        &self.map
    }

    pub(crate) fn into_parts(self) -> (FileId, String, EscapeMap) {
        (self.parent, self.text, self.map)
    }
}

impl<'files> EmbeddedTextBuilder<'files> {
    /// Creates a builder for the text at `raw`, clamped; the start of `raw` is the place of an empty text.
    pub fn new(files: &'files Files, raw: Span) -> EmbeddedTextBuilder<'files> {
        let raw = files.clamp(raw);
        let map = EscapeMap::new(raw.start);
        EmbeddedTextBuilder { parent_text: files.text(raw.file), raw, text: String::new(), map }
    }

    /// Appends the text of the parent at these byte offsets, clamped.
    pub fn push_verbatim(&mut self, raw: Range<u32>) {
        let raw = self.clamp(raw);
        self.text.push_str(self.parent_text.get(raw.start as usize..raw.end as usize).unwrap_or(""));
        self.map.push_verbatim(raw);
    }

    /// Appends the decoded form of the text of the parent at these byte offsets, clamped.
    pub fn push_replacement(&mut self, raw: Range<u32>, replacement: &str) {
        let raw = self.clamp(raw);
        self.text.push_str(replacement);
        self.map.push_replacement(raw, to_offset(replacement.len()));
    }

    /// Returns the text, or an error if its length does not fit an offset.
    pub fn finish(self) -> Result<EmbeddedText, Diagnostic> {
        if u32::try_from(self.text.len()).is_err() {
            let message = format!("the decoded text has {} bytes, which is too many", self.text.len());
            return Err(Diagnostic::error(&FILE_TOO_LARGE, message).with_primary(self.raw, ""));
        }
        Ok(self.finish_shorter_than_parent())
    }

    /// Returns the text without the check, for decoders whose replacements never lengthen the text.
    fn finish_shorter_than_parent(self) -> EmbeddedText {
        EmbeddedText { parent: self.raw.file, text: self.text, map: self.map }
    }

    /// Widens offsets inside a character to its boundaries, like [`Files::clamp`].
    fn clamp(&self, raw: Range<u32>) -> Range<u32> {
        let mut start = self.parent_text.len().min(raw.start as usize);
        let mut end = self.parent_text.len().min(raw.end.max(raw.start) as usize);
        while !self.parent_text.is_char_boundary(start) {
            start -= 1;
        }
        while !self.parent_text.is_char_boundary(end) {
            end += 1;
        }
        to_offset(start)..to_offset(end)
    }
}
