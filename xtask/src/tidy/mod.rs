//! The rules of the project that the compiler and Clippy do not know.
//!
//! A rule is one file here and one line in [`RULES`]. It is a function from the files of the workspace to findings
//! without side effects, so that its tests need only a few lines of text.

mod crate_manifests;
mod crate_map;
mod decision_notes;
mod dependency_edges;
mod leaks;
mod links;
mod module_headers;
mod mutant_files;
mod plain_words;
mod test_modules;
mod unsafe_uses;
mod white_space;

use std::fmt;

pub use plain_words::counts as count_phrases;

use crate::tree::Tree;

/// A rule of the workspace.
pub struct Rule {
    /// The name that is printed with each violation.
    pub name: &'static str,
    /// Finds everything in the tree that breaks the rule.
    pub check: fn(&Tree) -> Vec<Finding>,
}

/// All rules, in the order in which their violations are printed.
pub const RULES: &[Rule] = &[
    Rule { name: "crate-map", check: crate_map::check },
    Rule { name: "crate-manifests", check: crate_manifests::check },
    Rule { name: "dependency-edges", check: dependency_edges::check },
    Rule { name: "module-headers", check: module_headers::check },
    Rule { name: "leaks", check: leaks::check },
    Rule { name: "white-space", check: white_space::check },
    Rule { name: "decision-notes", check: decision_notes::check },
    Rule { name: "unsafe-code", check: unsafe_uses::check },
    Rule { name: "links", check: links::check },
    Rule { name: "mutant-files", check: mutant_files::check },
    Rule { name: "test-modules", check: test_modules::check },
    Rule { name: "plain-words", check: plain_words::check },
];

/// A place that breaks a rule, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The file, relative to the root.
    pub file: String,
    /// The line, counted from one.
    pub line: usize,
    /// The fault and the fix.
    pub message: String,
}

impl Finding {
    /// Returns a finding at a line of a file.
    pub fn new(file: &str, line: usize, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, message: message.into() }
    }
}

/// A finding together with the rule that it breaks; prints as `file:line: rule: message`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The name of the rule.
    pub rule: &'static str,
    /// The place and the reason.
    pub finding: Finding,
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { file, line, message } = &self.finding;
        write!(formatter, "{file}:{line}: {}: {message}", self.rule)
    }
}

/// Runs all rules.
pub fn check(tree: &Tree) -> Vec<Violation> {
    let violations_of = |rule: &Rule| {
        let name = rule.name;
        (rule.check)(tree).into_iter().map(move |finding| Violation { rule: name, finding })
    };
    RULES.iter().flat_map(violations_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn violation_prints_as_place_and_message() {
        let finding = Finding::new("docs/a.md", 3, "is wrong");
        assert_eq!(Violation { rule: "links", finding }.to_string(), "docs/a.md:3: links: is wrong");
    }

    #[test]
    fn every_rule_of_the_registry_is_run() {
        let tree = Tree::of_texts([("a.rs", "fn a() {}  \n"), ("b.md", "[c](d.md)\n")]);
        let violations = check(&tree);
        for rule in ["module-headers", "white-space", "links"] {
            assert!(violations.iter().any(|violation| violation.rule == rule), "{rule}: {violations:?}");
        }
    }
}
