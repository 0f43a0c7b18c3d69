//! Renders diagnostics for terminals and logs.
//!
//! Invariant: text from the input is made printable first, so that all escape sequences in the result are colours of
//! this renderer.
//!
//! An external renderer does not fit: lines are clipped, tabs expanded and lone carriage returns treated as line ends
//! before rendering, and a renderer that counts columns in the resulting text prints wrong columns.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use super::embedding_description;
use super::excerpt::Excerpt;
use super::printable::printable_line;
use crate::{Diagnostic, FileId, Files, Label, Severity, Span};

/// Whether to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    Never,
    /// With ANSI escape sequences.
    Always,
}

/// Renders diagnostics in the order given, each followed by an empty line.
pub fn render_text(files: &Files, diagnostics: &[Diagnostic], colour: Colour) -> String {
    let mut output = String::new();
    for diagnostic in diagnostics {
        let blocks = file_blocks(files, diagnostic);
        let last_line = blocks.iter().filter_map(|block| block.rows.keys().next_back()).max();
        let gutter = last_line.map_or(1, |line| (line + 1).to_string().len());
        let mut page = Page { output: &mut output, gutter, colour };
        page.title(diagnostic);
        for (position, block) in blocks.iter().enumerate() {
            page.block(files, block, diagnostic.severity, position == 0);
        }
        page.remarks(files, diagnostic, !blocks.is_empty());
        output.push('\n');
    }
    output
}

/// The shown lines of one real file.
struct FileBlock {
    file: FileId,
    /// The place in the heading.
    heading: Span,
    /// The marks under each zero-based line; lines without marks are context.
    rows: BTreeMap<usize, Vec<Mark>>,
}

/// A row of carets under a line; the offsets are in the line.
struct Mark {
    start: usize,
    end: usize,
    is_primary: bool,
    text: String,
}

/// Groups the labels by file: the file of the primary label first, then the others in the order of their labels.
fn file_blocks(files: &Files, diagnostic: &Diagnostic) -> Vec<FileBlock> {
    let mut labels: Vec<&Label> = diagnostic.labels.iter().collect();
    // The sort is stable: the primary label comes first, and the others keep their order.
    labels.sort_by_key(|label| !label.is_primary);
    let mut blocks: Vec<FileBlock> = Vec::new();
    for label in labels {
        let span = files.outermost(label.span);
        let position = blocks.iter().position(|block| block.file == span.file).unwrap_or_else(|| {
            blocks.push(FileBlock { file: span.file, heading: span, rows: BTreeMap::new() });
            blocks.len() - 1
        });
        blocks[position].mark(files, span, label);
    }
    for block in &mut blocks {
        for marks in block.rows.values_mut() {
            marks.sort_by_key(|mark| (mark.start, mark.end));
        }
        block.fill_single_line_gaps();
    }
    blocks
}

impl FileBlock {
    /// Marks the first and the last line of a span; the text of the label is at the last.
    fn mark(&mut self, files: &Files, span: Span, label: &Label) {
        let (lines, text) = (files.lines(self.file), files.text(self.file));
        let first = lines.line_of(span.start);
        // A line end at the end of a span belongs to the preceding line.
        let last = if span.is_empty() { first } else { lines.line_of(span.end - 1) };
        let offset_in = |line: usize, offset: u32| offset.saturating_sub(lines.start_of(line)) as usize;
        let length_of = |line: usize| lines.text_of(text, line).len();
        let mut mark = |line: usize, start: usize, end: usize, text: &str| {
            let mark = Mark { start, end, is_primary: label.is_primary, text: text.to_owned() };
            self.rows.entry(line).or_default().push(mark);
        };
        let start = offset_in(first, span.start).min(length_of(first));
        if first == last {
            mark(first, start, offset_in(first, span.end).min(length_of(first)), &label.text);
        } else {
            mark(first, start, length_of(first), "");
            let last_text = lines.text_of(text, last);
            let indentation = last_text.len() - last_text.trim_start().len();
            let end = offset_in(last, span.end).min(last_text.len());
            mark(last, indentation.min(end), end, &label.text);
        }
    }

    /// Shows a line that an ellipsis alone would replace.
    fn fill_single_line_gaps(&mut self) {
        let shown: Vec<usize> = self.rows.keys().copied().collect();
        for pair in shown.windows(2) {
            if pair[1] - pair[0] == 2 {
                self.rows.entry(pair[0] + 1).or_default();
            }
        }
    }
}

/// The text of one diagnostic under construction.
struct Page<'output> {
    output: &'output mut String,
    /// The width of the largest line number.
    gutter: usize,
    colour: Colour,
}

