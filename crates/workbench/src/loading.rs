//! From the bytes of a file to a model.
//!
//! Invariant: whatever the bytes are, there is a model or an error with a place.

use std::sync::Arc;

use tempora_evidence::{System, Task};
use tempora_frontends::uppaal::Document;
use tempora_frontends::{
    Language, Project, ProjectFile, ProjectRole, PropertyText, QueryFile, Writable, read_model,
    read_project_model, read_proof, read_query, read_with_properties, recognise_language, role_of_file,
};
use tempora_model::{ElaboratedModel, ModelNames, Network, Query};
use tempora_source::{Diagnostic, Diagnostics, FileId, Files, Origins, Symbols};
use tempora_syntax::ast;
use tempora_transition::SymbolicSystem;

use crate::codes::NO_PROJECT;
use crate::proof::Proof;
use crate::specifications::specification_problems;

/// A model, as far as it could be understood.
pub struct Loaded {
    /// The language that it was read in; `None` if the file is no text.
    pub language: Option<&'static Language>,
    /// The texts.
    pub files: Files,
    /// The file of the model; `None` if it is no text.
    pub file: Option<FileId>,
    /// Where everything comes from.
    pub origins: Origins,
    /// What was written, also where it makes no sense; `None` if the file is no text.
    pub tree: Option<ast::Network>,
    /// The parts of a document with a diagram, with their places in the file.
    pub document: Option<Document>,
    /// The files of a project, with what they say about diagrams.
    pub project: Option<Project>,
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
    let mut loaded = nothing_loaded();
    let file = match loaded.files.add_bytes(name, bytes) {
        Ok(file) => file,
        Err(diagnostic) => {
            loaded.diagnostics.push(diagnostic);
            return loaded;
        }
    };
    let queries = query_file(&mut loaded, options);
    let language = options.language.unwrap_or_else(|| recognise_language(name, loaded.files.text(file)));
    let read = read_model(language, &mut loaded.files, &mut loaded.origins, file, queries);
    loaded.diagnostics.extend(read.diagnostics);
    Loaded {
        language: Some(language),
        file: Some(file),
        tree: Some(read.tree),
        document: read.document,
        project: read.project,
        system: system_of(read.network, read.symbolic),
        names: read.names,
        symbols: read.symbols,
        queries: read.queries,
        ..loaded
    }
}

/// Reads a model from the files of a project folder: their paths in it, and their bytes.
pub fn load_project(name: &str, parts: &[(String, Vec<u8>)], options: LoadOptions<'_>) -> Loaded {
    let mut loaded = nothing_loaded();
    let mut project = Vec::new();
    for (path, bytes) in parts {
        let Some(role) = role_of_file(path) else { continue };
        match loaded.files.add_bytes(format!("{}/{path}", name.trim_end_matches('/')), bytes) {
            Ok(file) => project.push(ProjectFile { role, file }),
            Err(diagnostic) => loaded.diagnostics.push(diagnostic),
        }
    }
    let first = project.iter().find(|part| part.role == ProjectRole::Component).map(|part| part.file);
    let Some(first) = first else {
        let message = format!("`{name}` is no project: it has no components");
        let hint = "an Ecdar project has a folder `Components` with a file for each component";
        loaded.diagnostics.push(Diagnostic::error(&NO_PROJECT, message).with_hint(hint));
        return loaded;
    };
    let queries = query_file(&mut loaded, options);
    let read = read_project_model(&mut loaded.files, &mut loaded.origins, first, &project, queries);
    loaded.diagnostics.extend(read.diagnostics);
    Loaded {
        file: Some(first),
        tree: Some(read.tree),
        project: read.project,
        system: system_of(read.network, None),
        names: read.names,
        symbols: read.symbols,
        queries: read.queries,
        ..loaded
    }
}

fn system_of(network: Option<Arc<Network>>, symbolic: Option<SymbolicSystem>) -> Option<System> {
    let network = network.map(System::Network);
    network.or_else(|| symbolic.map(|system| System::Symbolic(Arc::new(system))))
}

pub(crate) fn nothing_loaded() -> Loaded {
    Loaded {
        language: None,
        files: Files::new(),
        file: None,
        origins: Origins::new(),
        tree: None,
        document: None,
        project: None,
        system: None,
        names: None,
        symbols: Symbols::new(),
        queries: Vec::new(),
        diagnostics: Diagnostics::new(),
    }
}

/// The file with queries that was asked for, or that lies beside the model.
fn query_file(loaded: &mut Loaded, options: LoadOptions<'_>) -> Option<QueryFile> {
    let is_fallback = options.queries.is_none();
    let given = options.queries.or(options.queries_beside);
    given.and_then(|(name, bytes)| match loaded.files.add_bytes(name, bytes) {
        Ok(file) => Some(QueryFile { file, is_fallback }),
        Err(diagnostic) => {
            loaded.diagnostics.push(diagnostic);
            None
        }
    })
}

