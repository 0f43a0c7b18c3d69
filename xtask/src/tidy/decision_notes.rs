//! Decision notes are numbered without gaps, have the three sections, and are listed in their index.
//!
//! A note is never renumbered, so a gap means that one was lost.

use super::Finding;
use crate::markdown;
use crate::tree::Tree;

const FOLDER: &str = "docs/decisions/";
const INDEX: &str = "docs/decisions/README.md";
const SECTIONS: [&str; 3] = ["Context", "Decision", "Consequences"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let listed = markdown::links(tree.text(INDEX).unwrap_or_default());
    let mut expected_number = 1;
    for (path, text) in notes(tree) {
        let name = &path[FOLDER.len()..];
        let Some(number) = number_of(name) else {
            findings.push(Finding::new(path, 1, "must be named like `012-what-was-decided.md`"));
            continue;
        };
        if number != expected_number {
            let message = format!("has number {number:03} where {expected_number:03} is next");
            findings.push(Finding::new(path, 1, message));
        }
        expected_number = number + 1;
        let headings = markdown::headings(text);
        for section in SECTIONS {
            if !headings.iter().any(|heading| heading.level == 2 && heading.title == section) {
                findings.push(Finding::new(path, 1, format!("has no section `## {section}`")));
            }
        }
        if !listed.iter().any(|link| link.target == name) {
            findings.push(Finding::new(path, 1, format!("is not listed in {INDEX}")));
        }
    }
    findings
}

/// Returns all decision notes, well named or not, sorted by name.
pub(super) fn notes(tree: &Tree) -> impl Iterator<Item = (&str, &str)> {
    tree.texts_with_extension("md").filter(|(path, _)| path.starts_with(FOLDER) && *path != INDEX)
}

fn number_of(name: &str) -> Option<u32> {
    let (number, title) = name.strip_suffix(".md")?.split_once('-')?;
    let is_number = number.len() == 3 && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !title.is_empty()).then(|| number.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTE: &str = "# Title\n## Context\n## Decision\n## Consequences\n";

    fn messages(files: &[(&str, &str)]) -> Vec<String> {
        check(&Tree::of_texts(files.iter().copied())).into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn passes_for_complete_and_listed_notes() {
        let files = [
            (INDEX, "- [one](001-one.md)\n- [two](002-two.md)\n"),
            ("docs/decisions/001-one.md", NOTE),
            ("docs/decisions/002-two.md", NOTE),
        ];
        assert_eq!(messages(&files), Vec::<String>::new());
    }

    #[test]
    fn fails_for_a_missing_section() {
        for section in SECTIONS {
            let note = NOTE.replace(&format!("## {section}"), "## Other");
            let files = [(INDEX, "[one](001-one.md)"), ("docs/decisions/001-one.md", note.as_str())];
            assert_eq!(messages(&files), [format!("has no section `## {section}`")]);
        }
    }

    #[test]
    fn fails_for_a_section_at_another_level() {
        let note = NOTE.replace("## Context", "### Context");
        let files = [(INDEX, "[one](001-one.md)"), ("docs/decisions/001-one.md", note.as_str())];
        assert_eq!(messages(&files), ["has no section `## Context`"]);
    }

    #[test]
    fn a_repeated_number_is_reported_once() {
        let files = [
            (INDEX, "[](001-one.md) [](001-two.md) [](002-three.md)"),
            ("docs/decisions/001-one.md", NOTE),
            ("docs/decisions/001-two.md", NOTE),
            ("docs/decisions/002-three.md", NOTE),
        ];
        assert_eq!(messages(&files), ["has number 001 where 002 is next"]);
    }

    #[test]
    fn fails_for_a_gap_and_for_a_repeated_number() {
        let index = "[](001-one.md) [](001-two.md) [](003-three.md)";
        let files =
            [(INDEX, index), ("docs/decisions/001-one.md", NOTE), ("docs/decisions/003-three.md", NOTE)];
        assert_eq!(messages(&files), ["has number 003 where 002 is next"]);
        let files =
            [(INDEX, index), ("docs/decisions/001-one.md", NOTE), ("docs/decisions/001-two.md", NOTE)];
        assert_eq!(messages(&files), ["has number 001 where 002 is next"]);
    }

    #[test]
    fn fails_for_a_note_that_is_not_listed() {
        let files = [(INDEX, "no link to 001-one.md\n"), ("docs/decisions/001-one.md", NOTE)];
        assert_eq!(messages(&files), ["is not listed in docs/decisions/README.md"]);
    }

    #[test]
    fn fails_for_an_odd_name() {
        for name in ["docs/decisions/1-one.md", "docs/decisions/one.md", "docs/decisions/001-.md"] {
            assert_eq!(messages(&[(name, NOTE)]), ["must be named like `012-what-was-decided.md`"]);
        }
    }
}
