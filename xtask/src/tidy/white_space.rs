//! Texts have no trailing white space, end in a line end, end their lines with LF only, and Rust has no tabs.
//!
//! Differences then show what changed and nothing else. Test data is exempt: it is reproduced byte for byte.

use super::Finding;
use crate::tree::{Tree, is_test_data};

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts().filter(|(path, _)| !is_test_data(path)) {
        for (index, line) in text.split('\n').enumerate() {
            let mut complain = |message| findings.push(Finding::new(path, index + 1, message));
            let without_return = line.strip_suffix('\r').unwrap_or(line);
            if line.contains('\r') {
                complain("has a carriage return; lines end with LF only");
            }
            if without_return.ends_with(char::is_whitespace) {
                complain("has trailing white space");
            }
            if path.ends_with(".rs") && line.contains('\t') {
                complain("has a tab; indent with spaces");
            }
        }
        if !text.is_empty() && !text.ends_with('\n') {
            findings.push(Finding::new(path, text.lines().count(), "does not end in a line end"));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> Vec<(usize, String)> {
        let found = check(&Tree::of_texts([(path, text)]));
        found.into_iter().map(|finding| (finding.line, finding.message)).collect()
    }

    #[test]
    fn passes_for_a_clean_text() {
        assert_eq!(findings("a.rs", "//! A b c.\n\nfn a() {}\n"), []);
        assert_eq!(findings("empty", ""), []);
        assert_eq!(findings("Makefile", "a:\n\tb\n"), []);
    }

    #[test]
    fn fails_for_trailing_white_space() {
        assert_eq!(findings("a.md", "a \n"), [(1, "has trailing white space".to_owned())]);
        assert_eq!(findings("a.md", "a\n\t\nb\n"), [(2, "has trailing white space".to_owned())]);
    }

    #[test]
    fn fails_for_a_missing_line_end() {
        assert_eq!(findings("a.md", "a\nb"), [(2, "does not end in a line end".to_owned())]);
    }

    #[test]
    fn fails_for_carriage_returns() {
        assert_eq!(
            findings("a.md", "a\r\nb\n"),
            [(1, "has a carriage return; lines end with LF only".to_owned())]
        );
    }

    #[test]
    fn fails_for_tabs_in_rust() {
        assert_eq!(findings("a.rs", "\tfn a() {}\n"), [(1, "has a tab; indent with spaces".to_owned())]);
    }

    #[test]
    fn test_data_is_exempt() {
        assert_eq!(findings("tests/cases/a.md", "a \r\n\tb"), []);
        assert_eq!(findings("crates/zones/tests/data/a.rs", "a \r\n\tb"), []);
    }
}
