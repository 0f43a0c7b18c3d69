//! Splits a text into tokens.
//!
//! Invariants: takes linear time and never fails; the last token is [`TokenKind::End`]; an unreadable character is
//! reported once and becomes [`TokenKind::Unknown`]; an unterminated comment is reported and skipped.

use tempora_interrupt::checkpoint;
use tempora_source::{Diagnostic, FileId, Span};

use super::token::{Symbol, Token, TokenKind, Word};
use crate::codes::text::{ENTITY_IN_CODE, UNKNOWN_CHARACTER, UNTERMINATED_COMMENT, UNTERMINATED_STRING};

/// Returns all tokens of a text, and the lexical errors.
pub(crate) fn tokenize(file: FileId, text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer =
        Lexer { file, text, position: 0, starts_line: true, tokens: Vec::new(), faults: Vec::new() };
    lexer.run();
    (lexer.tokens, lexer.faults)
}

/// Returns whether a text is a valid name: it has only allowed characters and is not a reserved word.
pub fn is_name(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    text.bytes().next().is_some_and(is_letter)
        && text.bytes().all(|byte| is_letter(byte) || byte.is_ascii_digit())
        && !Word::ALL.iter().any(|(_, word)| *word == text)
}

/// The keywords of queries about specifications.
pub(super) const SPECIFICATION_PROPERTIES: &[&str] = &[
    "bisim-minim",
    "consistency",
    "determinism",
    "get-component",
    "implementation",
    "local-consistency",
    "prune",
    "reachability",
    "refinement",
    "satisfaction",
    "specification",
    "tctl",
];

/// The predefined entities of XML; code that was copied out of a model file contains them.
const ENTITIES: [(&str, char); 5] =
    [("&lt;", '<'), ("&gt;", '>'), ("&amp;", '&'), ("&apos;", '\''), ("&quot;", '"')];

