//! The copy of the workspace that mutants are applied to.
//!
//! After [`WorkspaceCopy::hold`] and [`WorkspaceCopy::reset`] the copy has exactly the files of a tree with exactly
//! their contents. Equal files are not written, so that Cargo rebuilds only the changes.

use std::fs;
use std::path::{Path, PathBuf};

use crate::tree::Tree;

/// A folder, and the files that belong into it.
#[derive(Debug)]
pub struct WorkspaceCopy {
    folder: PathBuf,
    files: Tree,
}

impl WorkspaceCopy {
    /// Makes the folder hold the files of a tree, whatever was in it before.
    pub fn create(folder: &Path, files: Tree) -> Result<Self, String> {
        fs::create_dir_all(folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
        let copy = Self { folder: folder.to_owned(), files };
        copy.reset()?;
        Ok(copy)
    }

    /// Where the copy is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes the copy hold the files of another tree.
    pub fn hold(&mut self, files: Tree) -> Result<(), String> {
        self.files = files;
        self.reset()
    }

    /// Undoes everything that mutants and their tests did: also the failing cases that a property test writes down.
    pub fn reset(&self) -> Result<(), String> {
        let current = Tree::of_folder(&self.folder)?;
        for (path, _) in current.files() {
            if !self.files.contains_file(path) {
                let file = self.folder.join(path);
                fs::remove_file(&file)
                    .map_err(|error| format!("cannot remove {}: {error}", file.display()))?;
            }
        }
        let mut present = current.files().peekable();
        for (path, contents) in self.files.files() {
            while present.next_if(|(present_path, _)| *present_path < path).is_some() {}
            let is_same = present.peek().is_some_and(|&(present_path, present_contents)| {
                present_path == path && present_contents == contents
            });
            if !is_same {
                self.write(path, contents)?;
            }
        }
        Ok(())
    }

    /// Replaces the contents of a file until the next reset.
    pub fn write(&self, path: &str, contents: &[u8]) -> Result<(), String> {
        let file = self.folder.join(path);
        let written = match file.parent() {
            Some(parent) => fs::create_dir_all(parent).and_then(|()| fs::write(&file, contents)),
            None => fs::write(&file, contents),
        };
        written.map_err(|error| format!("cannot write {}: {error}", file.display()))
    }
}
