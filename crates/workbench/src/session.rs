//! The application: models are opened in a workspace, whatever calls it.
//!
//! Invariant: nothing here prints, and nothing outside of the workspace is read or written.

use tempora_frontends::{COMPONENTS_FOLDER, LANGUAGES, language_named, project_paths};
use tempora_source::Diagnostic;

use crate::codes::{UNKNOWN_LANGUAGE, UNREADABLE_FILE, UNWRITABLE_FILE};
use crate::loading::{LoadOptions, Loaded, load_project, load_with};
use crate::workspace::Workspace;

/// A workbench over the files of a workspace.
#[derive(Clone, Copy)]
pub struct Session<'workspace> {
    workspace: &'workspace dyn Workspace,
}

/// How a model is opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenOptions<'text> {
    /// The name of its language; recognised if not given.
    pub language: Option<&'text str>,
    /// A file with queries, in place of those that come with the model.
    pub property: Option<&'text str>,
}

impl<'workspace> Session<'workspace> {
    /// A session over a workspace.
    pub fn new(workspace: &'workspace dyn Workspace) -> Session<'workspace> {
        Session { workspace }
    }

    /// The files that the session works on.
    pub fn workspace(self) -> &'workspace dyn Workspace {
        self.workspace
    }

    /// Opens a model: a file or a project folder, as far as it can be understood. Fails if a file cannot be read.
    pub fn open(self, path: &str, options: OpenOptions<'_>) -> Result<Loaded, Diagnostic> {
        let language = match options.language {
            Some(name) => Some(language_named(name).ok_or_else(|| {
                let names: Vec<&str> = LANGUAGES.iter().map(|language| language.name).collect();
                Diagnostic::error(&UNKNOWN_LANGUAGE, format!("there is no language `{name}`"))
                    .with_hint(format!("the languages are {}", names.join(", ")))
            })?),
            None => None,
        };
        let is_project = self.workspace.is_folder(&inside(path, COMPONENTS_FOLDER));
        let project = if is_project { Some(self.project_files(path)?) } else { None };
        let bytes = match project {
            Some(_) => Vec::new(),
            None => self.read(path, "MODEL is a file, or `-` for standard input")?,
        };
        let asked = match options.property {
            Some(file) => Some((file.to_owned(), self.read(file, "--property names a file with queries")?)),
            None => None,
        };
        let beside = if asked.is_some() { None } else { self.queries_beside(path) };
        let name = if path == "-" { "standard input" } else { path };
        let options = LoadOptions {
            language,
            queries: asked.as_ref().map(|(name, bytes)| (name.as_str(), bytes.as_slice())),
            queries_beside: beside.as_ref().map(|(name, bytes)| (name.as_str(), bytes.as_slice())),
        };
        let mut loaded = match project {
            Some(parts) => load_project(name, &parts, options),
            None => load_with(name, &bytes, options),
        };
        loaded.diagnostics.sort(&loaded.files);
        Ok(loaded)
    }

    /// Reads a file, or says why that is not possible, with this hint.
    pub fn read(self, path: &str, hint: &str) -> Result<Vec<u8>, Diagnostic> {
        self.workspace.read(path).map_err(|error| {
            let message = format!("`{path}` cannot be read: {error}");
            Diagnostic::error(&UNREADABLE_FILE, message).with_hint(hint)
        })
    }

    /// Writes a file as a whole, or says why that is not possible, with this hint.
    pub fn write(self, path: &str, bytes: &[u8], hint: &str) -> Result<(), Diagnostic> {
        self.workspace.write(path, bytes).map_err(|error| {
            let message = format!("`{path}` cannot be written: {error}");
            Diagnostic::error(&UNWRITABLE_FILE, message).with_hint(hint)
        })
    }

    /// Creates a folder if it is not there, or says why that is not possible, with this hint.
    pub fn create_folder(self, path: &str, hint: &str) -> Result<(), Diagnostic> {
        self.workspace.create_folder(path).map_err(|error| {
            let message = format!("`{path}` cannot be made: {error}");
            Diagnostic::error(&UNWRITABLE_FILE, message).with_hint(hint)
        })
    }

    /// The files of a project folder, sorted, with their paths in it.
    fn project_files(self, folder: &str) -> Result<Vec<(String, Vec<u8>)>, Diagnostic> {
        let list = |inner: &str| self.workspace.list(&inside(folder, inner)).unwrap_or_default();
        let paths = project_paths(list).into_iter();
        let present = paths.filter(|path| self.workspace.is_file(&inside(folder, path)));
        present
            .map(|path| Ok((path.clone(), self.read(&inside(folder, &path), "it is a file of the project")?)))
            .collect()
    }

    /// The file with queries that lies beside a model, as `train.q` beside `train.xml`, or `train.prop` beside `train.xsts`.
    fn queries_beside(self, path: &str) -> Option<(String, Vec<u8>)> {
        let model = std::path::Path::new(path);
        let own = model.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let language = LANGUAGES.iter().find(|language| language.extensions.contains(&own));
        let file = model.with_extension(language.map_or("q", |language| language.queries_extension));
        let name = file.to_str()?.to_owned();
        if path == "-" || !self.workspace.is_file(&name) {
            return None;
        }
        let bytes = self.workspace.read(&name).ok()?;
        Some((name, bytes))
    }
}

/// The path of something in a folder.
fn inside(folder: &str, path: &str) -> String {
    std::path::Path::new(folder).join(path).to_string_lossy().into_owned()
}
