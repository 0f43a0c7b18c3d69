//! JSON texts as trees in which everything knows its place.
//!
//! Invariant: every value and every name of a member has the span that it was read from, without the white space around
//! it. A text is a tree or an error with a place, whatever it is; members keep their order, and a name that occurs twice
//! is an error.

use std::collections::BTreeSet;

use crate::codes::json::{JSON_DUPLICATE_NAME, JSON_SYNTAX};
use crate::span::to_offset;
use crate::{Diagnostic, FileId, Files, Span, decode_json_string};

/// A value of JSON, with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct JsonValue {
    /// What it is.
    pub kind: JsonKind,
    /// Where it is written.
    pub span: Span,
}

/// What a value of JSON is.
#[derive(Clone, PartialEq, Debug)]
pub enum JsonKind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number, as it is written.
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
    /// Where the name is written.
    pub name_span: Span,
    /// Its value.
    pub value: JsonValue,
}

/// Deeper texts are not read: no format of this workspace is, and whoever walks over a tree should not have to count.
const DEEPEST: usize = 128;

/// Reads a file as JSON.
pub fn parse_json(files: &Files, file: FileId) -> Result<JsonValue, Diagnostic> {
    let mut reader = Reader { files, file, text: files.text(file), position: 0 };
    let value = reader.value(0)?;
    reader.skip_white_space();
    if reader.position < reader.text.len() {
        return Err(reader.fault("there is more text behind the value", "a file has one value only"));
    }
    Ok(value)
}

impl JsonValue {
    /// The member of an object with this name.
    pub fn member(&self, name: &str) -> Option<&JsonValue> {
        match &self.kind {
            JsonKind::Object(members) => {
                members.iter().find(|member| member.name == name).map(|member| &member.value)
            }
            _ => None,
        }
    }

    /// What kind of value it is, as a message names it.
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
            None => return Err(self.fault("the text ends where a value is expected", "it may be cut off")),
            Some(b'{' | b'[') if depth >= DEEPEST => {
                return Err(self.fault(
                    &format!("the text is nested more than {DEEPEST} times"),
                    "no format of this program is",
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
                return Err(self.fault("the name of a member is expected here", "names stand between quotes"));
            }
            let (name, name_span) = self.string()?;
            if !names.insert(name.clone()) {
                return Err(Diagnostic::error(
                    &JSON_DUPLICATE_NAME,
                    format!("the object has another member `{name}`"),
                )
                .with_primary(name_span, "")
                .with_hint("readers disagree about which of them counts"));
            }
            self.skip_white_space();
            if !self.take(b':') {
                return Err(self.fault("a colon is expected here", "it stands between name and value"));
            }
            let value = self.value(depth + 1)?;
            members.push(JsonMember { name, name_span, value });
            self.skip_white_space();
            if self.take(b'}') {
                return Ok(JsonKind::Object(members));
            }
            if !self.take(b',') {
                return Err(self.fault("`,` or `}` is expected here", "members are separated by commas"));
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
                return Err(self.fault("`,` or `]` is expected here", "values are separated by commas"));
            }
        }
    }

    /// A string, and the place between its quotes.
    fn string(&mut self) -> Result<(String, Span), Diagnostic> {
        self.position += 1;
        let start = self.position;
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.position) {
                None => {
                    return Err(Diagnostic::error(&JSON_SYNTAX, "the string does not end")
                        .with_primary(Span::new(self.file, to_offset(start - 1), to_offset(start)), "")
                        .with_hint("a string ends with a quote"));
                }
                Some(b'"') => break,
                // What is escaped does not end the string; whether it is an escape is seen below.
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
        let mut is_right = digits > 0 && !(starts_with_zero && digits > 1);
        if self.take(b'.') {
            is_right &= self.digits() > 0;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.position += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.position += 1;
            }
            is_right &= self.digits() > 0;
        }
        if is_right {
            return Ok(JsonKind::Number(self.text[start..self.position].to_owned()));
        }
        let span = self.span_from(start);
        Err(Diagnostic::error(&JSON_SYNTAX, format!("`{}` is no number", &self.text[start..self.position]))
            .with_primary(span, "")
            .with_hint("numbers are written like `-12.5e3`, without zeros in front"))
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
            "a value is expected here",
            "a value is an object, a list, a string, a number, `true`, `false` or `null`",
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
    fn values_have_their_places() {
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
    fn whatever_the_text_is_there_is_a_tree_or_a_place() {
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
