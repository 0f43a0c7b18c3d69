//! The files of a workspace, as data.
//!
//! A tree holds what belongs to the project: in a git checkout the files that git tracks or would track, elsewhere
//! everything outside `target`. Paths are relative to the root, use `/`, and are sorted, so that every task reports
//! in the same order on every machine.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Paths and contents of all files of the project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    files: BTreeMap<String, Vec<u8>>,
}

impl Tree {
    /// Reads the project in `root`.
    pub fn of_folder(root: &Path) -> Result<Self, String> {
        // Only the root's own `.git` counts: a plain copy inside the `target` of a checkout is ignored by the outer
        // repository, and would look empty to it.
        let listed = if root.join(".git").exists() { list_with_git(root) } else { None };
        let paths = match listed {
            Some(paths) => paths,
            None => list_by_walking(root)?,
        };
        let mut tree = Self::default();
        for path in paths {
            let file = root.join(&path);
            // Git also lists files that were deleted and not yet committed, and links to folders.
            if file.is_file() {
                let contents =
                    fs::read(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
                tree.files.insert(path, contents);
            }
        }
        Ok(tree)
    }

    /// Returns a tree made of the given paths and texts, for tests.
    pub fn of_texts<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let files = files.into_iter().map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
        Self { files: files.collect() }
    }

    /// Adds a file, or replaces its contents.
    pub fn insert(&mut self, path: &str, contents: impl Into<Vec<u8>>) {
        self.files.insert(path.to_owned(), contents.into());
    }

    /// Returns all files, sorted by path.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(path, contents)| (path.as_str(), contents.as_slice()))
    }

    /// Returns all files that are text, sorted by path. Text is UTF-8 without zero bytes.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter_map(|(path, contents)| Some((path, as_text(contents)?)))
    }

    /// Returns all text files whose names end in `.extension`.
    pub fn texts_with_extension(&self, extension: &str) -> impl Iterator<Item = (&str, &str)> {
        self.texts().filter(move |(path, _)| {
            path.strip_suffix(extension).is_some_and(|name| name.ends_with('.') && !name.ends_with("/."))
        })
    }

    /// Returns the text of the file at `path`, if there is one and it is text.
    pub fn text(&self, path: &str) -> Option<&str> {
        as_text(self.files.get(path)?)
    }

    /// Returns whether there is a file at `path`.
    pub fn contains_file(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Returns whether some file lies in the folder `path`; the root is the empty path.
    pub fn contains_folder(&self, path: &str) -> bool {
        let prefix = format!("{path}/");
        path.is_empty() || self.files.keys().any(|file| file.starts_with(&prefix))
    }

    /// Returns the folders of all crates: `crates/<name>` in the order of their names, then `xtask`.
    pub fn crate_folders(&self) -> Vec<&str> {
        let manifests = self.files.keys().filter_map(|path| path.strip_suffix("/Cargo.toml"));
        manifests
            .filter(|folder| {
                folder.strip_prefix("crates/").is_some_and(|name| !name.contains('/')) || *folder == "xtask"
            })
            .collect()
    }
}

/// Returns the name by which the project speaks of the crate in a folder: the name of the folder itself.
pub fn crate_name(folder: &str) -> &str {
    folder.rsplit('/').next().unwrap_or(folder)
}

/// Test data is reproduced byte for byte, so that the rules about the look of a text do not apply to it.
pub fn is_test_data(path: &str) -> bool {
    path.starts_with("tests/cases/")
        || path
            .strip_prefix("crates/")
            .and_then(|rest| rest.split_once('/'))
            .is_some_and(|(_, rest)| rest.starts_with("tests/data/"))
}

fn as_text(contents: &[u8]) -> Option<&str> {
    std::str::from_utf8(contents).ok().filter(|text| !text.contains('\0'))
}

/// `None` where git is missing or refuses, for example because the checkout belongs to another user.
fn list_with_git(root: &Path) -> Option<Vec<String>> {
    let listing = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        // A git hook sets these to the repository that it runs for.
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .output()
        .ok()
        .filter(|listing| listing.status.success())?;
    let paths = listing.stdout.split(|&byte| byte == 0).filter(|path| !path.is_empty());
    Some(paths.map(|path| String::from_utf8_lossy(path).into_owned()).collect())
}

fn list_by_walking(root: &Path) -> Result<Vec<String>, String> {
    let mut paths = Vec::new();
    let mut pending = vec![String::new()];
    while let Some(folder) = pending.pop() {
        let place = root.join(&folder);
        let complain = |error| format!("cannot list {}: {error}", place.display());
        for entry in fs::read_dir(&place).map_err(complain)? {
            let entry = entry.map_err(complain)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            let kind = entry.file_type().map_err(complain)?;
            if !kind.is_dir() {
                paths.push(path);
            } else if name != "target" && name != ".git" {
                pending.push(path);
            }
        }
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_are_found_one_level_deep_only() {
        let tree = Tree::of_texts([
            ("Cargo.toml", ""),
            ("crates/zones/Cargo.toml", ""),
            ("crates/zones/tests/data/nested/Cargo.toml", ""),
            ("fuzz/Cargo.toml", ""),
            ("xtask/Cargo.toml", ""),
        ]);
        assert_eq!(tree.crate_folders(), ["crates/zones", "xtask"]);
    }

    #[test]
    fn extension_follows_last_dot_of_name() {
        let tree =
            Tree::of_texts([("a.rs", ""), ("b/c.rs", ""), ("brs", ""), ("d/.rs", ""), ("e.rs.txt", "")]);
        let paths: Vec<&str> = tree.texts_with_extension("rs").map(|(path, _)| path).collect();
        assert_eq!(paths, ["a.rs", "b/c.rs"]);
    }

    #[test]
    fn files_that_are_not_utf8_are_no_texts() {
        let mut tree = Tree::default();
        tree.insert("picture.png", [0xff, 0xfe]);
        tree.insert("zero", [b'a', 0]);
        assert!(tree.contains_file("picture.png"));
        assert_eq!(tree.texts().count(), 0);
    }

    #[test]
    fn test_data_is_known_by_its_folder() {
        assert!(is_test_data("tests/cases/zones/one.md"));
        assert!(is_test_data("crates/zones/tests/data/one.txt"));
        assert!(!is_test_data("crates/zones/tests/one.rs"));
        assert!(!is_test_data("docs/tests/cases/one.md"));
    }
}
