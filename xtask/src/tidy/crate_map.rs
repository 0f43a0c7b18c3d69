//! Every crate is described in the table of `ARCHITECTURE.md`, and the table describes only crates that exist.
//!
//! Maps of other projects list crates that are gone. Crates that are only planned have a section of their own, and
//! leave it when they are created.

use super::Finding;
use crate::markdown;
use crate::tree::{Tree, crate_name};

pub(super) const MAP: &str = "ARCHITECTURE.md";
const EXISTING: &str = "Crates";
const PLANNED: &str = "Planned crates";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let Some(text) = tree.text(MAP) else {
        return vec![Finding::new(MAP, 1, "is missing; it holds the table of crates")];
    };
    let Some(rows) = markdown::table_rows_under(text, EXISTING) else {
        return vec![Finding::new(MAP, 1, format!("has no section `{EXISTING}` with the table of crates"))];
    };
    let mut findings = Vec::new();
    let existing: Vec<&str> = tree.crate_folders().into_iter().map(crate_name).collect();
    let described: Vec<(usize, &str)> = rows.iter().map(|row| (row.line, name_in(&row.cells))).collect();

    for name in &existing {
        if !described.iter().any(|(_, described)| described == name) {
            findings.push(Finding::new(MAP, 1, format!("the table of crates does not describe `{name}`")));
        }
    }
    for (index, (line, name)) in described.iter().enumerate() {
        if !existing.contains(name) {
            let message = format!("`{name}` does not exist; move it to `{PLANNED}` or delete the line");
            findings.push(Finding::new(MAP, *line, message));
        }
        if described[..index].iter().any(|(_, earlier)| earlier == name) {
            findings.push(Finding::new(MAP, *line, format!("`{name}` is described twice")));
        }
    }
    for row in markdown::table_rows_under(text, PLANNED).unwrap_or_default() {
        let name = name_in(&row.cells);
        if existing.contains(&name) {
            findings.push(Finding::new(MAP, row.line, format!("`{name}` exists; move it to `{EXISTING}`")));
        }
    }
    findings
}

fn name_in(cells: &[String]) -> &str {
    cells.first().map_or("", |cell| cell.trim_matches('`'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(map: &str) -> Vec<String> {
        let tree = Tree::of_texts([
            (MAP, map),
            ("crates/source/Cargo.toml", ""),
            ("crates/zones/Cargo.toml", ""),
            ("xtask/Cargo.toml", ""),
        ]);
        check(&tree).into_iter().map(|finding| format!("{}: {}", finding.line, finding.message)).collect()
    }

    const GOOD: &str = "## Crates\n| crate |\n|---|\n| `source` |\n| `zones` |\n| `xtask` |\n\
                        ## Planned crates\n| crate |\n|---|\n| `model` |\n";

    #[test]
    fn passes_when_the_table_and_the_folders_agree() {
        assert_eq!(messages(GOOD), Vec::<String>::new());
    }

    #[test]
    fn fails_for_a_crate_that_is_not_described() {
        assert_eq!(
            messages(&GOOD.replace("| `zones` |\n", "")),
            ["1: the table of crates does not describe `zones`"]
        );
    }

    #[test]
    fn fails_for_a_described_crate_that_does_not_exist() {
        assert_eq!(
            messages(&GOOD.replace("| `xtask` |\n", "| `xtask` |\n| `smt` |\n")),
            ["7: `smt` does not exist; move it to `Planned crates` or delete the line"]
        );
    }

    #[test]
    fn fails_for_a_crate_that_is_described_twice() {
        assert_eq!(
            messages(&GOOD.replace("| `zones` |\n", "| `zones` |\n| `zones` |\n")),
            ["6: `zones` is described twice"]
        );
    }

    #[test]
    fn fails_for_a_planned_crate_that_exists() {
        assert_eq!(messages(&GOOD.replace("model", "zones")), ["10: `zones` exists; move it to `Crates`"]);
    }

    #[test]
    fn fails_without_the_map_or_its_section() {
        assert_eq!(check(&Tree::default()).len(), 1);
        assert_eq!(messages("# Nothing\n"), ["1: has no section `Crates` with the table of crates"]);
    }
}
