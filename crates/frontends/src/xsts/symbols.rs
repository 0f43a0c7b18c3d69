//! Collects the names of an XSTS model.

use tempora_source::{Span, SymbolKind, SymbolRole, Symbols};

use super::trees::{ModelTree, StatementKind, StatementTree};
use crate::symbolic::symbols::SymbolCollector;
use crate::symbolic::trees::ExpressionTree;

/// Collects the names of a model, as far as it could be parsed, and of the properties to check.
pub(super) fn collect(model: &ModelTree, properties: &[ExpressionTree]) -> Symbols {
    let mut collector = SymbolCollector::new();
    for tree in &model.types {
        collector.define_enumeration(&tree.name, tree.span, &tree.literals);
    }
    for tree in &model.variables {
        collector.define_variable(&tree.name, SymbolKind::Variable, tree.span, &tree.value_type);
    }
    for tree in model.variables.iter().filter_map(|tree| tree.initial.as_ref()) {
        collector.expression(tree, SymbolRole::Read);
    }
    // As in the lowering, a local variable outside blocks is visible in the following sections.
    for statement in [&model.init, &model.env, &model.trans].into_iter().flatten().flatten() {
        collect_statement(&mut collector, statement);
    }
    for property in properties {
        collector.expression(property, SymbolRole::Query);
    }
    collector.finish()
}

fn collect_statement(collector: &mut SymbolCollector, tree: &StatementTree) {
    match &tree.kind {
        StatementKind::Assign { name, name_span, indexes, value } => {
            collector.use_variable(name, *name_span, SymbolRole::Write);
            for index in indexes {
                collector.expression(index, SymbolRole::Read);
            }
            collector.expression(value, SymbolRole::Read);
        }
        StatementKind::Havoc(name, span) => collector.use_variable(name, *span, SymbolRole::Write),
        StatementKind::Assume(condition) => collector.expression(condition, SymbolRole::Read),
        StatementKind::Local(variable) => {
            // The initial value refers to the names before the declaration.
            if let Some(value) = &variable.initial {
                collector.expression(value, SymbolRole::Read);
            }
            collector.define_variable(&variable.name, SymbolKind::Local, variable.span, &variable.value_type);
        }
        StatementKind::Block(statements) => {
            collector.enter(tree.span);
            for statement in statements {
                collect_statement(collector, statement);
            }
            collector.leave();
        }
        StatementKind::Choice(branches) => {
            for branch in branches {
                collect_statement(collector, branch);
            }
        }
        StatementKind::If { condition, then, otherwise } => {
            collector.expression(condition, SymbolRole::Read);
            collect_statement(collector, then);
            if let Some(otherwise) = otherwise {
                collect_statement(collector, otherwise);
            }
        }
        StatementKind::For { counter, counter_span, from, to, body } => {
            collector.expression(from, SymbolRole::Read);
            collector.expression(to, SymbolRole::Read);
            collector.enter(Span::new(tree.span.file, counter_span.start, tree.span.end));
            collector.define(counter, SymbolKind::Bound, *counter_span, Some("integer".to_owned()));
            collect_statement(collector, body);
            collector.leave();
        }
    }
}
