//! Elaborates syntax trees into a network: resolves names, types and sizes, and creates the processes.
//!
//! Invariant: a network is returned only if no error was reported; every node of it has an origin in the text. All
//! errors of a model are reported, not only the first: a faulty declaration is skipped, and its uses are not reported.

mod changed_parameters;
mod clock_comparisons;
mod declarations;
mod effects;
mod expressions;
mod initialisers;
mod instances;
mod operators;
mod partial;
mod processes;
mod queries;
mod scope;
mod specifications;
mod statements;
mod types;
mod unsupported_queries;

pub use partial::elaborate_partially;
pub use specifications::{specification_with_names_replaced, with_names_replaced};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tempora_source::{Code, Diagnostic, Diagnostics, Files, Origin, Origins, Severity, Span};

use crate::codes::meaning as codes;
use crate::evaluate::{EvaluationFailure, evaluate_constant};
use crate::expression::Expression;
use crate::network::{Network, Omission};
use crate::query::Query;
use crate::types::Value;
use crate::{FunctionId, ProcessId};
use effects::Effects;
use scope::{DeclarationPosition, Scopes, Symbol};
use tempora_syntax::ast;

/// The result of elaborating a model.
#[derive(Clone, Debug)]
pub struct Elaborated {
    /// The network, unless there are errors.
    pub network: Option<Network>,
    /// The names of the model, to elaborate more queries about the network; `None` if there is no network.
    pub names: Option<ModelNames>,
    /// The queries of the model that have no errors.
    pub queries: Vec<Query>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

/// The global names of an elaborated model, in which later queries are elaborated. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ModelNames {
    scopes: Scopes,
    effects: Arc<Vec<Effects>>,
}

/// A model that has been elaborated without errors.
#[derive(Clone, Copy)]
pub struct ElaboratedModel<'model> {
    /// The tree that it was elaborated from.
    pub tree: &'model ast::Network,
    /// Its names, as elaboration returned them.
    pub names: &'model ModelNames,
    /// Its network, as elaboration returned it.
    pub network: &'model Arc<Network>,
}

/// Elaborates a whole model: its declarations, processes, vectors, system line and queries.
pub fn elaborate_network(files: &Files, origins: &mut Origins, model: &ast::Network) -> Elaborated {
    let mut elaborator = Elaborator::new(files, origins, model);
    elaborator.model();
    let mut diagnostics = std::mem::take(&mut elaborator.diagnostics);
    if diagnostics.has_errors() {
        // Names in the queries may be missing.
        return Elaborated { network: None, names: None, queries: Vec::new(), diagnostics };
    }
    let queries = elaborator.model_queries(model);
    // An erroneous query does not invalidate the model.
    diagnostics.extend(elaborator.diagnostics.into_iter().map(|mut diagnostic| {
        diagnostic.severity = diagnostic.severity.max(Severity::Warning);
        diagnostic
    }));
    let names = ModelNames { scopes: elaborator.scopes, effects: elaborator.effects };
    let network = Arc::unwrap_or_clone(elaborator.network);
    Elaborated { network: Some(network), names: Some(names), queries, diagnostics }
}

/// Elaborates a query about an elaborated model, without elaborating the model again.
pub fn elaborate_query(
    files: &Files,
    origins: &mut Origins,
    model: ElaboratedModel<'_>,
    query: &ast::Query,
) -> (Option<Query>, Diagnostics) {
    let mut elaborator = Elaborator::about(files, origins, model);
    let query = elaborator.query(query).ok();
    (query, elaborator.diagnostics)
}

/// Elaborates related queries about specifications: they share one network, which contains each component once.
pub fn elaborate_statements(
    files: &Files,
    origins: &mut Origins,
    model: ElaboratedModel<'_>,
    queries: &[ast::Query],
) -> (Vec<Option<Query>>, Diagnostics) {
    let mut elaborator = Elaborator::about(files, origins, model);
    let queries = elaborator.statements(queries).into_iter().map(std::result::Result::ok).collect();
    (queries, elaborator.diagnostics)
}

