//! Runs the cases in `tests/cases/syntax/*.md`.
//!
//! Invariant: only the `expect` blocks are rewritten, by `UPDATE=1`.
//!
//! A case is a heading `# title` followed by two fenced blocks: a text, whose fence names its kind (`declarations`,
//! `expression`, `guard`, `update`, `select`, `sync`, `parameters`, `rate`, `query`, `queries`, `net`), and `expect`,
//! with the tree as an s-expression, or with the rendered diagnostics. A fence such as `guard lines` parses every line
//! separately; `expect` then has one line for each, the tree or the first diagnostic.
//!
//! A tree without errors is also printed and parsed again, and must be the same.

use tempora_source::{Colour, Severity, render_text};
use tempora_testkit::{Section, run_sections, workspace};

use crate::reading::read;

#[test]
fn all_cases_hold() {
    run_sections(&workspace().join("tests/cases/syntax"), 30, run);
}

/// Returns the text that the `expect` block should contain.
fn run(case: &Section) -> Result<String, String> {
    let block = case.blocks.first().ok_or("no blocks")?;
    let (fence, text) = (&block.fence, &block.content);
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
