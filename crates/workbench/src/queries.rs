//! Parses queries, tasks and proofs about a loaded model.
//!
//! Invariant: parsing does not change the model. The result has its own tables of files and origins, which extend those
//! of the model.

use std::sync::Arc;

use tempora_evidence::{System, Task};
use tempora_frontends::{Plan, PropertyText, read_proof, read_query, read_with_properties};
use tempora_model::codes::meaning::NOT_SUPPORTED;
use tempora_model::{ElaboratedModel, Query};
use tempora_source::{Diagnostic, Diagnostics, FileId, Files, Origins};

use crate::Loaded;
use crate::proof::Proof;
use crate::specifications::specification_problems;

/// A query, a task or a proof, parsed and resolved against a model.
#[derive(Debug)]
pub struct Resolved<T> {
    /// The texts of the model and of the query, task or proof.
    pub files: Arc<Files>,
    /// The origins of the model and of the query, task or proof.
    pub origins: Arc<Origins>,
    /// The result; `None` if the texts or the model have errors. If only some of several queries combine specifications
    /// that do not fit, there is a result beside the errors, and engines do not decide these queries.
    pub value: Option<T>,
    /// Errors and warnings in the texts.
    pub diagnostics: Diagnostics,
}

impl Loaded {
    /// Parses a query about the model.
    pub fn read_query(&self, name: &str, text: &str) -> Resolved<Query> {
        let mut reader = QueryReader::new(self);
        let query = reader.query(name, text);
        reader.finish(query)
    }

    /// Parses several queries about the model; there is no result if one of them has errors.
    pub fn read_queries(&self, texts: &[String]) -> Resolved<Vec<Query>> {
        let mut reader = QueryReader::new(self);
        let queries = reader.queries(texts);
        reader.finish(Some(queries))
    }

    /// Parses the task of these queries, or of the model's own if there are none. A query about a lowered model may
    /// need several tasks: see [`Loaded::read_plans`].
    pub fn read_task(&self, texts: &[String]) -> Resolved<Task> {
        let mut reader = QueryReader::new(self);
        let task = match &self.system {
            Some(_) if self.lowered.is_some() => reader.only_task(texts),
            None => None,
            Some(System::Symbolic(system)) if texts.is_empty() => {
                Some(Task::about_properties(Arc::clone(system)))
            }
            Some(System::Symbolic(_)) => reader.property_task(texts),
            Some(System::Network(network)) => {
                let queries = if texts.is_empty() { self.queries.clone() } else { reader.queries(texts) };
                Some(Task::about_network(Arc::clone(network), queries))
            }
        };
        reader.finish(task)
    }

    /// Parses the plans of these queries, or of the model's own if there are none.
    pub fn read_plans(&self, texts: &[String]) -> Resolved<Vec<Plan>> {
        if self.lowered.is_some() {
            let mut reader = QueryReader::new(self);
            let plans = reader.plans(texts);
            return reader.finish(Some(plans));
        }
        let Resolved { files, origins, value, diagnostics } = self.read_task(texts);
        let plans = value.map(|Task { system, queries }| {
            let plan = |query: Query| {
                let (text, origin) = (query.text.clone(), query.origin);
                Plan::of_query(Task { system: system.clone(), queries: vec![query] }, text, origin)
            };
            queries.into_iter().map(plan).collect()
        });
        Resolved { files, origins, value: plans, diagnostics }
    }

    /// Parses a proof about the model.
    pub fn read_proof(&self, name: &str, bytes: &[u8]) -> Resolved<Proof> {
        let mut reader = QueryReader::new(self);
        let proof = reader.proof(name, bytes);
        reader.finish(proof)
    }

    /// Returns the task of these queries; `None` if the model has errors.
    pub fn task(&self, queries: Vec<Query>) -> Option<Task> {
        let system = self.system.clone()?;
        Some(Task { system, queries })
    }

    /// Returns the names and the network that queries refer to; `None` if the model has errors or is no network.
    fn elaborated(&self) -> Option<ElaboratedModel<'_>> {
        let (tree, names) = (self.tree()?, self.names.as_ref()?);
        Some(ElaboratedModel { tree, names, network: self.network()? })
    }
}

/// The extended tables of a model while texts about it are parsed.
struct QueryReader<'loaded> {
    loaded: &'loaded Loaded,
    files: Files,
    origins: Origins,
    diagnostics: Diagnostics,
    /// Errors of queries whose specifications cannot be combined; they do not concern the other queries.
    misfits: Diagnostics,
    /// Whether the specifications of some query can be combined.
    has_fitting_query: bool,
}

