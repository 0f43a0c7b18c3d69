//! The outside of the program: the files that it reads and writes.
//!
//! Invariant: front ends read files only through it, so that an editor or a server can substitute its own texts.

use std::io;

/// Files, wherever they are: on the disk, in the buffers of an editor, in memory.
///
/// Paths are texts with `/`, relative to the current folder unless they are absolute.
pub trait Workspace: Send + Sync {
    /// Reads a file; `-` is standard input, where there is one.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// Whether there is a file with this path.
    fn is_file(&self, path: &str) -> bool;

    /// Whether there is a folder with this path.
    fn is_folder(&self, path: &str) -> bool;

    /// The names in a folder, sorted.
    fn list(&self, folder: &str) -> io::Result<Vec<String>>;

    /// The path of a file that another one imports, relative to it; an import from outside of the root is an error.
    fn resolve(&self, file: &str, import: &str) -> io::Result<String>;

    /// Writes a file, as a whole or not at all.
    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()>;

    /// Creates a folder, with those around it.
    fn create_folder(&self, path: &str) -> io::Result<()>;
}

/// The path of something in a folder.
pub fn inside(folder: &str, path: &str) -> String {
    std::path::Path::new(folder).join(path).to_string_lossy().into_owned()
}
