//! Reads models: calls the front end of the language and elaborates its trees.
//!
//! Invariant: a network or symbolic system is returned only if no error was reported, and it is well formed.

use std::sync::Arc;

use tempora_model::{
    ElaboratedModel, ModelNames, Network, Query, collect_symbols, elaborate_network, elaborate_partially,
    elaborate_query, elaborate_statements, validate_network,
};
use tempora_source::{Diagnostic, Diagnostics, FileId, Files, Origins, Severity, Symbols};
use tempora_syntax::codes::structure::TOO_MANY_ERRORS;
use tempora_syntax::{ast, parse_proof, parse_queries, parse_query};
use tempora_transition::SymbolicSystem;

use crate::ecdar::{ProjectFile, read_project};
use crate::language::Reader;
use crate::symbolic::{PropertyText, ReadSymbolic, SystemDocument};
use crate::text_document::TextDocument;
use crate::uppaal::demoted;
use crate::{Document, FolderPart, FolderReader, Language, LoweredModel, ReadModel, Reading};

/// The result of parsing a model, before elaboration.
pub struct Written {
    /// The trees, including parts with errors.
    pub tree: ast::Network,
    /// Creates the document of the trees, whose queries may have been replaced by those of another file.
    pub document: Box<dyn FnOnce(ast::Network) -> Arc<dyn Document>>,
    /// The diagnostics.
    pub diagnostics: Diagnostics,
}

impl Written {
    /// Creates the result for a text whose document parts are those of its trees.
    pub fn text(file: FileId, tree: ast::Network, diagnostics: Diagnostics) -> Written {
        Written { tree, document: Box::new(move |tree| Arc::new(TextDocument { file, tree })), diagnostics }
    }
}

/// The result of reading a model.
pub struct Read {
    /// The model as written, including parts with errors.
    pub document: Arc<dyn Document>,
    /// The network, unless there are errors or the model is of another kind.
    pub network: Option<Arc<Network>>,
    /// The names of the network, for reading queries; present if the network is.
    pub names: Option<ModelNames>,
    /// The symbolic system, unless there are errors or the model is of another kind.
    pub symbolic: Option<SymbolicSystem>,
    /// The model of a language with a lowering, unless there are errors.
    pub lowered: Option<Arc<dyn LoweredModel>>,
    /// The names in the file, as far as it could be parsed.
    pub symbols: Symbols,
    /// The queries of the model that have no errors.
    pub queries: Vec<Query>,
    /// The diagnostics.
    pub diagnostics: Diagnostics,
}

impl Read {
    /// Returns the model for elaborating queries; `None` without a network.
    pub fn elaborated(&self) -> Option<ElaboratedModel<'_>> {
        let (names, network) = (self.names.as_ref()?, self.network.as_ref()?);
        Some(ElaboratedModel { tree: self.tree()?, names, network })
    }

    /// Returns the trees of a network; `None` for other languages.
    pub fn tree(&self) -> Option<&ast::Network> {
        self.document.network().map(|written| written.tree)
    }
}

/// A query file for a model.
#[derive(Clone, Copy, Debug)]
pub struct QueryFile {
    /// The file.
    pub file: FileId,
    /// Whether it is used only if the model has no queries of its own; otherwise it replaces them.
    pub is_fallback: bool,
}

/// Reads a model from a file, and its queries from an optional query file; it imports no further files.
pub fn read_model(
    language: &Language,
    files: &mut Files,
    origins: &mut Origins,
    file: FileId,
    queries: Option<QueryFile>,
) -> Read {
    read_model_in(&mut Reading::new(files, origins), language, file, queries)
}

/// Reads a model from a file, and its queries from an optional query file.
pub fn read_model_in(
    reading: &mut Reading<'_>,
    language: &Language,
    file: FileId,
    queries: Option<QueryFile>,
) -> Read {
    let mut read = match &language.reader {
        Reader::Network(parse) => {
            let written = parse(reading, file);
            elaborate_parsed(reading.files, reading.origins, written, queries)
        }
        Reader::Symbolic(read) => read_symbolic(*read, reading, file, queries),
        Reader::Lowered(read) => read_lowered(read(reading, file, queries)),
        Reader::Folder(folder) => {
            let path = reading.files.name(file).to_owned();
            let part = FolderPart { path: path.clone(), file };
            match (folder.read)(reading, &path, &[part]) {
                Ok(written) => elaborate_parsed(reading.files, reading.origins, written, queries),
                Err(problem) => {
                    let tree = ast::Network { declarations: Vec::new(), span: reading.files.whole(file) };
                    let written = Written::text(file, tree, [problem].into_iter().collect());
                    elaborate_parsed(reading.files, reading.origins, written, None)
                }
            }
        }
    };
    read.diagnostics = limited(read.diagnostics);
    read
}

