//! The arena of all texts, real and embedded, which maps spans to locations in real files.
//!
//! Invariants: the parent of an embedded text was added before it, so every chain of parents ends at a real file; the
//! length of every text fits an offset. Spans that do not fit their text are clamped, and an unknown file reads as an
//! empty text: a wrong place is a visible defect and never a panic. An arena that extends another arena keeps the ids
//! of its files.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::codes::files::FILE_TOO_LARGE;
use crate::encoding::{Encoding, decode_bytes};
use crate::escape_map::EscapeMap;
use crate::lines::LineIndex;
use crate::span::to_offset;
use crate::{Diagnostic, EmbeddedText, FileId, Span};

/// All files of a run.
#[derive(Clone, Debug)]
pub struct Files {
    /// The files of the extended arena, whose ids precede those of `records`.
    base: Option<Arc<Files>>,
    base_length: usize,
    records: Vec<Record>,
    /// The imported files, by the importing file and the path as written there.
    imports: BTreeMap<(FileId, String), FileId>,
    unknown: Record,
    size_limit: u32,
}

/// A place in a real file, as shown to the user.
///
/// Lines and columns count from one. A column counts Unicode scalar values, a tab as one. The end is after the last
/// character, so that an empty place ends at its start.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceRange {
    /// The name of the file, as given.
    pub file: String,
    /// The line of the first character.
    pub line: u32,
    /// The column of the first character.
    pub column: u32,
    /// The line after the last character.
    pub end_line: u32,
    /// The column after the last character.
    pub end_column: u32,
}

/// A position in the units of language servers: from zero, columns in UTF-16 units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Utf16Position {
    /// The line, from zero.
    pub line: u32,
    /// The UTF-16 units before it in its line.
    pub column: u32,
}

#[derive(Clone, Debug)]
struct Record {
    name: String,
    text: String,
    lines: OnceLock<LineIndex>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Real { encoding: Encoding, is_faithful: bool },
    Embedded { parent: FileId, description: String, map: EscapeMap },
}

impl Files {
    /// Creates an empty arena for files whose lengths fit an offset.
    pub fn new() -> Files {
        Files::with_size_limit(u32::MAX)
    }

    /// Creates an empty arena that rejects files of more than `size_limit` bytes, for servers.
    pub fn with_size_limit(size_limit: u32) -> Files {
        let unknown = Record::real("<unknown file>", String::new());
        Files {
            base: None,
            base_length: 0,
            records: Vec::new(),
            imports: BTreeMap::new(),
            unknown,
            size_limit,
        }
    }

    /// Creates an arena that extends another without changing it. The texts are shared, not copied.
    pub fn extending(base: &Arc<Files>) -> Files {
        // Skip an arena without own files, which would only add a step to every look-up.
        let shared = match &base.base {
            Some(below) if base.records.is_empty() => below,
            _ => base,
        };
        let mut files = Files::with_size_limit(base.size_limit);
        (files.base, files.base_length) = (Some(Arc::clone(shared)), shared.len());
        files
    }

    /// Returns the number of texts, real and embedded.
    pub fn len(&self) -> usize {
        self.base_length + self.records.len()
    }

