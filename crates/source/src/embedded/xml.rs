//! Decodes the character data and the attribute values of XML.
//!
//! Invariant: decoding the raw text of one decoded character alone gives the same character; faulty text is kept as
//! written. Only the five predefined entities and character references are expanded: entities that a document declares
//! are rejected, because they can make a small file huge.
//!
//! Well-formedness is not checked: `]]>` in text and control characters are accepted.

use super::{EmbeddedText, EmbeddedTextBuilder};
use crate::codes::xml::{
    XML_BAD_CHARACTER_REFERENCE, XML_BARE_AMPERSAND, XML_MARKUP_IN_TEXT, XML_UNCLOSED_SECTION,
    XML_UNKNOWN_ENTITY,
};
use crate::span::to_offset;
use crate::{Diagnostic, Files, Span};

/// Decodes the text between two tags, at `raw`.
///
/// References are replaced, CDATA sections unwrapped, line ends become `\n`; comments and processing instructions are
/// gaps. Tags are faults: the caller decodes the pieces between them.
pub fn decode_xml_text(files: &Files, raw: Span) -> (EmbeddedText, Vec<Diagnostic>) {
    let mut decoder = Decoder::new(files, raw, "\n");
    while let Some(special) = decoder.skip_to(|byte| matches!(byte, b'&' | b'<' | b'\r')) {
        match special {
            b'&' => decoder.reference(),
            b'\r' => decoder.line_end(),
            _ if decoder.rest().starts_with("<![CDATA[") => decoder.cdata_section(),
            _ if decoder.rest().starts_with("<!--") => decoder.gap("<!--", "-->", "comment"),
            _ if decoder.rest().starts_with("<?") => decoder.gap("<?", "?>", "processing instruction"),
            _ => decoder.stray_less_than("here"),
        }
    }
    decoder.finish()
}

/// Decodes the text between the quotes of an attribute value, at `raw`.
///
/// References are replaced; unescaped line ends and tabs become blanks, as XML requires.
pub fn decode_xml_attribute(files: &Files, raw: Span) -> (EmbeddedText, Vec<Diagnostic>) {
    let mut decoder = Decoder::new(files, raw, " ");
    while let Some(special) = decoder.skip_to(|byte| matches!(byte, b'&' | b'<' | b'\r' | b'\n' | b'\t')) {
        match special {
            b'&' => decoder.reference(),
            b'<' => decoder.stray_less_than("in an attribute value"),
            _ => decoder.line_end(),
        }
    }
    decoder.finish()
}

struct Decoder<'files> {
    builder: EmbeddedTextBuilder<'files>,
    raw: Span,
    text: &'files str,
    /// The offset in `text`, which is the raw text only.
    position: usize,
    line_end: &'static str,
    diagnostics: Vec<Diagnostic>,
}

