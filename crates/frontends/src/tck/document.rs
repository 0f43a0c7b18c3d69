//! Parses the declarations of a `.tck` file, before name resolution.
//!
//! Invariant: the values of attributes are trimmed spans, not parsed yet; parsing ends on every text, and each omitted
//! part has been reported.

use tempora_source::{Diagnostic, Diagnostics, FileId, Files, Span, nearest_names};
use tempora_syntax::ast::Name;
use tempora_syntax::codes::structure::{RESERVED_WORD, TOO_MANY_ERRORS, UNEXPECTED_TOKEN};
use tempora_syntax::codes::text::UNKNOWN_CHARACTER;

/// All declarations of a file.
pub(super) struct Document {
    /// In the order of the text.
    pub(super) declarations: Vec<Declaration>,
    /// The first `#labels=` comment, if any.
    pub(super) label_comment: Option<LabelComment>,
}

/// A declaration such as `clock:1:x{…}`.
pub(super) struct Declaration {
    pub(super) kind: DeclarationKind,
    pub(super) attributes: Vec<Attribute>,
    /// Its place, including its attributes.
    pub(super) span: Span,
}

/// The kinds of declarations.
pub(super) enum DeclarationKind {
    System,
    Clock { size: Number, name: Name },
    Integer { size: Number, least: Number, greatest: Number, initial: Number, name: Name },
    Process { name: Name },
    Event { name: Name },
    Location { process: Name, name: Name },
    Edge { process: Name, source: Name, target: Name, event: Name },
    Synchronisation { participants: Vec<Participant> },
}

/// A participant of a synchronisation: `P@a`, or `P@a?` if it is weak.
pub(super) struct Participant {
    pub(super) process: Name,
    pub(super) event: Name,
    pub(super) is_weak: bool,
    pub(super) span: Span,
}

/// A number of a declaration, saturated to 64 bits.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub(super) value: i64,
    pub(super) span: Span,
}

/// An attribute, `key: value`.
pub(super) struct Attribute {
    pub(super) key: Name,
    /// Its trimmed value, which may be empty.
    pub(super) value: Span,
}

/// A comment `#labels=a:b`: by convention, the labels to search for.
pub(super) struct LabelComment {
    /// From the `#` to the end of the line.
    pub(super) span: Span,
    /// `a` and `b`.
    pub(super) labels: Vec<Span>,
}

/// The reserved words, with which declarations begin.
pub(super) const WORDS: [&str; 8] =
    ["system", "clock", "int", "process", "event", "location", "edge", "sync"];

/// The number of errors after which parsing stops.
const ERROR_LIMIT: usize = 100;

/// Returns whether the first declaration of a text is one of this language.
pub(super) fn is_recognised(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| {
        WORDS.iter().any(|word| {
            line.strip_prefix(word).is_some_and(|rest| rest.trim_start_matches([' ', '\t']).starts_with(':'))
        })
    })
}

/// Reads all declarations.
pub(super) fn read_document(files: &Files, file: FileId) -> (Document, Diagnostics) {
    let document = Document { declarations: Vec::new(), label_comment: None };
    let text = files.text(file);
    let mut reader = Reader { text, file, position: 0, document, diagnostics: Diagnostics::new() };
    reader.declarations();
    (reader.document, reader.diagnostics)
}

/// An error of a declaration, which has been reported.
struct Reported;

type Result<T> = std::result::Result<T, Reported>;

struct Reader<'files> {
    text: &'files str,
    file: FileId,
    /// A byte offset between two characters.
    position: usize,
    document: Document,
    diagnostics: Diagnostics,
}

