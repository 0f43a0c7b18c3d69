//! Estimates the size of a text without a font.
//!
//! The widths are those of Helvetica in the Adobe font metrics. Arial and Liberation Sans have the same widths, so
//! the estimate is exact for Latin text if one of these fonts is installed. Invariant: widths are finite and
//! non-negative, and grow with the text.

use crate::geometry::Point;

/// The size of label text in pixels. UPPAAL stacks the labels of an edge 15 to 17 pixels apart, so this fits.
pub(crate) const LABEL_SIZE: f64 = 12.0;

/// The distance between lines of a text, as a multiple of its size.
pub(crate) const LINE_PITCH: f64 = 1.25;

/// The distance from the top of a line to its baseline, as a multiple of the size.
pub(crate) const ASCENT: f64 = 0.95;

/// Widths of the characters from space to tilde, in thousandths of the size.
const HELVETICA_WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, // space to /
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // 0 to ?
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // @ to O
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // P to _
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // ` to o
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, // p to ~
];

/// Returns the width of one line in pixels.
pub(crate) fn line_width(line: &str, size: f64) -> f64 {
    let thousandths: f64 = line.chars().map(character_width).sum();
    thousandths * size / 1000.0
}

/// Returns the lines of a label to draw: without line ends and tabs, and without blank lines at the start and the end.
pub(crate) fn drawn_lines(text: &str) -> Vec<String> {
    let lines: Vec<String> = text.lines().map(|line| line.trim_end().replace('\t', "    ")).collect();
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    let last = lines.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
    let kept = &lines[first..last];
    // The common indentation belongs to the file, not to the text.
    let indent = |line: &String| line.len() - line.trim_start_matches(' ').len();
    let shared = kept.iter().filter(|line| !line.is_empty()).map(indent).min().unwrap_or(0);
    kept.iter().map(|line| line.get(shared..).unwrap_or_default().to_owned()).collect()
}

/// Returns the width and the height of lines of text in pixels.
pub(crate) fn block_size(lines: &[String], size: f64) -> Point {
    let width = lines.iter().map(|line| line_width(line, size)).fold(0.0, f64::max);
    Point::new(width, lines.len() as f64 * size * LINE_PITCH)
}

fn character_width(character: char) -> f64 {
    let code = u32::from(character);
    match code {
        32..=126 => f64::from(HELVETICA_WIDTHS[(code - 32) as usize]),
        // Combining marks and joiners have no width.
        0x300..=0x36f | 0x200b..=0x200f | 0xfe00..=0xfe0f => 0.0,
        // East Asian characters and pictographs are as wide as they are high.
        0x1100..=0x115f
        | 0x2e80..=0xd7ff
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0x1f000..=0x3ffff => 1000.0,
        _ => 600.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_match_helvetica() {
        assert_eq!(line_width("W", 1000.0), 944.0);
        assert_eq!(line_width("~", 1000.0), 584.0);
        assert_eq!(line_width("x<=20", 1000.0), 500.0 + 584.0 + 584.0 + 556.0 + 556.0);
        assert_eq!(line_width("", 12.0), 0.0);
    }

    #[test]
    fn drawn_lines_drop_blank_ends_and_common_indent() {
        assert_eq!(drawn_lines("\n  a = 1,\n    b = 2\n\n"), ["a = 1,", "  b = 2"]);
        assert_eq!(drawn_lines("x := 0,\n\ty := 1\r\n\n"), ["x := 0,", "    y := 1"]);
        assert_eq!(drawn_lines(" \n\t\n"), Vec::<String>::new());
    }
}
