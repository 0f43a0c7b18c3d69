//! Parses JSON into trees with spans.
//!
//! Invariant: every value and every member name has the span of its text, without surrounding white space. Parsing any
//! text gives a tree or an error with a place; members keep their order, and a duplicate name is an error.

use std::collections::BTreeSet;

use crate::codes::json::{JSON_DUPLICATE_NAME, JSON_SYNTAX};
use crate::span::to_offset;
use crate::{Diagnostic, FileId, Files, Span, decode_json_string};

/// A JSON value with its span.
#[derive(Clone, PartialEq, Debug)]
pub struct JsonValue {
    /// The value.
    pub kind: JsonKind,
    /// The span of its text.
    pub span: Span,
}

/// The kinds of JSON values.
#[derive(Clone, PartialEq, Debug)]
pub enum JsonKind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number, as written.
    Number(String),
    /// A string, decoded.
    Text(String),
    /// A list.
    Array(Vec<JsonValue>),
    /// An object, in the order of the text.
    Object(Vec<JsonMember>),
}

/// A member of an object.
#[derive(Clone, PartialEq, Debug)]
pub struct JsonMember {
    /// Its name, decoded.
    pub name: String,
    /// The span of the name, between its quotes.
    pub name_span: Span,
    /// Its value.
    pub value: JsonValue,
}

/// The maximal depth of nesting. It bounds the recursion of all code that traverses a tree, and no supported format
/// needs more.
const DEEPEST: usize = 128;

/// Parses a file as JSON.
pub fn parse_json(files: &Files, file: FileId) -> Result<JsonValue, Diagnostic> {
    let mut reader = Reader { files, file, text: files.text(file), position: 0 };
    let value = reader.value(0)?;
    reader.skip_white_space();
    if reader.position < reader.text.len() {
        return Err(
            reader.fault("expected the end of the file, found more text", "remove the text after the value")
        );
    }
    Ok(value)
}

impl JsonValue {
    /// Returns the value of the member of an object with this name.
    pub fn member(&self, name: &str) -> Option<&JsonValue> {
        match &self.kind {
            JsonKind::Object(members) => {
                members.iter().find(|member| member.name == name).map(|member| &member.value)
            }
            _ => None,
        }
    }

    /// Returns the kind of the value, as named in messages.
    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            JsonKind::Null => "null",
            JsonKind::Boolean(_) => "a truth value",
            JsonKind::Number(_) => "a number",
            JsonKind::Text(_) => "a string",
            JsonKind::Array(_) => "a list",
            JsonKind::Object(_) => "an object",
        }
    }
}