/// The model as queries refer to it, if it has no errors and is a network.
fn elaborated<'loaded>(
    tree: Option<&'loaded ast::Network>,
    names: Option<&'loaded ModelNames>,
    system: Option<&'loaded System>,
) -> Option<ElaboratedModel<'loaded>> {
    Some(ElaboratedModel { tree: tree?, names: names?, network: system?.network()? })
}

impl Loaded {
    /// Reads a query about the model, as a user types it; `None` if it or the model has errors.
    pub fn read_query(&mut self, name: &str, text: &str) -> (Option<Query>, Diagnostics) {
        let file = match self.files.add(name, text) {
            Ok(file) => file,
            Err(diagnostic) => return (None, [diagnostic].into_iter().collect()),
        };
        let Some(model) = elaborated(self.tree.as_ref(), self.names.as_ref(), self.system.as_ref()) else {
            return (None, Diagnostics::new());
        };
        let (query, mut diagnostics) = read_query(&self.files, &mut self.origins, model, file);
        if let Some(query) = &query {
            diagnostics.extend(specification_problems(query, &self.origins));
        }
        if diagnostics.has_errors() { (None, diagnostics) } else { (query, diagnostics) }
    }

    /// Reads a proof about the model; `None` if it has errors.
    pub fn read_proof(&mut self, name: &str, bytes: &[u8]) -> (Option<Proof>, Diagnostics) {
        let file = match self.files.add_bytes(name, bytes) {
            Ok(file) => file,
            Err(diagnostic) => return (None, [diagnostic].into_iter().collect()),
        };
        let Some(model) = elaborated(self.tree.as_ref(), self.names.as_ref(), self.system.as_ref()) else {
            return (None, Diagnostics::new());
        };
        let (statements, mut diagnostics) = read_proof(&self.files, &mut self.origins, model, file);
        if diagnostics.has_errors() {
            return (None, diagnostics);
        }
        for statement in &statements {
            diagnostics.extend(specification_problems(&statement.query, &self.origins));
        }
        if diagnostics.has_errors() {
            return (None, diagnostics);
        }
        let whole = self.files.whole(file);
        let (proof, found) = Proof::new(statements, whole, &self.origins);
        diagnostics.extend(found);
        if diagnostics.has_errors() { (None, diagnostics) } else { (proof, diagnostics) }
    }

    /// The network that the model means, if it means one.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.system.as_ref().and_then(System::network)
    }

    /// The symbolic system that the model means, if it means one.
    pub fn symbolic(&self) -> Option<&Arc<SymbolicSystem>> {
        self.system.as_ref().and_then(System::symbolic)
    }

    /// The task to answer queries as a user types them, or the model's own if there are none; `None` if the model or a query has
    /// errors.
    pub fn read_task(&mut self, texts: &[String]) -> (Option<Task>, Diagnostics) {
        match &self.system {
            None => (None, Diagnostics::new()),
            Some(System::Symbolic(_)) => self.property_task(texts),
            Some(System::Network(network)) => {
                let network = network.clone();
                if texts.is_empty() {
                    return (Some(Task::about_network(network, self.queries.clone())), Diagnostics::new());
                }
                let (mut queries, mut found) = (Vec::with_capacity(texts.len()), Diagnostics::new());
                for (number, text) in texts.iter().enumerate() {
                    let (query, diagnostics) = self.read_query(&format!("query {}", number + 1), text);
                    queries.extend(query);
                    found.extend(diagnostics);
                }
                found.sort(&self.files);
                let task = (!found.has_errors()).then(|| Task::about_network(network, queries));
                (task, found)
            }
        }
    }

    /// The questions about a symbolic system: its own properties, or these.
    fn property_task(&mut self, properties: &[String]) -> (Option<Task>, Diagnostics) {
        let Some(system) = self.symbolic() else { return (None, Diagnostics::new()) };
        if properties.is_empty() {
            return (Some(Task::about_properties(system.clone())), Diagnostics::new());
        }
        let mut texts = Vec::with_capacity(properties.len());
        for (number, text) in properties.iter().enumerate() {
            match self.files.add(format!("query {}", number + 1), text.as_str()) {
                Ok(file) => texts.push(PropertyText { file, is_bare: true }),
                Err(diagnostic) => return (None, [diagnostic].into_iter().collect()),
            }
        }
        let (Some(language), Some(file)) = (self.language, self.file) else {
            return (None, Diagnostics::new());
        };
        match read_with_properties(language, &self.files, &mut self.origins, file, &texts) {
            Some((system, diagnostics)) => {
                (system.map(|system| Task::about_properties(Arc::new(system))), diagnostics)
            }
            None => (None, Diagnostics::new()),
        }
    }

    /// The model, to be written in some language; `None` if it has errors.
    pub fn writable(&self) -> Option<Writable<'_>> {
        Some(Writable {
            files: &self.files,
            origins: &self.origins,
            tree: self.tree.as_ref()?,
            document: self.document.as_ref(),
            project: self.project.as_ref(),
            network: self.network()?,
            queries: &self.queries,
        })
    }

    /// The task to answer these queries; `None` if the model has errors.
    pub fn task(&self, queries: Vec<Query>) -> Option<Task> {
        let system = self.system.clone()?;
        Some(Task { system, queries })
    }
}