impl<'files> Decoder<'files> {
    fn new(files: &'files Files, raw: Span, line_end: &'static str) -> Decoder<'files> {
        let raw = files.clamp(raw);
        let builder = EmbeddedTextBuilder::new(files, raw);
        Decoder { builder, raw, text: files.text_at(raw), position: 0, line_end, diagnostics: Vec::new() }
    }

    fn finish(self) -> (EmbeddedText, Vec<Diagnostic>) {
        (self.builder.finish_shorter_than_parent(), self.diagnostics)
    }

    fn rest(&self) -> &'files str {
        &self.text[self.position..]
    }

    /// Takes the text before the next special byte verbatim, and returns that byte.
    fn skip_to(&mut self, is_special: impl Fn(u8) -> bool) -> Option<u8> {
        let rest = self.rest().as_bytes();
        let length = rest.iter().position(|&byte| is_special(byte)).unwrap_or(rest.len());
        self.take_verbatim(length);
        rest.get(length).copied()
    }

    fn take_verbatim(&mut self, length: usize) {
        let raw = self.advance(length);
        self.builder.push_verbatim(raw.start..raw.end);
    }

    fn take_replaced(&mut self, length: usize, replacement: &str) {
        let raw = self.advance(length);
        self.builder.push_replacement(raw.start..raw.end, replacement);
    }

    fn advance(&mut self, length: usize) -> Span {
        let span = self.ahead(length);
        self.position += length;
        span
    }

    fn ahead(&self, length: usize) -> Span {
        let start = self.raw.start + to_offset(self.position);
        Span::new(self.raw.file, start, start + to_offset(length))
    }

    fn line_end(&mut self) {
        let length = if self.rest().starts_with("\r\n") { 2 } else { 1 };
        self.take_replaced(length, self.line_end);
    }

    fn reference(&mut self) {
        let Some(name) = reference_name(self.rest()) else {
            return self.bare_ampersand();
        };
        let length = name.len() + 2;
        let character = match name {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "apos" => '\'',
            "quot" => '"',
            _ => match name.strip_prefix('#') {
                None => return self.unknown_entity(name),
                Some(number) => match referenced_character(number) {
                    Ok(character) => character,
                    Err(reason) => return self.bad_character_reference(length, reason),
                },
            },
        };
        self.take_replaced(length, character.encode_utf8(&mut [0; 4]));
    }

    fn bare_ampersand(&mut self) {
        let next = &self.rest()[1..];
        let is_double = next.starts_with('&') && reference_name(next).is_none();
        let (written, escaped) = if is_double { ("&&", "&amp;&amp;") } else { ("&", "&amp;") };
        let message = format!("`{written}` must be written `{escaped}` in XML");
        let diagnostic = Diagnostic::error(&XML_BARE_AMPERSAND, message)
            .with_primary(self.ahead(written.len()), "this does not start a reference such as `&lt;`")
            .with_hint(format!("write `{escaped}`, or wrap the whole text in `<![CDATA[` and `]]>`"));
        self.diagnostics.push(diagnostic);
        self.take_verbatim(written.len());
    }

    fn unknown_entity(&mut self, name: &str) {
        let length = name.len() + 2;
        let diagnostic = Diagnostic::error(&XML_UNKNOWN_ENTITY, format!("unknown entity `&{name};`"))
            .with_primary(self.ahead(length), "not one of the five entities that XML predefines")
            .with_hint(format!(
                "write the character itself or its number, such as `&#160;`; to get the text `&{name};` itself, write `&amp;{name};`"
            ));
        self.diagnostics.push(diagnostic);
        self.take_verbatim(length);
    }

    fn bad_character_reference(&mut self, length: usize, reason: &str) {
        let written = &self.rest()[..length];
        let message = format!("`{written}` does not denote a character");
        let diagnostic = Diagnostic::error(&XML_BAD_CHARACTER_REFERENCE, message)
            .with_primary(self.ahead(length), reason)
            .with_hint("write a decimal number such as `&#60;` or a hexadecimal one such as `&#x3C;`");
        self.diagnostics.push(diagnostic);
        self.take_verbatim(length);
    }

    fn stray_less_than(&mut self, place: &str) {
        let diagnostic =
            Diagnostic::error(&XML_MARKUP_IN_TEXT, format!("`<` must be written `&lt;` {place}"))
                .with_primary(self.ahead(1), "XML reads this as the start of a tag")
                .with_hint("write `&lt;`");
        self.diagnostics.push(diagnostic);
        self.take_verbatim(1);
    }

    fn cdata_section(&mut self) {
        let opening = "<![CDATA[".len();
        let content = &self.rest()[opening..];
        let (content, closing) = match content.find("]]>") {
            Some(length) => (&content[..length], "]]>".len()),
            None => {
                self.unclosed(opening, "CDATA section", "]]>");
                (content, 0)
            }
        };
        self.position += opening;
        let end = self.position + content.len();
        while self.position < end {
            let content = &self.text[self.position..end];
            self.take_verbatim(content.find('\r').unwrap_or(content.len()));
            if self.position < end {
                self.line_end();
            }
        }
        self.position = end + closing;
    }

    fn gap(&mut self, opening: &str, closing: &str, construct: &str) {
        let content = &self.rest()[opening.len()..];
        match content.find(closing) {
            Some(length) => self.position += opening.len() + length + closing.len(),
            None => {
                self.unclosed(opening.len(), construct, closing);
                self.position = self.text.len();
            }
        }
    }

    fn unclosed(&mut self, opening: usize, construct: &str, closing: &str) {
        let diagnostic =
            Diagnostic::error(&XML_UNCLOSED_SECTION, format!("this {construct} is never closed"))
                .with_primary(self.ahead(opening), "opened here")
                .with_hint(format!("add `{closing}` where it ends"));
        self.diagnostics.push(diagnostic);
    }
}

/// Returns the name of the reference at the start of `text`: `lt` of `&lt;`, `#60` of `&#60;`.
fn reference_name(text: &str) -> Option<&str> {
    let is_name =
        |character: char| character.is_alphanumeric() || matches!(character, '#' | '_' | '-' | '.' | ':');
    let after = text.strip_prefix('&')?;
    let (name, end) = after.split_at(after.find(|character| !is_name(character))?);
    (!name.is_empty() && end.starts_with(';')).then_some(name)
}

/// Returns the character with the number `60` or `x3C`.
fn referenced_character(number: &str) -> Result<char, &'static str> {
    let (digits, radix) = match number.strip_prefix('x') {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    // `from_str_radix` alone would accept a sign.
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Err("this is not a number");
    }
    let number = u32::from_str_radix(digits, radix).map_err(|_| "this number is too large")?;
    let character = char::from_u32(number).ok_or("no character has this number")?;
    match character {
        '\t' | '\n' | '\r' => Ok(character),
        '\0'..=' ' if character != ' ' => Err("XML does not allow this control character"),
        '\u{FFFE}' | '\u{FFFF}' => Err("no character has this number"),
        _ => Ok(character),
    }
}
