//! Applies edits of document parts to the files.
//!
//! Invariant: a part whose text does not change keeps its bytes, whatever its escapes; in a part that changes, the
//! characters before and after the change keep theirs.

use tempora_source::{
    Diagnostic, Diagnostics, EmbeddedText, FileId, Files, Span, Splice, Table, apply_splices,
    decode_json_string, decode_xml_text,
};

use crate::codes::writing::CANNOT_BE_WRITTEN;
use crate::document::{FileText, Notation, Part, PartEdit, PartId};
use crate::uppaal::{Text, escape_text, replace_text};

/// Returns the files with some parts replaced.
pub(crate) fn edited_files(
    files: &Files,
    written: &[FileId],
    parts: &Table<PartId, Part>,
    edits: &[PartEdit],
) -> Result<Vec<FileText>, Diagnostics> {
    let mut problems = Diagnostics::new();
    let mut splices: Vec<(FileId, Splice)> = Vec::new();
    for edit in edits {
        match parts.get(edit.part) {
            Some(part) => {
                splices.extend(splice(files, part, &edit.text).map(|splice| (part.span.file, splice)));
            }
            None => problems.push(
                Diagnostic::error(&CANNOT_BE_WRITTEN, "unknown part of the document")
                    .with_hint("parts are renumbered when the document is read: list them again"),
            ),
        }
    }
    let mut texts = Vec::with_capacity(written.len());
    for &file in written {
        let own = splices.iter().filter(|(changed, _)| *changed == file);
        let own: Vec<Splice> = own.map(|(_, splice)| splice.clone()).collect();
        match edited_bytes(files, file, &own) {
            Ok(bytes) => texts.push(FileText { file, bytes }),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(texts) } else { Err(problems) }
}

fn edited_bytes(files: &Files, file: FileId, splices: &[Splice]) -> Result<Vec<u8>, Diagnostic> {
    let fault = |message: String, hint: &str| {
        Diagnostic::error(&CANNOT_BE_WRITTEN, message).with_primary(Span::empty(file, 0), "").with_hint(hint)
    };
    // Files that were not fully decoded would lose the rest.
    let Some(original) = files.original_bytes(file) else {
        return Err(fault("the file is not a text file".to_owned(), "save it as UTF-8 first"));
    };
    if splices.is_empty() {
        return Ok(original);
    }
    let text = apply_splices(files.text(file), splices).ok_or_else(|| {
        fault("edits of this file overlap".to_owned(), "edit either a part or the parts inside it")
    })?;
    let encoding = files.encoding(file).unwrap_or(tempora_source::Encoding::UTF8);
    encoding.encode(&text).map_err(|unencodable| {
        let message = format!("the encoding of the file cannot represent `{}`", unencodable.character);
        fault(message, "save the file as UTF-8 first")
    })
}

/// Returns the replacement that gives a part a new text; `None` if the text is unchanged.
fn splice(files: &Files, part: &Part, new: &str) -> Option<Splice> {
    if part.text == new {
        return None;
    }
    let raw = files.text_at(part.span);
    Some(match part.notation {
        Notation::Verbatim => Splice::new(part.span, new),
        Notation::JsonText => {
            changed_middle(&decode_json_string(files, part.span).0, part.span.file, new, escape_json)
        }
        // A CDATA section has no escapes, and an element with a single tag has no content to edit.
        Notation::XmlText { element }
            if raw.contains("<![CDATA[") || files.text_at(element).ends_with("/>") =>
        {
            let text = Text { element, content: part.span, file: part.span.file };
            replace_text(files, &text, new)
        }
        Notation::XmlText { .. } => {
            changed_middle(&decode_xml_text(files, part.span).0, part.span.file, new, escape_text)
        }
    })
}

/// Replaces the characters between the common prefix and the common suffix of two texts.
fn changed_middle(old: &EmbeddedText, file: FileId, new: &str, escape: fn(&str) -> String) -> Splice {
    let text = old.text();
    let same = |(one, other): &(char, char)| one == other;
    let length = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
        pairs.take_while(same).map(|(character, _)| character.len_utf8()).sum()
    };
    let start = length(&mut text.chars().zip(new.chars()));
    let end = length(&mut text[start..].chars().rev().zip(new[start..].chars().rev()));
    let offset = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
    let raw = old.map().raw_range(offset(start)..offset(text.len() - end));
    Splice::new(Span::new(file, raw.start, raw.end), escape(&new[start..new.len() - end]))
}

/// Escapes a text for a JSON string.
fn escape_json(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            control if u32::from(control) < 0x20 => {
                escaped.push_str(&format!("\\u{:04x}", u32::from(control)));
            }
            other => escaped.push(other),
        }
    }
    escaped
}
