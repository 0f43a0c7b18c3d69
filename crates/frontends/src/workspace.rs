//! Access to the files that the program reads and writes.
//!
//! Invariant: front ends read files only through a workspace, so that an editor or a server can substitute its own
//! texts.

use std::io;

/// A file system: the disk, the buffers of an editor, or memory.
///
/// Paths use `/`, and are relative to the current folder unless they are absolute.
pub trait Workspace: Send + Sync {
    /// Reads a file; `-` is standard input, if supported.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// Returns whether a file with this path exists.
    fn is_file(&self, path: &str) -> bool;

    /// Returns whether a folder with this path exists.
    fn is_folder(&self, path: &str) -> bool;

    /// Returns the names in a folder, sorted.
    fn list(&self, folder: &str) -> io::Result<Vec<String>>;

    /// Returns the path of an import that is relative to a file; an import from outside the root is an error.
    fn resolve(&self, file: &str, import: &str) -> io::Result<String>;

    /// Writes a file atomically.
    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()>;

    /// Adds bytes to the end of a file, which is created if necessary, atomically.
    fn append(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let mut whole = if self.is_file(path) { self.read(path)? } else { Vec::new() };
        whole.extend_from_slice(bytes);
        self.write(path, &whole)
    }

    /// Returns a text that is equal for two paths exactly if they lead to the same file, also by links; `None` if there
    /// is no such file. Devices and pipes have none.
    fn identity(&self, path: &str) -> Option<String> {
        self.is_file(path).then(|| path.to_owned())
    }

    /// Returns an error if a write of this file would be refused, as far as this is known before.
    fn check_output(&self, path: &str) -> io::Result<()> {
        let _ = path;
        Ok(())
    }

    /// Creates a folder and its parents.
    fn create_folder(&self, path: &str) -> io::Result<()>;
}

/// Returns the path of an entry of a folder.
pub fn inside(folder: &str, path: &str) -> String {
    std::path::Path::new(folder).join(path).to_string_lossy().into_owned()
}
