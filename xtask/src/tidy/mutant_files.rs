//! Every mutant can be read and still fits the source that it changes.
//!
//! Running the mutants takes minutes; this rule finds a stale one at once.

use std::collections::BTreeMap;

use super::Finding;
use crate::mutants::Mutant;
use crate::prose::test_names;
use crate::rust_text::code_only;
use crate::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut tests = TestsByPackage::new();
    for (path, result) in Mutant::all_in(tree) {
        let complaint = result.and_then(|mutant| {
            let source =
                tree.text(&mutant.file).ok_or_else(|| format!("`{}` does not exist", mutant.file))?;
            mutant.apply(source)?;
            match missing_test(tree, &mutant.test_arguments, &mut tests) {
                Some(name) => Err(format!("no test of the package contains `{name}` in its path")),
                None => Ok(()),
            }
        });
        if let Err(message) = complaint {
            findings.push(Finding::new(path, 1, message));
        }
    }
    findings
}

/// The paths of the tests of each package, read when a mutant names the package.
type TestsByPackage = BTreeMap<String, Vec<String>>;

/// Returns a name in the arguments of `cargo test` that selects no test of its package: the mutant would survive.
fn missing_test<'arguments>(
    tree: &Tree,
    arguments: &'arguments [String],
    known: &mut TestsByPackage,
) -> Option<&'arguments str> {
    let package = arguments.iter().skip_while(|argument| *argument != "-p").nth(1)?;
    let folder = format!("crates/{}/", package.strip_prefix("tempora-")?);
    let tests = known.entry(folder).or_insert_with_key(|folder| tests_below(tree, folder));
    let follows_option =
        |position: usize| position > 0 && matches!(arguments[position - 1].as_str(), "-p" | "--test");
    let names = arguments
        .iter()
        .enumerate()
        .filter(|(position, argument)| !argument.starts_with('-') && !follows_option(*position));
    names.map(|(_, name)| name.as_str()).find(|name| !tests.iter().any(|test| test.contains(name)))
}

/// Returns the paths of all tests in a folder of a package, with and without an inner module `tests`.
fn tests_below(tree: &Tree, folder: &str) -> Vec<String> {
    let mut tests = Vec::new();
    for (path, text) in tree.texts_with_extension("rs") {
        let Some(module) = path.strip_prefix(folder) else { continue };
        let module = module.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::");
        let module = module.trim_start_matches("tests::it::").trim_start_matches("src::");
        for (_, name) in test_names(&code_only(text)) {
            tests.push(format!("{module}::tests::{name}"));
            tests.push(format!("{module}::{name}"));
        }
    }
    tests
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(source: &str) -> usize {
        let mutant = "# Plus becomes minus\n\nOne key apart.\n\nfile: crates/zones/src/lib.rs\ntest: -p tempora-zones\n\n\
                      ```find\na + b\n```\n\n```replace\na - b\n```\n";
        let files = [("crates/zones/mutants/minus.md", mutant), ("crates/zones/src/lib.rs", source)];
        check(&Tree::of_texts(files)).len()
    }

    #[test]
    fn fails_for_name_of_no_test() {
        let of = |filter: &str| {
            let mutant = format!(
                "# A\n\nB.\n\nfile: crates/zones/src/lib.rs\ntest: -p tempora-zones --test it {filter}\n\n```find\na + b\n```\n\n```replace\na - b\n```\n"
            );
            let tests = "#[test]\nfn sum_is_right() {}\n";
            let files = [
                ("crates/zones/mutants/minus.md", mutant.as_str()),
                ("crates/zones/src/lib.rs", "let c = a + b;\n"),
                ("crates/zones/tests/it/sums.rs", tests),
            ];
            check(&Tree::of_texts(files)).len()
        };
        assert_eq!(
            ["sums::", "sums::sum_is", "sum_is_right", "sums::gone", "gone::"].map(of),
            [0, 0, 0, 1, 1]
        );
    }

    #[test]
    fn passes_for_a_mutant_that_fits() {
        assert_eq!(findings("let c = a + b;\n"), 0);
    }

    #[test]
    fn fails_for_a_mutant_that_the_source_outgrew() {
        assert_eq!(findings("let c = b + a;\n"), 1);
        assert_eq!(findings("let c = a + b; let d = a + b;\n"), 1);
    }

    #[test]
    fn fails_for_a_mutant_of_no_file_and_for_no_mutant() {
        let files =
            [("crates/zones/mutants/odd.md", "# Odd\n"), ("crates/zones/mutants/README.md", "# Not one\n")];
        assert_eq!(check(&Tree::of_texts(files)).len(), 1);
    }
}
