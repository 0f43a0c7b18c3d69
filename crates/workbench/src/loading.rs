//! From the bytes of a file to a model.
//!
//! Invariant: whatever the bytes are, there is a model or an error with a place.

use std::sync::Arc;

use tempora_draw::Diagram;
use tempora_evidence::System;
use tempora_frontends::uppaal::XmlDocument;
use tempora_frontends::{
    Document, Language, Project, ProjectFile, ProjectRole, QueryFile, Read, Writable, WrittenNetwork,
    read_model, read_project_model, recognise_language, role_of_file,
};
use tempora_model::{ModelNames, Network, Query};
use tempora_source::{Diagnostic, Diagnostics, FileId, Files, Origins, Symbols};
use tempora_syntax::ast;
use tempora_transition::SymbolicSystem;

use crate::codes::NO_PROJECT;

/// A model, as far as it could be understood.
pub struct Loaded {
    /// The language that it was read in; `None` if the file is no text.
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
    /// The names of the network, to read queries about it; there if it is.
    pub names: Option<ModelNames>,
    /// The names in the model, as far as it could be parsed; none for symbolic systems.
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
    let mut loading = Loading::default();
    let Some(file) = loading.add(name, bytes) else { return loading.finish(None) };
    let queries = loading.query_file(options);
    let language = options.language.unwrap_or_else(|| recognise_language(name, loading.files.text(file)));
    let read = read_model(language, &mut loading.files, &mut loading.origins, file, queries);
    Loaded { language: Some(language), ..loading.finish(Some((file, read))) }
}

/// Reads a model from the files of a project folder: their paths in it, and their bytes.
pub fn load_project(name: &str, parts: &[(String, Vec<u8>)], options: LoadOptions<'_>) -> Loaded {
    let mut loading = Loading::default();
    let mut project = Vec::new();
    for (path, bytes) in parts {
        let Some(role) = role_of_file(path) else { continue };
        let file = loading.add(&format!("{}/{path}", name.trim_end_matches('/')), bytes);
        project.extend(file.map(|file| ProjectFile { role, file }));
    }
    let first = project.iter().find(|part| part.role == ProjectRole::Component).map(|part| part.file);
    let Some(first) = first else {
        let message = format!("`{name}` is no project: it has no components");
        let hint = "an Ecdar project has a folder `Components` with a file for each component";
        loading.diagnostics.push(Diagnostic::error(&NO_PROJECT, message).with_hint(hint));
        return loading.finish(None);
    };
    let queries = loading.query_file(options);
    let read = read_project_model(&mut loading.files, &mut loading.origins, first, &project, queries);
    loading.finish(Some((first, read)))
}

/// The tables of a model while it is read.
#[derive(Default)]
struct Loading {
    files: Files,
    origins: Origins,
    diagnostics: Diagnostics,
}

impl Loading {
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
    fn finish(self, read: Option<(FileId, Read)>) -> Loaded {
        let Loading { files, origins, mut diagnostics } = self;
        let (files, origins) = (Arc::new(files), Arc::new(origins));
        let Some((file, read)) = read else {
            return Loaded {
                language: None,
                files,
                file: None,
                origins,
                document: None,
                system: None,
                names: None,
                symbols: Symbols::new(),
                queries: Vec::new(),
                diagnostics,
            };
        };
        diagnostics.extend(read.diagnostics);
        let network = read.network.map(System::Network);
        let symbolic = read.symbolic.map(|system| System::Symbolic(Arc::new(system)));
        Loaded {
            language: None,
            files,
            file: Some(file),
            origins,
            document: Some(read.document),
            system: network.or(symbolic),
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
