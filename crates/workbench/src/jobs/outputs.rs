//! Output files of a job, which the caller writes.
//!
//! Invariant: a job does not write files, so that a server can send them to its client instead.

use tempora_frontends::{FolderFile, inside};
use tempora_source::Diagnostic;

use crate::codes::UNWRITABLE_FILE;
use crate::session::Session;

/// A file or folder to be written, or an error.
#[derive(Clone, Debug)]
pub struct Output {
    /// The content.
    pub content: OutputContent,
    /// A line for the user after it is written; may be empty.
    pub note: String,
}

/// The content of an output.
#[derive(Clone, Debug)]
pub enum OutputContent {
    /// A file with this path; `-` is standard output.
    File {
        /// Its path.
        path: String,
        /// Its bytes.
        bytes: Vec<u8>,
    },
    /// The end of a file, which is created if it does not exist; `-` is standard output.
    FileEnd {
        /// Its path.
        path: String,
        /// The bytes to add.
        bytes: Vec<u8>,
    },
    /// The files of a folder that must be new or empty.
    NewFolder {
        /// Its path.
        path: String,
        /// Its files, with relative paths.
        files: Vec<FolderFile>,
    },
    /// New files in an existing folder.
    FolderParts {
        /// The path of the folder.
        path: String,
        /// The files, with relative paths.
        files: Vec<FolderFile>,
    },
    /// No file; the note gives the reason.
    Nothing,
    /// An error.
    Fault(Box<Diagnostic>),
}

impl Output {
    /// Returns a file, with a line for the user.
    pub fn file(path: impl Into<String>, bytes: impl Into<Vec<u8>>, note: impl Into<String>) -> Output {
        let content = OutputContent::File { path: path.into(), bytes: bytes.into() };
        Output { content, note: note.into() }
    }

    /// Returns a line for the user instead of a file.
    pub(super) fn nothing(note: impl Into<String>) -> Output {
        Output { content: OutputContent::Nothing, note: note.into() }
    }

    /// Returns an error instead of a file.
    pub(super) fn fault(diagnostic: Diagnostic) -> Output {
        Output { content: OutputContent::Fault(Box::new(diagnostic)), note: String::new() }
    }
}

impl Session<'_> {
    /// Writes an output to the workspace, or returns its bytes if the path is standard output.
    pub fn save(self, output: &Output) -> Result<Option<&[u8]>, Diagnostic> {
        match &output.content {
            OutputContent::Nothing => Ok(None),
            OutputContent::Fault(diagnostic) => Err((**diagnostic).clone()),
            OutputContent::File { path, bytes } | OutputContent::FileEnd { path, bytes } if path == "-" => {
                Ok(Some(bytes))
            }
            OutputContent::File { path, bytes } => {
                self.write(path, bytes, "`-` writes to standard output").map(|()| None)
            }
            OutputContent::FileEnd { path, bytes } => {
                self.append(path, bytes, "`-` writes to standard output").map(|()| None)
            }
            OutputContent::NewFolder { path, files } => self.save_folder(path, files).map(|()| None),
            OutputContent::FolderParts { path, files } => self.save_parts(path, files).map(|()| None),
        }
    }

    fn save_folder(self, path: &str, files: &[FolderFile]) -> Result<(), Diagnostic> {
        let unwritable =
            |message: String, hint: &str| Err(Diagnostic::error(&UNWRITABLE_FILE, message).with_hint(hint));
        if path == "-" {
            let message = "a project has several files and cannot be written to standard output".to_owned();
            return unwritable(message, "use a folder");
        }
        let is_there = self.workspace().is_folder(path);
        if is_there && self.workspace().list(path).map_or(true, |names| !names.is_empty()) {
            let message = format!("folder `{path}` is not empty");
            return unwritable(message, "use a new or empty folder");
        }
        self.save_files(path, files)
    }

    fn save_parts(self, path: &str, files: &[FolderFile]) -> Result<(), Diagnostic> {
        let known = files.iter().map(|file| inside(path, &file.path));
        if let Some(known) = known.into_iter().find(|file| self.workspace().is_file(file)) {
            let message = format!("file `{known}` already exists");
            let hint = "use another name after `save-as`, or remove the file";
            return Err(Diagnostic::error(&UNWRITABLE_FILE, message).with_hint(hint));
        }
        self.save_files(path, files)
    }

    fn save_files(self, folder: &str, files: &[FolderFile]) -> Result<(), Diagnostic> {
        for file in files {
            let full = inside(folder, &file.path);
            let parent = full.rfind('/').map_or("", |end| &full[..end]);
            let created = if parent.is_empty() { Ok(()) } else { self.workspace().create_folder(parent) };
            created.map_err(|error| {
                let message = format!("`{full}` cannot be written: {error}");
                Diagnostic::error(&UNWRITABLE_FILE, message).with_hint("use a writable folder")
            })?;
            self.write(&full, &file.bytes, "use a writable folder")?;
        }
        Ok(())
    }
}
