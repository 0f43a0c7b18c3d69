//! Mutation testing on a package of a few lines that is written for the purpose: one mutant for every outcome.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use xtask::mutants::{self, Options, Outcome, WorkspaceCopy};
use xtask::tree::Tree;

const SOURCE: &str = "//! A package with one tested and one untested function.\n\
                      pub fn smaller(a: u32, b: u32) -> u32 { if a < b { a } else { b } }\n\
                      pub const TWO: u32 = 2;\n\
                      pub fn untested(a: u32) -> u32 { a + 1 }\n\
                      #[test]\n\
                      fn the_smaller_one_is_found() { assert_eq!(smaller(1, TWO), 1); }\n";

/// Writes a file for ever, so that a process that survives recreates the removed file.
const LOOP: &str =
    r#"while std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/alive"), "").is_ok() {} if a < b"#;

#[test]
fn distinguishes_all_outcomes() {
    let root = package(
        "outcomes",
        SOURCE,
        &[
            ("caught", "a < b", "a > b"),
            ("constant", "u32 = 2", "u32 = 0"),
            ("loops", "if a < b", LOOP),
            ("nonsense", "a + 1", "a + \"1\""),
            ("survives", "a + 1", "a + 2"),
        ],
    );
    // Files that an interrupted run left behind must not count.
    let stale = root.join("target/mutants/workspace/crates/fixture/tests/stale.rs");
    fs::create_dir_all(stale.parent().unwrap()).unwrap();
    fs::write(&stale, "this does not compile").unwrap();

    let options = Options { only: Vec::new(), part: None, jobs: 2, time_limit: Duration::from_secs(5) };
    let mut table = Vec::new();
    let results = mutants::run(&root, &options, &mut table).unwrap();
    let outcomes: Vec<(&str, Outcome)> =
        results.iter().map(|result| (result.name.as_str(), result.outcome)).collect();
    assert_eq!(
        outcomes,
        [
            ("fixture/caught", Outcome::Caught),
            ("fixture/constant", Outcome::Caught),
            ("fixture/loops", Outcome::CaughtByTimeLimit),
            ("fixture/nonsense", Outcome::DoesNotCompile),
            ("fixture/survives", Outcome::Survived),
        ]
    );
    let alone: Vec<&str> =
        results.iter().filter(|result| result.built_alone.is_some()).map(|result| &*result.name).collect();
    assert_eq!(alone, ["fixture/constant", "fixture/nonsense"]);
    let table = String::from_utf8(table).unwrap();
    for text in ["caught (timeout)", "does not compile", "SURVIVED", "3 of 5 caught, 2 built alone"] {
        assert!(table.contains(text), "{table}");
    }
    // The sources themselves were never touched.
    assert_eq!(fs::read_to_string(root.join("crates/fixture/src/lib.rs")).unwrap(), SOURCE);
    assert!(!stale.exists());
    // The other mutants took longer than a loop needs to write its file again.
    assert!(!root.join("target/mutants/workspace/crates/fixture/alive").exists(), "the loop still runs");
}

#[test]
fn nothing_is_concluded_from_tests_that_fail_anyway() {
    let root =
        package("failing", &SOURCE.replace("(1, TWO), 1", "(1, TWO), 2"), &[("caught", "a < b", "a > b")]);
    let error = mutants::run(&root, &Options::default(), &mut Vec::new()).unwrap_err();
    assert!(error.contains("without any mutant") && error.contains("the_smaller_one_is_found"), "{error}");
}

#[test]
fn a_mutant_that_does_not_fit_is_an_error() {
    let root = package("unfit", SOURCE, &[("unfit", "c < d", "c > d")]);
    let error = mutants::run(&root, &Options::default(), &mut Vec::new()).unwrap_err();
    assert!(error.contains("fixture/unfit") && error.contains("does not occur"), "{error}");
}

#[test]
fn a_copy_is_brought_back_to_the_letter() {
    let folder = empty_folder("copy");
    let original = Tree::of_texts([("a.rs", "one\n"), ("b/c.rs", "two\n")]);
    let copy = WorkspaceCopy::create(&folder, original.clone()).unwrap();
    assert_eq!(Tree::of_folder(&folder).unwrap(), original);

    copy.write("a.rs", b"three\n").unwrap();
    assert_eq!(fs::read_to_string(folder.join("a.rs")).unwrap(), "three\n");
    fs::remove_file(folder.join("b/c.rs")).unwrap();
    fs::write(folder.join("b/regressions.txt"), "left behind\n").unwrap();

    copy.reset().unwrap();
    assert_eq!(Tree::of_folder(&folder).unwrap(), original);
}

/// Returns a workspace with one package `fixture` and its mutants, each a name, what to find and what to put there.
fn package(name: &str, source: &str, mutants: &[(&str, &str, &str)]) -> PathBuf {
    let root = empty_folder(name);
    let write = |path: &str, text: &str| {
        let file = root.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    write("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"crates/fixture\"]\n");
    write(
        "crates/fixture/Cargo.toml",
        "[package]\nname = \"fixture\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    );
    write("crates/fixture/src/lib.rs", source);
    for (name, find, replace) in mutants {
        let text = mutant_text("crates/fixture/src/lib.rs", find, replace);
        write(&format!("crates/fixture/mutants/{name}.md"), &text);
    }
    root
}

fn mutant_text(file: &str, find: &str, replace: &str) -> String {
    format!(
        "# A bug\n\nEasy to write.\n\nfile: {file}\ntest: -p fixture --lib\n\n\
         ```find\n{find}\n```\n\n```replace\n{replace}\n```\n"
    )
}

fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}