impl Page<'_> {
    fn title(&mut self, diagnostic: &Diagnostic) {
        let style = severity_style(diagnostic.severity);
        let kind = self.styled(style, &format!("{}[{}]", diagnostic.severity.name(), diagnostic.code));
        let message = self.styled(Style::new().bold(), &printable_line(&diagnostic.message));
        self.line(&format!("{kind}: {message}"));
    }

    fn block(&mut self, files: &Files, block: &FileBlock, severity: Severity, is_first: bool) {
        let location = files.locate(block.heading);
        let place = printable_line(&location.to_string());
        let arrow = self.styled(GUTTER_STYLE, if is_first { "-->" } else { ":::" });
        self.line(&format!("{:width$}{arrow} {place}", "", width = self.gutter));
        self.gutter_line("", "");
        let mut previous = None;
        for (&line, marks) in &block.rows {
            if previous.is_some_and(|previous| line > previous + 1) {
                let dots = self.styled(GUTTER_STYLE, "...");
                self.line(&dots);
            }
            previous = Some(line);
            let source = files.lines(block.file).text_of(files.text(block.file), line);
            let interests: Vec<usize> = marks.iter().flat_map(|mark| [mark.start, mark.end]).collect();
            let excerpt = Excerpt::of(source, &interests);
            self.gutter_line(&(line + 1).to_string(), &excerpt.text);
            for mark in marks {
                self.mark(&excerpt, mark, severity);
            }
        }
    }

    fn mark(&mut self, excerpt: &Excerpt, mark: &Mark, severity: Severity) {
        let start = excerpt.cell(mark.start);
        // Empty places and characters without width get a mark of one cell.
        let width = excerpt.cell(mark.end).saturating_sub(start).max(1);
        let (sign, style) =
            if mark.is_primary { ("^", severity_style(severity)) } else { ("-", GUTTER_STYLE) };
        let text = printable_line(&mark.text);
        let signs = self.styled(style, format!("{} {text}", sign.repeat(width)).trim_end());
        self.gutter_line("", &format!("{:start$}{signs}", ""));
    }

    fn remarks(&mut self, files: &Files, diagnostic: &Diagnostic, has_blocks: bool) {
        let mut remarks: Vec<(&str, String)> = Vec::new();
        let primary = diagnostic.primary_label();
        let home = primary.and_then(|label| embedding_description(files, label.span.file));
        remarks.extend(home.iter().map(|home| ("note", format!("in {home}"))));
        for label in diagnostic.labels.iter().filter(|&label| Some(label) != primary) {
            let description = embedding_description(files, label.span.file);
            if let Some(description) = description.filter(|description| Some(description) != home.as_ref()) {
                let location = files.locate(label.span);
                remarks.push(("note", format!("{location} is in {description}")));
            }
        }
        remarks.extend(diagnostic.notes.iter().map(|note| ("note", note.clone())));
        remarks.extend(diagnostic.hint.iter().map(|hint| ("hint", hint.clone())));
        if has_blocks && !remarks.is_empty() {
            self.gutter_line("", "");
        }
        for (kind, text) in remarks {
            let style = if kind == "hint" { HINT_STYLE } else { Style::new().bold() };
            let equals = self.styled(GUTTER_STYLE, "=");
            let kind_shown = self.styled(style, kind);
            let mut lines = text.split('\n');
            let first = printable_line(lines.next().unwrap_or(""));
            self.line(&format!("{:width$} {equals} {kind_shown}: {first}", "", width = self.gutter));
            for line in lines {
                let indentation = self.gutter + " = : ".len() + kind.len();
                self.line(&format!("{:indentation$}{}", "", printable_line(line)));
            }
        }
    }

    fn gutter_line(&mut self, number: &str, text: &str) {
        let gutter = self.styled(GUTTER_STYLE, &format!("{number:>width$} |", width = self.gutter));
        self.line(&format!("{gutter} {text}"));
    }

    fn line(&mut self, text: &str) {
        self.output.push_str(text.trim_end());
        self.output.push('\n');
    }

    fn styled(&self, style: Style, text: &str) -> String {
        match self.colour {
            Colour::Never => text.to_owned(),
            Colour::Always => {
                let mut styled = String::new();
                // Writing to a string cannot fail.
                let _ = write!(styled, "{style}{text}{style:#}");
                styled
            }
        }
    }
}

const GUTTER_STYLE: Style = AnsiColor::Blue.on_default().bold();
const HINT_STYLE: Style = AnsiColor::Green.on_default().bold();

fn severity_style(severity: Severity) -> Style {
    let colour = match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Info => AnsiColor::Cyan,
    };
    colour.on_default().bold()
}
