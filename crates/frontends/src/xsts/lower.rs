//! Lowers the trees of an XSTS model to a symbolic system.
//!
//! After the initialisation, environment and system take turns. The turns are control locations, which separates the
//! states before a step of the environment from those before a step of the system.
//!
//! Invariant: a system is returned only if no error was reported.

use tempora_model::Table;
use tempora_smt::{Operator, Sort, TermId};
use tempora_source::{Diagnostic, Diagnostics, Files, Origins, PassName, Span};
use tempora_transition::{
    ControlEdge, ControlLocation, EdgeKind, Observation, SafetyProperty, StateVariableId, StatementKind,
    SymbolicStatement, SymbolicSystem, VariableRole,
};

use super::trees::{ModelTree, StatementKind as TreeKind, StatementTree, VariableTree};
use crate::codes::symbolic::NAME;
use crate::symbolic::scope::Scope;
use crate::symbolic::trees::ExpressionTree;

static TYPES: [(&str, Sort); 2] = [("boolean", Sort::Boolean), ("integer", Sort::Integer)];

const BRANCH: PassName = PassName("if as choice");

/// Builds the system.
pub(super) fn lower(
    files: &Files,
    origins: &mut Origins,
    model: &ModelTree,
    properties: &[ExpressionTree],
    whole: Span,
    diagnostics: &mut Diagnostics,
) -> Option<SymbolicSystem> {
    let mut lowering = Lowering { scope: Scope::new(origins, std::mem::take(diagnostics), &TYPES) };
    let system = lowering.model(files, model, properties, whole);
    *diagnostics = lowering.scope.diagnostics;
    system
}

struct Lowering<'origins> {
    scope: Scope<'origins>,
}

