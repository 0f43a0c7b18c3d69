//! The tables that a reader fills, and its access to further files: imports, and the files of a folder.
//!
//! Invariant: a file is read once, however often it is imported. Without a workspace no file is read, and only imports
//! that were read before are available.

use tempora_source::{Diagnostic, FileId, Files, Origins, Span};

use crate::Workspace;
use crate::codes::files::UNREADABLE_FILE;

/// The tables of a model that is being read.
pub struct Reading<'reading> {
    /// The texts.
    pub files: &'reading mut Files,
    /// The origins.
    pub origins: &'reading mut Origins,
    workspace: Option<&'reading dyn Workspace>,
}

impl<'reading> Reading<'reading> {
    /// Creates tables without access to further files.
    pub fn new(files: &'reading mut Files, origins: &'reading mut Origins) -> Reading<'reading> {
        Reading { files, origins, workspace: None }
    }

    /// Adds a workspace for further files.
    #[must_use]
    pub fn in_workspace(self, workspace: &'reading dyn Workspace) -> Reading<'reading> {
        Reading { workspace: Some(workspace), ..self }
    }

    /// Imports a file by its path relative to the importing file, inside the workspace's root.
    ///
    /// Importing a file again returns the same id, so that a reader can detect cycles.
    pub fn import(&mut self, path: &str, place: Span) -> Result<FileId, Diagnostic> {
        let importing = self.files.outermost(place).file;
        if let Some(known) = self.files.imported(importing, path) {
            return Ok(known);
        }
        let fault = |why: &str| {
            Diagnostic::error(&UNREADABLE_FILE, format!("`{path}` cannot be imported: {why}"))
                .with_primary(place, "")
                .with_hint("use a path relative to the importing file, inside the folder of the model")
        };
        let Some(workspace) = self.workspace else {
            return Err(fault("the model was loaded without access to files"));
        };
        let full = workspace.resolve(self.files.name(importing), path);
        let full = full.map_err(|error| fault(&error.to_string()))?;
        let imported = match self.files.named(&full) {
            Some(known) => known,
            None => {
                let bytes = workspace.read(&full).map_err(|error| fault(&error.to_string()))?;
                self.files.add_bytes(full, &bytes)?
            }
        };
        self.files.add_import(importing, path, imported);
        Ok(imported)
    }
}
