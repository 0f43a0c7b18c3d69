//! Runs the cases in `tests/cases/syntax/*.md`.
//!
//! Invariant: only the `expect` blocks are rewritten, by `UPDATE=1`.
//!
//! A case is a heading `# title` followed by two fenced blocks: a text, whose fence says how to read it (`declarations`,
//! `expression`, `guard`, `update`, `select`, `sync`, `parameters`, `rate`, `query`, `queries`, `net`), and `expect`,
//! with the tree as an s-expression, or else with what a terminal shows. A fence such as `guard lines` reads every line
//! on its own; `expect` then holds a line for each, the tree or the first complaint.
//!
//! A tree that was read without errors is also printed and read again, and must be the same.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use tempora_source::{Colour, Severity, render_text};

use crate::reading::read;

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
            let expected = case.block("expect");
            match run(&case) {
                Err(reason) => writeln!(failures, "## {place}\n{reason}").unwrap(),
                Ok(actual) if actual == expected => {}
                Ok(actual) if update => {
                    updated = updated.replacen(&case.source, &case.with_expectation(&actual), 1);
                }
                Ok(actual) => {
                    writeln!(failures, "## {place}\nexpected:\n{expected}\nfound:\n{actual}").unwrap();
                }
            }
        }
        if updated != document {
            std::fs::write(&path, format!("{}\n", updated.trim_end())).unwrap();
        }
    }
    assert!(failures.is_empty(), "{failures}\nUPDATE=1 rewrites the expected blocks");
    assert!(count >= 30, "only {count} cases were found");
}

/// What the `expect` block should hold.
fn run(case: &Case) -> Result<String, String> {
    let (fence, text) = case.blocks.first().ok_or("no blocks")?;
    if let Some(stage) = fence.strip_suffix(" lines") {
        let lines: Result<Vec<String>, String> = text.lines().map(|line| run_line(stage, line)).collect();
        return Ok(lines?.join("\n"));
    }
    let reading = read(fence, text)?;
    if reading.diagnostics.is_empty() {
        reading.check_printed(fence)?;
        return Ok(reading.dump);
    }
    let rendered = render_text(&reading.files, &reading.diagnostics, Colour::Never);
    Ok(rendered.trim_end().to_owned())
}

fn run_line(stage: &str, line: &str) -> Result<String, String> {
    let reading = read(stage, line)?;
    match reading.diagnostics.first() {
        None => {
            reading.check_printed(stage)?;
            Ok(reading.dump.split_whitespace().collect::<Vec<&str>>().join(" "))
        }
        Some(first) => {
            let severity = if first.severity == Severity::Error { "error" } else { "warning" };
            Ok(format!("{severity}[{}]: {}", first.code, first.message))
        }
    }
}

fn case_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/syntax");
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
        self.blocks.iter().find(|block| block.0 == fence).map_or("", |block| block.1.as_str())
    }

    fn with_expectation(&self, actual: &str) -> String {
        let (before, _) = self.source.split_once("```expect\n").expect("an expect block");
        format!("{before}```expect\n{actual}\n```\n\n")
    }
}
