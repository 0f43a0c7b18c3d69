//! Texts that are written inside other texts: a guard in an XML element, a model in a JSON string.
//!
//! Invariant: an [`EmbeddedText`] is never longer than an offset can count, and its map covers all of it. The decoders
//! never fail: what they cannot decode stays as it is written and comes with a diagnostic.

mod json;
mod xml;

use std::ops::Range;

pub use json::decode_json_string;
pub use xml::{decode_xml_attribute, decode_xml_text};

use crate::codes::files::FILE_TOO_LARGE;
use crate::escape_map::EscapeMap;
use crate::span::to_offset;
use crate::{Diagnostic, FileId, Files, Span};

/// A decoded text that knows where in its parent each character is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddedText {
    parent: FileId,
    text: String,
    map: EscapeMap,
}

/// Builds an [`EmbeddedText`] piece by piece; what is not pushed is a gap.
#[derive(Clone, Debug)]
pub struct EmbeddedTextBuilder<'files> {
    parent_text: &'files str,
    raw: Span,
    text: String,
    map: EscapeMap,
}

impl EmbeddedText {
    /// The decoded text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The file that it was found in.
    pub fn parent(&self) -> FileId {
        self.parent
    }

    /// Where its characters are written.
    pub fn map(&self) -> &EscapeMap {
        &self.map
    }

    pub(crate) fn into_parts(self) -> (FileId, String, EscapeMap) {
        (self.parent, self.text, self.map)
    }
}

impl<'files> EmbeddedTextBuilder<'files> {
    /// A text to be found at `raw`, clamped; the start of `raw` is the place of an empty text.
    pub fn new(files: &'files Files, raw: Span) -> EmbeddedTextBuilder<'files> {
        let raw = files.clamp(raw);
        let map = EscapeMap::new(raw.start);
        EmbeddedTextBuilder { parent_text: files.text(raw.file), raw, text: String::new(), map }
    }

    /// Appends what the parent has at these byte offsets, which are clamped to it.
    pub fn push_verbatim(&mut self, raw: Range<u32>) {
        let raw = self.clamp(raw);
        self.text.push_str(self.parent_text.get(raw.start as usize..raw.end as usize).unwrap_or(""));
        self.map.push_verbatim(raw);
    }

    /// Appends a text that the parent writes differently at these byte offsets, which are clamped to it.
    pub fn push_replacement(&mut self, raw: Range<u32>, replacement: &str) {
        let raw = self.clamp(raw);
        self.text.push_str(replacement);
        self.map.push_replacement(raw, to_offset(replacement.len()));
    }

    /// The text, unless the replacements made it longer than an offset can count.
    pub fn finish(self) -> Result<EmbeddedText, Diagnostic> {
        if u32::try_from(self.text.len()).is_err() {
            let message = format!("the text written here has {} bytes when it is decoded", self.text.len());
            return Err(Diagnostic::error(&FILE_TOO_LARGE, message).with_primary(self.raw, ""));
        }
        Ok(self.finish_shorter_than_parent())
    }

    /// For decoders, none of whose replacements is longer than what it replaces.
    fn finish_shorter_than_parent(self) -> EmbeddedText {
        EmbeddedText { parent: self.raw.file, text: self.text, map: self.map }
    }

    /// Offsets that are not between characters are moved out of the range, as everywhere.
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
