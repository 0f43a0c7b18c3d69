//! Runs the cases in `tests/cases/`, but for the areas that the tests of other crates run.
//!
//! Invariant: only the `expect` blocks are rewritten, by `UPDATE=1`, and only by what a stage gives. What a case looks
//! like is said in `support/document.rs`, what a stage gives in `support/stages.rs`.

use std::fmt::Write as _;

use crate::support::difference::difference;
use crate::support::document::cases_of;
use crate::support::{files_below, stages, workspace};

/// Areas whose blocks are no networks, with runners of their own.
const OTHER_AREAS: [&str; 2] = ["source/", "syntax/"];

#[test]
fn all_cases_hold() {
    let update = std::env::var_os("UPDATE").is_some();
    let folder = workspace().join("tests/cases");
    let (mut count, mut failures) = (0, String::new());
    for path in files_below(&folder, ".md") {
        let name = path.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/");
        if OTHER_AREAS.iter().any(|area| name.starts_with(area)) {
            continue;
        }
        let document = std::fs::read_to_string(&path).unwrap();
        let outcome = run_document(&format!("tests/cases/{name}"), &document);
        count += outcome.cases;
        if update && outcome.updated != document {
            std::fs::write(&path, &outcome.updated).unwrap();
        } else if !update {
            failures.push_str(&outcome.differences);
        }
        failures.push_str(&outcome.faults);
    }
    assert!(failures.is_empty(), "\n{failures}\nUPDATE=1 rewrites the expected blocks");
    assert!(count >= 150, "only {count} cases were found");
}

struct Outcome {
    cases: usize,
    /// What no expectation can mend.
    faults: String,
    /// Where something else is expected.
    differences: String,
    /// The document with what was found in place of what was expected.
    updated: String,
}

fn run_document(name: &str, document: &str) -> Outcome {
    let (mut faults, mut differences) = (String::new(), String::new());
    let cases = cases_of(document).unwrap_or_else(|found| {
        for fault in found {
            writeln!(faults, "{name}:{}: {}", fault.line, fault.message).unwrap();
        }
        Vec::new()
    });
    let mut replacements: Vec<(usize, usize, String)> = Vec::new();
    for case in &cases {
        for stage in &case.stages {
            let place = format!("{name}:{}: {}, {}", stage.expected.line, case.title, stage.name);
            match stages::run(&stage.name, &case.model, &stage.input) {
                Err(reason) => writeln!(faults, "{place}: {reason}").unwrap(),
                Ok(found) if found == stage.expected.content => {}
                Ok(found) => {
                    let changed = difference(&stage.expected.content, &found);
                    writeln!(
                        differences,
                        "{place}: something else comes out (+) than is expected (-)\n{changed}"
                    )
                    .unwrap();
                    replacements.push((stage.expected.line, stage.expected.end, found));
                }
            }
        }
    }
    let mut lines: Vec<String> = document.lines().map(str::to_owned).collect();
    for (line, end, found) in replacements.into_iter().rev() {
        // The opening fence is at `line`, counted from one, so what follows it has that index.
        lines.splice(line..end - 1, found.lines().map(str::to_owned));
    }
    Outcome { cases: cases.len(), faults, differences, updated: lines.join("\n") + "\n" }
}

const MODEL: &str = "```net\nprocess P { init location A; }\n```\n";

#[test]
fn what_is_no_case_is_a_fault_with_its_line() {
    let cases = [
        ("Only prose.\n".to_owned(), "x.md:1: the file has no cases"),
        ("# One\n".to_owned(), "x.md:1: One: the case has no blocks"),
        (format!("# One\n{MODEL}"), "x.md:1: One: the case names no stage"),
        (format!("# One\n{MODEL}```check\nE<> P.A\n```\n"), "x.md:5: One: the stage has no `expect`"),
        (format!("# One\n{MODEL}```expect\n```\n"), "x.md:5: One: no stage is named"),
        (format!("# One\n{MODEL}```\n```\n```expect\n```\n"), "x.md:5: One: the fence of the block"),
        (
            format!("# One\n{MODEL}{MODEL}```check\n```\n```expect\n```\n"),
            "x.md:5: One: a case has one model",
        ),
        ("# One\n```check\n```\n```expect\n```\n".to_owned(), "x.md:2: One: the first block of a case"),
        (format!("# One\n{MODEL}```check\n"), "x.md:5: the block is not closed"),
        (format!("{MODEL}# One\n"), "x.md:1: a block before any heading"),
        (format!("# One\n{MODEL}```chekc\n```\n```expect\n```\n"), "there is no stage `chekc`"),
        (format!("# One\n{MODEL}```lint\nnosuch\n```\n```expect\n```\n"), "there is no check nosuch"),
        (format!("# One\n{MODEL}```traces\n```\n```expect\n```\n"), "the stage `traces` does not exist yet"),
        (format!("# One\n{MODEL}```check\nE<> P.B\n```\n```expect\n```\n"), "error[unknown-name]"),
        (format!("# One\n{MODEL}```check\n```\n```expect\n```\n"), "there is no query"),
        (format!("# Title\n\n## One\n{MODEL}"), "x.md:3: One: the case names no stage"),
    ];
    for (document, expected) in cases {
        let outcome = run_document("x.md", &document);
        assert!(outcome.faults.contains(expected), "{document}\n{}\nwithout\n{expected}", outcome.faults);
    }
}

#[test]
fn a_wrong_expectation_shows_where_and_what_and_is_rewritten() {
    let document = format!(
        "# One\n\n{MODEL}\n```agree\nE<> P.A\nA[] not P.A\n```\n\n```expect\nholds: E<> P.A\nwrong\n```\n\nEnd.\n"
    );
    let outcome = run_document("x.md", &document);
    assert_eq!(outcome.faults, "");
    assert_eq!(
        outcome.differences,
        "x.md:12: One, agree: something else comes out (+) than is expected (-)\n    holds: E<> P.A\n  - wrong\n  + fails: A[] not P.A\n\n"
    );
    assert_eq!(outcome.updated, document.replace("wrong", "fails: A[] not P.A"));
    assert_eq!(run_document("x.md", &outcome.updated).differences, "");
}
