//! Runs documents with cases.
//!
//! Invariant: `UPDATE=1` replaces only the contents of `expect` blocks, and only by computed texts.

use std::fmt::Write as _;
use std::path::Path;

use crate::{Block, DocumentFault, Section, cases_of, difference, files_below};

/// An `expect` block and the computed text.
pub struct Expectation<'case> {
    /// The title of the case, for messages.
    pub title: String,
    /// The `expect` block.
    pub expected: &'case Block,
    /// The computed text, or the reason why the case cannot run, which `UPDATE=1` does not fix.
    pub found: Result<String, String>,
}

/// The result of running the cases of a document.
pub struct DocumentResult {
    /// The number of cases.
    pub cases: usize,
    /// Errors that `UPDATE=1` does not fix.
    pub faults: String,
    /// Differences between expected and computed texts.
    pub differences: String,
    /// The document with the expected texts replaced by the computed ones.
    pub updated: String,
}

impl DocumentResult {
    /// Returns the outcome of a malformed document.
    pub fn of_faults(name: &str, document: &str, found: Vec<DocumentFault>) -> DocumentResult {
        let mut faults = String::new();
        for fault in found {
            writeln!(faults, "{name}:{}: {}", fault.line, fault.message).unwrap();
        }
        DocumentResult { cases: 0, faults, differences: String::new(), updated: document.to_owned() }
    }
}

/// Compares the expectations of a document, in their order, with the computed texts.
pub fn compare<'case>(
    name: &str,
    document: &str,
    cases: usize,
    expectations: impl IntoIterator<Item = Expectation<'case>>,
) -> DocumentResult {
    let (mut faults, mut differences) = (String::new(), String::new());
    let mut replacements: Vec<(usize, usize, String)> = Vec::new();
    for Expectation { title, expected, found } in expectations {
        let place = format!("{name}:{}: {title}", expected.line);
        match found {
            Err(reason) => writeln!(faults, "{place}: {reason}").unwrap(),
            Ok(found) if found == expected.content => {}
            Ok(found) => {
                let changed = difference(&expected.content, &found);
                writeln!(
                    differences,
                    "{place}: the computed text (+) differs from the expected one (-)\n{changed}"
                )
                .unwrap();
                replacements.push((expected.line, expected.end, found));
            }
        }
    }
    let mut lines: Vec<String> = document.lines().map(str::to_owned).collect();
    for (line, end, found) in replacements.into_iter().rev() {
        // The opening fence is at `line`, counted from one, so the line after it has that index.
        lines.splice(line..end - 1, found.lines().map(str::to_owned));
    }
    DocumentResult { cases, faults, differences, updated: lines.join("\n") + "\n" }
}

/// Runs the documents below a folder that `is_wanted` selects by name. Panics if a case fails, or if there are fewer
/// than `least_cases` cases.
pub fn run_folder(
    folder: &Path,
    least_cases: usize,
    is_wanted: impl Fn(&str) -> bool,
    run: impl Fn(&str, &str) -> DocumentResult,
) {
    let update = std::env::var_os("UPDATE").is_some();
    let (mut count, mut failures) = (0, String::new());
    for path in files_below(folder, ".md") {
        let name = path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
        if !is_wanted(&name) {
            continue;
        }
        let document = std::fs::read_to_string(&path).unwrap();
        let outcome = run(&name, &document);
        count += outcome.cases;
        if update && outcome.updated != document {
            std::fs::write(&path, &outcome.updated).unwrap();
        } else if !update {
            failures.push_str(&outcome.differences);
        }
        failures.push_str(&outcome.faults);
    }
    assert!(failures.is_empty(), "\n{failures}\nUPDATE=1 rewrites the expected blocks");
    assert!(count >= least_cases, "only {count} cases were found");
}

/// Runs all documents below a folder. A case is a heading with blocks, one of which is fenced as `expect`.
pub fn run_sections(folder: &Path, least_cases: usize, run: impl Fn(&Section) -> Result<String, String>) {
    run_folder(
        folder,
        least_cases,
        |_| true,
        |name, document| {
            let sections = match cases_of(document) {
                Ok(sections) => sections,
                Err(faults) => return DocumentResult::of_faults(name, document, faults),
            };
            let without = |section: &&Section| section.find("expect").is_none();
            if let Some(section) = sections.iter().find(without) {
                let message = format!("{}: the case has no `expect` block", section.title);
                return DocumentResult::of_faults(
                    name,
                    document,
                    vec![DocumentFault { line: section.line, message }],
                );
            }
            let expectations = sections.iter().filter_map(|section| {
                let expected = section.find("expect")?;
                Some(Expectation { title: section.title.clone(), expected, found: run(section) })
            });
            compare(name, document, sections.len(), expectations)
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "# One\n\n```in\na\n```\n\n```expect\nA\nwrong\n```\n\nEnd.\n";

    fn outcome(found: Result<String, String>) -> DocumentResult {
        let sections = cases_of(DOCUMENT).unwrap();
        let expected = sections[0].find("expect").unwrap();
        compare("x.md", DOCUMENT, 1, [Expectation { title: "One".to_owned(), expected, found }])
    }

    #[test]
    fn reports_and_rewrites_wrong_expectation() {
        let found = outcome(Ok("A\nB".to_owned()));
        assert_eq!(
            found.differences,
            "x.md:7: One: the computed text (+) differs from the expected one (-)\n    A\n  - wrong\n  + B\n\n"
        );
        assert_eq!(found.updated, DOCUMENT.replace("wrong", "B"));
        assert_eq!(found.faults, "");
    }

    #[test]
    fn keeps_document_if_case_cannot_run() {
        let found = outcome(Err("no".to_owned()));
        assert_eq!((found.faults.as_str(), found.updated.as_str()), ("x.md:7: One: no\n", DOCUMENT));
    }
}
