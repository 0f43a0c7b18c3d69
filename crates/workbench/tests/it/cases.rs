//! Runs the cases in `tests/cases/`, except for areas that the tests of other crates run.
//!
//! Invariant: `UPDATE=1` rewrites only `expect` blocks, with the output of their stages. `support/document.rs`
//! describes the format of cases, `support/stages.rs` the output of stages.

use tempora_testkit::{DocumentResult, Expectation, compare, run_folder, workspace};

use crate::support::document::cases_of;
use crate::support::stages;

/// Areas whose blocks are not networks, which have other runners.
const OTHER_AREAS: [&str; 2] = ["source/", "syntax/"];

#[test]
fn all_cases_hold() {
    let is_own = |name: &str| !OTHER_AREAS.iter().any(|area| name.starts_with(area));
    run_folder(&workspace().join("tests/cases"), 150, is_own, |name, document| {
        run_document(&format!("tests/cases/{name}"), document)
    });
}

fn run_document(name: &str, document: &str) -> DocumentResult {
    let cases = match cases_of(document) {
        Ok(cases) => cases,
        Err(faults) => return DocumentResult::of_faults(name, document, faults),
    };
    let stages = cases.iter().flat_map(|case| case.stages.iter().map(move |stage| (case, stage)));
    let expectations = stages.map(|(case, stage)| Expectation {
        title: format!("{}, {}", case.title, stage.name),
        expected: &stage.expected,
        found: stages::run(&stage.name, &case.model, &stage.input),
    });
    compare(name, document, cases.len(), expectations)
}

const MODEL: &str = "```net\nprocess P { init location A; }\n```\n";

#[test]
fn malformed_case_is_fault_with_line() {
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
        (format!("# One\n{MODEL}```chekc\n```\n```expect\n```\n"), "unknown stage `chekc`"),
        (format!("# One\n{MODEL}```lint\nnosuch\n```\n```expect\n```\n"), "unknown check nosuch"),
        (format!("# One\n{MODEL}```traces\npainting\n```\n```expect\n```\n"), "unknown format `painting`"),
        (format!("# One\n{MODEL}```check\nE<> P.B\n```\n```expect\n```\n"), "error[unknown-name]"),
        (format!("# One\n{MODEL}```check\n```\n```expect\n```\n"), "no query"),
        (format!("# Title\n\n## One\n{MODEL}"), "x.md:3: One: the case names no stage"),
    ];
    for (document, expected) in cases {
        let outcome = run_document("x.md", &document);
        assert!(outcome.faults.contains(expected), "{document}\n{}\nwithout\n{expected}", outcome.faults);
    }
}

#[test]
fn shows_and_updates_wrong_expectation() {
    let document = format!(
        "# One\n\n{MODEL}\n```agree\nE<> P.A\nA[] not P.A\n```\n\n```expect\nholds: E<> P.A\nwrong\n```\n\nEnd.\n"
    );
    let outcome = run_document("x.md", &document);
    assert_eq!(outcome.faults, "");
    assert_eq!(
        outcome.differences,
        "x.md:12: One, agree: the computed text (+) differs from the expected one (-)\n    holds: E<> P.A\n  - wrong\n  + fails: A[] not P.A\n\n"
    );
    assert_eq!(outcome.updated, document.replace("wrong", "fails: A[] not P.A"));
    assert_eq!(run_document("x.md", &outcome.updated).differences, "");
}
