//! Spans: byte ranges of files.
//!
//! A span is plain data without an invariant. [`Files`](crate::Files) clamps it to the text on use, so that a wrong
//! span shows a wrong place and never panics.

/// The id of one file of a [`Files`](crate::Files) arena, real or embedded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

/// A half-open range of bytes of the text of one file.
///
/// Spans are ordered by file, then start, then end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file, which may be an embedded one.
    pub file: FileId,
    /// The byte offset of the first byte.
    pub start: u32,
    /// The byte offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Creates the span from `start` up to but not including `end`.
    pub const fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end }
    }

    /// Creates the empty span before the byte at `offset`.
    pub const fn empty(file: FileId, offset: u32) -> Span {
        Span { file, start: offset, end: offset }
    }

    /// Returns whether the span contains no byte.
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// Returns the smallest span that contains both spans; `self` if they are in different files.
    pub fn cover(self, other: Span) -> Span {
        if self.file == other.file {
            Span::new(self.file, self.start.min(other.start), self.end.max(other.end))
        } else {
            self
        }
    }
}

impl FileId {
    pub(crate) fn from_index(index: usize) -> FileId {
        FileId(to_offset(index))
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Converts a position to an offset. It never saturates, because longer texts are rejected when they are added.
pub(crate) fn to_offset(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}