impl<'loaded> QueryReader<'loaded> {
    fn new(loaded: &'loaded Loaded) -> QueryReader<'loaded> {
        QueryReader {
            loaded,
            files: Files::extending(&loaded.files),
            origins: Origins::extending(&loaded.origins),
            diagnostics: Diagnostics::new(),
            misfits: Diagnostics::new(),
            has_fitting_query: false,
        }
    }

    fn finish<T>(mut self, value: Option<T>) -> Resolved<T> {
        let can_be_asked = self.has_fitting_query || !self.misfits.has_errors();
        let value = value.filter(|_| can_be_asked && !self.diagnostics.has_errors());
        self.diagnostics.extend(self.misfits);
        self.diagnostics.sort(&self.files);
        Resolved {
            value,
            files: Arc::new(self.files),
            origins: Arc::new(self.origins),
            diagnostics: self.diagnostics,
        }
    }

    fn queries(&mut self, texts: &[String]) -> Vec<Query> {
        let mut queries = Vec::with_capacity(texts.len());
        for (number, text) in texts.iter().enumerate() {
            queries.extend(self.query(&format!("query {}", number + 1), text));
        }
        queries
    }

    /// Parses the plans of queries about a lowered model.
    fn plans(&mut self, texts: &[String]) -> Vec<Plan> {
        let Some(model) = &self.loaded.lowered else { return Vec::new() };
        if texts.is_empty() {
            return model.plans();
        }
        let mut plans = Vec::with_capacity(texts.len());
        for (number, text) in texts.iter().enumerate() {
            let file = self.files.add(format!("query {}", number + 1), text.as_str());
            let Some(file) = self.accept_file(file) else { continue };
            let (plan, found) = model.read_query(&self.files, &mut self.origins, file);
            self.diagnostics.extend(found);
            plans.extend(plan);
        }
        plans
    }

    /// Parses queries about a lowered model that need a single task.
    fn only_task(&mut self, texts: &[String]) -> Option<Task> {
        let plans = self.plans(texts);
        let mut tasks = plans.iter().flat_map(|plan| &plan.tasks);
        match (tasks.next(), tasks.next()) {
            (Some(task), None) => Some(task.clone()),
            _ if self.diagnostics.has_errors() => None,
            _ => {
                let message = "the queries about this model need several tasks, but only one is supported";
                let hint = "use one query about one system";
                self.diagnostics.push(Diagnostic::error(&NOT_SUPPORTED, message).with_hint(hint));
                None
            }
        }
    }

    fn query(&mut self, name: &str, text: &str) -> Option<Query> {
        let file = self.files.add(name, text);
        let file = self.accept_file(file)?;
        let model = self.loaded.elaborated()?;
        let (query, found) = read_query(&self.files, &mut self.origins, model, file);
        self.diagnostics.extend(found);
        if let Some(query) = &query {
            let misfits = specification_problems(query, &self.origins);
            self.has_fitting_query |= !misfits.has_errors();
            self.misfits.extend(misfits);
        }
        query
    }

    fn proof(&mut self, name: &str, bytes: &[u8]) -> Option<Proof> {
        let file = self.files.add_bytes(name, bytes);
        let file = self.accept_file(file)?;
        let model = self.loaded.elaborated()?;
        let (statements, found) = read_proof(&self.files, &mut self.origins, model, file);
        self.diagnostics.extend(found);
        if self.diagnostics.has_errors() {
            return None;
        }
        for statement in &statements {
            self.diagnostics.extend(specification_problems(&statement.query, &self.origins));
        }
        if self.diagnostics.has_errors() {
            return None;
        }
        let (proof, found) = Proof::new(statements, self.files.whole(file), &self.origins);
        self.diagnostics.extend(found);
        proof
    }

    /// Parses properties of a symbolic system that replace its own.
    fn property_task(&mut self, properties: &[String]) -> Option<Task> {
        let mut texts = Vec::with_capacity(properties.len());
        for (number, text) in properties.iter().enumerate() {
            let file = self.files.add(format!("query {}", number + 1), text.as_str());
            texts.push(PropertyText { file: self.accept_file(file)?, is_bare: true });
        }
        let (language, file) = (self.loaded.language?, self.loaded.file?);
        let (system, found) =
            read_with_properties(language, &mut self.files, &mut self.origins, file, &texts)?;
        self.diagnostics.extend(found);
        system.map(|system| Task::about_properties(Arc::new(system)))
    }

    /// Returns the added file, or reports the error.
    fn accept_file(&mut self, added: Result<FileId, Diagnostic>) -> Option<FileId> {
        added.map_err(|diagnostic| self.diagnostics.push(diagnostic)).ok()
    }
}
