//! Runs documents with cases.
//!
//! Invariant: only the contents of `expect` blocks are rewritten, by `UPDATE=1`, and only by a computed text.

use std::fmt::Write as _;
use std::path::Path;

use crate::{Block, Fault, Section, cases_of, difference, files_below};

/// A block with an expectation, and the computed text; or why nothing can be computed, which no expectation mends.
pub struct Expectation<'case> {
    /// Names the case, for messages.
    pub title: String,
    /// The `expect` block.
    pub expected: &'case Block,
    /// The text that was computed.
    pub found: Result<String, String>,
}

/// How the cases of a document went.
pub struct Outcome {
    /// The number of cases.
    pub cases: usize,
    /// Faults that no expectation can mend.
    pub faults: String,
    /// Expectations that are not met.
    pub differences: String,
    /// The document with the computed texts in place of the expected ones.
    pub updated: String,
}

impl Outcome {
    /// The outcome of a document that has no cases because of these faults.
    pub fn of_faults(name: &str, document: &str, found: Vec<Fault>) -> Outcome {
        let mut faults = String::new();
        for fault in found {
            writeln!(faults, "{name}:{}: {}", fault.line, fault.message).unwrap();
        }
        Outcome { cases: 0, faults, differences: String::new(), updated: document.to_owned() }
    }
}

/// Compares the expectations of a document, in their order, with the computed texts.
pub fn compare<'case>(
    name: &str,
    document: &str,
    cases: usize,
    expectations: impl IntoIterator<Item = Expectation<'case>>,
) -> Outcome {
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
                    "{place}: something else comes out (+) than is expected (-)\n{changed}"
                )
                .unwrap();
                replacements.push((expected.line, expected.end, found));
            }
        }
    }
    let mut lines: Vec<String> = document.lines().map(str::to_owned).collect();
    for (line, end, found) in replacements.into_iter().rev() {
        // The opening fence is at `line`, counted from one, so the line behind it has that index.
        lines.splice(line..end - 1, found.lines().map(str::to_owned));
    }
    Outcome { cases, faults, differences, updated: lines.join("\n") + "\n" }
}

/// Runs all documents below a folder that are wanted by their names in it; fails if something is wrong, or if there are fewer cases
/// than that.
pub fn run_folder(
    folder: &Path,
    least_cases: usize,
    is_wanted: impl Fn(&str) -> bool,
    run: impl Fn(&str, &str) -> Outcome,
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

/// Runs all documents below a folder, in which a case is a heading with blocks, one of them fenced as `expect`.
pub fn run_sections(folder: &Path, least_cases: usize, run: impl Fn(&Section) -> Result<String, String>) {
    run_folder(
        folder,
        least_cases,
        |_| true,
        |name, document| {
            let sections = match cases_of(document) {
                Ok(sections) => sections,
                Err(faults) => return Outcome::of_faults(name, document, faults),
            };
            let without = |section: &&Section| section.find("expect").is_none();
            if let Some(section) = sections.iter().find(without) {
                let message = format!("{}: the case expects nothing", section.title);
                return Outcome::of_faults(name, document, vec![Fault { line: section.line, message }]);
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

    fn outcome(found: Result<String, String>) -> Outcome {
        let sections = cases_of(DOCUMENT).unwrap();
        let expected = sections[0].find("expect").unwrap();
        compare("x.md", DOCUMENT, 1, [Expectation { title: "One".to_owned(), expected, found }])
    }

    #[test]
    fn shows_and_rewrites_a_wrong_expectation() {
        let found = outcome(Ok("A\nB".to_owned()));
        assert_eq!(
            found.differences,
            "x.md:7: One: something else comes out (+) than is expected (-)\n    A\n  - wrong\n  + B\n\n"
        );
        assert_eq!(found.updated, DOCUMENT.replace("wrong", "B"));
        assert_eq!(found.faults, "");
    }

    #[test]
    fn keeps_the_document_when_nothing_can_be_computed() {
        let found = outcome(Err("no".to_owned()));
        assert_eq!((found.faults.as_str(), found.updated.as_str()), ("x.md:7: One: no\n", DOCUMENT));
    }
}
