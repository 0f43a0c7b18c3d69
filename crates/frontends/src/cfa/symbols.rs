//! Collects the names of a control flow automaton.

use std::collections::BTreeMap;

use tempora_source::{SymbolId, SymbolKind, SymbolRole, Symbols};

use super::parse::{ModelTree, ProcessTree, StatementKind};
use crate::symbolic::symbols::SymbolCollector;

/// Collects the names of a model, as far as it could be parsed.
pub(super) fn collect(model: &ModelTree) -> Symbols {
    let mut collector = SymbolCollector::new();
    for (name, span, tree) in &model.variables {
        collector.define_variable(name, SymbolKind::Variable, *span, tree);
    }
    for process in &model.processes {
        collect_process(&mut collector, process);
    }
    collector.finish()
}

fn collect_process(collector: &mut SymbolCollector, process: &ProcessTree) {
    let named = process.name.as_ref();
    let container = named.map(|(name, span)| collector.define(name, SymbolKind::Template, *span, None));
    if let Some(body) = process.body {
        collector.enter(body);
    }
    for (name, span, tree) in &process.variables {
        collector.define_variable(name, SymbolKind::Variable, *span, tree);
    }
    // Locations have their own name space: a variable may have the same name.
    let mut locations: BTreeMap<&str, SymbolId> = BTreeMap::new();
    for location in &process.locations {
        let id = collector.define_apart(&location.name, SymbolKind::Location, location.span);
        locations.entry(&location.name).or_insert(id);
        if let Some(container) = container {
            collector.set_container(id, container);
        }
    }
    for edge in &process.edges {
        for (name, span) in [&edge.source, &edge.target] {
            if let Some(&id) = locations.get(name.as_str()) {
                collector.use_symbol(id, *span, SymbolRole::Location);
            }
        }
        for (statement, _) in &edge.statements {
            match statement {
                StatementKind::Assign(name, span, value) => {
                    collector.use_variable(name, *span, SymbolRole::Write);
                    collector.expression(value, SymbolRole::Read);
                }
                StatementKind::Assume(condition) => collector.expression(condition, SymbolRole::Read),
                StatementKind::Havoc(name, span) => collector.use_variable(name, *span, SymbolRole::Write),
            }
        }
    }
    if process.body.is_some() {
        collector.leave();
    }
}
