//! Unsafe code, and leave to write it, appear only in files that a decision note names.
//!
//! The compiler denies unsafe code, but a line in the same file can lift that. This rule sees the line; the note
//! must give the path in backticks, and say which naive oracle stands beside the code.

use toml::Value;

use super::{Finding, decision_notes};
use crate::manifest::{Workspace, lookup};
use crate::rust_text::{code_only, word_positions};
use crate::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts_with_extension("rs") {
        let quoted_path = format!("`{path}`");
        if decision_notes::notes(tree).any(|(_, note)| note.contains(&quoted_path)) {
            continue;
        }
        let code = code_only(text);
        let line_of = |position: usize| code[..position].matches('\n').count() + 1;
        for position in word_positions(&code, "unsafe") {
            let message = "unsafe code in a file that no decision note names";
            findings.push(Finding::new(path, line_of(position), message));
        }
        for position in word_positions(&code, "unsafe_code").filter(|&position| !tightens(&code[..position]))
        {
            let message = "lifts a lint in a file that no decision note names";
            findings.push(Finding::new(path, line_of(position), message));
        }
    }
    let workspace = Workspace::of_tree(tree);
    if !workspace.unreadable.iter().any(|(path, _)| path == "Cargo.toml") {
        let level = lookup(&workspace.root, &["workspace", "lints", "rust", "unsafe_code"])
            .and_then(|lint| lint.as_str().or_else(|| lint.get("level").and_then(Value::as_str)));
        if !matches!(level, Some("deny" | "forbid")) {
            findings.push(Finding::new("Cargo.toml", 1, "the workspace lints must deny `unsafe_code`"));
        }
    }
    findings
}

/// Returns whether the list of lints that is open at the end of `before` makes them stricter.
fn tightens(before: &str) -> bool {
    let list_owner = before.rsplit_once('(').map_or("", |(owner, _)| owner.trim_end());
    ["deny", "forbid"]
        .iter()
        .any(|level| word_positions(list_owner, level).any(|at| at + level.len() == list_owner.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = "[workspace.lints.rust]\nunsafe_code = \"deny\"\n";

    fn count(root: &str, source: &str, note: &str) -> usize {
        let files =
            [("Cargo.toml", root), ("crates/zones/src/a.rs", source), ("docs/decisions/001-a.md", note)];
        check(&Tree::of_texts(files)).len()
    }

    #[test]
    fn passes_for_words_that_are_not_code() {
        let source = "// unsafe\nconst A: &str = \"unsafe { allow(unsafe_code) }\";\nfn unsafely() {}\n";
        assert_eq!(count(ROOT, source, ""), 0);
        assert_eq!(
            count(ROOT, "#![forbid(unsafe_code)]\n#![deny(\n    dead_code,\n    unsafe_code,\n)]\n", ""),
            0
        );
    }

    #[test]
    fn fails_for_unsafe_code_and_for_leave_to_write_it() {
        for source in [
            "fn a() { unsafe { b() } }\n",
            "unsafe impl Send for A {}\n",
            "#![allow(unsafe_code)]\n",
            "#[expect(dead_code, unsafe_code)]\n",
            "#[expect(\n    unsafe_code,\n    reason = \"fast\"\n)]\n",
            "#[cfg_attr(test, warn(unsafe_code))]\n",
        ] {
            assert_eq!(count(ROOT, source, ""), 1, "{source}");
        }
    }

    #[test]
    fn a_decision_note_names_the_file_exactly() {
        let source = "fn a() { unsafe { b() } }\n";
        assert_eq!(count(ROOT, source, "In `crates/zones/src/a.rs`, beside its oracle."), 0);
        assert_eq!(count(ROOT, source, "In `crates/zones/src/b.rs`, beside its oracle."), 1);
        assert_eq!(count(ROOT, source, "In `other/crates/zones/src/a.rs`, beside its oracle."), 1);
    }

    #[test]
    fn fails_when_the_workspace_does_not_deny_it() {
        assert_eq!(count("[workspace.lints.rust]\nunsafe_code = \"warn\"\n", "", ""), 1);
        assert_eq!(count("[workspace]\n", "", ""), 1);
        assert_eq!(count("[workspace.lints.rust]\nunsafe_code = { level = \"forbid\" }\n", "", ""), 0);
    }
}
