//! Loads a model from the bytes of its files.
//!
//! Invariant: every input results in a model or in an error with a place.

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

/// A loaded model, which may have errors.
pub struct Loaded {
    /// The language of the model; `None` if the files are not text or not a model.
    pub language: Option<&'static Language>,
    /// The source files.
    pub files: Arc<Files>,
    /// The main file of the model; `None` if it is not text.
    pub file: Option<FileId>,
    /// The origins of all elements.
    pub origins: Arc<Origins>,
    /// The parsed document, possibly with errors; `None` if the file is not text.
    pub document: Option<Arc<dyn Document>>,
    /// The elaborated system, unless there are errors.
    pub system: Option<System>,
    /// The original model, if `system` is the result of a lowering.
    pub lowered: Option<Arc<dyn LoweredModel>>,
    /// The names of the network, for queries; present if there is a network.
    pub names: Option<ModelNames>,
    /// The symbols of the parsed part of the model.
    pub symbols: Symbols,
    /// The model's own queries.
    pub queries: Vec<Query>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

/// Options for loading a model.
#[derive(Clone, Copy, Default)]
pub struct LoadOptions<'bytes> {
    /// The language; detected if not given.
    pub language: Option<&'static Language>,
    /// The name and bytes of a file with queries that replace those of the model.
    pub queries: Option<(&'bytes str, &'bytes [u8])>,
    /// The name and bytes of a file with queries for a model that has none.
    pub queries_beside: Option<(&'bytes str, &'bytes [u8])>,
}

/// Loads a model from the bytes of a file.
pub fn load(name: &str, bytes: &[u8]) -> Loaded {
    load_with(name, bytes, LoadOptions::default())
}

/// Loads a model from the bytes of a file, with options.
pub fn load_with(name: &str, bytes: &[u8], options: LoadOptions<'_>) -> Loaded {
    Loading::new(LANGUAGES, None).file(name, bytes, options)
}

/// Loads a model from the files of a folder, given as relative paths and bytes. Without a language in the options, the
/// first language for folders is used.
pub fn load_project(name: &str, parts: &[(String, Vec<u8>)], options: LoadOptions<'_>) -> Loaded {
    let mut languages = options.language.into_iter().chain(LANGUAGES.iter().copied());
    let found = languages.find_map(|language| Some((language, language.folder()?)));
    let loading = Loading::new(LANGUAGES, None);
    match found {
        Some((language, folder)) => loading.folder((language, folder), name, parts, options),
        None => loading.finish(None),
    }
}

/// The tables of a model while it is loaded.
pub(crate) struct Loading<'workspace> {
    languages: &'static [&'static Language],
    workspace: Option<&'workspace dyn Workspace>,
    files: Files,
    origins: Origins,
    diagnostics: Diagnostics,
}

impl<'workspace> Loading<'workspace> {
    /// Starts with empty tables; imports are read from the workspace.
    pub(crate) fn new(
        languages: &'static [&'static Language],
        workspace: Option<&'workspace dyn Workspace>,
    ) -> Loading<'workspace> {
        let (files, origins, diagnostics) = (Files::new(), Origins::new(), Diagnostics::new());
        Loading { languages, workspace, files, origins, diagnostics }
    }

    /// Starts with tables that extend these files.
    pub(crate) fn extending(files: &Arc<Files>) -> Loading<'static> {
        Loading { files: Files::extending(files), ..Loading::new(LANGUAGES, None) }
    }

    /// Loads a network from a syntax tree that is generated together with its text.
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

    /// Loads a model from a file.
    pub(crate) fn file(mut self, name: &str, bytes: &[u8], options: LoadOptions<'_>) -> Loaded {
        let Some(file) = self.add(name, bytes) else { return self.finish(None) };
        let queries = self.query_file(options);
        let recognised = || recognise_among(self.languages, name, self.files.text(file));
        let Some(language) = options.language.or_else(recognised) else { return self.finish(None) };
        let read = read_model_in(&mut self.reading(), language, file, queries);
        self.finish(Some((language, file, read)))
    }

    /// Loads a model from the files of a folder.
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

    /// Adds a file, or reports an error.
    fn add(&mut self, name: &str, bytes: &[u8]) -> Option<FileId> {
        self.files.add_bytes(name, bytes).map_err(|diagnostic| self.diagnostics.push(diagnostic)).ok()
    }

    /// Adds the requested file with queries, or the one beside the model.
    fn query_file(&mut self, options: LoadOptions<'_>) -> Option<QueryFile> {
        let is_fallback = options.queries.is_none();
        let (name, bytes) = options.queries.or(options.queries_beside)?;
        self.add(name, bytes).map(|file| QueryFile { file, is_fallback })
    }

    /// Builds the loaded model; `None` if no document was parsed.
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
    /// Returns the network, if the model is one and has no errors.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.system.as_ref().and_then(System::network)
    }

    /// Returns the symbolic system, if the model is one and has no errors.
    pub fn symbolic(&self) -> Option<&Arc<SymbolicSystem>> {
        self.system.as_ref().and_then(System::symbolic)
    }

    /// Returns the diagrams of the model's templates, in the order of the file.
    pub fn diagrams(&self) -> Vec<Diagram> {
        let diagrams = self.document.iter().flat_map(|document| document.diagrams(&self.files));
        diagrams.map(|drawn| drawn.diagram).collect()
    }

    /// Returns the syntax tree of the network; `None` for other models.
    pub fn tree(&self) -> Option<&ast::Network> {
        self.written_network().map(|written| written.tree)
    }

    /// Returns the UPPAAL document; `None` for other models.
    pub fn xml(&self) -> Option<&XmlDocument> {
        self.written_network()?.xml
    }

    /// Returns the Ecdar project; `None` for other models.
    pub fn project(&self) -> Option<&Project> {
        self.written_network()?.project
    }

    fn written_network(&self) -> Option<WrittenNetwork<'_>> {
        self.document.as_ref()?.network()
    }

    /// Returns the input of a writer; `None` if the model has errors.
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