/// Reads a model from the files of a folder, and its queries from an optional query file.
pub fn read_folder(
    reading: &mut Reading<'_>,
    folder: &FolderReader,
    name: &str,
    parts: &[FolderPart],
    queries: Option<QueryFile>,
) -> Result<Read, Diagnostic> {
    let written = (folder.read)(reading, name, parts)?;
    let mut read = elaborate_parsed(reading.files, reading.origins, written, queries);
    read.diagnostics = limited(read.diagnostics);
    Ok(read)
}

/// The largest number of diagnostics that are reported, against hostile files with millions of errors.
const FINDING_LIMIT: usize = 200;

/// Limits the number of diagnostics, errors first.
fn limited(diagnostics: Diagnostics) -> Diagnostics {
    let count = diagnostics.len();
    if count <= FINDING_LIMIT {
        return diagnostics;
    }
    let (errors, others): (Vec<Diagnostic>, Vec<Diagnostic>) =
        diagnostics.into_iter().partition(|diagnostic| diagnostic.severity == Severity::Error);
    let severity = if errors.is_empty() { Severity::Warning } else { Severity::Error };
    let message = format!("{} more diagnostics are not shown", count - FINDING_LIMIT);
    let rest = Diagnostic::new(&TOO_MANY_ERRORS, severity, message)
        .with_hint("fix the diagnostics that are shown first");
    errors.into_iter().chain(others).take(FINDING_LIMIT).chain([rest]).collect()
}

/// Reads a project of several files, represented by the first, and its queries from an optional query file.
pub fn read_project_model(
    files: &mut Files,
    origins: &mut Origins,
    first: FileId,
    project: &[ProjectFile],
    queries: Option<QueryFile>,
) -> Read {
    let written = read_project(files, first, project);
    let mut read = elaborate_parsed(files, origins, written, queries);
    read.diagnostics = limited(read.diagnostics);
    read
}

/// Elaborates a tree that no front end has parsed.
pub fn read_tree(files: &mut Files, origins: &mut Origins, tree: ast::Network) -> Read {
    let written = Written::text(tree.span.file, tree, Diagnostics::new());
    let mut read = elaborate_parsed(files, origins, written, None);
    read.diagnostics = limited(read.diagnostics);
    read
}

/// Elaborates a parsed model and its queries.
fn elaborate_parsed(
    files: &mut Files,
    origins: &mut Origins,
    written: Written,
    queries: Option<QueryFile>,
) -> Read {
    let Written { mut tree, document, mut diagnostics } = written;
    if diagnostics.has_errors() {
        diagnostics.extend(elaborate_partially(files, origins, &tree, &diagnostics));
        let symbols = collect_symbols(files, &tree);
        return Read {
            document: document(tree),
            network: None,
            names: None,
            symbolic: None,
            lowered: None,
            symbols,
            queries: Vec::new(),
            diagnostics,
        };
    }
    let is_query =
        |declaration: &ast::Declaration| matches!(declaration.kind, ast::DeclarationKind::Queries(_));
    let has_queries = tree.declarations.iter().any(is_query);
    if let Some(queries) = queries.filter(|queries| !queries.is_fallback || !has_queries) {
        tree.declarations.retain(|declaration| !is_query(declaration));
        let parsed = parse_queries(files, queries.file);
        diagnostics.extend(parsed.diagnostics.into_iter().map(demoted));
        let is_written =
            |query: &ast::Query| !matches!(query.kind, ast::QueryKind::Empty | ast::QueryKind::Error);
        let items: Vec<ast::QueryItem> = parsed
            .tree
            .into_iter()
            .filter(is_written)
            .map(|query| ast::QueryItem { title: None, span: query.span, query })
            .collect();
        let (kind, span) = (ast::DeclarationKind::Queries(items), files.whole(queries.file));
        tree.declarations.push(ast::Declaration { kind, span });
    }
    let symbols = collect_symbols(files, &tree);
    let elaborated = elaborate_network(files, origins, &tree);
    diagnostics.extend(elaborated.diagnostics);
    let network = elaborated.network.filter(|network| {
        let found = validate_network(network, origins);
        let is_well_formed = found.is_empty();
        diagnostics.extend(found);
        is_well_formed
    });
    Read {
        document: document(tree),
        names: elaborated.names.filter(|_| network.is_some()),
        network: network.map(Arc::new),
        symbolic: None,
        lowered: None,
        symbols,
        queries: elaborated.queries,
        diagnostics,
    }
}