struct Lexer<'text> {
    file: FileId,
    text: &'text str,
    position: usize,
    starts_line: bool,
    tokens: Vec<Token>,
    faults: Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while let Some(&byte) = self.text.as_bytes().get(self.position) {
            checkpoint();
            let rest = &self.text[self.position..];
            match byte {
                b'\n' | b'\r' => {
                    self.starts_line = true;
                    self.position += 1;
                }
                b' ' | b'\t' | 0x0b | 0x0c => self.position += 1,
                b'\\' if rest[1..].trim_start_matches([' ', '\t', '\r']).starts_with('\n') => {
                    self.position += rest.find('\n').map_or(1, |end| end + 1);
                }
                b'/' if rest.starts_with("//") && !self.is_quotient() => {
                    self.position += rest.find('\n').unwrap_or(rest.len());
                }
                b'/' if rest.starts_with("/*") => self.skip_block_comment(),
                b'"' => self.string(),
                b'0'..=b'9' => self.number(),
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(),
                b'&' if entity_at(rest).is_some() => self.entities(),
                _ => self.symbol_or_unknown(),
            }
        }
        self.push(TokenKind::End, self.position);
    }

    /// Whether `//` is the quotient of specifications here, as in Reveaal: only after the keyword of a query about
    /// specifications, on the same line.
    fn is_quotient(&self) -> bool {
        let before = &self.text[..self.position];
        let line = before.rsplit('\n').next().unwrap_or(before);
        line.split_once(':').is_some_and(|(word, _)| SPECIFICATION_PROPERTIES.contains(&word.trim()))
    }

    fn push(&mut self, kind: TokenKind, end: usize) {
        let (start, end) = (to_offset(self.position), to_offset(end));
        self.tokens.push(Token { kind, start, end, starts_line: self.starts_line });
        self.starts_line = false;
        self.position = end as usize;
    }

    fn span(&self, length: usize) -> Span {
        Span::new(self.file, to_offset(self.position), to_offset(self.position + length))
    }

    fn skip_block_comment(&mut self) {
        let rest = &self.text[self.position..];
        if let Some(end) = rest[2..].find("*/") {
            self.starts_line |= rest[..end + 4].contains('\n');
            self.position += end + 4;
        } else {
            self.faults.push(
                Diagnostic::error(&UNTERMINATED_COMMENT, "unterminated comment")
                    .with_primary(self.span(2), "no `*/` follows")
                    .with_hint("write `*/` where the comment should end"),
            );
            self.position = self.text.len();
        }
    }

    fn string(&mut self) {
        let rest = &self.text[self.position..];
        match rest[1..].find(['"', '\n']) {
            Some(length) if rest[1 + length..].starts_with('"') => {
                self.push(TokenKind::Text, self.position + length + 2);
            }
            end => {
                let length = end.map_or(rest.len(), |end| end + 1);
                self.faults.push(
                    Diagnostic::error(&UNTERMINATED_STRING, "unterminated string")
                        .with_primary(self.span(1), "no closing `\"` follows on this line")
                        .with_hint("write `\"` where the string should end"),
                );
                self.push(TokenKind::Text, self.position + length);
            }
        }
    }

    fn number(&mut self) {
        let bytes = self.text.as_bytes();
        let digits_from = |from: usize| {
            bytes[from.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count()
        };
        let mut end = self.position + digits_from(self.position);
        let mut kind = TokenKind::Integer;
        if bytes.get(end) == Some(&b'.') && digits_from(end + 1) > 0 {
            end += 1 + digits_from(end + 1);
            kind = TokenKind::Double;
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let digits = digits_from(end + 1 + sign);
            if digits > 0 {
                end += 1 + sign + digits;
                kind = TokenKind::Double;
            }
        }
        self.push(kind, end);
    }

    fn word(&mut self) {
        let rest = &self.text[self.position..];
        let length = rest
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#'))
            .count();
        let text = &rest[..length];
        let word =
            Word::ALL.binary_search_by_key(&text, |entry| entry.1).ok().map(|index| Word::ALL[index].0);
        self.push(word.map_or(TokenKind::Name, TokenKind::Word), self.position + length);
    }

    /// Reads `&lt;=` as `<=` and reports it.
    fn entities(&mut self) {
        let rest = &self.text[self.position..];
        let (mut meant, mut length) = (String::new(), 0);
        // No operator is longer than three characters.
        while meant.len() < 3 {
            if let Some((entity, character)) = entity_at(&rest[length..]) {
                length += entity.len();
                meant.push(character);
            } else if let Some(character) =
                rest[length..].chars().next().filter(|&next| "=<>&|?".contains(next))
            {
                length += 1;
                meant.push(character);
            } else {
                break;
            }
        }
        let symbol = symbol_at(&meant);
        let (text, length) = match symbol {
            // The joined text is longer than the symbol: only its first character is consumed.
            Some(symbol) if symbol.text().len() < meant.len() => {
                let entity = entity_at(rest).map_or(1, |(entity, _)| entity.len());
                (meant[..1].to_owned(), entity)
            }
            _ => (meant, length),
        };
        let written = &rest[..length];
        self.faults.push(
            Diagnostic::error(&ENTITY_IN_CODE, format!("`{written}` is the XML entity for `{text}`"))
                .with_primary(self.span(length), "")
                .with_hint(format!("write `{text}`")),
        );
        let kind = symbol_at(&text).map_or(TokenKind::Unknown, TokenKind::Symbol);
        self.push(kind, self.position + length);
    }

    fn symbol_or_unknown(&mut self) {
        let rest = &self.text[self.position..];
        if let Some(symbol) = symbol_at(rest) {
            self.push(TokenKind::Symbol(symbol), self.position + symbol.text().len());
            return;
        }
        let is_unknown = |character: &char| {
            !character.is_ascii() || (!character.is_ascii_graphic() && !" \t\n\r".contains(*character))
        };
        let length: usize = rest.chars().take_while(is_unknown).map(char::len_utf8).sum();
        let length = length.max(1);
        let written = &rest[..length];
        let mut fault = Diagnostic::error(&UNKNOWN_CHARACTER, format!("`{written}` has no meaning here"))
            .with_primary(self.span(length), "");
        if let Some(hint) = replacement(written) {
            fault = fault.with_hint(hint);
        }
        self.faults.push(fault);
        if written.trim().is_empty() {
            self.position += length;
        } else {
            self.push(TokenKind::Unknown, self.position + length);
        }
    }
}

