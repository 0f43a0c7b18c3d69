//! Text made safe to print on a terminal.
//!
//! Invariant: the result has no control character and no character that affects the display of its neighbours, so
//! that a hostile model can neither send escape sequences nor reverse the text.

/// Returns the printable form of a character inside a line; the caller expands tabs.
pub(super) fn printable_character(character: char) -> char {
    match character {
        // Unicode has a picture for each of the first 32 control characters.
        '\0'..='\u{1F}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or('?'),
        '\u{7F}' => '␡',
        // The other control characters, soft hyphen, directional marks, zero-width characters, line and paragraph
        // separators, tags.
        '\u{80}'..='\u{9F}'
        | '\u{AD}'
        | '\u{61C}'
        | '\u{180E}'
        | '\u{200B}'..='\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}'
        | '\u{FFF9}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E007F}' => char::REPLACEMENT_CHARACTER,
        _ => character,
    }
}

/// Returns a text as one printable line: line ends and tabs become blanks.
pub(super) fn printable_line(text: &str) -> String {
    text.chars()
        .map(|character| match character {
            '\n' | '\t' => ' ',
            _ => printable_character(character),
        })
        .collect()
}
