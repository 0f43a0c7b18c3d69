//! From the bytes of a file to a model.
//!
//! Invariant: whatever the bytes are, there is a model or an error with a place.

use std::sync::Arc;

use tempora_draw::Diagram;
use tempora_evidence::System;
use tempora_frontends::uppaal::XmlDocument;
use tempora_frontends::{
    Document, FolderPart, FolderReader, LANGUAGES, Language, LoweredModel, Project, QueryFile, Read, Reading,
    Workspace, Writable, WrittenNetwork, language_named, read_folder, read_model_in, read_tree,
    recognise_among,
};
use tempora_model::{ModelNames, Network, Query};
use tempora_source::{Diagnostics, FileId, Files, Origins, Symbols};
use tempora_syntax::ast;
use tempora_transition::SymbolicSystem;

/// A model, as far as it could be understood.
pub struct Loaded {
    /// The language that it was read in; `None` if the files are no texts or no model.
    pub language: Option<&'static Language>,
    /// The texts.
    pub files: Arc<Files>,
    /// The file of the model; `None` if it is no text.
    pub file: Option<FileId>,
    /// Where everything comes from.
    pub origins: Arc<Origins>,
    /// The model as it was written, also where it makes no sense; `None` if the file is no text.
    pub document: Option<Arc<dyn Document>>,
    /// What it means, unless there are errors.
    pub system: Option<System>,
    /// The model of a language with a lowering; the system is the one to which it is lowered.
    pub lowered: Option<Arc<dyn LoweredModel>>,
    /// The names of the network, to read queries about it; there if it is.
    pub names: Option<ModelNames>,
    /// The names in the model, as far as it could be parsed.
    pub symbols: Symbols,
    /// The queries that come with the model.
    pub queries: Vec<Query>,
    /// What was found.
    pub diagnostics: Diagnostics,
}

/// What to read, besides the model itself.
#[derive(Clone, Copy, Default)]
pub struct LoadOptions<'bytes> {
    /// The language; recognised if not given.
    pub language: Option<&'static Language>,
    /// The name and the bytes of a file with queries, in place of those of the model.
    pub queries: Option<(&'bytes str, &'bytes [u8])>,
    /// The same, for a model that has no queries itself.
    pub queries_beside: Option<(&'bytes str, &'bytes [u8])>,
}

/// Reads a model from the bytes of a file.
pub fn load(name: &str, bytes: &[u8]) -> Loaded {
    load_with(name, bytes, LoadOptions::default())
}

/// Reads a model from the bytes of a file.
pub fn load_with(name: &str, bytes: &[u8], options: LoadOptions<'_>) -> Loaded {
    Loading::new(LANGUAGES, None).file(name, bytes, options)
}

/// Reads a model from the files of a folder: their paths in it, and their bytes. The language is that of the options, or the first
/// of folders.
pub fn load_project(name: &str, parts: &[(String, Vec<u8>)], options: LoadOptions<'_>) -> Loaded {
    let mut languages = options.language.into_iter().chain(LANGUAGES.iter().copied());
    let found = languages.find_map(|language| Some((language, language.folder()?)));
    let loading = Loading::new(LANGUAGES, None);
    match found {
        Some((language, folder)) => loading.folder((language, folder), name, parts, options),
        None => loading.finish(None),
    }
}

/// The tables of a model while it is read.
pub(crate) struct Loading<'workspace> {
    languages: &'static [&'static Language],
    workspace: Option<&'workspace dyn Workspace>,
    files: Files,
    origins: Origins,
    diagnostics: Diagnostics,
}

