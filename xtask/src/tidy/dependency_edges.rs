//! Crates depend on each other only as the block in `ARCHITECTURE.md` allows.
//!
//! The block is fenced as `dependencies` and has one line a crate: `name -> may use | its tests may also use`.
//! A line may name only crates of lines above it. So the documented graph has no cycle, and neither has the real
//! one, which is a part of it.

use super::Finding;
use super::crate_map::MAP;
use crate::manifest::{Use, Workspace};
use crate::markdown;
use crate::tree::{Tree, crate_name};

const INFO: &str = "dependencies";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let fences = markdown::fences(tree.text(MAP).unwrap_or_default());
    let mut blocks = fences.iter().filter(|fence| fence.info == INFO);
    let (Some(block), None) = (blocks.next(), blocks.next()) else {
        return vec![Finding::new(MAP, 1, format!("must hold exactly one block fenced as `{INFO}`"))];
    };
    let mut findings = Vec::new();
    let mut allowed: Vec<Allowance<'_>> = Vec::new();
    for (index, text) in block.content.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let line = block.line + 1 + index;
        let Some(allowance) = Allowance::parse(text) else {
            findings.push(Finding::new(MAP, line, "must read `name -> may use | its tests may also use`"));
            continue;
        };
        for name in allowance.product.iter().chain(&allowance.tests) {
            if !allowed.iter().any(|above| above.name == *name) {
                let message =
                    format!("`{name}` has no line above this one; the order of lines keeps cycles out");
                findings.push(Finding::new(MAP, line, message));
            }
        }
        if allowed.iter().any(|above| above.name == allowance.name) {
            findings.push(Finding::new(MAP, line, format!("`{}` has two lines", allowance.name)));
        }
        allowed.push(allowance);
    }

    let workspace = Workspace::of_tree(tree);
    for folder in workspace.crates.keys() {
        let manifest = format!("{folder}/Cargo.toml");
        let name = crate_name(folder);
        let Some(allowance) = allowed.iter().find(|allowance| allowance.name == name) else {
            findings.push(Finding::new(MAP, block.line, format!("the block has no line for `{name}`")));
            continue;
        };
        for edge in workspace.edges(folder) {
            let to = edge.to.as_str();
            let (is_allowed, who) = match edge.usage {
                Use::Product => (allowance.product.contains(&to), "must not use"),
                Use::Tests => (
                    allowance.product.contains(&to) || allowance.tests.contains(&to),
                    "must not use, even in tests,",
                ),
            };
            if !is_allowed {
                let line = line_of(tree.text(&manifest).unwrap_or_default(), &edge.key);
                let message = format!("`{name}` {who} `{to}`: {MAP} does not allow this edge");
                findings.push(Finding::new(&manifest, line, message));
            }
        }
    }
    for allowance in &allowed {
        if !workspace.crates.keys().any(|folder| crate_name(folder) == allowance.name) {
            let message = format!("the block has a line for `{}`, which does not exist", allowance.name);
            findings.push(Finding::new(MAP, block.line, message));
        }
    }
    findings
}

struct Allowance<'a> {
    name: &'a str,
    product: Vec<&'a str>,
    tests: Vec<&'a str>,
}

impl<'a> Allowance<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (name, uses) = line.split_once("->")?;
        let (product, tests) = uses.split_once('|').unwrap_or((uses, ""));
        let names = |text: &'a str| -> Option<Vec<&'a str>> {
            let names: Vec<&str> = text.split(',').map(str::trim).collect();
            match names.as_slice() {
                [""] => Some(Vec::new()),
                _ => names.iter().all(|name| is_name(name)).then_some(names),
            }
        };
        let name = Some(name.trim()).filter(|name| is_name(name))?;
        Some(Self { name, product: names(product)?, tests: names(tests)? })
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|next| next.is_ascii_alphanumeric() || matches!(next, '-' | '_'))
}