impl Reader<'_> {
    fn declarations(&mut self) {
        loop {
            self.skip_blanks();
            match self.peek() {
                None => break,
                Some('\n') => self.position += 1,
                Some('#') => self.comment(),
                Some(_) => {
                    let start = self.position;
                    if self.declaration().is_err() {
                        self.skip_line();
                    }
                    // Skip at least one character, to guarantee progress.
                    if self.position == start {
                        self.skip_line();
                    }
                }
            }
            if self.diagnostics.len() >= ERROR_LIMIT {
                let diagnostic = Diagnostic::error(&TOO_MANY_ERRORS, "the rest of the text is not read")
                    .with_primary(self.span_from(self.position), "")
                    .with_hint("fix the errors above first");
                self.diagnostics.push(diagnostic);
                break;
            }
        }
    }

    fn declaration(&mut self) -> Result<()> {
        let start = self.position;
        let word = self.identifier("a declaration")?;
        let kind = match word.text.as_str() {
            "system" => {
                self.field("the name of the system")?;
                DeclarationKind::System
            }
            "clock" => DeclarationKind::Clock {
                size: self.number_field("the number of clocks")?,
                name: self.field("the name of the clock")?,
            },
            "int" => DeclarationKind::Integer {
                size: self.number_field("the number of cells")?,
                least: self.number_field("the lower bound")?,
                greatest: self.number_field("the upper bound")?,
                initial: self.number_field("the initial value")?,
                name: self.field("the name of the variable")?,
            },
            "process" => DeclarationKind::Process { name: self.field("the name of the process")? },
            "event" => DeclarationKind::Event { name: self.field("the name of the event")? },
            "location" => DeclarationKind::Location {
                process: self.field("the process of the location")?,
                name: self.field("the name of the location")?,
            },
            "edge" => DeclarationKind::Edge {
                process: self.field("the process of the edge")?,
                source: self.field("the source location of the edge")?,
                target: self.field("the target location of the edge")?,
                event: self.field("the event of the edge")?,
            },
            "sync" => DeclarationKind::Synchronisation { participants: self.participants()? },
            other => {
                let hint = match nearest_names(other, WORDS).first() {
                    Some(nearest) => format!("did you mean `{nearest}`?"),
                    None => format!("begin the line with one of {}", WORDS.join(", ")),
                };
                let message = format!("unknown declaration `{other}`");
                return self.refuse(Diagnostic::error(&UNEXPECTED_TOKEN, message), word.span, hint);
            }
        };
        // A name that continues with an invalid character is not this one.
        if self
            .peek()
            .is_some_and(|character| !is_of_the_language(character) && !character.is_ascii_whitespace())
        {
            return self
                .refuse_expected("the end of the line", "use ASCII letters, digits, `_` and `.` in names");
        }
        self.skip_blanks();
        let attributes = if self.peek() == Some('{') { self.attributes() } else { Ok(Vec::new()) };
        let span = self.span_from(start);
        // An error in the attributes does not make the name unknown.
        let (attributes, outcome) = match attributes {
            Ok(attributes) => (attributes, self.end_of_line()),
            Err(reported) => (Vec::new(), Err(reported)),
        };
        self.document.declarations.push(Declaration { kind, attributes, span });
        outcome
    }

    // Fields.

    fn field(&mut self, what: &str) -> Result<Name> {
        self.colon(what)?;
        self.name(what)
    }

    fn number_field(&mut self, what: &str) -> Result<Number> {
        self.colon(what)?;
        self.skip_blanks();
        let rest = &self.text[self.position..];
        let sign = usize::from(rest.starts_with(['-', '+']));
        let digits = rest[sign..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return self.refuse_expected(what, "write a number here");
        }
        let start = self.position;
        self.position += sign + digits;
        let nearest = if rest.starts_with('-') { i64::MIN } else { i64::MAX };
        let value = rest[..sign + digits].parse().unwrap_or(nearest);
        Ok(Number { value, span: self.span_from(start) })
    }

    fn participants(&mut self) -> Result<Vec<Participant>> {
        let mut participants = Vec::new();
        self.colon("a process and its event, such as `P@a`")?;
        loop {
            self.skip_blanks();
            let start = self.position;
            let process = self.name("a process")?;
            self.skip_blanks();
            if self.peek() != Some('@') {
                return self
                    .refuse_expected("`@`", "write a participant as a process and its event, such as `P@a`");
            }
            self.position += 1;
            let event = self.name("an event")?;
            self.skip_blanks();
            let is_weak = self.peek() == Some('?');
            self.position += usize::from(is_weak);
            let span = self.span_from(start);
            participants.push(Participant { process, event, is_weak, span });
            self.skip_blanks();
            if self.peek() != Some(':') {
                return Ok(participants);
            }
            self.position += 1;
        }
    }

    fn colon(&mut self, before: &str) -> Result<()> {
        self.skip_blanks();
        if self.peek() != Some(':') {
            return self.refuse_expected(
                &format!("`:` and {before}"),
                "separate the parts of a declaration by colons",
            );
        }
        self.position += 1;
        Ok(())
    }

    /// Parses a name that is not a reserved word.
    fn name(&mut self, what: &str) -> Result<Name> {
        let name = self.identifier(what)?;
        if WORDS.contains(&name.text.as_str()) {
            let message = format!("`{}` is a reserved word", name.text);
            return self.refuse(Diagnostic::error(&RESERVED_WORD, message), name.span, "choose another name");
        }
        Ok(name)
    }

    fn identifier(&mut self, what: &str) -> Result<Name> {
        self.skip_blanks();
        let length = identifier_length(&self.text[self.position..], |character| character == '.');
        if length == 0 {
            return self.refuse_expected(
                what,
                "a name begins with a letter or `_`; letters, digits, `_` and `.` follow",
            );
        }
        let start = self.position;
        self.position += length;
        Ok(Name { text: self.text[start..self.position].to_owned(), span: self.span_from(start) })
    }

    fn end_of_line(&mut self) -> Result<()> {
        self.skip_blanks();
        match self.peek() {
            None | Some('\n' | '#') => Ok(()),
            _ => self.refuse_expected("the end of the line", "write one declaration per line"),
        }
    }

    // Attributes.

    fn attributes(&mut self) -> Result<Vec<Attribute>> {
        let open = self.position;
        self.position += 1;
        let mut attributes = Vec::new();
        self.skip_white_space();
        if self.peek() == Some('}') {
            self.position += 1;
            return Ok(attributes);
        }
        loop {
            self.skip_white_space();
            let key = match self.identifier("the name of an attribute") {
                Ok(key) => key,
                Err(reported) => {
                    self.skip_attributes();
                    return Err(reported);
                }
            };
            self.skip_white_space();
            if self.peek() != Some(':') {
                let hint = format!("write `{}:`, even without a value", key.text);
                let reported = self.refuse_expected("`:`", &hint);
                self.skip_attributes();
                return reported;
            }
            self.position += 1;
            let start = self.position;
            let rest = &self.text[start..];
            let length = rest.find([':', '{', '}', '#']).unwrap_or(rest.len());
            self.position += length;
            let raw = &rest[..length];
            let value_start = start + (raw.len() - raw.trim_start().len());
            let value = self.span(value_start, value_start + raw.trim().len());
            attributes.push(Attribute { key, value });
            match self.peek() {
                Some(':') => self.position += 1,
                Some('}') => {
                    self.position += 1;
                    return Ok(attributes);
                }
                Some('#') => {
                    let place = self.span(self.position, self.position + 1);
                    let message = "comments are not allowed between `{` and `}`";
                    let hint = "write it before the declaration";
                    let reported = self.refuse(Diagnostic::error(&UNEXPECTED_TOKEN, message), place, hint);
                    self.skip_attributes();
                    return reported;
                }
                _ => {
                    // The next line is another declaration rather than a long value.
                    let place = self.span(open, open + 1);
                    self.position = open + 1;
                    let message = "unclosed attributes";
                    let hint = "close them with `}`; a value cannot contain `{`, `}`, `:` or `#`";
                    return self.refuse(Diagnostic::error(&UNEXPECTED_TOKEN, message), place, hint);
                }
            }
        }
    }

    /// Skips attributes with an error, up to the closing brace or to the next opening one.
    fn skip_attributes(&mut self) {
        let rest = &self.text[self.position..];
        if let Some(length) = rest.find(['{', '}'])
            && rest[length..].starts_with('}')
        {
            self.position += length + 1;
        }
    }

    // Comments.

    fn comment(&mut self) {
        let start = self.position;
        self.skip_line();
        let line = self.text[start..self.position].trim_end();
        let comment = line[1..].trim_start();
        let Some(list) =
            comment.strip_prefix("labels").map(str::trim_start).and_then(|rest| rest.strip_prefix('='))
        else {
            return;
        };
        if self.document.label_comment.is_some() {
            return;
        }
        let mut labels = Vec::new();
        let mut offset = start + line.len() - list.len();
        for piece in list.split([':', ',']) {
            let label = piece.trim();
            let label_start = offset + (piece.len() - piece.trim_start().len());
            if !label.is_empty() {
                labels.push(self.span(label_start, label_start + label.len()));
            }
            offset += piece.len() + 1;
        }
        if !labels.is_empty() {
            let span = self.span(start, start + line.len());
            self.document.label_comment = Some(LabelComment { span, labels });
        }
    }

    // Characters.

    fn peek(&self) -> Option<char> {
        self.text[self.position..].chars().next()
    }

    fn skip_blanks(&mut self) {
        self.skip_while(|character| matches!(character, ' ' | '\t' | '\r'));
    }

    fn skip_white_space(&mut self) {
        self.skip_while(|character| matches!(character, ' ' | '\t' | '\r' | '\n'));
    }

    fn skip_line(&mut self) {
        self.skip_while(|character| character != '\n');
    }

    fn skip_while(&mut self, is_skipped: impl Fn(char) -> bool) {
        let rest = &self.text[self.position..];
        self.position += rest.find(|character| !is_skipped(character)).unwrap_or(rest.len());
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, offset(start), offset(end))
    }

    fn span_from(&self, start: usize) -> Span {
        self.span(start, self.position)
    }

    // Errors.

    fn refuse<T>(&mut self, diagnostic: Diagnostic, span: Span, hint: impl Into<String>) -> Result<T> {
        self.diagnostics.push(diagnostic.with_primary(span, "").with_hint(hint));
        Err(Reported)
    }

    fn refuse_expected<T>(&mut self, what: &str, hint: &str) -> Result<T> {
        let here = self.span(self.position, self.position + self.peek().map_or(0, char::len_utf8));
        let diagnostic = match self.peek() {
            None => {
                Diagnostic::error(&UNEXPECTED_TOKEN, format!("expected {what}, found the end of the text"))
            }
            Some('\n') => {
                Diagnostic::error(&UNEXPECTED_TOKEN, format!("expected {what}, found the end of the line"))
            }
            Some(character) if is_of_the_language(character) => {
                let found = character.escape_default();
                Diagnostic::error(&UNEXPECTED_TOKEN, format!("expected {what}, found `{found}`"))
            }
            Some(character) => {
                let found = character.escape_debug();
                Diagnostic::error(&UNKNOWN_CHARACTER, format!("unexpected character `{found}`"))
            }
        };
        self.refuse(diagnostic, here, hint)
    }
}

/// Returns the length in bytes of the identifier at the start of a text; `may_follow` allows further characters after
/// the first.
pub(super) fn identifier_length(text: &str, may_follow: impl Fn(char) -> bool) -> usize {
    if !text.starts_with(|character: char| character.is_ascii_alphabetic() || character == '_') {
        return 0;
    }
    let is_part =
        |character: char| character.is_ascii_alphanumeric() || character == '_' || may_follow(character);
    text.find(|character| !is_part(character)).unwrap_or(text.len())
}

/// Converts a position to an offset; texts are short enough for it.
pub(super) fn offset(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

fn is_of_the_language(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_.:@?{}#-+=<>!&|*/%()[],;".contains(character)
}
