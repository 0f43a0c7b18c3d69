//! Runs the cases in `tests/cases/source/*.md`.
//!
//! Invariant: what `«…»` marks is checked as it stands in the case and never rewritten; only the `expect` blocks are,
//! by `UPDATE=1`.
//!
//! A case is a heading `# title` followed by fenced blocks. The first block is a file; its fence says how to read it:
//!
//! - `xml text`: the text between the first `<label…>` and the last `</label>` is embedded;
//! - `xml attribute`: the text between the first and the last `"`;
//! - `json string`: the text between the first and the last `"`;
//! - several of them with ` > ` between: the next is read in the text that the one before it embeds;
//! - `plain`: nothing is embedded.
//!
//! With a `needle` block the needle is sought in the innermost text, and its place in the file must be what `«…»`
//! marks; `expect` holds the lines and columns. With a `labels` block `«…»` marks the labels of a diagnostic, whose texts
//! it gives line by line, the first being the primary one; `expect` holds what a terminal shows. Otherwise `expect`
//! holds what the decoders complain about, and `«…»`, if there is one, the place of the first complaint.
//!
//! Control characters are written as their pictures, such as `␍` for a carriage return and `␛` for escape.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use tempora_source::{
    Colour, Diagnostic, EmbeddedText, FileId, Files, Span, codes, decode_json_string, decode_xml_attribute,
    decode_xml_text, render_text,
};

#[test]
fn all_cases_hold() {
    let update = std::env::var_os("UPDATE").is_some();
    let mut failures = String::new();
    let mut count = 0;
    for path in case_files() {
        let document = std::fs::read_to_string(&path).unwrap();
        let mut updated = document.clone();
        for case in cases_of(&document) {
            count += 1;
            let place = format!("{}: {}", path.file_name().unwrap().display(), case.title);
            match run(&case) {
                Err(reason) => writeln!(failures, "## {place}\n{reason}").unwrap(),
                Ok(actual) if actual == case.block("expect") => {}
                Ok(actual) if update => {
                    updated = updated.replacen(&case.source, &case.with_expectation(&actual), 1);
                }
                Ok(actual) => {
                    let expected = case.block("expect");
                    writeln!(failures, "## {place}\nexpected:\n{expected}\nfound:\n{actual}").unwrap();
                }
            }
        }
        if updated != document {
            std::fs::write(&path, format!("{}\n", updated.trim_end())).unwrap();
        }
    }
    assert!(failures.is_empty(), "{failures}\nUPDATE=1 rewrites the expected blocks");
    assert!(count >= 40, "only {count} cases were found");
}

fn case_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/source");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

struct Case {
    title: String,
    /// The whole case as it stands in the document.
    source: String,
    /// Fence and content of each block.
    blocks: Vec<(String, String)>,
}

fn cases_of(document: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in document.split_inclusive('\n') {
        let bare = line.trim_end_matches('\n');
        if let Some(title) = bare.strip_prefix("# ").filter(|_| open.is_none()) {
            cases.push(Case { title: title.to_owned(), source: String::new(), blocks: Vec::new() });
        }
        let case = cases.last_mut().expect("the document starts with a heading");
        case.source.push_str(line);
        match (open.take(), bare.strip_prefix("```")) {
            (Some((fence, content)), Some(_)) => {
                case.blocks.push((fence, content.strip_suffix('\n').unwrap_or(&content).to_owned()));
            }
            (Some((fence, content)), None) => open = Some((fence, content + line)),
            (None, Some(fence)) => open = Some((fence.to_owned(), String::new())),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    cases
}

impl Case {
    fn block(&self, fence: &str) -> &str {
        self.find(fence).unwrap_or("")
    }

    fn find(&self, fence: &str) -> Option<&str> {
        self.blocks.iter().find(|block| block.0 == fence).map(|block| block.1.as_str())
    }

    fn with_expectation(&self, actual: &str) -> String {
        let (before, _) = self.source.split_once("```expect\n").expect("an expect block");
        format!("{before}```expect\n{actual}\n```\n\n")
    }
}

/// What the `expect` block should hold.
fn run(case: &Case) -> Result<String, String> {
    let (stages, written) = case.blocks.first().ok_or("no blocks")?;
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
    if let Some(needle) = case.find("needle") {
        return find_needle(&files, innermost, &with_control_characters(needle), file, &marked);
    }
    if let Some(labels) = case.find("labels") {
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
            return Err(format!("the first complaint is at {found:?}, not at {start}..{end}"));
        }
    }
    Ok(render_text(&files, &diagnostics, Colour::Never).trim_end().to_owned())
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
    let missing = || format!("nothing to read as {stage} in {text:?}");
    match stage {
        "xml text" => Ok(decode_xml_text(files, between_tags().ok_or_else(missing)?)),
        "xml attribute" => Ok(decode_xml_attribute(files, between_quotes().ok_or_else(missing)?)),
        "json string" => Ok(decode_json_string(files, between_quotes().ok_or_else(missing)?)),
        _ => Err(format!("unknown stage {stage}")),
    }
}

/// The text without `«` and `»`, and the byte ranges that they enclosed, in the order of the closing marks.
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
