//! The index of the lines of a text.
//!
//! Invariant: `starts` is strictly increasing and begins with 0. A line ends after `\n`, `\r\n` or a lone `\r`, and
//! its terminator belongs to it.

use crate::span::to_offset;

/// The starts of all lines of one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LineIndex {
    starts: Vec<u32>,
    /// The number of characters before each block of bytes, so that columns in long lines are found fast.
    characters: Vec<u32>,
}

/// The length of a block in bytes.
const BLOCK: usize = 1024;

impl LineIndex {
    pub(crate) fn of(text: &str) -> LineIndex {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (position, &byte) in bytes.iter().enumerate() {
            let ends_line = match byte {
                b'\n' => true,
                b'\r' => bytes.get(position + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends_line {
                starts.push(to_offset(position + 1));
            }
        }
        let mut characters = Vec::with_capacity(bytes.len() / BLOCK + 1);
        let mut count = 0;
        for block in bytes.chunks(BLOCK) {
            characters.push(to_offset(count));
            count += characters_in(block);
        }
        characters.push(to_offset(count));
        LineIndex { starts, characters }
    }

    /// Returns the zero-based line that contains the byte at `offset`.
    pub(crate) fn line_of(&self, offset: u32) -> usize {
        self.starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// Returns the offset of the first byte of a zero-based line; lines past the end count as the last line.
    pub(crate) fn start_of(&self, line: usize) -> u32 {
        self.starts.get(line).or(self.starts.last()).copied().unwrap_or(0)
    }

    /// Returns the number of characters before the byte at `offset`, which must begin a character.
    pub(crate) fn characters_before(&self, text: &str, offset: usize) -> usize {
        let block = offset / BLOCK;
        let known = self.characters.get(block).copied().unwrap_or(0);
        known as usize + text.as_bytes().get(block * BLOCK..offset).map_or(0, characters_in)
    }

    /// Returns the text of a zero-based line without its terminator.
    pub(crate) fn text_of<'text>(&self, text: &'text str, line: usize) -> &'text str {
        let start = self.start_of(line) as usize;
        let end = self.starts.get(line + 1).map_or(text.len(), |&next| next as usize);
        text.get(start..end).unwrap_or("").trim_end_matches(['\r', '\n'])
    }
}

/// Returns the number of characters that begin in these bytes.
fn characters_in(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0b1100_0000 != 0b1000_0000).count()
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, LineIndex};

    #[test]
    fn characters_are_counted_across_blocks() {
        let text = "aä日𝄞".repeat(BLOCK);
        let index = LineIndex::of(&text);
        let counted = text.char_indices().map(|(offset, _)| index.characters_before(&text, offset));
        assert!(counted.enumerate().all(|(number, counted)| number == counted));
        assert_eq!(index.characters_before(&text, text.len()), 4 * BLOCK);
    }

    #[test]
    fn lines_end_at_every_kind_of_terminator() {
        let cases: &[(&str, &[&str])] = &[
            ("", &[""]),
            ("a", &["a"]),
            ("a\n", &["a", ""]),
            ("a\r\nb", &["a", "b"]),
            ("a\rb", &["a", "b"]),
            ("a\n\rb", &["a", "", "b"]),
            ("\r\r\n\n", &["", "", "", ""]),
            ("é\nü", &["é", "ü"]),
        ];
        for (text, lines) in cases {
            let index = LineIndex::of(text);
            let found: Vec<&str> = (0..index.starts.len()).map(|line| index.text_of(text, line)).collect();
            assert_eq!(&found, lines, "{text:?}");
        }
    }
}
