//! Every Rust file begins with a `//!` header of at least one full sentence.
//!
//! The sentence says what the file is, and where there is one, the invariant that it keeps. A rule cannot judge the
//! sentence; it can see that there is one: it begins like one, has at least three words, and ends.

use super::Finding;
use crate::tree::{Tree, is_test_data};

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.texts_with_extension("rs")
        .filter(|(path, text)| !is_test_data(path) && !begins_with_sentence(text))
        .map(|(path, _)| {
            Finding::new(path, 1, "must begin with a `//!` header of at least one full sentence")
        })
        .collect()
}

fn begins_with_sentence(text: &str) -> bool {
    let header = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
    // The sentence is in the first paragraph.
    let paragraph = header.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let end = paragraph
        .match_indices(['.', '!', '?'])
        .map(|(index, _)| &paragraph[..=index])
        .find(|sentence| sentence.len() == paragraph.len() || paragraph[sentence.len()..].starts_with(' '));
    // A quotation or the name of an item may begin a sentence too.
    let begins_well = paragraph.starts_with(|first: char| first.is_uppercase() || "`[\"“‘(".contains(first));
    begins_well && end.is_some_and(|sentence| sentence.split(' ').count() >= 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_accepted(text: &str) -> bool {
        check(&Tree::of_texts([("a.rs", text)])).is_empty()
    }

    #[test]
    fn passes_for_a_full_sentence() {
        assert!(is_accepted("//! The clocks of a network.\n\nfn a() {}\n"));
        assert!(is_accepted("//! The clocks of a\n//! network. More\n"));
        assert!(is_accepted("//! \"Did you mean\": the names that resemble another.\n"));
        assert!(is_accepted("//! `Zone` is in `zone.rs` only.\n"));
    }

    #[test]
    fn fails_for_less() {
        for text in [
            "",
            "fn a() {}\n",
            "\n//! The clocks of a network.\n",
            "// The clocks of a network.\n",
            "//! Clocks.\n",
            "//! Two words.\n",
            "//! the clocks of a network.\n",
            "//! The clocks of a network\n",
            "//! See zone.rs for this\n",
            "//!\n//! The clocks of a network.\n",
        ] {
            assert!(!is_accepted(text), "{text}");
        }
    }

    #[test]
    fn looks_at_rust_files_that_are_not_data_only() {
        let files = [("a.md", "a\n"), ("crates/zones/tests/data/a.rs", "fn a() {}\n")];
        assert_eq!(check(&Tree::of_texts(files)), []);
    }
}
