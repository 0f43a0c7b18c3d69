//! Lowers the trees of a control flow automaton to a symbolic system.
//!
//! Invariant: a system is returned only if no error was reported.

use std::collections::HashMap;

use tempora_model::Table;
use tempora_source::{Diagnostic, Diagnostics, FileId, Files, Origins, Span, nearest_names};
use tempora_transition::{
    ControlEdge, ControlLocation, ControlLocationId, EdgeKind, Observation, SafetyProperty, StatementKind,
    SymbolicStatement, SymbolicSystem, VariableRole,
};

use super::parse::{EdgeTree, LocationKind, ModelTree, StatementKind as TreeKind, fault};
use crate::codes::symbolic::NAME;
use crate::symbolic::PropertyText;
use crate::symbolic::scope::Scope;
use crate::symbolic::theta::TYPES;

/// Builds the system.
pub(super) fn lower(
    files: &Files,
    origins: &mut Origins,
    model: &ModelTree,
    given: &[PropertyText],
    file: FileId,
    diagnostics: &mut Diagnostics,
) -> Option<SymbolicSystem> {
    let mut lowering = Lowering {
        scope: Scope::new(origins, std::mem::take(diagnostics), &TYPES),
        locations: Table::new(),
        names: HashMap::new(),
    };
    let system = lowering.model(files, model, given, files.whole(file));
    *diagnostics = lowering.scope.diagnostics;
    system
}

struct Lowering<'origins> {
    scope: Scope<'origins>,
    locations: Table<ControlLocationId, ControlLocation>,
    names: HashMap<String, ControlLocationId>,
}

impl Lowering<'_> {
    fn model(
        &mut self,
        files: &Files,
        model: &ModelTree,
        given: &[PropertyText],
        whole: Span,
    ) -> Option<SymbolicSystem> {
        let main = model.processes.iter().find(|process| process.is_main);
        let Some(process) = main.or(model.processes.first()) else {
            self.scope.error(fault("the model has no process", whole, "write `main process P { ... }`"));
            return None;
        };
        // Without calls, a process that is not the main one could never run.
        for other in model.processes.iter().filter(|other| !std::ptr::eq(*other, process)) {
            let span = other.span.unwrap_or(whole);
            self.scope.error(fault(
                "only one process is supported",
                span,
                "move everything into the main process",
            ));
        }
        for (name, span, tree) in model.variables.iter().chain(&process.variables) {
            if let Some(sort) = self.scope.sort(tree) {
                self.scope.declare(name, *span, sort, VariableRole::State);
            }
        }
        let (mut initial, mut error) = (None, None);
        for tree in &process.locations {
            let origin = self.scope.origins.written(tree.span);
            let id = self.locations.push(ControlLocation { name: tree.name.clone(), origin });
            if self.names.insert(tree.name.clone(), id).is_some() {
                let message = format!("the location `{}` is declared twice", tree.name);
                let diagnostic = Diagnostic::error(&NAME, message).with_primary(tree.span, "");
                self.scope.error(diagnostic.with_hint("rename one of them"));
            }
            let (place, what) = match tree.kind {
                LocationKind::Initial => (&mut initial, "initial"),
                LocationKind::Error => (&mut error, "error"),
                LocationKind::Plain | LocationKind::Final => continue,
            };
            if place.replace(id).is_some() {
                let message = format!("duplicate {what} location");
                self.scope.error(fault(message, tree.span, "keep one of them"));
            }
        }
        let mut edges = Table::new();
        for tree in &process.edges {
            if let Some(edge) = self.edge(tree) {
                edges.push(edge);
            }
        }
        let mut properties = Vec::new();
        let mut claim = |scope: &mut Scope<'_>, location: ControlLocationId, name: &str, span: Span| {
            properties.push(SafetyProperty {
                text: format!("{name} cannot be reached"),
                condition: scope.store.truth(false),
                observation: Observation::At(vec![location]),
                origin: scope.origins.written(span),
            });
        };
        for text in given {
            let name = files.text(text.file).trim();
            let span = files.whole(text.file);
            match self.names.get(name) {
                Some(location) => claim(&mut self.scope, *location, name, span),
                None => {
                    let message = format!("unknown location `{name}`");
                    let hint = "write the name of the error location as the property";
                    self.scope
                        .error(Diagnostic::error(&NAME, message).with_primary(span, "").with_hint(hint));
                }
            }
        }
        if let (true, Some(error)) = (given.is_empty(), error) {
            let name = self.locations[error].name.clone();
            let origin = self.locations[error].origin;
            let span = self.scope.origins.primary_span(origin).unwrap_or(whole);
            claim(&mut self.scope, error, &name, span);
        }
        let Some(initial_location) = initial else {
            let span = process.span.unwrap_or(whole);
            self.scope.error(fault(
                "the process has no initial location",
                span,
                "declare one with `init loc`",
            ));
            return None;
        };
        if self.scope.diagnostics.has_errors() {
            return None;
        }
        let initial = self.scope.store.truth(true);
        Some(SymbolicSystem {
            store: std::mem::take(&mut self.scope.store),
            variables: std::mem::take(&mut self.scope.variables),
            locations: std::mem::take(&mut self.locations),
            initial_location,
            initial,
            edges,
            properties,
        })
    }

    fn edge(&mut self, tree: &EdgeTree) -> Option<ControlEdge> {
        let (source, target) = (self.location(&tree.source), self.location(&tree.target));
        let mut statements = Vec::new();
        for (kind, span) in &tree.statements {
            let origin = self.scope.origins.written(*span);
            let kind = match kind {
                TreeKind::Assume(condition) => self.scope.boolean(condition).map(StatementKind::Assume),
                TreeKind::Havoc(name, span) => {
                    self.scope.need_variable(name, *span).map(StatementKind::Havoc)
                }
                TreeKind::Assign(name, span, value) => {
                    self.scope.need_variable(name, *span).and_then(|variable| {
                        let sort =
                            self.scope.store.symbol_sort(self.scope.variables[variable].symbol).clone();
                        Some(StatementKind::Assign(variable, self.scope.typed(value, &sort)?))
                    })
                }
            };
            statements.extend(kind.map(|kind| SymbolicStatement { kind, origin }));
        }
        let origin = self.scope.origins.written(tree.span);
        let statement = SymbolicStatement { kind: StatementKind::Sequence(statements), origin };
        Some(ControlEdge { source: source?, target: target?, kind: EdgeKind::Step, statement, origin })
    }

    fn location(&mut self, (name, span): &(String, Span)) -> Option<ControlLocationId> {
        let found = self.names.get(name).copied();
        if found.is_none() {
            let known: Vec<&str> = self.locations.values().map(|location| location.name.as_str()).collect();
            let near = nearest_names(name, known);
            let hint = match near.first() {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("declare it with `loc {name}`"),
            };
            let message = format!("unknown location `{name}`");
            self.scope.error(Diagnostic::error(&NAME, message).with_primary(*span, "").with_hint(hint));
        }
        found
    }
}