/// The error type of elaboration: a diagnostic has already been reported.
#[derive(Clone, Copy, Debug)]
struct Reported;

type Result<T> = std::result::Result<T, Reported>;

/// The limit for the cells of all variables, to bound memory.
const CELL_LIMIT: u64 = 1 << 22;

/// The memory that one cell may take: in initial values, in compiled tables and in some states.
const BYTES_PER_CELL: u64 = 128;

/// The limit for the types that a type consists of. Records share their fields, so a few lines can define a type that
/// no traversal ends on.
const PART_LIMIT: u64 = 1 << 16;

/// The memory that a location or an edge of a process may take, in the network and in compiled tables.
const BYTES_PER_PLACE: u64 = 512;

/// Returns the limit for the cells of all variables: lower if the memory is limited.
fn cell_limit() -> u64 {
    tempora_interrupt::memory_limit().map_or(CELL_LIMIT, |bytes| CELL_LIMIT.min(bytes / BYTES_PER_CELL))
}

/// Returns the limit for the locations and edges of all processes: lower if the memory is limited.
fn place_limit() -> u64 {
    tempora_interrupt::memory_limit().map_or(PLACE_LIMIT, |bytes| PLACE_LIMIT.min(bytes / BYTES_PER_PLACE))
}

/// Returns the hint for a limit on a number of things, which is lower if the memory is limited.
fn limit_hint(limit: u64, things: &str, largest: u64) -> String {
    let limited = if limit < largest { " within this `--memory`" } else { "" };
    format!("a model may have at most {limit} {things}{limited}")
}

/// The limit for the processes of one template; more are a mistake in the range of a parameter.
const PROCESS_LIMIT: usize = 10_000;

/// The limit for the locations and edges of all processes, to bound memory.
const PLACE_LIMIT: u64 = 1 << 21;

struct Elaborator<'model> {
    files: &'model Files,
    written_model: &'model ast::Network,
    origins: &'model mut Origins,
    /// The partial network; a query shares that of its model and does not change it.
    network: Arc<Network>,
    diagnostics: Diagnostics,
    scopes: Scopes,
    /// The effects of each function, by its id.
    effects: Arc<Vec<Effects>>,
    /// The process whose declarations are being elaborated.
    owner: Option<ProcessId>,
    /// The number of names that enclosing selects, quantifiers, loops and functions bind.
    bound_names: u32,
    /// The name of the function that is being elaborated, for the message about recursion.
    current_function: Option<String>,
    /// Whether locations, variables of processes and `deadlock` are allowed.
    in_query: bool,
    /// Inside an expression that only statistical queries depend on, such as the rate of a hybrid clock. Unsupported
    /// constructs there do not affect verdicts.
    in_statistics: bool,
    cells: u64,
    events: BTreeMap<String, crate::EventId>,
    /// The first unsupported construct of the current query.
    query_omission: Option<&'static str>,
    /// The first synchronisation with a direction, and the first without.
    sided_synchronisation: Option<Span>,
    sideless_synchronisation: Option<Span>,
    /// The names of all processes.
    process_names: BTreeSet<String>,
    /// The number of locations and edges of all processes.
    places: u64,
    /// The unsupported constructs of the model, with their places.
    omitted: BTreeSet<(&'static str, Span)>,
    /// Whether the text of the model has syntax errors.
    is_partial: bool,
    /// The declarations with syntax errors.
    broken: BTreeSet<DeclarationPosition>,
}

