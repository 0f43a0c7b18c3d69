//! The commands of the README print what the README says.

use xtask::readme::Readme;
use xtask::workspace_folder;

#[test]
fn the_examples_of_the_readme_are_true() {
    let root = workspace_folder();
    let complaints = Readme::of_workspace(&root).unwrap().check_examples(&root).unwrap();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn the_test_command_tests_the_whole_workspace() {
    let readme = Readme::of_workspace(&workspace_folder()).unwrap();
    let words: Vec<&str> = readme.test_command.split_whitespace().collect();
    assert_eq!(words[..2], ["cargo", "test"]);
    // `.ci/run` must not test with other dependencies than the ones in the lock file.
    assert!(words.contains(&"--workspace") && words.contains(&"--locked"), "{words:?}");
}
