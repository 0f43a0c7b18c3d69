//! Every crate is a member of the workspace, has a README, and inherits its lints, edition and licence.
//!
//! Cargo lets a crate silently opt out of all of these; a crate that does is built to other rules than its
//! neighbours, or is not built at all.

use toml::Value;

use super::Finding;
use crate::manifest::{Workspace, lookup};
use crate::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let workspace = Workspace::of_tree(tree);
    let mut findings: Vec<Finding> =
        workspace.unreadable.iter().map(|(path, reason)| Finding::new(path, 1, reason.as_str())).collect();
    for (folder, manifest) in &workspace.crates {
        let path = format!("{folder}/Cargo.toml");
        if workspace.unreadable.iter().any(|(unreadable, _)| *unreadable == path) {
            continue;
        }
        for (keys, what) in [
            (["lints", "workspace"].as_slice(), "lints (`[lints] workspace = true`)"),
            (&["package", "edition", "workspace"], "edition (`edition.workspace = true`)"),
            (&["package", "license", "workspace"], "licence (`license.workspace = true`)"),
        ] {
            if lookup(manifest, keys).and_then(Value::as_bool) != Some(true) {
                findings.push(Finding::new(&path, 1, format!("does not inherit the workspace's {what}")));
            }
        }
        if !workspace.is_member(folder) {
            findings.push(Finding::new(
                &path,
                1,
                "is not a member of the workspace, so nothing builds or tests it",
            ));
        }
        if !tree.contains_file(&format!("{folder}/README.md")) {
            findings.push(Finding::new(&path, 1, "has no README.md beside it"));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = "[workspace]\nmembers = [\"crates/zones\"]\n";
    const CRATE: &str = "[package]\nname = \"tempora-zones\"\nedition.workspace = true\nlicense.workspace = true\n[lints]\nworkspace = true\n";

    fn messages(root: &str, manifest: &str, readme: &str) -> Vec<String> {
        let tree =
            Tree::of_texts([("Cargo.toml", root), ("crates/zones/Cargo.toml", manifest), (readme, "")]);
        check(&tree).into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn passes_for_a_crate_like_the_others() {
        assert_eq!(messages(ROOT, CRATE, "crates/zones/README.md"), Vec::<String>::new());
    }

    #[test]
    fn fails_for_each_thing_that_is_not_inherited() {
        for (line, what) in [
            ("edition.workspace = true", "edition"),
            ("license.workspace = true", "licence"),
            ("[lints]\nworkspace = true", "lints"),
        ] {
            let found = messages(ROOT, &CRATE.replace(line, ""), "crates/zones/README.md");
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].contains(what), "{found:?}");
        }
        let own_edition = CRATE.replace("edition.workspace = true", "edition = \"2021\"");
        assert_eq!(messages(ROOT, &own_edition, "crates/zones/README.md").len(), 1);
    }

    #[test]
    fn fails_without_a_readme() {
        assert_eq!(messages(ROOT, CRATE, "README.md"), ["has no README.md beside it"]);
    }

    #[test]
    fn fails_for_a_crate_that_nothing_builds() {
        let found = messages("[workspace]\nmembers = []\n", CRATE, "crates/zones/README.md");
        assert_eq!(found, ["is not a member of the workspace, so nothing builds or tests it"]);
    }

    #[test]
    fn fails_once_for_a_manifest_that_cannot_be_read() {
        assert_eq!(messages(ROOT, "[package", "crates/zones/README.md").len(), 1);
    }
}
