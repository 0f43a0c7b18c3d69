//! The workspace keeps its own rules, and the command says so when it does not.

use xtask::tidy;
use xtask::tree::Tree;
use xtask::workspace_folder;

#[test]
fn the_workspace_is_tidy() {
    let tree = Tree::of_folder(&workspace_folder()).unwrap();
    // Guards against a listing that is empty by mistake, on which every rule would pass.
    assert!(tree.contains_file("xtask/tests/it/tidy.rs"), "the listing of files is wrong");
    let violations: Vec<String> = tidy::check(&tree).iter().map(ToString::to_string).collect();
    assert!(violations.is_empty(), "\n{}\n", violations.join("\n"));
}

#[test]
fn real_workspace_with_one_fault_fails() {
    let tree = Tree::of_folder(&workspace_folder()).unwrap();
    for (rule, path, contents) in [
        ("crate-map", "crates/unmapped/Cargo.toml", "[package]\nname = \"unmapped\"\n"),
        ("crate-manifests", "crates/unmapped/Cargo.toml", "[package]\nname = \"unmapped\"\n"),
        (
            "dependency-edges",
            "crates/zones/Cargo.toml",
            "[dependencies]\ntempora-source = { path = \"../source\" }\n",
        ),
        ("module-headers", "crates/zones/src/extra.rs", "fn extra() {}\n"),
        ("leaks", "docs/extra.md", concat!("See /ho", "me/ada.\n")),
        ("white-space", "docs/extra.md", "one \n"),
        ("decision-notes", "docs/decisions/999-extra.md", "# Extra\n"),
        ("unsafe-code", "crates/zones/src/extra.rs", "//! An extra file.\nunsafe fn extra() {}\n"),
        ("links", "docs/extra.md", "[nothing](nothing.md)\n"),
        ("mutant-files", "crates/zones/mutants/extra.md", "# Extra\n"),
    ] {
        let mut broken = tree.clone();
        broken.insert(path, contents);
        let rules: Vec<&str> = tidy::check(&broken).iter().map(|violation| violation.rule).collect();
        assert!(rules.contains(&rule), "{rule} did not notice {path}: {rules:?}");
    }
}
