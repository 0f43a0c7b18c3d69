//! From the bytes of a file to a model.
//!
//! Invariant: whatever the bytes are, there is a model or an error with a place.

use std::sync::Arc;

use tempora_evidence::Task;
use tempora_frontends::{Language, read_query, recognise_language};
use tempora_model::syntax::ast;
use tempora_model::{Network, Query};
use tempora_source::{Diagnostics, Files, Origins};

/// A model, as far as it could be understood.
pub struct Loaded {
    /// The language that it was read in; `None` if the file is no text.
    pub language: Option<&'static Language>,
    /// The texts.
    pub files: Files,
    /// Where everything comes from.
    pub origins: Origins,
    /// What was written, also where it makes no sense; `None` if the file is no text.
    pub tree: Option<ast::Network>,
    /// What it means, unless there are errors.
    pub network: Option<Arc<Network>>,
    /// The queries that come with the model.
    pub queries: Vec<Query>,
    /// What was found.
    pub diagnostics: Diagnostics,
}

/// Reads a model from the bytes of a file.
pub fn load(name: &str, bytes: &[u8]) -> Loaded {
    let mut files = Files::new();
    let mut origins = Origins::new();
    match files.add_bytes(name, bytes) {
        Ok(file) => {
            let language = recognise_language(name, files.text(file));
            let read = language.read(&mut files, &mut origins, file);
            Loaded {
                language: Some(language),
                files,
                origins,
                tree: Some(read.tree),
                network: read.network.map(Arc::new),
                queries: read.queries,
                diagnostics: read.diagnostics,
            }
        }
        Err(diagnostic) => Loaded {
            language: None,
            files,
            origins,
            tree: None,
            network: None,
            queries: Vec::new(),
            diagnostics: [diagnostic].into_iter().collect(),
        },
    }
}

impl Loaded {
    /// Reads a query about the model, as a user types it; `None` if it has errors.
    pub fn read_query(&mut self, name: &str, text: &str) -> (Option<Query>, Diagnostics) {
        let Some(tree) = &self.tree else { return (None, Diagnostics::new()) };
        match self.files.add(name, text) {
            Ok(file) => read_query(&self.files, &mut self.origins, tree, file),
            Err(diagnostic) => (None, [diagnostic].into_iter().collect()),
        }
    }

    /// The task to answer these queries; `None` if the model has errors.
    pub fn task(&self, queries: Vec<Query>) -> Option<Task> {
        let network = self.network.clone()?;
        Some(Task { network, queries })
    }
}
