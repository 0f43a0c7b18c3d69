//! Runs the cases in `tests/cases/source/*.md`.
//!
//! Invariant: `UPDATE=1` rewrites only the `expect` blocks; the places marked by `«…»` are checked and never rewritten.
//!
//! A case is a heading `# title` followed by fenced blocks. The first block is a file; its fence says how to read it:
//!
//! - `xml text`: the text between the first `<label…>` and the last `</label>` is embedded;
//! - `xml attribute`: the text between the first and the last `"`;
//! - `json string`: the text between the first and the last `"`;
//! - several of these, separated by ` > `: each is read in the text that the previous one embeds;
//! - `plain`: nothing is embedded.
//!
//! With a `needle` block, the place of the needle in the innermost text must be the place that `«…»` marks in the file;
//! `expect` holds the lines and columns. With a `labels` block, `«…»` marks the labels of a diagnostic, and the block
//! gives their texts, one per line, primary label first; `expect` holds the terminal output. Otherwise `expect` holds
//! the diagnostics of the decoders, and `«…»`, if present, marks the place of the first diagnostic.
//!
//! Control characters are written as their pictures, such as `␍` for a carriage return and `␛` for escape.

use tempora_source::{
    Colour, Diagnostic, EmbeddedText, FileId, Files, Span, codes, decode_json_string, decode_xml_attribute,
    decode_xml_text, render_text,
};
use tempora_testkit::{Section, run_sections, workspace};

#[test]
fn all_cases_hold() {
    run_sections(&workspace().join("tests/cases/source"), 40, run);
}

/// Returns the expected content of the `expect` block.
fn run(case: &Section) -> Result<String, String> {
    let block = case.blocks.first().ok_or("no blocks")?;
    let (stages, written) = (&block.fence, &block.content);
    let (text, marked) = without_marks(&with_control_characters(written));
    let mut files = Files::new();
    let file = files.add("case", text).unwrap();
    let mut innermost = file;
    let mut diagnostics = Vec::new();
    for stage in stages.split(" > ").filter(|&stage| stage != "plain") {
        let (embedded, found) = decode(&files, innermost, stage)?;
        diagnostics.extend(found);
        innermost = files.add_embedded(stage, embedded);
    }
    if let Some(needle) = content(case, "needle") {
        return find_needle(&files, innermost, &with_control_characters(needle), file, &marked);
    }
    if let Some(labels) = content(case, "labels") {
        let mut diagnostic = Diagnostic::error(&codes::xml::XML_UNKNOWN_ENTITY, "something is wrong");
        let mut texts = labels.lines().map(with_control_characters);
        for (number, &(start, end)) in marked.iter().enumerate() {
            let (span, text) = (Span::new(file, start, end), texts.next().unwrap_or_default());
            diagnostic = if number == 0 {
                diagnostic.with_primary(span, text)
            } else {
                diagnostic.with_secondary(span, text)
            };
        }
        diagnostics = vec![diagnostic];
    } else if let Some(&(start, end)) = marked.first() {
        let primary = diagnostics.first().and_then(Diagnostic::primary_span);
        let found = primary.map(|span| files.outermost(span));
        if found != Some(Span::new(file, start, end)) {
            return Err(format!("the first diagnostic is at {found:?}, not at {start}..{end}"));
        }
    }
    Ok(render_text(&files, &diagnostics, Colour::Never).trim_end().to_owned())
}

/// Returns the content of the first block with a fence.
fn content<'case>(case: &'case Section, fence: &str) -> Option<&'case str> {
    case.find(fence).map(|block| block.content.as_str())
}

fn find_needle(
    files: &Files,
    innermost: FileId,
    needle: &str,
    file: FileId,
    marked: &[(u32, u32)],
) -> Result<String, String> {
    let text = files.text(innermost);
    let (needle, at_end) = match needle.strip_suffix('$') {
        Some(needle) => (needle, true),
        None => (needle, false),
    };
    let start = if at_end { text.strip_suffix(needle).map(str::len) } else { text.find(needle) };
    let start = start.ok_or_else(|| format!("{needle:?} is not in {text:?}"))?;
    let span = Span::new(innermost, start as u32, (start + needle.len()) as u32);
    let found = files.outermost(span);
    let &[(start, end)] = marked else {
        return Err("mark one place".to_owned());
    };
    if found != Span::new(file, start, end) {
        let raw = files.text_at(found);
        return Err(format!(
            "{needle:?} is found at {}..{} ({raw:?}), not at {start}..{end}",
            found.start, found.end
        ));
    }
    let location = files.locate(span);
    Ok(format!("{}:{}-{}:{}", location.line, location.column, location.end_line, location.end_column))
}

fn decode(files: &Files, file: FileId, stage: &str) -> Result<(EmbeddedText, Vec<Diagnostic>), String> {
    let text = files.text(file);
    let span = |start: usize, end: usize| Span::new(file, start as u32, end as u32);
    let between_quotes = || Some(span(text.find('"')? + 1, text.rfind('"')?));
    let between_tags = || {
        let tag = text.find("<label")?;
        Some(span(tag + text[tag..].find('>')? + 1, text.rfind("</label>")?))
    };
    let missing = || format!("{text:?} has no {stage}");
    match stage {
        "xml text" => Ok(decode_xml_text(files, between_tags().ok_or_else(missing)?)),
        "xml attribute" => Ok(decode_xml_attribute(files, between_quotes().ok_or_else(missing)?)),
        "json string" => Ok(decode_json_string(files, between_quotes().ok_or_else(missing)?)),
        _ => Err(format!("unknown stage {stage}")),
    }
}

/// Removes `«` and `»`, and returns the text with the marked byte ranges, in the order of the closing marks.
fn without_marks(written: &str) -> (String, Vec<(u32, u32)>) {
    let (mut text, mut marked, mut open) = (String::new(), Vec::new(), Vec::new());
    for character in written.chars() {
        match character {
            '«' => open.push(text.len() as u32),
            '»' => marked.push((open.pop().expect("« before »"), text.len() as u32)),
            _ => text.push(character),
        }
    }
    (text, marked)
}

fn with_control_characters(written: &str) -> String {
    let control = |character: char| match character {
        '\u{2400}'..='\u{241F}' => char::from_u32(u32::from(character) - 0x2400).unwrap(),
        _ => character,
    };
    written.chars().map(control).collect()
}
