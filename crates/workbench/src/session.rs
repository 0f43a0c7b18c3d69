//! Sessions: open models in a workspace.
//!
//! Invariant: a session does not print, and reads and writes only files of its workspace.

use tempora_frontends::codes::files::UNREADABLE_FILE;
use tempora_frontends::{FolderReader, LANGUAGES, Language, Workspace, inside};
use tempora_source::Diagnostic;

use crate::codes::{UNKNOWN_LANGUAGE, UNWRITABLE_FILE};
use crate::loading::{LoadOptions, Loaded, Loading};

/// A workbench over the files of a workspace.
#[derive(Clone, Copy)]
pub struct Session<'workspace> {
    workspace: &'workspace dyn Workspace,
    languages: &'static [&'static Language],
}

/// Options for opening a model.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenOptions<'text> {
    /// The name of its language; detected if not given.
    pub language: Option<&'text str>,
    /// A file with queries that replace the model's own.
    pub property: Option<&'text str>,
}

impl<'workspace> Session<'workspace> {
    /// Returns a session over a workspace, with all languages.
    pub fn new(workspace: &'workspace dyn Workspace) -> Session<'workspace> {
        Session { workspace, languages: LANGUAGES }
    }

    /// Returns the session with other languages. The last one for single files is the fallback for unrecognised texts.
    #[must_use]
    pub fn with_languages(self, languages: &'static [&'static Language]) -> Session<'workspace> {
        Session { languages, ..self }
    }

    /// Returns the workspace.
    pub fn workspace(self) -> &'workspace dyn Workspace {
        self.workspace
    }

    /// Opens a model, a file or a project folder, which may have errors. Fails if a file cannot be read.
    pub fn open(self, path: &str, options: OpenOptions<'_>) -> Result<Loaded, Diagnostic> {
        let language = match options.language {
            Some(name) => Some(self.language_named(name)?),
            None => None,
        };
        let folder = self.languages.iter().copied().find_map(|language| {
            let folder = language.folder()?;
            (folder.recognises)(self.workspace, path).then_some((language, folder))
        });
        let parts = match folder {
            Some((_, folder)) => self.folder_files(folder, path)?,
            None => Vec::new(),
        };
        let bytes = match folder {
            Some(_) => Vec::new(),
            None => self.read(path, "MODEL must be a file, or `-` for standard input")?,
        };
        let asked = match options.property {
            Some(file) => Some((file.to_owned(), self.read(file, "pass a file with queries to --property")?)),
            None => None,
        };
        let beside = if asked.is_some() { None } else { self.queries_beside(path) };
        let name = if path == "-" { "standard input" } else { path };
        let options = LoadOptions {
            language,
            queries: asked.as_ref().map(|(name, bytes)| (name.as_str(), bytes.as_slice())),
            queries_beside: beside.as_ref().map(|(name, bytes)| (name.as_str(), bytes.as_slice())),
        };
        let loading = Loading::new(self.languages, Some(self.workspace));
        let mut loaded = match folder {
            Some(folder) => loading.folder(folder, name, &parts, options),
            None => loading.file(name, &bytes, options),
        };
        loaded.diagnostics.sort(&loaded.files);
        Ok(loaded)
    }

    fn language_named(self, name: &str) -> Result<&'static Language, Diagnostic> {
        self.languages.iter().copied().find(|language| language.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.languages.iter().map(|language| language.name).collect();
            Diagnostic::error(&UNKNOWN_LANGUAGE, format!("unknown language `{name}`"))
                .with_hint(format!("use one of {}", names.join(", ")))
        })
    }

    /// Reads a file, or returns an error with this hint.
    pub fn read(self, path: &str, hint: &str) -> Result<Vec<u8>, Diagnostic> {
        self.workspace.read(path).map_err(|error| {
            let message = format!("`{path}` cannot be read: {error}");
            Diagnostic::error(&UNREADABLE_FILE, message).with_hint(hint)
        })
    }

    /// Writes a file as a whole, or returns an error with this hint. An input is not overwritten.
    pub fn write(self, path: &str, bytes: &[u8], hint: &str) -> Result<(), Diagnostic> {
        self.check_output(path)?;
        self.workspace.write(path, bytes).map_err(|error| unwritable(path, &error, hint))
    }

    /// Adds to the end of a file, or returns an error with this hint. An input is not changed.
    pub fn append(self, path: &str, bytes: &[u8], hint: &str) -> Result<(), Diagnostic> {
        self.check_output(path)?;
        self.workspace.append(path, bytes).map_err(|error| unwritable(path, &error, hint))
    }

    /// Returns an error if this file must not be written, because it is an input.
    pub fn check_output(self, path: &str) -> Result<(), Diagnostic> {
        if path == "-" {
            return Ok(());
        }
        self.workspace.check_output(path).map_err(|error| unwritable(path, &error, "write to another file"))
    }

    /// Creates a folder if it does not exist, or returns an error with this hint.
    pub fn create_folder(self, path: &str, hint: &str) -> Result<(), Diagnostic> {
        self.workspace.create_folder(path).map_err(|error| {
            let message = format!("`{path}` cannot be created: {error}");
            Diagnostic::error(&UNWRITABLE_FILE, message).with_hint(hint)
        })
    }

    /// Reads the files of a model that is a folder; paths are relative to the folder.
    fn folder_files(self, reader: &FolderReader, folder: &str) -> Result<Vec<(String, Vec<u8>)>, Diagnostic> {
        let paths = (reader.files)(self.workspace, folder).into_iter();
        let read = |path: String| {
            let bytes = self.read(&inside(folder, &path), "make all files of the project readable")?;
            Ok((path, bytes))
        };
        paths.map(read).collect()
    }

    /// Reads the query file beside a model, such as `train.q` beside `train.xml`, or `train.prop` beside `train.xsts`.
    fn queries_beside(self, path: &str) -> Option<(String, Vec<u8>)> {
        let model = std::path::Path::new(path);
        let own = model.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let language = self.languages.iter().find(|language| language.extensions.contains(&own));
        let file = model.with_extension(language.map_or("q", |language| language.queries_extension));
        let name = file.to_str()?.to_owned();
        if path == "-" || !self.workspace.is_file(&name) {
            return None;
        }
        let bytes = self.workspace.read(&name).ok()?;
        Some((name, bytes))
    }
}

fn unwritable(path: &str, error: &std::io::Error, hint: &str) -> Diagnostic {
    Diagnostic::error(&UNWRITABLE_FILE, format!("`{path}` cannot be written: {error}")).with_hint(hint)
}