impl Lowering<'_> {
    fn model(
        &mut self,
        files: &Files,
        model: &ModelTree,
        properties: &[ExpressionTree],
        whole: Span,
    ) -> Option<SymbolicSystem> {
        for tree in &model.types {
            self.scope.declare_enumeration(&tree.name, tree.span, &tree.literals);
        }
        let mut initial = Vec::new();
        for tree in &model.variables {
            let role = if tree.is_control { VariableRole::Control } else { VariableRole::State };
            let Some(id) = self.declare(tree, role) else { continue };
            if let Some(value) = &tree.initial
                && let Some(value) = self.value(id, value)
            {
                let own = self.scope.store.symbol(self.scope.variables[id].symbol);
                initial.push(self.scope.store.equal(own, value));
            }
        }
        let initial = self.scope.store.and(&initial);
        let mut locations = Table::new();
        let mut location = |scope: &mut Scope<'_>, name: &str| {
            let origin = scope.origins.written(whole);
            locations.push(ControlLocation { name: name.to_owned(), origin })
        };
        let start = location(&mut self.scope, "start");
        let settled = location(&mut self.scope, "settled");
        let informed = location(&mut self.scope, "informed");
        let mut edges = Table::new();
        let sections = [
            (&model.init, start, settled, EdgeKind::Initialisation),
            (&model.env, settled, informed, EdgeKind::Environment),
            (&model.trans, informed, settled, EdgeKind::Step),
        ];
        for (branches, source, target, kind) in sections {
            for branch in branches.iter().flatten() {
                let origin = self.scope.origins.written(branch.span);
                if let Some(statement) = self.statement(branch) {
                    edges.push(ControlEdge { source, target, kind, statement, origin });
                }
            }
        }
        let mut claims = Vec::new();
        for tree in properties {
            if let Some(condition) = self.scope.boolean(tree) {
                claims.push(SafetyProperty {
                    text: files.text_at(tree.span).split_whitespace().collect::<Vec<_>>().join(" "),
                    condition,
                    observation: Observation::Everywhere,
                    origin: self.scope.origins.written(tree.span),
                });
            }
        }
        if self.scope.diagnostics.has_errors() {
            return None;
        }
        Some(SymbolicSystem {
            store: std::mem::take(&mut self.scope.store),
            variables: std::mem::take(&mut self.scope.variables),
            locations,
            initial_location: start,
            initial,
            edges,
            properties: claims,
        })
    }

    fn declare(&mut self, tree: &VariableTree, role: VariableRole) -> Option<StateVariableId> {
        let sort = self.scope.sort(&tree.value_type);
        let digits = tree.name.strip_prefix("temp").filter(|rest| !rest.is_empty());
        if digits.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit())) {
            let message = format!("`{}` is a reserved name", tree.name);
            let diagnostic = Diagnostic::error(&NAME, message).with_primary(tree.span, "");
            self.scope.error(diagnostic.with_hint("rename the variable"));
        }
        if let Some(id) = self.scope.enumerations_with(&tree.name).first() {
            let message =
                format!("`{}` is also a literal of `{}`", tree.name, self.scope.store.enumeration(*id).name);
            let diagnostic = Diagnostic::error(&NAME, message).with_primary(tree.span, "");
            self.scope.error(diagnostic.with_hint("rename one of them"));
        }
        self.scope.declare(&tree.name, tree.span, sort?, role)
    }

    fn value(&mut self, variable: StateVariableId, tree: &ExpressionTree) -> Option<TermId> {
        let sort = self.scope.store.symbol_sort(self.scope.variables[variable].symbol).clone();
        self.scope.typed(tree, &sort)
    }

    fn statements(&mut self, trees: &[StatementTree]) -> Option<Vec<SymbolicStatement>> {
        // All trees are lowered, so that all errors are found.
        let found: Vec<Option<SymbolicStatement>> = trees.iter().map(|tree| self.statement(tree)).collect();
        found.into_iter().collect()
    }

    fn statement(&mut self, tree: &StatementTree) -> Option<SymbolicStatement> {
        let origin = self.scope.origins.written(tree.span);
        let make = |kind: StatementKind| SymbolicStatement { kind, origin };
        match &tree.kind {
            TreeKind::Assign { name, name_span, indexes, value } => {
                let variable = self.scope.need_variable(name, *name_span);
                let Some(variable) = variable else {
                    // Without its type, no further errors can be found.
                    return None;
                };
                let value = self.assigned(variable, indexes, value)?;
                Some(make(StatementKind::Assign(variable, value)))
            }
            TreeKind::Havoc(name, span) => {
                let variable = self.scope.need_variable(name, *span)?;
                Some(make(StatementKind::Havoc(variable)))
            }
            TreeKind::Assume(condition) => Some(make(StatementKind::Assume(self.scope.boolean(condition)?))),
            TreeKind::Local(variable) => {
                // The initial value is lowered before the name refers to the new variable.
                let sort = self.scope.sort(&variable.value_type);
                let value = match (&variable.initial, &sort) {
                    (Some(tree), Some(sort)) => Some(self.scope.typed(tree, sort)),
                    _ => None,
                };
                let id = self.declare(variable, VariableRole::Local)?;
                match value {
                    Some(value) => Some(make(StatementKind::Assign(id, value?))),
                    None => Some(make(StatementKind::Havoc(id))),
                }
            }
            TreeKind::Block(statements) => {
                self.scope.enter();
                let statements = self.statements(statements);
                self.scope.leave();
                Some(make(StatementKind::Sequence(statements?)))
            }
            TreeKind::Choice(branches) => Some(make(StatementKind::Choice(self.statements(branches)?))),
            TreeKind::If { condition, then, otherwise } => {
                let test = self.scope.boolean(condition);
                let then = self.statement(then);
                let otherwise = otherwise.as_ref().map(|otherwise| self.statement(otherwise));
                let (test, then) = (test?, then?);
                let opposite = self.scope.store.not(test);
                let condition_origin = self.scope.origins.written(condition.span);
                let derived = self.scope.origins.derived(BRANCH, &[condition_origin]);
                let assume =
                    |condition| SymbolicStatement { kind: StatementKind::Assume(condition), origin: derived };
                let sequence = |statements| SymbolicStatement {
                    kind: StatementKind::Sequence(statements),
                    origin: derived,
                };
                let mut second = vec![assume(opposite)];
                if let Some(otherwise) = otherwise {
                    second.push(otherwise?);
                }
                let branches = vec![sequence(vec![assume(test), then]), sequence(second)];
                Some(make(StatementKind::Choice(branches)))
            }
            TreeKind::For { counter, counter_span, from, to, body } => {
                let (from, to) =
                    (self.scope.typed(from, &Sort::Integer), self.scope.typed(to, &Sort::Integer));
                self.scope.enter();
                let counter = self.scope.declare(counter, *counter_span, Sort::Integer, VariableRole::Local);
                let body = self.statement(body);
                self.scope.leave();
                let (counter, from, to, body) = (counter?, from?, to?, Box::new(body?));
                Some(make(StatementKind::Loop { counter, from, to, body }))
            }
        }
    }

    /// Returns the new value of a variable after an assignment to its element at some indices.
    fn assigned(
        &mut self,
        variable: StateVariableId,
        indexes: &[ExpressionTree],
        value: &ExpressionTree,
    ) -> Option<TermId> {
        let mut whole = self.scope.store.symbol(self.scope.variables[variable].symbol);
        let mut path = Vec::new();
        for index in indexes {
            let Sort::Array(sort) = self.scope.store.sort(whole).clone() else {
                let found = self.scope.describe(self.scope.store.sort(whole));
                let message = format!("a value of type {found} has no elements");
                let diagnostic = Diagnostic::error(&crate::codes::symbolic::TYPE, message);
                self.scope.error(diagnostic.with_primary(index.span, ""));
                return None;
            };
            let index = self.scope.typed(index, &sort.index)?;
            path.push((whole, index));
            whole = self.scope.store.simplified(&Operator::Select, &[whole, index]);
        }
        let sort = self.scope.store.sort(whole).clone();
        let mut value = self.scope.typed(value, &sort)?;
        for (array, index) in path.into_iter().rev() {
            value = self.scope.store.simplified(&Operator::Store, &[array, index, value]);
        }
        Some(value)
    }
}
