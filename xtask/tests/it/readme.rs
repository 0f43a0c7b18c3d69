//! The test command of the README tests everything. Its examples are run by `cargo xtask readme --check`, which builds the release
//! binary, and by the tests of the command line.

use xtask::readme::Readme;
use xtask::workspace_folder;

#[test]
fn the_test_command_tests_the_whole_workspace() {
    let readme = Readme::of_workspace(&workspace_folder()).unwrap();
    let commands: Vec<&str> = readme.test_command.lines().collect();
    // No test may be left out because there is no solver.
    assert_eq!(commands[..1], ["cargo xtask setup"]);
    let words: Vec<&str> = commands[1].split_whitespace().collect();
    assert_eq!((commands.len(), &words[..2]), (2, ["cargo", "test"].as_slice()));
    // `.ci/run` must not test with other dependencies than the ones in the lock file.
    assert!(words.contains(&"--workspace") && words.contains(&"--locked"), "{words:?}");
}
