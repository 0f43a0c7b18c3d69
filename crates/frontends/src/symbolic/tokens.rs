//! The lexer of the symbolic languages.
//!
//! Invariant: tokens are in the order of the text and do not overlap; the last is [`TokenKind::End`].

use tempora_source::{Diagnostic, Diagnostics, FileId, Files, Span};

use crate::codes::symbolic::SYNTAX;

/// A token of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'text> {
    pub(crate) kind: TokenKind<'text>,
    pub(crate) span: Span,
}

/// The kinds of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind<'text> {
    /// A name or a keyword.
    Word(&'text str),
    /// Digits.
    Integer(&'text str),
    /// One of [`SIGNS`].
    Sign(&'static str),
    /// The end of the text.
    End,
}

/// The signs; longer ones come before their prefixes.
const SIGNS: [&str; 34] = [
    ":=", "->", "<-", "=>", "==", "!=", "/=", "<=", ">=", "&&", "||", "++", "(", ")", "[", "]", "{", "}",
    ";", ":", ",", "<", ">", "=", "!", "+", "-", "*", "/", "%", "'", ".", "&", "|",
];

/// Returns the tokens of a file. Invalid characters are reported and omitted.
pub(crate) fn tokens_of<'text>(
    files: &'text Files,
    file: FileId,
    dots_in_names: bool,
    diagnostics: &mut Diagnostics,
) -> Vec<Token<'text>> {
    let text = files.text(file);
    let offset = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
    let place = |start: usize, end: usize| Span::new(file, offset(start), offset(end));
    let mut tokens = Vec::new();
    let mut position = 0;
    while let Some(character) = text[position..].chars().next() {
        let rest = &text[position..];
        if character.is_whitespace() || character == '\u{feff}' {
            position += character.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            position += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        if rest.starts_with("/*") {
            match rest.find("*/") {
                Some(length) => position += length + 2,
                None => {
                    diagnostics.push(
                        Diagnostic::error(&SYNTAX, "unclosed comment")
                            .with_primary(place(position, position + 2), "")
                            .with_hint("close it with `*/`"),
                    );
                    position = text.len();
                }
            }
            continue;
        }
        let is_of_word = |byte: u8| {
            byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || (dots_in_names && byte == b'.')
        };
        let (kind, length) = if character.is_ascii_digit() {
            let length = rest.bytes().take_while(u8::is_ascii_digit).count();
            (TokenKind::Integer(&rest[..length]), length)
        } else if character.is_ascii_alphabetic() || character == '_' || character == '$' {
            let length = rest.bytes().take_while(|byte| is_of_word(*byte)).count();
            (TokenKind::Word(&rest[..length]), length)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (TokenKind::Sign(sign), sign.len())
        } else {
            let message = format!("unexpected character `{}`", character.escape_debug());
            diagnostics.push(
                Diagnostic::error(&SYNTAX, message)
                    .with_primary(place(position, position + character.len_utf8()), "")
                    .with_hint("use ASCII letters, digits, `_` and `$` in names"),
            );
            position += character.len_utf8();
            continue;
        };
        tokens.push(Token { kind, span: place(position, position + length) });
        position += length;
    }
    tokens.push(Token { kind: TokenKind::End, span: place(text.len(), text.len()) });
    tokens
}
