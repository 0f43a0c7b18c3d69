//! Collects the symbols of templates: their parameters, locations and edges.

use tempora_source::{Span, SymbolKind, SymbolRole};
use tempora_syntax::ast::{Edge, EdgeTarget, Expression, Name, ProcessDeclaration};
use tempora_syntax::print_parameters;

use super::{Collector, Names, Usage};

impl Collector<'_> {
    pub(super) fn process(&mut self, process: &ProcessDeclaration) {
        let text = format!("({})", print_parameters(&process.parameters));
        let id = self.define(&process.name, SymbolKind::Template, Some(text), process.span);
        self.references
            .insert(id, process.parameters.iter().map(|parameter| parameter.by_reference).collect());
        self.expressions(&process.arguments, Usage::Value);
        self.contained(id, |collector| {
            collector.scoped(process.span, |collector| {
                for parameter in &process.parameters {
                    collector.parameter(parameter, SymbolKind::TemplateParameter);
                }
                for declaration in &process.declarations {
                    collector.declaration(declaration);
                }
                let mut members = collector.scopes.last().map(|(names, _)| names.clone()).unwrap_or_default();
                collector.places(process, &mut members);
                collector.members.insert(id, members.clone());
                for location in &process.locations {
                    collector.expressions(&location.invariant, Usage::Value);
                    if let Some(rate) = &location.rate {
                        collector.expression(&rate.value, Usage::Value);
                        collector.expressions(&rate.divisor, Usage::Value);
                    }
                }
                for edge in &process.edges {
                    collector.scoped(collector.whole_edge(edge), |collector| {
                        collector.edge(edge, &members);
                    });
                }
            });
        });
    }

    /// Defines the locations and branch points of a template. In a query, a location hides a variable of the same
    /// name.
    fn places(&mut self, process: &ProcessDeclaration, members: &mut Names) {
        // Readers generate names that start with `#` for locations without a name.
        let is_written = |name: &Name| !name.text.starts_with('#');
        for location in process.locations.iter().filter(|location| is_written(&location.name)) {
            let id = self.define_member(&location.name, SymbolKind::Location, None, location.span);
            members.insert(location.name.text.clone(), id);
        }
        for name in process.branchpoints.iter().filter(|name| is_written(name)) {
            let id = self.define_member(name, SymbolKind::BranchPoint, None, name.span);
            members.entry(name.text.clone()).or_insert(id);
        }
        for name in process.initial.iter().chain(&process.urgent).chain(&process.committed) {
            self.use_place(name, members);
        }
    }

    /// Records a use of a location, unless a diagram refers to it by another identifier.
    fn use_place(&mut self, name: &Name, members: &Names) {
        if let Some(&id) = members.get(&name.text)
            && matches!(self.symbols[id].kind, SymbolKind::Location | SymbolKind::BranchPoint)
            && self.symbols[id].definition != name.span
            && self.files.text_at(name.span) == name.text
        {
            self.use_symbol(id, name.span, SymbolRole::Location);
        }
    }

    fn edge(&mut self, edge: &Edge, members: &Names) {
        self.use_place(&edge.source, members);
        self.bindings(&edge.labels.select, SymbolKind::Select);
        self.expressions(&edge.labels.guard, Usage::Value);
        if let Some(synchronisation) = &edge.labels.synchronisation {
            self.channel(&synchronisation.channel, synchronisation.direction);
        }
        self.expressions(&edge.labels.updates, Usage::Effect);
        self.expressions(&edge.labels.weight, Usage::Value);
        match &edge.target {
            EdgeTarget::Single(target) => self.use_place(target, members),
            EdgeTarget::Branches(branches) => {
                for branch in branches {
                    self.use_place(&branch.target, members);
                    self.expressions(&branch.weight, Usage::Value);
                    self.expressions(&branch.updates, Usage::Effect);
                }
            }
        }
    }

    /// Returns the span of an edge with its labels, which follow its tag in a diagram.
    fn whole_edge(&self, edge: &Edge) -> Span {
        let labels = &edge.labels;
        let mut parts: Vec<Span> = labels.select.iter().map(|binding| binding.span).collect();
        let expressions = labels.guard.iter().chain(&labels.updates).chain(&labels.weight);
        parts.extend(expressions.map(|expression: &Expression| expression.span));
        parts.extend(labels.synchronisation.iter().map(|synchronisation| synchronisation.span));
        let is_embedded = parts.iter().any(|part| part.file != edge.span.file);
        if !is_embedded {
            return edge.span;
        }
        let whole = self.files.outermost(edge.span);
        parts.into_iter().fold(whole, |whole, part| whole.cover(self.files.outermost(part)))
    }
}
