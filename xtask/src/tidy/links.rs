//! Every link between the project's own documents leads somewhere: to a file or folder, and to a heading in it.
//!
//! Links with a scheme lead out of the project and are not followed: a rule must not need a network.

use super::Finding;
use crate::manifest::join;
use crate::markdown;
use crate::tree::{Tree, is_test_data};

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts_with_extension("md").filter(|(path, _)| !is_test_data(path)) {
        for link in markdown::links(text) {
            if let Some(complaint) = complaint_about(tree, path, &link.target) {
                findings.push(Finding::new(path, link.line, format!("`{}` {complaint}", link.target)));
            }
        }
    }
    findings
}

fn complaint_about(tree: &Tree, from: &str, target: &str) -> Option<&'static str> {
    if has_scheme(target) {
        return None;
    }
    let (place, anchor) =
        target.split_once('#').map_or((target, None), |(place, anchor)| (place, Some(anchor)));
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let file = if place.is_empty() {
        from.to_owned()
    } else if place.starts_with('/') {
        return Some("is absolute; write it relative to this file");
    } else {
        match join(folder, &place.replace("%20", " ")) {
            Some(file) => file,
            None => return Some("leaves the project"),
        }
    };
    if tree.contains_folder(&file) {
        return anchor.map(|_| "has an anchor but leads to a folder");
    }
    if !tree.contains_file(&file) {
        return Some("leads to nothing");
    }
    // Anchors of other files, such as lines of a source, are up to the viewer.
    let anchor = anchor.filter(|_| file.ends_with(".md"))?;
    let anchors = markdown::anchors(tree.text(&file).unwrap_or_default());
    (!anchors.iter().any(|known| known == anchor)).then_some("leads to no heading")
}

fn has_scheme(target: &str) -> bool {
    target.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|next| next.is_ascii_alphanumeric() || matches!(next, '+' | '-' | '.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(link: &str) -> Vec<String> {
        let text = format!("# Here\n[a]({link})\n");
        let tree = Tree::of_texts([
            ("docs/guide/a.md", text.as_str()),
            ("docs/b.md", "# One two\n"),
            ("docs/with space.md", ""),
            ("README.md", ""),
        ]);
        check(&tree).into_iter().map(|finding| format!("{}: {}", finding.line, finding.message)).collect()
    }

    #[test]
    fn passes_for_links_that_lead_somewhere() {
        for link in [
            "../b.md",
            "../b.md#one-two",
            "#here",
            "../../README.md",
            "..",
            "../../docs/",
            "../with%20space.md",
            "https://example.org/nothing.md",
            "mailto:someone@example.org",
        ] {
            assert_eq!(messages(link), Vec::<String>::new(), "{link}");
        }
    }

    #[test]
    fn fails_for_links_that_do_not() {
        for (link, complaint) in [
            ("b.md", "leads to nothing"),
            ("../c/", "leads to nothing"),
            ("../b.md#three", "leads to no heading"),
            ("#there", "leads to no heading"),
            ("../#one", "has an anchor but leads to a folder"),
            ("../../../README.md", "leaves the project"),
            ("/README.md", "is absolute; write it relative to this file"),
        ] {
            assert_eq!(messages(link), [format!("2: `{link}` {complaint}")]);
        }
    }
}