impl<'model> Elaborator<'model> {
    fn new(
        files: &'model Files,
        origins: &'model mut Origins,
        model: &'model ast::Network,
    ) -> Elaborator<'model> {
        Elaborator {
            files,
            written_model: model,
            origins,
            network: Arc::default(),
            diagnostics: Diagnostics::new(),
            scopes: Scopes::new(),
            effects: Arc::default(),
            owner: None,
            bound_names: 0,
            current_function: None,
            in_query: false,
            in_statistics: false,
            cells: 0,
            events: BTreeMap::new(),
            query_omission: None,
            sided_synchronisation: None,
            sideless_synchronisation: None,
            process_names: BTreeSet::new(),
            places: 0,
            omitted: BTreeSet::new(),
            is_partial: false,
            broken: BTreeSet::new(),
        }
    }

    /// Creates an elaborator for queries about a model.
    fn about(
        files: &'model Files,
        origins: &'model mut Origins,
        model: ElaboratedModel<'model>,
    ) -> Elaborator<'model> {
        Elaborator {
            network: model.network.clone(),
            scopes: model.names.scopes.clone(),
            effects: model.names.effects.clone(),
            ..Elaborator::new(files, origins, model.tree)
        }
    }

    /// Elaborates everything but the queries.
    fn model(&mut self) {
        #[cfg(test)]
        tests::ELABORATIONS.with(|count| count.set(count.get() + 1));
        let model = self.written_model;
        for (position, declaration) in model.declarations.iter().enumerate() {
            if self.is_broken(position) {
                self.broken_declaration(declaration);
            } else {
                self.global_declaration(DeclarationPosition(position), declaration);
            }
        }
        self.system(model);
        self.input_output_declarations();
        self.vectors();
        if let (Some(sided), Some(sideless)) = (self.sided_synchronisation, self.sideless_synchronisation) {
            self.diagnostics.push(
                Diagnostic::error(&codes::MISPLACED, "a synchronisation needs `!` or `?`")
                    .with_primary(sideless, "neither sends nor receives")
                    .with_secondary(sided, "this one has a direction")
                    .with_hint("write `!` on the side that sends and `?` on the side that receives"),
            );
        }
    }

    /// Elaborates a part in a new scope.
    fn scoped<T>(&mut self, part: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.enter();
        let bound_names = self.bound_names;
        let result = part(self);
        self.bound_names = bound_names;
        self.scopes.leave();
        result
    }

    /// Returns the network for modification. While a model is elaborated it is not shared, so nothing is copied.
    fn network_mut(&mut self) -> &mut Network {
        tempora_interrupt::checkpoint();
        Arc::make_mut(&mut self.network)
    }

    fn written(&mut self, span: Span) -> Origin {
        self.origins.written(span)
    }

    fn error<T>(&mut self, code: &'static Code, span: Span, message: impl Into<String>) -> Result<T> {
        self.diagnostics.push(Diagnostic::error(code, message).with_primary(span, ""));
        Err(Reported)
    }

    fn error_with_hint<T>(
        &mut self,
        code: &'static Code,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Result<T> {
        self.diagnostics.push(Diagnostic::error(code, message).with_primary(span, "").with_hint(hint));
        Err(Reported)
    }

    fn warning(
        &mut self,
        code: &'static Code,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.diagnostics.push(Diagnostic::warning(code, message).with_primary(span, "").with_hint(hint));
    }

    /// Reports a construct that is not supported.
    fn declined<T>(&mut self, span: Span, what: &str, hint: &str) -> Result<T> {
        self.error_with_hint(&codes::NOT_SUPPORTED, span, format!("{what} is not supported"), hint)
    }

    /// Records a construct that the network cannot represent. The model can still be inspected.
    fn omit(&mut self, span: Span, construct: &'static str) {
        if self.in_statistics {
            return;
        }
        if self.in_query {
            self.query_omission.get_or_insert(construct);
            return;
        }
        if !self.omitted.insert((construct, span)) {
            return;
        }
        let is_first = self.network.omissions.iter().all(|omission| omission.construct != construct);
        let origin = self.written(span);
        self.network_mut().omissions.push(Omission { construct: construct.to_owned(), origin });
        if is_first {
            self.warning(
                &codes::NOT_ANSWERED,
                span,
                format!("no engine supports {construct}"),
                "the model can be inspected, but every verdict about it is unknown",
            );
        }
    }

    /// Declares a name in the innermost scope; reports an error if it is already declared there.
    fn declare(&mut self, name: &ast::Name, symbol: Symbol) -> Result<()> {
        if name.text.is_empty() {
            return Err(Reported); // The parser has reported the missing name.
        }
        match self.scopes.declare(&name.text, name.span, symbol) {
            None => Ok(()),
            // The other declaration has a syntax error, so its name may be wrong.
            Some(_) if self.is_partial && matches!(self.scopes.look_up(&name.text), Some(Symbol::Faulty)) => {
                Err(Reported)
            }
            Some(first) => {
                self.diagnostics.push(
                    Diagnostic::error(&codes::DUPLICATE_NAME, format!("`{}` is declared twice", name.text))
                        .with_primary(name.span, "declared again")
                        .with_secondary(first, "first declared here")
                        .with_hint("rename one of them"),
                );
                Err(Reported)
            }
        }
    }

    /// Evaluates an expression that must be constant.
    fn constant(&mut self, expression: &Expression) -> Result<Value> {
        match evaluate_constant(&self.network.variables, &self.network.functions, expression) {
            Ok(value) => Ok(value),
            Err(failure) => self.report_constant_failure(&failure, expression.origin),
        }
    }

    fn constant_integer(&mut self, expression: &ast::Expression) -> Result<i32> {
        let typed = self.integral(expression)?;
        match self.constant(&typed)?.as_integer() {
            Some(value) => Ok(value),
            None => self.error(&codes::TYPE_MISMATCH, expression.span, "expected an integer"),
        }
    }

    fn report_constant_failure<T>(&mut self, failure: &EvaluationFailure, whole: Origin) -> Result<T> {
        let span = self.origins.primary_span(failure.origin).or_else(|| self.origins.primary_span(whole));
        let (code, message, hint) = if failure.kind.is_error() {
            (&codes::CONSTANT_ERROR, failure.kind.to_string(), "the value is computed when the model is read")
        } else {
            (
                &codes::NOT_CONSTANT,
                format!("expected a constant, but {}", failure.kind),
                "use numbers, constants and functions of them",
            )
        };
        let diagnostic = Diagnostic::error(code, message).with_hint(hint);
        self.diagnostics.push(match span {
            Some(span) => diagnostic.with_primary(span, ""),
            None => diagnostic,
        });
        Err(Reported)
    }

    fn function_effects(&self, function: FunctionId) -> Effects {
        self.effects.get(function.0 as usize).cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::Arc;

    use tempora_source::{Files, Origins};
    use tempora_syntax::{parse_network, parse_query};

    use super::{ElaboratedModel, elaborate_network, elaborate_query};

    thread_local! {
        /// The number of models that this thread has elaborated.
        pub(super) static ELABORATIONS: Cell<u32> = const { Cell::new(0) };
    }

    #[test]
    fn many_queries_elaborate_model_once() {
        let text = "int[0,3] n; int twice(int k) { return 2 * k; }
            process P(int[0,1] id) { int own; state a, b; init a; trans a -> b { assign n = twice(id), own = 1; }; }
            system P;";
        let (mut files, mut origins) = (Files::new(), Origins::new());
        let file = files.add("model", text).unwrap();
        let parsed = parse_network(&files, file);
        let before = ELABORATIONS.get();
        let elaborated = elaborate_network(&files, &mut origins, &parsed.tree);
        let network = Arc::new(elaborated.network.unwrap());
        let names = elaborated.names.unwrap();
        for number in 0..40 {
            let text = format!("E<> n == {number} && P(1).b && P(0).own == twice(n)");
            let file = files.add("query", text.as_str()).unwrap();
            let query = parse_query(&files, file);
            let model = ElaboratedModel { tree: &parsed.tree, names: &names, network: &network };
            let (query, diagnostics) = elaborate_query(&files, &mut origins, model, &query.tree);
            assert!(diagnostics.is_empty(), "{diagnostics:?}");
            assert_eq!(query.map(|query| query.text), Some(text));
        }
        assert_eq!(ELABORATIONS.get() - before, 1);
        assert_eq!(Arc::strong_count(&network), 1, "a query keeps no copy of the network");
    }
}
