//! Decodes the strings of JSON.
//!
//! Invariant: decoding the raw text of one decoded character alone gives the same character. Faulty text is kept as
//! written, except that half of a surrogate pair, which is not a character, becomes U+FFFD.

use super::{EmbeddedText, EmbeddedTextBuilder};
use crate::codes::json::{JSON_BAD_ESCAPE, JSON_LONE_SURROGATE, JSON_UNESCAPED_CHARACTER};
use crate::span::to_offset;
use crate::{Diagnostic, Files, Span};

/// Decodes the text between the quotes of a JSON string, at `raw`.
pub fn decode_json_string(files: &Files, raw: Span) -> (EmbeddedText, Vec<Diagnostic>) {
    let raw = files.clamp(raw);
    let text = files.text_at(raw);
    let mut builder = EmbeddedTextBuilder::new(files, raw);
    let mut diagnostics = Vec::new();
    let mut position = 0;
    while position < text.len() {
        let piece = next_piece(&text[position..]);
        let start = raw.start + to_offset(position);
        let span = Span::new(raw.file, start, start + to_offset(piece.length));
        match piece.meaning {
            Ok(None) => builder.push_verbatim(span.start..span.end),
            Ok(Some(character)) => {
                builder.push_replacement(span.start..span.end, character.encode_utf8(&mut [0; 4]));
            }
            Err(fault) => {
                diagnostics.push(fault.diagnostic(span, &text[position..position + piece.length]));
                match fault {
                    StringFault::LoneSurrogate => builder.push_replacement(span.start..span.end, "\u{FFFD}"),
                    _ => builder.push_verbatim(span.start..span.end),
                }
            }
        }
        position += piece.length;
    }
    (builder.finish_shorter_than_parent(), diagnostics)
}

struct Piece {
    /// In bytes, not zero.
    length: usize,
    /// The character of an escape; `None` for verbatim text.
    meaning: Result<Option<char>, StringFault>,
}

#[derive(Clone, Copy)]
enum StringFault {
    UnknownEscape,
    NotFourDigits,
    LoneSurrogate,
    BareQuote,
    BareControlCharacter,
}

fn next_piece(rest: &str) -> Piece {
    let is_special = |byte: u8| matches!(byte, b'\\' | b'"' | 0..=0x1F);
    match rest.bytes().position(is_special) {
        None => return Piece { length: rest.len(), meaning: Ok(None) },
        Some(0) => {}
        Some(length) => return Piece { length, meaning: Ok(None) },
    }
    let Some(escape) = rest.strip_prefix('\\') else {
        let fault =
            if rest.starts_with('"') { StringFault::BareQuote } else { StringFault::BareControlCharacter };
        return Piece { length: 1, meaning: Err(fault) };
    };
    let Some(kind) = escape.chars().next() else {
        return Piece { length: 1, meaning: Err(StringFault::UnknownEscape) };
    };
    let character = match kind {
        '"' | '\\' | '/' => kind,
        'b' => '\u{8}',
        'f' => '\u{C}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => return unicode_escape(rest),
        _ => return Piece { length: 1 + kind.len_utf8(), meaning: Err(StringFault::UnknownEscape) },
    };
    Piece { length: 2, meaning: Ok(Some(character)) }
}

/// Decodes the escape at the start of `rest`, which begins with `\u`.
fn unicode_escape(rest: &str) -> Piece {
    let Some(first) = four_digits(rest) else {
        return Piece { length: 2, meaning: Err(StringFault::NotFourDigits) };
    };
    if let Some(character) = char::from_u32(first) {
        return Piece { length: 6, meaning: Ok(Some(character)) };
    }
    if let (0xD800..=0xDBFF, Some(second @ 0xDC00..=0xDFFF)) = (first, four_digits(&rest[6..])) {
        let number = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        if let Some(character) = char::from_u32(number) {
            return Piece { length: 12, meaning: Ok(Some(character)) };
        }
    }
    Piece { length: 6, meaning: Err(StringFault::LoneSurrogate) }
}

/// Parses the number of an escape such as `\u00e9` at the start of `text`.
fn four_digits(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    // `from_str_radix` alone would accept a sign.
    let are_digits = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| are_digits)
}

impl StringFault {
    fn diagnostic(self, span: Span, written: &str) -> Diagnostic {
        match self {
            StringFault::UnknownEscape => {
                Diagnostic::error(&JSON_BAD_ESCAPE, format!("`{written}` is not a JSON escape"))
                    .with_primary(span, "")
                    .with_hint("write `\\\\` for a backslash")
            }
            StringFault::NotFourDigits => {
                Diagnostic::error(&JSON_BAD_ESCAPE, "`\\u` needs four hexadecimal digits")
                    .with_primary(span, "")
                    .with_hint("write four digits, such as `\\u00e9`, or `\\\\u` for a backslash and a `u`")
            }
            StringFault::LoneSurrogate => Diagnostic::error(
                &JSON_LONE_SURROGATE,
                format!("`{written}` is only half of a character"),
            )
            .with_primary(span, "")
            .with_hint(
                "write both halves next to each other, such as `\\ud83d\\ude00`, or the character itself",
            ),
            StringFault::BareQuote => {
                Diagnostic::error(&JSON_UNESCAPED_CHARACTER, "a quote inside a JSON string must be escaped")
                    .with_primary(span, "")
                    .with_hint("write `\\\"`")
            }
            StringFault::BareControlCharacter => {
                let number = written.chars().next().map_or(0, u32::from);
                let message =
                    format!("the control character U+{number:04X} must be escaped in a JSON string");
                let escape = match number {
                    0x09 => "\\t".to_owned(),
                    0x0A => "\\n".to_owned(),
                    0x0D => "\\r".to_owned(),
                    _ => format!("\\u{number:04x}"),
                };
                Diagnostic::error(&JSON_UNESCAPED_CHARACTER, message)
                    .with_primary(span, "")
                    .with_hint(format!("write `{escape}`"))
            }
        }
    }
}
