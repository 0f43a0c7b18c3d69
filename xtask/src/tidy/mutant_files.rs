//! Every mutant can be read and still fits the source that it changes.
//!
//! Running the mutants takes minutes; this rule finds a stale one at once.

use super::Finding;
use crate::mutants::Mutant;
use crate::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, result) in Mutant::all_in(tree) {
        let complaint = result.and_then(|mutant| {
            let source =
                tree.text(&mutant.file).ok_or_else(|| format!("`{}` does not exist", mutant.file))?;
            mutant.apply(source)
        });
        if let Err(message) = complaint {
            findings.push(Finding::new(path, 1, message));
        }
    }
    findings
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