fn entity_at(text: &str) -> Option<(&'static str, char)> {
    ENTITIES.into_iter().find(|(entity, _)| text.starts_with(entity))
}

fn symbol_at(text: &str) -> Option<Symbol> {
    Symbol::ALL.iter().find(|(_, spelling)| text.starts_with(spelling)).map(|&(symbol, _)| symbol)
}

/// Returns a hint for a character that comes from a word processor or another notation.
fn replacement(written: &str) -> Option<String> {
    let meant = match written {
        "≤" => "<=",
        "≥" => ">=",
        "≠" => "!=",
        "∧" => "&&",
        "∨" => "||",
        "¬" => "!",
        "→" => "->",
        "⇒" => "imply",
        "−" | "–" => "-",
        "“" | "”" => "\"",
        "‘" | "’" => "'",
        _ if written.trim().is_empty() => return Some("write an ordinary space".to_owned()),
        _ if written.chars().all(char::is_alphanumeric) => {
            return Some("names consist of the letters a to z, digits and `_`".to_owned());
        }
        _ => return None,
    };
    Some(format!("write `{meant}`"))
}

fn to_offset(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use tempora_source::Files;

    use super::super::token::{Symbol, TokenKind, Word};
    use super::tokenize;

    fn kinds(text: &str) -> (Vec<TokenKind>, usize) {
        let mut files = Files::new();
        let file = files.add("text", text).unwrap();
        let (tokens, faults) = tokenize(file, text);
        (tokens.into_iter().map(|token| token.kind).collect(), faults.len())
    }

    #[test]
    fn words_are_sorted_and_symbols_longest_first() {
        assert!(Word::ALL.is_sorted_by_key(|entry| entry.1));
        for (position, (_, later)) in Symbol::ALL.iter().enumerate() {
            for (_, earlier) in &Symbol::ALL[..position] {
                assert!(!later.starts_with(earlier), "{earlier} hides {later}");
            }
        }
    }

    #[test]
    fn reads_xml_entities_as_operators() {
        let symbol = |symbol| TokenKind::Symbol(symbol);
        let name = TokenKind::Name;
        let cases = [
            ("x &lt;= y", symbol(Symbol::LessEqual), 1),
            ("x &amp;&amp; y", symbol(Symbol::AndAnd), 1),
            ("x &lt;&lt; y", symbol(Symbol::ShiftLeft), 1),
            ("x &lt y", symbol(Symbol::Ampersand), 0),
        ];
        for (text, operator, faults) in cases {
            let (kinds, count) = kinds(text);
            assert_eq!((&kinds[..2], count), (&[name, operator][..], faults), "{text}");
        }
    }

    #[test]
    fn distinguishes_integers_and_doubles() {
        let cases: &[(&str, &[TokenKind])] = &[
            ("1.5", &[TokenKind::Double]),
            ("1e-3", &[TokenKind::Double]),
            ("2.0E+4", &[TokenKind::Double]),
            ("1.x", &[TokenKind::Integer, TokenKind::Symbol(Symbol::Dot), TokenKind::Name]),
            ("1e", &[TokenKind::Integer, TokenKind::Name]),
            ("007", &[TokenKind::Integer]),
        ];
        for (text, expected) in cases {
            let (kinds, faults) = kinds(text);
            assert_eq!((&kinds[..kinds.len() - 1], faults), (*expected, 0), "{text}");
        }
    }
}
