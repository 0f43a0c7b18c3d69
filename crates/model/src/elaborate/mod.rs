//! From written trees to a network: names, types, sizes, instances.
//!
//! Invariant: a network is returned only if no error was reported; every node of it has an origin that leads back to
//! the text. All errors of a model are reported, not only the first: a faulty declaration is left out, and what
//! depends on it is reported only if it is faulty by itself.

mod assigned;
mod clock_comparisons;
mod declarations;
mod effects;
mod expressions;
mod initialisers;
mod instances;
mod processes;
mod queries;
mod scope;
mod specifications;
mod statements;
mod types;
mod unanswered;
mod vocabulary;

pub use specifications::{specification_with_names_replaced, with_names_replaced};

use std::collections::{BTreeMap, BTreeSet};

use tempora_source::{Code, Diagnostic, Diagnostics, Files, Origin, Origins, Severity, Span};

use crate::codes::meaning as codes;
use crate::evaluate::{EvaluationFailure, evaluate_constant};
use crate::expression::Expression;
use crate::network::{Network, Omission};
use crate::query::Query;
use crate::types::Value;
use crate::{FunctionId, ProcessId};
use effects::Effects;
use scope::{Scopes, Symbol};
use tempora_syntax::ast;

/// What became of a written model.
#[derive(Clone, Debug)]
pub struct Elaborated {
    /// The network, unless there are errors.
    pub network: Option<Network>,
    /// The queries that are written in the model and have no errors.
    pub queries: Vec<Query>,
    /// What was found.
    pub diagnostics: Diagnostics,
}

/// Works out a whole model: its declarations, processes, vectors, system line and queries.
pub fn elaborate_network(files: &Files, origins: &mut Origins, model: &ast::Network) -> Elaborated {
    let mut elaborator = Elaborator::new(files, origins, Network::default());
    elaborator.model(model);
    let mut diagnostics = std::mem::take(&mut elaborator.diagnostics);
    if diagnostics.has_errors() {
        // What the queries speak of may be missing.
        return Elaborated { network: None, queries: Vec::new(), diagnostics };
    }
    let queries = elaborator.model_queries(model);
    // A query that makes no sense does not spoil the model.
    diagnostics.extend(elaborator.diagnostics.into_iter().map(|mut diagnostic| {
        diagnostic.severity = diagnostic.severity.max(Severity::Warning);
        diagnostic
    }));
    Elaborated { network: Some(elaborator.network), queries, diagnostics }
}

/// Works out a query about a network that has been worked out from this model.
pub fn elaborate_query(
    files: &Files,
    origins: &mut Origins,
    model: &ast::Network,
    query: &ast::Query,
) -> (Option<Query>, Diagnostics) {
    // The model is worked out again, which gives the same ids: so names are looked up in the scopes of the model
    // itself, and no table of names has to be kept with the network.
    let mut elaborator = Elaborator::new(files, origins, Network::default());
    elaborator.model(model);
    if elaborator.diagnostics.has_errors() {
        return (None, elaborator.diagnostics);
    }
    elaborator.diagnostics = Diagnostics::new();
    let query = elaborator.query(query).ok();
    (query, elaborator.diagnostics)
}

/// Works out questions about specifications that belong together: all of them share one network, with each component once.
pub fn elaborate_statements(
    files: &Files,
    origins: &mut Origins,
    model: &ast::Network,
    queries: &[ast::Query],
) -> (Vec<Option<Query>>, Diagnostics) {
    let mut elaborator = Elaborator::new(files, origins, Network::default());
    elaborator.model(model);
    if elaborator.diagnostics.has_errors() {
        return (vec![None; queries.len()], elaborator.diagnostics);
    }
    elaborator.diagnostics = Diagnostics::new();
    let queries = elaborator.statements(queries).into_iter().map(std::result::Result::ok).collect();
    (queries, elaborator.diagnostics)
}

/// An error has been reported; whoever gets this has nothing more to say.
#[derive(Clone, Copy, Debug)]
struct Reported;

type Result<T> = std::result::Result<T, Reported>;

/// More cells than this and a model does not fit into memory anyway.
const CELL_LIMIT: u64 = 1 << 22;

/// More processes than this are a mistake in a parameter's range.
const PROCESS_LIMIT: usize = 10_000;

/// More locations and edges than this and the model does not fit into memory either.
const PLACE_LIMIT: u64 = 1 << 21;

