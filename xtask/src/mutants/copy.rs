//! The copy of the workspace that mutants are applied to.
//!
//! After [`WorkspaceCopy::reset`] the copy has exactly the files of the checkout with exactly their contents. Files
//! that did not differ are not written, so that Cargo rebuilds only what a mutant touches.

use std::fs;
use std::path::{Path, PathBuf};

use super::Mutant;
use crate::tree::Tree;

/// A folder, and the files that belong into it.
#[derive(Debug)]
pub struct WorkspaceCopy {
    folder: PathBuf,
    original: Tree,
}

impl WorkspaceCopy {
    /// Makes the folder hold the files of `original`, whatever was in it before.
    pub fn create(folder: &Path, original: Tree) -> Result<Self, String> {
        fs::create_dir_all(folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
        let copy = Self { folder: folder.to_owned(), original };
        copy.reset()?;
        Ok(copy)
    }

    /// Where the copy is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Undoes everything that mutants and their tests did: also the failing cases that a property test writes down.
    pub fn reset(&self) -> Result<(), String> {
        let current = Tree::of_folder(&self.folder)?;
        for (path, _) in current.files() {
            if !self.original.contains_file(path) {
                let file = self.folder.join(path);
                fs::remove_file(&file)
                    .map_err(|error| format!("cannot remove {}: {error}", file.display()))?;
            }
        }
        let mut present = current.files().peekable();
        for (path, contents) in self.original.files() {
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

    /// Puts the bug into the copy.
    pub fn apply(&self, mutant: &Mutant) -> Result<(), String> {
        self.write(&mutant.file, self.mutated_source(mutant)?.as_bytes())
    }

    /// The source that a mutant changes, with the bug in it, or why it does not fit.
    pub fn mutated_source(&self, mutant: &Mutant) -> Result<String, String> {
        let complain = |message| format!("mutant {}: {message}", mutant.name);
        let source = self
            .original
            .text(&mutant.file)
            .ok_or_else(|| complain(format!("`{}` does not exist", mutant.file)))?;
        mutant.apply(source).map_err(complain)
    }

    fn write(&self, path: &str, contents: &[u8]) -> Result<(), String> {
        let file = self.folder.join(path);
        let written = match file.parent() {
            Some(parent) => fs::create_dir_all(parent).and_then(|()| fs::write(&file, contents)),
            None => fs::write(&file, contents),
        };
        written.map_err(|error| format!("cannot write {}: {error}", file.display()))
    }
}
