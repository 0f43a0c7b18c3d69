//! Writes models in UPPAAL's languages.
//!
//! Invariant: templates, declarations and queries are written as in the source, not as instances. Constructs that
//! UPPAAL's languages lack (synchronisation vectors, events, several initial locations, processes with arguments in
//! their names) are refused; labels are omitted, and queries about them name the locations. Locations without a name
//! get one where the language demands it.

mod printed;
mod xml;
mod xta;

use std::collections::BTreeSet;

use tempora_model::with_names_replaced;
use tempora_source::{Diagnostic, Diagnostics, Span};
use tempora_syntax::ast::{self, DeclarationKind, EdgeTarget};
use tempora_syntax::{is_name, print_query};

pub(crate) use printed::{PrintedEdge, PrintedTemplate};
pub(crate) use xml::{WRITER as XML_WRITER, document_text, place_in_rows};
pub(crate) use xta::WRITER as XTA_WRITER;

use crate::Writable;
use crate::codes::writing::CANNOT_BE_WRITTEN;

/// A model, divided into the sections of UPPAAL's languages.
pub(crate) struct ModelSections<'tree> {
    /// Declarations before the templates.
    pub(crate) declarations: Vec<ast::Declaration>,
    pub(crate) templates: Vec<ast::ProcessDeclaration>,
    /// Instantiations, the system line, and later declarations.
    pub(crate) system: Vec<ast::Declaration>,
    /// Each query with its title.
    pub(crate) queries: Vec<(String, &'tree str)>,
}

/// Divides a model into sections; fails with all constructs that UPPAAL's languages lack.
pub(crate) fn sections_of<'model>(model: &Writable<'model>) -> Result<ModelSections<'model>, Diagnostics> {
    sections_with_names(model, model.tree)
}

/// Like [`sections_of`]; also expands names of expressions that `names` defines in queries.
pub(crate) fn sections_with_names<'model>(
    model: &Writable<'model>,
    names: &ast::Network,
) -> Result<ModelSections<'model>, Diagnostics> {
    let tree = model.tree;
    let mut problems = Diagnostics::new();
    let mut parts = ModelSections {
        declarations: Vec::new(),
        templates: Vec::new(),
        system: Vec::new(),
        queries: Vec::new(),
    };
    let mut has_system = false;
    for declaration in &tree.declarations {
        names_with_dots(declaration, &mut problems);
        match &declaration.kind {
            DeclarationKind::Process(process) => parts.templates.push(template_of(process, &mut problems)),
            DeclarationKind::Vector(_) => {
                refuse(&mut problems, declaration.span, "a synchronisation vector", "use channels");
            }
            // Queries contain its definition instead.
            DeclarationKind::NamedSpecification { .. } => {}
            DeclarationKind::Queries(items) => {
                for item in items {
                    let title = item.title.as_ref().map_or("", |title| title.text.as_str());
                    parts.queries.push((query_text(model, names, &item.query), title));
                }
            }
            DeclarationKind::System(_) => {
                has_system = true;
                parts.system.push(declaration.clone());
            }
            DeclarationKind::Instantiation(_) | DeclarationKind::Progress(_) | DeclarationKind::Gantt(_) => {
                parts.system.push(declaration.clone());
            }
            // A declaration after an instantiation may serve later instantiations.
            _ if !parts.system.is_empty() => parts.system.push(declaration.clone()),
            _ => parts.declarations.push(declaration.clone()),
        }
    }
    if !has_system {
        let without_parameters = parts.templates.iter().filter(|template| template.parameters.is_empty());
        let level: Vec<ast::ProcessReference> = without_parameters
            .map(|template| ast::ProcessReference {
                name: template.name.clone(),
                arguments: None,
                span: template.name.span,
            })
            .collect();
        let line = ast::SystemLine { levels: vec![level] };
        parts.system.push(ast::Declaration { kind: DeclarationKind::System(line), span: tree.span });
    }
    if problems.is_empty() { Ok(parts) } else { Err(problems) }
}

/// Refuses names with dots, which TChecker's files allow.
fn names_with_dots(declaration: &ast::Declaration, problems: &mut Diagnostics) {
    let mut check = |name: &ast::Name| {
        if name.text.contains('.') {
            refuse(problems, name.span, "a name with a dot", "rename it");
        }
    };
    match &declaration.kind {
        DeclarationKind::Variables(variables) => {
            variables.declarators.iter().for_each(|declarator| check(&declarator.name));
        }
        DeclarationKind::Process(process) => {
            check(&process.name);
            process.locations.iter().for_each(|location| check(&location.name));
            process.declarations.iter().for_each(|declaration| names_with_dots(declaration, problems));
        }
        _ => {}
    }
}