struct Elaborator<'model> {
    files: &'model Files,
    /// What is written, once it is looked at.
    written_model: Option<&'model ast::Network>,
    origins: &'model mut Origins,
    network: Network,
    diagnostics: Diagnostics,
    scopes: Scopes<'model>,
    /// What each function may change, by its id.
    effects: Vec<Effects>,
    /// The process whose declarations are being worked out.
    owner: Option<ProcessId>,
    /// How many names are bound around the current place by selects, quantifiers, loops and functions.
    bound_names: u32,
    /// The name of the function whose body is being worked out, for the message about recursion.
    current_function: Option<String>,
    /// Whether processes and `deadlock` may be spoken of.
    in_query: bool,
    /// Inside of what only statistics look at: the rate of a hybrid clock. Nothing there can be missed by a verdict.
    in_statistics: bool,
    cells: u64,
    events: BTreeMap<String, crate::EventId>,
    /// The first thing in the current query that no engine understands.
    query_omission: Option<&'static str>,
    /// The first synchronisation with a side, and the first without.
    sided_synchronisation: Option<Span>,
    sideless_synchronisation: Option<Span>,
    /// The names of all processes.
    process_names: BTreeSet<String>,
    /// Locations and edges of all processes.
    places: u64,
    /// What has been left out, and where.
    omitted: BTreeSet<(&'static str, Span)>,
}

impl<'model> Elaborator<'model> {
    fn new(files: &'model Files, origins: &'model mut Origins, network: Network) -> Elaborator<'model> {
        Elaborator {
            files,
            written_model: None,
            origins,
            network,
            diagnostics: Diagnostics::new(),
            scopes: Scopes::new(),
            effects: Vec::new(),
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
        }
    }

    /// Everything but the queries.
    fn model(&mut self, model: &'model ast::Network) {
        self.written_model = Some(model);
        for declaration in &model.declarations {
            self.global_declaration(declaration);
        }
        self.system(model);
        self.input_output_declarations(model);
        self.vectors(model);
        if let (Some(sided), Some(sideless)) = (self.sided_synchronisation, self.sideless_synchronisation) {
            self.diagnostics.push(
                Diagnostic::error(&codes::MISPLACED, "a synchronisation needs `!` or `?`")
                    .with_primary(sideless, "neither sends nor receives")
                    .with_secondary(sided, "this one says what it does")
                    .with_hint("write `!` on the side that sends and `?` on the side that receives"),
            );
        }
    }

    /// Runs a part with names that are forgotten behind it.
    fn scoped<T>(&mut self, part: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.enter();
        let bound_names = self.bound_names;
        let result = part(self);
        self.bound_names = bound_names;
        self.scopes.leave();
        result
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

    /// A construct that is understood and not supported.
    fn declined<T>(&mut self, span: Span, what: &str, hint: &str) -> Result<T> {
        self.error_with_hint(&codes::NOT_SUPPORTED, span, format!("{what} is not supported"), hint)
    }

    /// Notes a construct that is understood, and that the network will not say. The model can still be looked at.
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
        self.network.omissions.push(Omission { construct: construct.to_owned(), origin });
        if is_first {
            self.warning(
                &codes::NOT_ANSWERED,
                span,
                format!("no engine answers questions about {construct}"),
                "the model can be looked at, but verdicts about it are unknown",
            );
        }
    }

    /// Declares a name in the innermost scope, unless it is taken there.
    fn declare(&mut self, name: &ast::Name, symbol: Symbol<'model>) -> Result<()> {
        if name.text.is_empty() {
            return Err(Reported); // The parser has complained about the missing name.
        }
        match self.scopes.declare(&name.text, name.span, symbol) {
            None => Ok(()),
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

    /// The value of an expression that must be constant.
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
            None => self.error(&codes::TYPE_MISMATCH, expression.span, "an integer is needed here"),
        }
    }

    fn report_constant_failure<T>(&mut self, failure: &EvaluationFailure, whole: Origin) -> Result<T> {
        let span = self.origins.primary_span(failure.origin).or_else(|| self.origins.primary_span(whole));
        let (code, message, hint) = if failure.kind.is_error() {
            (&codes::CONSTANT_ERROR, failure.kind.to_string(), "the value is computed when the model is read")
        } else {
            (
                &codes::NOT_CONSTANT,
                format!("a constant is needed here, but {}", failure.kind),
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