type SymbolicReader = fn(&mut Reading<'_>, FileId, &[PropertyText]) -> ReadSymbolic;

fn read_symbolic(
    read: SymbolicReader,
    reading: &mut Reading<'_>,
    file: FileId,
    queries: Option<QueryFile>,
) -> Read {
    let given = queries.map(|queries| PropertyText { file: queries.file, is_bare: false });
    let mut result = match (queries, given) {
        (Some(QueryFile { is_fallback: false, .. }), Some(given)) => read(reading, file, &[given]),
        _ => read(reading, file, &[]),
    };
    if let (Some(given), Some(system)) = (given, &result.system)
        && system.properties.is_empty()
    {
        result = read(reading, file, &[given]);
    }
    let document = SystemDocument::new(reading.files, reading.origins, file, result.system.as_ref());
    Read {
        document: Arc::new(document),
        network: None,
        names: None,
        symbolic: result.system,
        lowered: None,
        symbols: result.symbols,
        queries: Vec::new(),
        diagnostics: result.diagnostics,
    }
}

fn read_lowered(read: ReadModel) -> Read {
    Read {
        document: read.document,
        network: None,
        names: None,
        symbolic: None,
        lowered: read.model.filter(|_| !read.diagnostics.has_errors()),
        symbols: read.symbols,
        queries: Vec::new(),
        diagnostics: read.diagnostics,
    }
}

/// Reads a symbolic system again, with these properties instead of its own; `None` for other languages.
pub fn read_with_properties(
    language: &Language,
    files: &mut Files,
    origins: &mut Origins,
    file: FileId,
    properties: &[PropertyText],
) -> Option<(Option<SymbolicSystem>, Diagnostics)> {
    let Reader::Symbolic(read) = language.reader else { return None };
    let result = read(&mut Reading::new(files, origins), file, properties);
    Some((result.system, limited(result.diagnostics)))
}

/// A statement of a proof about a model.
pub struct ReadStatement {
    /// Whether it follows from other statements.
    pub is_conclusion: bool,
    /// The refinement that it states.
    pub query: Query,
}

/// Reads a proof about a model.
pub fn read_proof(
    files: &Files,
    origins: &mut Origins,
    model: ElaboratedModel<'_>,
    file: FileId,
) -> (Vec<ReadStatement>, Diagnostics) {
    let parsed = parse_proof(files, file);
    let mut diagnostics = parsed.diagnostics;
    let mut statements = Vec::new();
    if diagnostics.has_errors() {
        return (statements, diagnostics);
    }
    let (kinds, written): (Vec<bool>, Vec<ast::Query>) =
        parsed.tree.into_iter().map(|statement| (statement.is_conclusion, statement.query)).unzip();
    // All statements share one network, so each component occurs once, however many statements name it.
    let (queries, found) = elaborate_statements(files, origins, model, &written);
    diagnostics.extend(found);
    for (is_conclusion, query) in kinds.into_iter().zip(queries) {
        statements.extend(query.map(|query| {
            let text = format!("refinement: {}", query.text);
            ReadStatement { is_conclusion, query: Query { text, ..query } }
        }));
    }
    (statements, diagnostics)
}

/// Reads a query about a model.
pub fn read_query(
    files: &Files,
    origins: &mut Origins,
    model: ElaboratedModel<'_>,
    file: FileId,
) -> (Option<Query>, Diagnostics) {
    let parsed = parse_query(files, file);
    let mut diagnostics = parsed.diagnostics;
    if diagnostics.has_errors() {
        return (None, diagnostics);
    }
    let (query, found) = elaborate_query(files, origins, model, &parsed.tree);
    diagnostics.extend(found);
    (query, diagnostics)
}