/// Where a manifest names a dependency: the first line that begins with its key, or the first line of all.
fn line_of(manifest: &str, key: &str) -> usize {
    let begins = |line: &str| {
        let rest = line.trim_start().trim_start_matches('"').strip_prefix(key);
        rest.is_some_and(|rest| rest.starts_with([' ', '.', '=', '"']))
    };
    manifest.lines().position(begins).map_or(1, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: &str = "source ->\nzones  ->\nmodel  -> source | zones\n";

    fn messages(block: &str, model_dependencies: &str) -> Vec<String> {
        let map = format!("# Map\n```dependencies\n{block}```\n");
        let model = format!("[package]\nname = \"tempora-model\"\n{model_dependencies}");
        let tree = Tree::of_texts([
            (MAP, map.as_str()),
            ("Cargo.toml", "[workspace]\n"),
            ("crates/source/Cargo.toml", "[package]\nname = \"tempora-source\"\n"),
            ("crates/zones/Cargo.toml", "[package]\nname = \"tempora-zones\"\n"),
            ("crates/model/Cargo.toml", &model),
        ]);
        let place = |finding: Finding| format!("{}:{}: {}", finding.file, finding.line, finding.message);
        check(&tree).into_iter().map(place).collect()
    }

    #[test]
    fn passes_for_allowed_edges() {
        let dependencies = "[dependencies]\ntempora-source = \"1\"\nserde = \"1\"\n[dev-dependencies]\ntempora-zones = \"1\"\ntempora-source = \"1\"\n";
        assert_eq!(messages(BLOCK, dependencies), Vec::<String>::new());
        assert_eq!(messages(BLOCK, ""), Vec::<String>::new());
    }

    #[test]
    fn fails_when_the_product_uses_test_dependencies() {
        let expected = [
            "crates/model/Cargo.toml:4: `model` must not use `zones`: ARCHITECTURE.md does not allow this edge",
        ];
        assert_eq!(messages(BLOCK, "[dependencies]\ntempora-zones = \"1\"\n"), expected);
        assert_eq!(
            messages(BLOCK, "[build-dependencies]\ntempora-zones = { path = \"../zones\" }\n"),
            expected
        );
    }

    #[test]
    fn fails_when_tests_use_forbidden_crates() {
        let block = "source ->\nzones  ->\nmodel  -> source\n";
        assert_eq!(
            messages(block, "[dev-dependencies]\ntempora-zones = \"1\"\n"),
            [
                "crates/model/Cargo.toml:4: `model` must not use, even in tests, `zones`: ARCHITECTURE.md does not allow this edge"
            ]
        );
    }

    #[test]
    fn fails_for_a_cycle_in_the_block() {
        let block = "source -> model\nzones ->\nmodel -> source\n";
        assert_eq!(
            messages(block, ""),
            ["ARCHITECTURE.md:3: `model` has no line above this one; the order of lines keeps cycles out"]
        );
        assert_eq!(messages("source ->\nzones -> | zones\nmodel ->\n", "").len(), 1);
    }

    #[test]
    fn fails_for_missing_repeated_or_malformed_lines() {
        assert_eq!(
            messages("source ->\nmodel ->\n", ""),
            ["ARCHITECTURE.md:2: the block has no line for `zones`"]
        );
        assert_eq!(messages(&format!("{BLOCK}smt ->\n"), "").len(), 1);
        assert_eq!(messages(&format!("{BLOCK}zones ->\n"), ""), ["ARCHITECTURE.md:6: `zones` has two lines"]);
        assert_eq!(messages(&format!("{BLOCK}what is this\n"), "").len(), 1);
        assert_eq!(messages(&format!("{BLOCK}smt -> a b\n"), "").len(), 1);
    }

    #[test]
    fn fails_without_the_block() {
        assert_eq!(check(&Tree::of_texts([(MAP, "# Map\n")])).len(), 1);
    }
}
