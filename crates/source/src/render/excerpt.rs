//! A source line for display: printable, with tabs expanded, and clipped to the neighbourhood of the marks.
//!
//! Invariant: the marked places are never clipped, and their cells are exactly under their characters.

use unicode_width::UnicodeWidthChar;

use super::printable::printable_character;

/// The length above which lines are clipped.
const LONGEST_WHOLE_LINE: usize = 160;
/// The number of characters that a clipped line keeps on each side of a marked place.
const NEIGHBOURHOOD: usize = 40;
const TAB: &str = "    ";
const ELLIPSIS: &str = "…";

/// A line ready for printing.
pub(super) struct Excerpt {
    pub(super) text: String,
    /// The byte offset in the line and the cell of each shown character, then of the end of the line.
    cells: Vec<(usize, usize)>,
}

impl Excerpt {
    /// Creates the excerpt of a line; `interests` are the byte offsets of the marked places.
    pub(super) fn of(line: &str, interests: &[usize]) -> Excerpt {
        let mut excerpt = Excerpt { text: String::new(), cells: Vec::new() };
        let (mut cell, mut position) = (0, 0);
        // Only the shown characters are visited: a model on one line has many findings in it.
        for kept in kept_ranges(line, interests) {
            if position < kept.start {
                excerpt.clip(position, &mut cell);
            }
            for (offset, character) in line[kept.clone()].char_indices() {
                excerpt.cells.push((kept.start + offset, cell));
                if character == '\t' {
                    excerpt.text.push_str(TAB);
                    cell += TAB.len();
                    continue;
                }
                let character = printable_character(character);
                excerpt.text.push(character);
                cell += character.width().unwrap_or(1);
            }
            position = kept.end;
        }
        if position < line.len() {
            excerpt.clip(position, &mut cell);
        }
        excerpt.cells.push((line.len(), cell));
        excerpt
    }

    /// Shows an ellipsis for the characters from this byte offset on.
    fn clip(&mut self, offset: usize, cell: &mut usize) {
        self.cells.push((offset, *cell));
        self.text.push_str(ELLIPSIS);
        *cell += 1;
    }

    /// Returns the cell of the character at a byte offset; the cell after the last character for offsets past the end.
    pub(super) fn cell(&self, offset: usize) -> usize {
        let after = self.cells.partition_point(|&(start, _)| start <= offset);
        after.checked_sub(1).and_then(|position| self.cells.get(position)).map_or(0, |&(_, cell)| cell)
    }
}

/// Returns the ranges of bytes to show, in order.
fn kept_ranges(line: &str, interests: &[usize]) -> Vec<std::ops::Range<usize>> {
    if line.chars().nth(LONGEST_WHOLE_LINE).is_none() {
        return std::iter::once(0..line.len()).collect();
    }
    let mut interests = interests.to_vec();
    interests.sort_unstable();
    let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
    for offset in interests {
        let mut offset = offset.min(line.len());
        while !line.is_char_boundary(offset) {
            offset -= 1;
        }
        let (before, after) = line.split_at(offset);
        let start = before.char_indices().rev().take(NEIGHBOURHOOD).last().map_or(offset, |(start, _)| start);
        let end = after.char_indices().nth(NEIGHBOURHOOD).map_or(line.len(), |(length, _)| offset + length);
        match ranges.last_mut() {
            Some(last) if start <= last.end => last.end = end.max(last.end),
            _ => ranges.push(start..end),
        }
    }
    if ranges.is_empty() {
        let end = line.char_indices().nth(LONGEST_WHOLE_LINE).map_or(line.len(), |(end, _)| end);
        ranges.push(0..end);
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::Excerpt;

    #[test]
    fn cells_are_under_their_characters() {
        // line, byte offset, shown line, cell
        let cases = [
            ("abc", 1, "abc", 1),
            ("abc", 3, "abc", 3),
            ("abc", 99, "abc", 3),
            ("\tabc", 1, "    abc", 4),
            ("日本x", 6, "日本x", 4),
            ("e\u{301}x", 3, "e\u{301}x", 1),
            ("\u{1B}[31mx", 5, "␛[31mx", 5),
            ("\u{9B}31m\u{7F}x", 6, "\u{FFFD}31m␡x", 5),
            ("\u{202E}x", 3, "\u{FFFD}x", 1),
            ("", 0, "", 0),
        ];
        for (line, offset, shown, cell) in cases {
            let excerpt = Excerpt::of(line, &[offset]);
            assert_eq!((excerpt.text.as_str(), excerpt.cell(offset)), (shown, cell), "{line:?}");
        }
    }

    #[test]
    fn long_lines_keep_neighbourhood_of_marks() {
        let line = format!("{}FIRST{}LAST{}", "a".repeat(100_000), "b".repeat(100_000), "c".repeat(100_000));
        let (first, last) = (100_000, 200_005);
        let excerpt = Excerpt::of(&line, &[first, first + 5, last, last + 4]);
        assert!(excerpt.text.len() < 300, "{}", excerpt.text.len());
        for (offset, word) in [(first, "FIRST"), (last, "LAST")] {
            let shown: String = excerpt.text.chars().skip(excerpt.cell(offset)).collect();
            assert!(shown.starts_with(word), "{shown}");
        }
        assert_eq!(excerpt.text.matches('…').count(), 3);
        assert_eq!(Excerpt::of(&line, &[]).text.chars().count(), 161);
    }
}
