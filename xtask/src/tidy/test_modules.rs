//! Every integration test is a module of its crate's one test binary, `tests/it/main.rs`.
//!
//! Cargo makes a binary of each file directly in `tests/`, which links the whole crate graph again. A file in `tests/it/`
//! that `main.rs` does not declare is never compiled, and its tests never run; the compiler says nothing about it.

use super::Finding;
use crate::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, _) in tree.texts_with_extension("rs") {
        let Some((folder, file)) = test_file(path) else { continue };
        let Some(file) = file.strip_prefix("it/") else {
            if !file.contains('/') {
                let message = format!("is a test binary of its own; move it to `{folder}/tests/it/`");
                findings.push(Finding::new(path, 1, message));
            }
            continue;
        };
        let name = file.strip_suffix("/mod.rs").or_else(|| file.strip_suffix(".rs")).unwrap_or(file);
        if name == "main" || name.contains('/') {
            continue;
        }
        let main = format!("{folder}/tests/it/main.rs");
        let declaration = format!("mod {name};");
        let is_declared =
            tree.text(&main).is_some_and(|text| text.lines().any(|line| line.trim() == declaration));
        if !is_declared {
            findings.push(Finding::new(
                path,
                1,
                format!("is never compiled; add `{declaration}` to `{main}`"),
            ));
        }
    }
    findings
}

/// Splits the path of a file below a crate's `tests/` into the folder of the crate and the rest.
fn test_file(path: &str) -> Option<(&str, &str)> {
    let (folder, file) = path.split_once("/tests/")?;
    let is_crate =
        folder == "xtask" || folder.strip_prefix("crates/").is_some_and(|name| !name.contains('/'));
    is_crate.then_some((folder, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(path: &str) -> Vec<String> {
        let files =
            [("crates/zones/tests/it/main.rs", "mod support;\n#[cfg(unix)]\nmod zones;\n"), (path, "")];
        check(&Tree::of_texts(files)).into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn passes_for_declared_modules_and_other_files() {
        for path in [
            "crates/zones/tests/it/zones.rs",
            "crates/zones/tests/it/support/mod.rs",
            "crates/zones/tests/it/support/random.rs",
            "crates/zones/tests/data/one.rs",
            "crates/zones/src/tests/one.rs",
        ] {
            assert_eq!(messages(path), Vec::<String>::new(), "{path}");
        }
    }

    #[test]
    fn fails_for_a_second_binary() {
        assert_eq!(
            messages("crates/zones/tests/one.rs"),
            ["is a test binary of its own; move it to `crates/zones/tests/it/`"]
        );
    }

    #[test]
    fn fails_for_undeclared_modules() {
        for (path, name) in [
            ("crates/zones/tests/it/one.rs", "one"),
            ("crates/zones/tests/it/support2/mod.rs", "support2"),
            ("crates/draw/tests/it/zones.rs", "zones"),
        ] {
            let found = messages(path);
            assert_eq!(found.len(), 1, "{path}: {found:?}");
            assert!(found[0].starts_with(&format!("is never compiled; add `mod {name};`")), "{found:?}");
        }
    }
}
