//! The test command of the README tests everything. Its examples are run by `cargo xtask readme --check`, which builds the release
//! binary, and by the tests of the command line.

use xtask::readme::Readme;
use xtask::workspace_folder;

#[test]
fn the_test_command_tests_the_whole_workspace() {
    let readme = Readme::of_workspace(&workspace_folder()).unwrap();
    // It finds or installs a solver and runs `cargo test --workspace --locked`.
    assert_eq!(readme.test_command, "cargo xtask test\n");
}
