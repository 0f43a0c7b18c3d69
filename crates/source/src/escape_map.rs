//! Maps offsets of an embedded text to offsets of its parent.
//!
//! Invariant: the segments partition the decoded text in order, and none is empty there. In the raw text they need not
//! be adjacent (a comment may separate them) or in order.

use std::ops::Range;

/// The map from a decoded text to its raw text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EscapeMap {
    /// The raw place of an empty text.
    anchor: u32,
    decoded_length: u32,
    segments: Vec<Segment>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Segment {
    decoded_start: u32,
    raw_start: u32,
    raw_end: u32,
    /// Whether raw and decoded text agree byte by byte; otherwise the segment maps as a whole.
    is_verbatim: bool,
}

impl EscapeMap {
    pub(crate) fn new(anchor: u32) -> EscapeMap {
        EscapeMap { anchor, decoded_length: 0, segments: Vec::new() }
    }

    pub(crate) fn push_verbatim(&mut self, raw: Range<u32>) {
        let length = raw.end.saturating_sub(raw.start);
        if length == 0 {
            return;
        }
        match self.segments.last_mut() {
            Some(last) if last.is_verbatim && last.raw_end == raw.start => last.raw_end = raw.end,
            _ => self.push(raw, true),
        }
        self.decoded_length = self.decoded_length.saturating_add(length);
    }

    pub(crate) fn push_replacement(&mut self, raw: Range<u32>, decoded_length: u32) {
        if decoded_length == 0 {
            return;
        }
        self.push(raw, false);
        self.decoded_length = self.decoded_length.saturating_add(decoded_length);
    }

    fn push(&mut self, raw: Range<u32>, is_verbatim: bool) {
        let decoded_start = self.decoded_length;
        self.segments.push(Segment { decoded_start, raw_start: raw.start, raw_end: raw.end, is_verbatim });
    }

    /// Returns the raw range of a range of the decoded text; see [`Files::outermost`](crate::Files::outermost).
    ///
    /// Raw segments out of order can make the end lie before the start; then the range is empty, at the start.
    pub fn raw_range(&self, decoded: Range<u32>) -> Range<u32> {
        let start = self.raw_start(decoded.start);
        if decoded.start >= decoded.end {
            return start..start;
        }
        start..self.raw_end(decoded.end).max(start)
    }

    /// Returns the raw start of the character at `offset`.
    fn raw_start(&self, offset: u32) -> u32 {
        if offset >= self.decoded_length {
            return self.segments.last().map_or(self.anchor, |last| last.raw_end);
        }
        match self.segment_at(offset) {
            Some(segment) if segment.is_verbatim => segment.raw_start + (offset - segment.decoded_start),
            Some(segment) => segment.raw_start,
            None => self.anchor,
        }
    }

    /// Returns the raw end of the character that ends at `offset`, which is not zero.
    fn raw_end(&self, offset: u32) -> u32 {
        let offset = offset.min(self.decoded_length);
        match self.segment_at(offset.saturating_sub(1)) {
            Some(segment) if segment.is_verbatim => segment.raw_start + (offset - segment.decoded_start),
            Some(segment) => segment.raw_end,
            None => self.anchor,
        }
    }

    fn segment_at(&self, offset: u32) -> Option<&Segment> {
        let after = self.segments.partition_point(|segment| segment.decoded_start <= offset);
        self.segments.get(after.checked_sub(1)?)
    }
}
