//! Places in files: which file, from which byte, to which byte.
//!
//! Invariant: none is enforced here. A span is plain data; [`Files`](crate::Files) clamps it to the text when it is
//! looked at, so that a wrong span shows a wrong place and never panics.

/// Names one file of a [`Files`](crate::Files) arena, real or embedded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

/// A half-open range of bytes of the text of one file.
///
/// Ordered by file, then start, then end.
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
    /// The bytes from `start` up to but not including `end`.
    pub const fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end }
    }

    /// The place between two characters, before the byte at `offset`.
    pub const fn empty(file: FileId, offset: u32) -> Span {
        Span { file, start: offset, end: offset }
    }

    /// Whether no byte is inside.
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// The smallest span that holds both; `self` if they are in different files.
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

/// Texts longer than an offset can count are refused at the door, so saturation is never observed.
pub(crate) fn to_offset(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}