    /// Returns whether the arena is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a file with a decoded text.
    ///
    /// An error points at the file, which is then in the arena without its text.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> Result<FileId, Diagnostic> {
        let (name, text) = (name.into(), text.into());
        if self.is_too_large(text.len()) {
            return Err(self.refuse_size(name, text.len()));
        }
        Ok(self.push(Record::real(name, text)))
    }

    /// Adds a file whose text is generated together with data that refers to it, such as a tree with spans.
    ///
    /// An error points at the file, which is then in the arena without its text.
    pub fn add_written<T>(
        &mut self,
        name: impl Into<String>,
        write: impl FnOnce(FileId) -> (String, T),
    ) -> Result<T, Diagnostic> {
        let (text, written) = write(FileId::from_index(self.len()));
        self.add(name, text).map(|_| written)
    }

    /// Adds a file from its bytes on disk; [`decode_bytes`] detects the encoding.
    ///
    /// An error points at the first place that could not be decoded. The file is then in the arena nevertheless, so
    /// that the place can be shown, but cannot be written back.
    pub fn add_bytes(&mut self, name: impl Into<String>, bytes: &[u8]) -> Result<FileId, Diagnostic> {
        let name = name.into();
        if self.is_too_large(bytes.len()) {
            return Err(self.refuse_size(name, bytes.len()));
        }
        tempora_interrupt::checkpoint_before(bytes.len() as u64);
        let decoded = decode_bytes(bytes);
        if self.is_too_large(decoded.text.len()) {
            return Err(self.refuse_size(name, decoded.text.len()));
        }
        let mut record = Record::real(name, decoded.text);
        record.kind = Kind::Real { encoding: decoded.encoding, is_faithful: decoded.fault.is_none() };
        let file = self.push(record);
        match decoded.fault {
            Some(fault) => Err(fault.diagnostic(file)),
            None => Ok(file),
        }
    }

    /// Adds a text that is embedded in another file, as a separate file.
    ///
    /// The description completes "in …", such as `guard of edge 3`. A text whose parent is not in this arena becomes a
    /// real file.
    pub fn add_embedded(&mut self, description: impl Into<String>, embedded: EmbeddedText) -> FileId {
        let description = description.into();
        let (parent, text, map) = embedded.into_parts();
        if parent.index() >= self.len() {
            return self.push(Record::real(description, text));
        }
        let name = format!("{} ({description})", self.name(parent));
        let kind = Kind::Embedded { parent, description, map };
        self.push(Record { name, text, lines: OnceLock::new(), kind })
    }

    /// Records the file that a path in an importing file refers to.
    pub fn add_import(&mut self, importing: FileId, path: impl Into<String>, imported: FileId) {
        self.imports.insert((importing, path.into()), imported);
    }

    /// Returns the file that a path in an importing file refers to, if it has been read.
    pub fn imported(&self, importing: FileId, path: &str) -> Option<FileId> {
        let key = (importing, path.to_owned());
        let mut layer = self;
        loop {
            match (layer.imports.get(&key), &layer.base) {
                (Some(file), _) => return Some(*file),
                (None, Some(base)) => layer = base,
                (None, None) => return None,
            }
        }
    }

    /// Returns the oldest real file with this name.
    pub fn named(&self, name: &str) -> Option<FileId> {
        let files = (0..self.len()).map(FileId::from_index);
        files.into_iter().find(|&file| self.parent(file).is_none() && self.name(file) == name)
    }

    /// Returns the name, as given; for an embedded text, the name of its parent and its description.
    pub fn name(&self, file: FileId) -> &str {
        &self.record(file).name
    }

    /// Returns the whole text: decoded, without byte order mark, with the line terminators of the file.
    pub fn text(&self, file: FileId) -> &str {
        &self.record(file).text
    }

    /// Returns the span of the whole text.
    pub fn whole(&self, file: FileId) -> Span {
        Span::new(file, 0, to_offset(self.text(file).len()))
    }

    /// Returns the text at a span, clamped.
    pub fn text_at(&self, span: Span) -> &str {
        let span = self.clamp(span);
        self.text(span.file).get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Returns the encoding of a real file; `None` for an embedded text.
    pub fn encoding(&self, file: FileId) -> Option<Encoding> {
        match self.record(file).kind {
            Kind::Real { encoding, .. } => Some(encoding),
            Kind::Embedded { .. } => None,
        }
    }

    /// Returns the bytes given to [`Files::add_bytes`]; `None` for an embedded text or a file with decoding faults.
    pub fn original_bytes(&self, file: FileId) -> Option<Vec<u8>> {
        match self.record(file).kind {
            Kind::Real { encoding, is_faithful: true } => encoding.encode(self.text(file)).ok(),
            _ => None,
        }
    }

    /// Returns the file that contains an embedded text.
    pub fn parent(&self, file: FileId) -> Option<FileId> {
        match self.record(file).kind {
            Kind::Real { .. } => None,
            Kind::Embedded { parent, .. } => Some(parent),
        }
    }

    /// Returns the descriptions of an embedded text and its embedded ancestors, innermost first; empty for a real file.
    pub fn embeddings(&self, file: FileId) -> Vec<&str> {
        let mut descriptions = Vec::new();
        let mut file = file;
        while let Kind::Embedded { parent, description, .. } = &self.record(file).kind {
            descriptions.push(description.as_str());
            file = *parent;
        }
        descriptions
    }

    /// Moves a span into its text: not past the end, the end not before the start, no character cut in two.
    pub fn clamp(&self, span: Span) -> Span {
        let text = self.text(span.file);
        let mut start = text.len().min(span.start as usize);
        let mut end = text.len().min(span.end.max(span.start) as usize);
        let is_empty = start == end;
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        if is_empty {
            end = start;
        }
        while !text.is_char_boundary(end) {
            end += 1;
        }
        Span::new(span.file, to_offset(start), to_offset(end))
    }

    /// Maps a span to the real file, through all levels of embedding.
    ///
    /// The result starts with the raw text of the first character and ends with the raw text of the last. An empty span
    /// maps to the place before the raw text of the next character; at the end of the text, to the place after the raw
    /// text of the last character; in an empty text, to the start of the raw range.
    pub fn outermost(&self, span: Span) -> Span {
        let mut span = self.clamp(span);
        while let Kind::Embedded { parent, map, .. } = &self.record(span.file).kind {
            let raw = map.raw_range(span.start..span.end);
            span = self.clamp(Span::new(*parent, raw.start, raw.end));
        }
        span
    }

    /// Returns the name, lines and columns of a span in the real file.
    pub fn locate(&self, span: Span) -> SourceRange {
        let span = self.outermost(span);
        let (line, column) = self.line_and_column(span.file, span.start);
        let (end_line, end_column) = self.line_and_column(span.file, span.end);
        SourceRange { file: self.name(span.file).to_owned(), line, column, end_line, end_column }
    }

    /// Returns the start and the end of a span in the real file, in the units of language servers.
    pub fn locate_utf16(&self, span: Span) -> (Utf16Position, Utf16Position) {
        let span = self.outermost(span);
        let position = |offset| {
            let (line, before) = self.line_and_text_before(span.file, offset);
            Utf16Position {
                line: to_offset(line),
                column: to_offset(before.chars().map(char::len_utf16).sum()),
            }
        };
        (position(span.start), position(span.end))
    }

    pub(crate) fn lines(&self, file: FileId) -> &LineIndex {
        let record = self.record(file);
        record.lines.get_or_init(|| LineIndex::of(&record.text))
    }

    fn line_and_column(&self, file: FileId, offset: u32) -> (u32, u32) {
        let lines = self.lines(file);
        let line = lines.line_of(offset);
        let text = self.text(file);
        if !text.is_char_boundary(offset as usize) {
            return (to_offset(line + 1), 1);
        }
        let start = lines.characters_before(text, lines.start_of(line) as usize);
        let column = lines.characters_before(text, offset as usize).saturating_sub(start);
        (to_offset(line + 1), to_offset(column + 1))
    }

    fn line_and_text_before(&self, file: FileId, offset: u32) -> (usize, &str) {
        let lines = self.lines(file);
        let line = lines.line_of(offset);
        (line, self.text(file).get(lines.start_of(line) as usize..offset as usize).unwrap_or(""))
    }

    fn record(&self, file: FileId) -> &Record {
        let mut layer = self;
        while let (Some(base), true) = (&layer.base, file.index() < layer.base_length) {
            layer = base;
        }
        layer.records.get(file.index().wrapping_sub(layer.base_length)).unwrap_or(&self.unknown)
    }

    fn push(&mut self, record: Record) -> FileId {
        tempora_interrupt::checkpoint();
        self.records.push(record);
        FileId::from_index(self.len() - 1)
    }

    fn is_too_large(&self, length: usize) -> bool {
        length > self.size_limit as usize
    }

    fn refuse_size(&mut self, name: String, length: usize) -> Diagnostic {
        let message = format!("the file has {length} bytes, more than the limit of {}", self.size_limit);
        let file = self.push(Record::real(name, String::new()));
        Diagnostic::error(&FILE_TOO_LARGE, message)
            .with_primary(Span::empty(file, 0), "")
            .with_hint("split the file, or remove recorded data such as plots and traces from it")
    }
}

impl Default for Files {
    fn default() -> Files {
        Files::new()
    }
}

impl Record {
    fn real(name: impl Into<String>, text: String) -> Record {
        let kind = Kind::Real { encoding: Encoding::UTF8, is_faithful: true };
        Record { name: name.into(), text, lines: OnceLock::new(), kind }
    }
}

/// Shows the start only, as in `model.xml:12:5`.
impl fmt::Display for SourceRange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}", self.file, self.line, self.column)
    }
}