struct Reader<'files> {
    files: &'files Files,
    file: FileId,
    text: &'files str,
    position: usize,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Result<JsonValue, Diagnostic> {
        self.skip_white_space();
        let start = self.position;
        let kind = match self.peek() {
            None => {
                return Err(self.fault("expected a value, found the end of the file", "complete the file"));
            }
            Some(b'{' | b'[') if depth >= DEEPEST => {
                return Err(self.fault(
                    &format!("the text is nested more than {DEEPEST} levels deep"),
                    "reduce the nesting",
                ));
            }
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => JsonKind::Text(self.string()?.0),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(_) => self.word()?,
        };
        Ok(JsonValue { kind, span: self.span_from(start) })
    }

    fn object(&mut self, depth: usize) -> Result<JsonKind, Diagnostic> {
        self.position += 1;
        let mut members = Vec::new();
        let mut names = BTreeSet::new();
        self.skip_white_space();
        if self.take(b'}') {
            return Ok(JsonKind::Object(members));
        }
        loop {
            self.skip_white_space();
            if self.peek() != Some(b'"') {
                return Err(self.fault("expected the name of a member", "write the name between quotes"));
            }
            let (name, name_span) = self.string()?;
            if !names.insert(name.clone()) {
                return Err(Diagnostic::error(
                    &JSON_DUPLICATE_NAME,
                    format!("the object already has a member `{name}`"),
                )
                .with_primary(name_span, "")
                .with_hint("remove one of them"));
            }
            self.skip_white_space();
            if !self.take(b':') {
                return Err(self.fault("expected a colon", "write a colon between name and value"));
            }
            let value = self.value(depth + 1)?;
            members.push(JsonMember { name, name_span, value });
            self.skip_white_space();
            if self.take(b'}') {
                return Ok(JsonKind::Object(members));
            }
            if !self.take(b',') {
                return Err(self.fault("expected `,` or `}`", "separate members with commas"));
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<JsonKind, Diagnostic> {
        self.position += 1;
        let mut values = Vec::new();
        self.skip_white_space();
        if self.take(b']') {
            return Ok(JsonKind::Array(values));
        }
        loop {
            values.push(self.value(depth + 1)?);
            self.skip_white_space();
            if self.take(b']') {
                return Ok(JsonKind::Array(values));
            }
            if !self.take(b',') {
                return Err(self.fault("expected `,` or `]`", "separate values with commas"));
            }
        }
    }

    /// Parses a string, and returns it with the span between its quotes.
    fn string(&mut self) -> Result<(String, Span), Diagnostic> {
        self.position += 1;
        let start = self.position;
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.position) {
                None => {
                    return Err(Diagnostic::error(&JSON_SYNTAX, "the string is never closed")
                        .with_primary(Span::new(self.file, to_offset(start - 1), to_offset(start)), "")
                        .with_hint("add the closing quote"));
                }
                Some(b'"') => break,
                // An escaped quote does not end the string; the decoder below checks the escape.
                Some(b'\\') => self.position += 2,
                Some(_) => self.position += 1,
            }
        }
        let span = self.span_from(start);
        self.position += 1;
        let (decoded, faults) = decode_json_string(self.files, span);
        match faults.into_iter().next() {
            Some(fault) => Err(fault),
            None => Ok((decoded.text().to_owned(), span)),
        }
    }

    fn number(&mut self) -> Result<JsonKind, Diagnostic> {
        let start = self.position;
        self.take(b'-');
        let starts_with_zero = self.peek() == Some(b'0');
        let digits = self.digits();
        let mut is_valid = digits > 0 && !(starts_with_zero && digits > 1);
        if self.take(b'.') {
            is_valid &= self.digits() > 0;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.position += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.position += 1;
            }
            is_valid &= self.digits() > 0;
        }
        if is_valid {
            return Ok(JsonKind::Number(self.text[start..self.position].to_owned()));
        }
        let span = self.span_from(start);
        Err(Diagnostic::error(
            &JSON_SYNTAX,
            format!("`{}` is not a number", &self.text[start..self.position]),
        )
        .with_primary(span, "")
        .with_hint("write a number like `-12.5e3`, without leading zeros"))
    }

    fn digits(&mut self) -> usize {
        let start = self.position;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.position += 1;
        }
        self.position - start
    }

    fn word(&mut self) -> Result<JsonKind, Diagnostic> {
        for (word, kind) in
            [("null", JsonKind::Null), ("true", JsonKind::Boolean(true)), ("false", JsonKind::Boolean(false))]
        {
            if self.text[self.position..].starts_with(word) {
                self.position += word.len();
                return Ok(kind);
            }
        }
        Err(self.fault(
            "expected a value",
            "write an object, a list, a string, a number, `true`, `false` or `null`",
        ))
    }

    fn skip_white_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.position += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.position += usize::from(is_there);
        is_there
    }

    fn span_from(&self, start: usize) -> Span {
        Span::new(self.file, to_offset(start), to_offset(self.position))
    }

    fn fault(&self, message: &str, hint: &str) -> Diagnostic {
        let length = self.text[self.position..].chars().next().map_or(0, char::len_utf8);
        let span = Span::new(self.file, to_offset(self.position), to_offset(self.position + length));
        Diagnostic::error(&JSON_SYNTAX, message).with_primary(span, "").with_hint(hint)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn read(text: &str) -> Result<(Files, JsonValue), (String, u32)> {
        let mut files = Files::new();
        let file = files.add("t.json", text).unwrap();
        match parse_json(&files, file) {
            Ok(value) => Ok((files, value)),
            Err(diagnostic) => Err((diagnostic.message.clone(), diagnostic.primary_span().unwrap().start)),
        }
    }

    #[test]
    fn values_have_spans() {
        let text = r#" {"a": [1, -2.5e3, "x\"é\n"], "b": {"c": null}, "d": true} "#;
        let (files, value) = read(text).unwrap();
        let list = value.member("a").unwrap();
        assert_eq!(files.text_at(list.span), r#"[1, -2.5e3, "x\"é\n"]"#);
        let JsonKind::Array(values) = &list.kind else { panic!("{list:?}") };
        assert_eq!(values[1].kind, JsonKind::Number("-2.5e3".to_owned()));
        assert_eq!(values[2].kind, JsonKind::Text("x\"é\n".to_owned()));
        assert_eq!(value.member("b").and_then(|inner| inner.member("c")).unwrap().kind, JsonKind::Null);
        assert_eq!(value.member("d").unwrap().kind, JsonKind::Boolean(true));
    }

    #[test]
    fn malformed_json_is_rejected_with_place() {
        let faults = [
            ("", 0),
            ("{", 1),
            ("[1,", 3),
            ("[1 2]", 3),
            ("{\"a\" 1}", 5),
            ("{\"a\": 1, \"a\": 2}", 10),
            ("{a: 1}", 1),
            ("\"abc", 0),
            ("\"abc\\", 0),
            ("01", 0),
            ("1.", 0),
            ("-", 0),
            ("nul", 0),
            ("é", 0),
            ("1 1", 2),
            ("\"\\x\"", 1),
        ];
        for (text, place) in faults {
            let (message, found) = read(text).unwrap_err();
            assert_eq!(found, place, "{text}: {message}");
        }
        for depth in [100_000, DEEPEST + 1] {
            assert!(read(&"[".repeat(depth)).unwrap_err().0.contains("nested"));
        }
        let most = format!("{}{}", "[".repeat(DEEPEST), "]".repeat(DEEPEST));
        assert!(read(&most).is_ok());
    }
}