impl<'workspace> Loading<'workspace> {
    /// Nothing is read yet; imports are read from the workspace.
    pub(crate) fn new(
        languages: &'static [&'static Language],
        workspace: Option<&'workspace dyn Workspace>,
    ) -> Loading<'workspace> {
        let (files, origins, diagnostics) = (Files::new(), Origins::new(), Diagnostics::new());
        Loading { languages, workspace, files, origins, diagnostics }
    }

    /// Nothing is read yet; these files are known already.
    pub(crate) fn extending(files: &Arc<Files>) -> Loading<'static> {
        Loading { files: Files::extending(files), ..Loading::new(LANGUAGES, None) }
    }

    /// A network whose tree is made together with its text.
    pub(crate) fn tree(mut self, name: &str, write: impl FnOnce(FileId) -> (String, ast::Network)) -> Loaded {
        match (self.files.add_written(name, write), language_named("net")) {
            (Ok(tree), Some(language)) => {
                let file = tree.span.file;
                let read = read_tree(&mut self.files, &mut self.origins, tree);
                self.finish(Some((language, file, read)))
            }
            (Err(diagnostic), _) => {
                self.diagnostics.push(diagnostic);
                self.finish(None)
            }
            (Ok(_), None) => self.finish(None),
        }
    }

    /// Reads a model from a file.
    pub(crate) fn file(mut self, name: &str, bytes: &[u8], options: LoadOptions<'_>) -> Loaded {
        let Some(file) = self.add(name, bytes) else { return self.finish(None) };
        let queries = self.query_file(options);
        let recognised = || recognise_among(self.languages, name, self.files.text(file));
        let Some(language) = options.language.or_else(recognised) else { return self.finish(None) };
        let read = read_model_in(&mut self.reading(), language, file, queries);
        self.finish(Some((language, file, read)))
    }

    /// Reads a model from the files of a folder.
    pub(crate) fn folder(
        mut self,
        (language, folder): (&'static Language, &FolderReader),
        name: &str,
        parts: &[(String, Vec<u8>)],
        options: LoadOptions<'_>,
    ) -> Loaded {
        let mut read = Vec::with_capacity(parts.len());
        for (path, bytes) in parts {
            let file = self.add(&format!("{}/{path}", name.trim_end_matches('/')), bytes);
            read.extend(file.map(|file| FolderPart { path: path.clone(), file }));
        }
        let queries = self.query_file(options);
        match read_folder(&mut self.reading(), folder, name, &read, queries) {
            Ok(model) => {
                let first = model.document.files().first().copied();
                self.finish(first.map(|first| (language, first, model)))
            }
            Err(problem) => {
                self.diagnostics.push(problem);
                self.finish(None)
            }
        }
    }

    fn reading(&mut self) -> Reading<'_> {
        let reading = Reading::new(&mut self.files, &mut self.origins);
        match self.workspace {
            Some(workspace) => reading.in_workspace(workspace),
            None => reading,
        }
    }

    /// Adds a file; why it cannot be added is reported.
    fn add(&mut self, name: &str, bytes: &[u8]) -> Option<FileId> {
        self.files.add_bytes(name, bytes).map_err(|diagnostic| self.diagnostics.push(diagnostic)).ok()
    }

    /// The file with queries that was asked for, or that lies beside the model.
    fn query_file(&mut self, options: LoadOptions<'_>) -> Option<QueryFile> {
        let is_fallback = options.queries.is_none();
        let (name, bytes) = options.queries.or(options.queries_beside)?;
        self.add(name, bytes).map(|file| QueryFile { file, is_fallback })
    }

    /// The model in a file, or as far as there is one.
    fn finish(self, read: Option<(&'static Language, FileId, Read)>) -> Loaded {
        let Loading { files, origins, mut diagnostics, .. } = self;
        let (files, origins) = (Arc::new(files), Arc::new(origins));
        let Some((language, file, read)) = read else {
            return Loaded {
                language: None,
                files,
                file: None,
                origins,
                document: None,
                system: None,
                lowered: None,
                names: None,
                symbols: Symbols::new(),
                queries: Vec::new(),
                diagnostics,
            };
        };
        diagnostics.extend(read.diagnostics);
        let network = read.network.map(System::Network);
        let symbolic = read.symbolic.map(|system| System::Symbolic(Arc::new(system)));
        let lowered = read.lowered.as_ref().map(|model| model.system().clone());
        Loaded {
            language: Some(language),
            files,
            file: Some(file),
            origins,
            document: Some(read.document),
            system: network.or(symbolic).or(lowered),
            lowered: read.lowered,
            names: read.names,
            symbols: read.symbols,
            queries: read.queries,
            diagnostics,
        }
    }
}

impl Loaded {
    /// The network that the model means, if it means one.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.system.as_ref().and_then(System::network)
    }

    /// The symbolic system that the model means, if it means one.
    pub fn symbolic(&self) -> Option<&Arc<SymbolicSystem>> {
        self.system.as_ref().and_then(System::symbolic)
    }

    /// The diagrams of the model's templates, in the order of the file.
    pub fn diagrams(&self) -> Vec<Diagram> {
        let diagrams = self.document.iter().flat_map(|document| document.diagrams(&self.files));
        diagrams.map(|drawn| drawn.diagram).collect()
    }

    /// The trees of the network, as it was written; `None` for other models.
    pub fn tree(&self) -> Option<&ast::Network> {
        self.written_network().map(|written| written.tree)
    }

    /// The elements of an UPPAAL document; `None` for other models.
    pub fn xml(&self) -> Option<&XmlDocument> {
        self.written_network()?.xml
    }

    /// The files of an Ecdar project; `None` for other models.
    pub fn project(&self) -> Option<&Project> {
        self.written_network()?.project
    }

    fn written_network(&self) -> Option<WrittenNetwork<'_>> {
        self.document.as_ref()?.network()
    }

    /// The model, to be written in some language; `None` if it has errors.
    pub fn writable(&self) -> Option<Writable<'_>> {
        Some(Writable {
            files: &self.files,
            origins: &self.origins,
            tree: self.tree()?,
            document: self.xml(),
            project: self.project(),
            network: self.network()?,
            queries: &self.queries,
        })
    }
}