/// Returns a template with branch points instead of branches.
fn template_of(process: &ast::ProcessDeclaration, problems: &mut Diagnostics) -> ast::ProcessDeclaration {
    if !process.arguments.is_empty() {
        let hint = "use a template with parameters";
        refuse(problems, process.name.span, "a process with arguments in its name", hint);
    }
    if let [_, second, ..] = process.initial.as_slice() {
        let hint = "add a committed location with edges to them";
        refuse(problems, second.span, "a second initial location", hint);
    }
    let mut template = process.clone();
    let mut edges = Vec::with_capacity(template.edges.len());
    for mut edge in std::mem::take(&mut template.edges) {
        if let Some(event) = &edge.labels.event {
            refuse(problems, event.span, "an event of an edge", "use a channel");
        }
        let EdgeTarget::Branches(branches) = edge.target else {
            edges.push(edge);
            continue;
        };
        let point = ast::Name { text: format!("#branch{}", template.branchpoints.len()), span: edge.span };
        template.branchpoints.push(point.clone());
        edge.target = EdgeTarget::Single(point.clone());
        edges.push(edge);
        for branch in branches {
            let labels = ast::EdgeLabels {
                updates: branch.updates,
                weight: branch.weight,
                ..ast::EdgeLabels::default()
            };
            edges.push(ast::Edge {
                source: point.clone(),
                is_uncontrollable: false,
                labels,
                target: EdgeTarget::Single(branch.target),
                span: branch.span,
            });
        }
    }
    template.edges = edges;
    template
}

/// Returns a query with locations instead of labels, or a comment if it cannot be expressed.
fn query_text(model: &Writable<'_>, names: &ast::Network, query: &ast::Query) -> String {
    if let ast::QueryKind::Specification(question) = &query.kind
        && let Ok(replaced) = with_names_replaced(names, question)
    {
        return print_query(&ast::Query { kind: ast::QueryKind::Specification(replaced), ..query.clone() });
    }
    let ast::QueryKind::Labels { goal, labels } = &query.kind else { return print_query(query) };
    if *goal != ast::LabelGoal::Reach {
        return format!("// {}", print_query(query));
    }
    let network = model.network;
    let mut conditions = Vec::with_capacity(labels.len());
    for label in labels {
        let mut places = Vec::new();
        for process in network.processes.values() {
            for location in process.locations.values() {
                if let Some(name) = &location.name
                    && location.labels.contains(&label.text)
                {
                    places.push(format!("{}.{name}", process.name));
                }
            }
        }
        conditions.push(if places.is_empty() { "false".to_owned() } else { places.join(" || ") });
    }
    match conditions.as_slice() {
        [] => "E<> false".to_owned(),
        [only] => format!("E<> {only}"),
        several => format!("E<> ({})", several.join(") && (")),
    }
}

pub(crate) fn refuse(problems: &mut Diagnostics, span: Span, what: &str, hint: &str) {
    let message = format!("{what} cannot be written in this language");
    problems.push(Diagnostic::error(&CANNOT_BE_WRITTEN, message).with_primary(span, "").with_hint(hint));
}

/// Renames the locations and branch points of a template whose names the language does not allow; returns old and new
/// names.
pub(crate) fn name_places(
    template: &mut ast::ProcessDeclaration,
    is_taken: &dyn Fn(&str) -> bool,
) -> Vec<(String, String)> {
    let mut taken: BTreeSet<String> =
        template.locations.iter().map(|location| location.name.text.clone()).collect();
    let mut renamed: Vec<(String, String)> = Vec::new();
    let places = template.locations.iter_mut().map(|location| &mut location.name);
    for name in places.chain(&mut template.branchpoints) {
        if is_name(&name.text) {
            continue;
        }
        // Reserved words can be names in a document, but not in a text.
        let mut new = match name.text.strip_prefix('#') {
            Some(number) => format!("_{number}"),
            None => format!("{}_", name.text),
        };
        while taken.contains(&new) || is_taken(&new) {
            new.insert(0, '_');
        }
        taken.insert(new.clone());
        renamed.push((std::mem::replace(&mut name.text, new.clone()), new));
    }
    let rename = |name: &mut ast::Name| {
        if let Some((_, new)) = renamed.iter().find(|(old, _)| *old == name.text) {
            name.text.clone_from(new);
        }
    };
    template.initial.iter_mut().chain(&mut template.urgent).chain(&mut template.committed).for_each(rename);
    for edge in &mut template.edges {
        rename(&mut edge.source);
        if let EdgeTarget::Single(target) = &mut edge.target {
            rename(target);
        }
    }
    renamed
}

/// Replaces `.old` by `.new` in a query; the old name is a reserved word, so it has no other meaning there.
pub(crate) fn with_renamed_member(query: &str, old: &str, new: &str) -> String {
    let mut text = String::with_capacity(query.len());
    let mut rest = query;
    let pattern = format!(".{old}");
    while let Some(position) = rest.find(&pattern) {
        let end = position + pattern.len();
        let is_whole = !rest[end..].starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_');
        text.push_str(&rest[..position]);
        text.push('.');
        text.push_str(if is_whole { new } else { old });
        rest = &rest[end..];
    }
    text.push_str(rest);
    text
}
