//! A JSON parser that records places.
//!
//! Invariant: every text gives a value or a diagnostic; values are nested at most [`DEPTH_LIMIT`] levels deep.

use tempora_source::{Diagnostic, FileId, Files, Span, decode_json_string};

use super::codes::ECDAR_JSON;

/// The largest depth of nested values, against hostile files.
const DEPTH_LIMIT: usize = 200;

/// A value with its place.
#[derive(Clone, Debug)]
pub(super) struct Json {
    pub(super) kind: JsonKind,
    pub(super) span: Span,
}

/// The kinds of values.
#[derive(Clone, Debug)]
pub(super) enum JsonKind {
    /// `null`, `true`, `false` or a number, which concern only the layout.
    Other,
    /// A string: the range between the quotes.
    Text(Span),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Returns the value of a member of an object.
    pub(super) fn get(&self, name: &str) -> Option<&Json> {
        match &self.kind {
            JsonKind::Object(members) => {
                members.iter().find(|(known, _)| known == name).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// Returns the decoded string of a member of an object; empty if there is none.
    pub(super) fn text_of(&self, files: &Files, name: &str) -> String {
        match self.get(name).map(|value| &value.kind) {
            Some(JsonKind::Text(raw)) => decode_json_string(files, *raw).0.text().to_owned(),
            _ => String::new(),
        }
    }

    /// Returns the number of a member of an object, which may be a number or a string.
    pub(super) fn number_of(&self, files: &Files, name: &str) -> Option<f64> {
        let number: f64 = match self.get(name)? {
            Json { kind: JsonKind::Other, span } => files.text_at(*span).parse().ok()?,
            _ => self.text_of(files, name).trim().parse().ok()?,
        };
        number.is_finite().then_some(number)
    }

    /// Returns the elements of an array.
    pub(super) fn items(&self) -> &[Json] {
        match &self.kind {
            JsonKind::List(items) => items,
            _ => &[],
        }
    }
}

/// Reads a file.
pub(super) fn read_json(files: &Files, file: FileId) -> Result<Json, Diagnostic> {
    let text = files.text(file);
    let mut reader = Reader { files, file, text, position: 0 };
    // Some samples have a second byte order mark inside the text.
    if text.starts_with('\u{FEFF}') {
        reader.position = '\u{FEFF}'.len_utf8();
    }
    let value = reader.value(0)?;
    reader.skip_blanks();
    if reader.position < text.len() {
        return Err(reader.fault("unexpected text after the value"));
    }
    Ok(value)
}

struct Reader<'files> {
    files: &'files Files,
    file: FileId,
    text: &'files str,
    position: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.position..]
    }

    fn span_from(&self, start: usize) -> Span {
        let offset = |position: usize| u32::try_from(position).unwrap_or(u32::MAX);
        Span::new(self.file, offset(start), offset(self.position))
    }

    fn fault(&self, message: &str) -> Diagnostic {
        let width = self.rest().chars().next().map_or(0, char::len_utf8);
        let offset = |position: usize| u32::try_from(position).unwrap_or(u32::MAX);
        let span = Span::new(self.file, offset(self.position), offset(self.position + width));
        Diagnostic::error(&ECDAR_JSON, message)
            .with_primary(span, "")
            .with_hint("a value is an object, an array, a string, a number, `true`, `false` or `null`")
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.position += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
    }

    fn accept(&mut self, character: char) -> bool {
        self.skip_blanks();
        let is_there = self.rest().starts_with(character);
        if is_there {
            self.position += character.len_utf8();
        }
        is_there
    }

    fn value(&mut self, depth: usize) -> Result<Json, Diagnostic> {
        if depth > DEPTH_LIMIT {
            return Err(self.fault("values are nested too deeply"));
        }
        self.skip_blanks();
        let start = self.position;
        let kind = match self.rest().bytes().next() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => JsonKind::Text(self.string()?),
            Some(byte) if byte.is_ascii_alphanumeric() || byte == b'-' => {
                let is_part = |character: char| {
                    character.is_ascii_alphanumeric() || matches!(character, '-' | '+' | '.')
                };
                let rest = self.rest();
                let word = &rest[..rest.len() - rest.trim_start_matches(is_part).len()];
                let is_known = matches!(word, "null" | "true" | "false") || word.parse::<f64>().is_ok();
                if !is_known {
                    return Err(self.fault("expected a value"));
                }
                self.position += word.len();
                JsonKind::Other
            }
            _ => return Err(self.fault("expected a value")),
        };
        Ok(Json { kind, span: self.span_from(start) })
    }

    fn object(&mut self, depth: usize) -> Result<JsonKind, Diagnostic> {
        self.position += 1;
        let mut members = Vec::new();
        if self.accept('}') {
            return Ok(JsonKind::Object(members));
        }
        loop {
            self.skip_blanks();
            if !self.rest().starts_with('"') {
                return Err(self.fault("expected the name of a member"));
            }
            let name = self.string()?;
            let name = decode_json_string(self.files, name).0.text().to_owned();
            if !self.accept(':') {
                return Err(self.fault("expected `:` after the name of a member"));
            }
            members.push((name, self.value(depth + 1)?));
            if self.accept('}') {
                return Ok(JsonKind::Object(members));
            }
            if !self.accept(',') {
                return Err(self.fault("expected `,` or `}`"));
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<JsonKind, Diagnostic> {
        self.position += 1;
        let mut items = Vec::new();
        if self.accept(']') {
            return Ok(JsonKind::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.accept(']') {
                return Ok(JsonKind::List(items));
            }
            if !self.accept(',') {
                return Err(self.fault("expected `,` or `]`"));
            }
        }
    }

    /// Parses a string and returns the range between the quotes.
    fn string(&mut self) -> Result<Span, Diagnostic> {
        let start = self.position + 1;
        let mut is_escaped = false;
        for (offset, byte) in self.text.bytes().enumerate().skip(start) {
            match byte {
                b'"' if !is_escaped => {
                    self.position = offset;
                    let span = self.span_from(start);
                    self.position += 1;
                    return Ok(span);
                }
                b'\\' => is_escaped = !is_escaped,
                _ => is_escaped = false,
            }
        }
        Err(self.fault("unclosed string"))
    }
}
