//! A tree is what git would track where there is git, and everything outside `target` elsewhere.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::tree::Tree;

#[test]
fn tree_without_git_has_all_outside_target() {
    let root = folder_with_files("walk", &["a.md", "b/c.rs", "target/d.rs", "b/target/e.rs"]);
    assert_eq!(paths(&root), ["a.md", "b/c.rs"]);
}

#[test]
fn tree_with_git_leaves_out_ignored_files() {
    let root = folder_with_files("git", &["tracked.md", "deleted.md", "new.md", "ignored.md"]);
    fs::write(root.join(".gitignore"), "/ignored.md\n").unwrap();
    git(&root, &["init", "--quiet"]);
    git(&root, &["add", "tracked.md", "deleted.md"]);
    fs::remove_file(root.join("deleted.md")).unwrap();
    assert_eq!(paths(&root), [".gitignore", "new.md", "tracked.md"]);
}

fn paths(root: &Path) -> Vec<String> {
    Tree::of_folder(root).unwrap().files().map(|(path, _)| path.to_owned()).collect()
}

fn folder_with_files(name: &str, files: &[&str]) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tree").join(name);
    if root.exists() {
        fs::remove_dir_all(&root).unwrap();
    }
    for file in files {
        let file = root.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "text\n").unwrap();
    }
    root
}

fn git(root: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    // A git hook sets these; with them the test would change the repository that it is a part of.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(variable);
    }
    let status = command.arg("-C").arg(root).args(arguments).status().unwrap();
    assert!(status.success(), "git {arguments:?}");
}
