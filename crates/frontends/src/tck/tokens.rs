//! The lexer for conditions and statements in attributes.
//!
//! Invariant: the tokens of a value are in the order of its text and do not overlap; the last is [`TokenKind::End`].

use tempora_source::{Diagnostic, Files, Span};
use tempora_syntax::codes::text::UNKNOWN_CHARACTER;

use super::document::{identifier_length, offset};

/// A token of a condition or statement.
#[derive(Clone, Copy)]
pub(super) struct Token<'text> {
    pub(super) kind: TokenKind<'text>,
    pub(super) span: Span,
}

/// The kinds of tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind<'text> {
    /// A name; never one of [`WORDS`].
    Name(&'text str),
    /// One of [`WORDS`].
    Word(&'static str),
    /// Digits.
    Integer(&'text str),
    /// One of [`SIGNS`].
    Sign(&'static str),
    End,
}

/// The reserved words of conditions and statements.
pub(super) const WORDS: [&str; 8] = ["if", "then", "else", "end", "while", "do", "local", "nop"];

/// The signs; longer ones come before their prefixes. The last line is from other languages, for better errors.
const SIGNS: [&str; 32] = [
    "&&", "==", "!=", "<=", ">=", "<", ">", "!", "=", "(", ")", "[", "]", ";", "+", "-", "*", "/",
    "%", //
    "||", "|", "&", "?", ",", ".", "'", "^", "~", "\"", "@", "\\", "`",
];

/// Returns the tokens of the text at a span; fails at an invalid character.
pub(super) fn tokens_of(files: &Files, span: Span) -> Result<Vec<Token<'_>>, Diagnostic> {
    let text = files.text_at(span);
    let mut tokens = Vec::new();
    let mut position = 0;
    let place =
        |start: usize, end: usize| Span::new(span.file, span.start + offset(start), span.start + offset(end));
    while let Some(character) = text[position..].chars().next() {
        let rest = &text[position..];
        if matches!(character, ' ' | '\t' | '\r' | '\n') {
            position += 1;
            continue;
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let letters = match rest.strip_prefix('$') {
            Some(rest) => {
                1 + rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()
            }
            None => identifier_length(rest, |_| false),
        };
        let (kind, length) = if digits > 0 {
            (TokenKind::Integer(&rest[..digits]), digits)
        } else if letters > 0 {
            let name = &rest[..letters];
            let word = WORDS.iter().find(|word| **word == name);
            (word.map_or(TokenKind::Name(name), |word| TokenKind::Word(word)), letters)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (TokenKind::Sign(sign), sign.len())
        } else {
            let message = format!("unexpected character `{}`", character.escape_debug());
            return Err(Diagnostic::error(&UNKNOWN_CHARACTER, message)
                .with_primary(place(position, position + character.len_utf8()), "")
                .with_hint("use ASCII letters, digits and `_` in names"));
        };
        tokens.push(Token { kind, span: place(position, position + length) });
        position += length;
    }
    tokens.push(Token { kind: TokenKind::End, span: place(text.len(), text.len()) });
    Ok(tokens)
}

impl TokenKind<'_> {
    /// Returns its description for messages.
    pub(super) fn described(self) -> String {
        match self {
            TokenKind::Name(text)
            | TokenKind::Integer(text)
            | TokenKind::Word(text)
            | TokenKind::Sign(text) => {
                format!("`{text}`")
            }
            TokenKind::End => "the end of the attribute".to_owned(),
        }
    }
}
