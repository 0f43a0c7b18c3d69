//! Translates an UPPAAL document into trees.
//!
//! Invariant: a span in a tree leads to the label, declaration, location or edge of the document. Edges refer to a
//! location by its name, or by `#` and its number if it has none; `#` cannot occur in a name.

use std::collections::BTreeMap;

use tempora_source::{Diagnostic, Diagnostics, Files, Severity, Span};
use tempora_syntax::{
    Parsed, ast, parse_declarations, parse_expression, parse_expression_list, parse_guard, parse_invariant,
    parse_parameters, parse_query, parse_rate, parse_select, parse_synchronisation,
};

use super::codes::{XML_LABEL, XML_NAME, XML_REFERENCE, XML_STRUCTURE};
use super::document::{
    LabelElement, LabelKind, LocationElement, Template, Text, TransitionElement, XmlDocument,
};
use super::markup::Attribute;

/// Parses the texts of a document.
///
/// A missing part is an error only if the whole document could be read.
pub(super) fn tree_of_document(
    files: &Files,
    document: &XmlDocument,
    is_whole: bool,
) -> (ast::Network, Diagnostics) {
    let mut builder = Builder { files, diagnostics: Diagnostics::new() };
    let mut declarations = Vec::new();
    declarations.extend(builder.declarations(document.declaration.as_ref()));
    for template in &document.templates {
        let process = Box::new(builder.template(template));
        declarations
            .push(ast::Declaration { kind: ast::DeclarationKind::Process(process), span: template.span });
    }
    declarations.extend(builder.declarations(document.instantiation.as_ref()));
    declarations.extend(builder.declarations(document.system.as_ref()));
    if let Some(scenario) = document.scenarios.first() {
        builder.warning(
            &XML_STRUCTURE,
            *scenario,
            "live sequence charts have no effect on the model",
            "queries about scenarios are declined",
        );
    }
    if document.system.is_none() && is_whole && builder.diagnostics.is_empty() {
        let whole = files.whole(document.file);
        builder.error(
            &XML_STRUCTURE,
            Span::empty(document.file, whole.end),
            "the model has no element `system`".to_owned(),
            "add one that lists the processes",
        );
    }
    let queries = builder.queries(document);
    if !queries.is_empty() {
        let span = queries[0].span;
        declarations.push(ast::Declaration { kind: ast::DeclarationKind::Queries(queries), span });
    }
    (ast::Network { declarations, span: files.whole(document.file) }, builder.diagnostics)
}

struct Builder<'files> {
    files: &'files Files,
    diagnostics: Diagnostics,
}

/// The names of a template's locations and branch points in the tree, by their ids.
type NodeNames = BTreeMap<String, String>;

impl Builder<'_> {
    fn declarations(&mut self, text: Option<&Text>) -> Vec<ast::Declaration> {
        match text {
            Some(text) => self.parsed(parse_declarations(self.files, text.file)),
            None => Vec::new(),
        }
    }

    fn template(&mut self, template: &Template) -> ast::ProcessDeclaration {
        let name = match &template.name {
            Some(name) => self.name(name, "a template"),
            None => None,
        };
        let name = name.unwrap_or_else(|| {
            if template.name.as_ref().is_none_or(|name| self.files.text(name.file).trim().is_empty()) {
                let place = template.name.map_or(template.span, |name| name.element);
                let place = Span::new(place.file, place.start, place.start + 1);
                self.error(&XML_NAME, place, "the template has no name".to_owned(), "add an element `name`");
            }
            ast::Name { text: String::new(), span: template.span }
        });
        let parameters = match &template.parameter {
            Some(text) => self.parsed(parse_parameters(self.files, text.file)),
            None => Vec::new(),
        };
        let declarations = self.declarations(template.declaration.as_ref());
        let (mut nodes, mut locations) = (NodeNames::new(), Vec::new());
        let (mut urgent, mut committed) = (Vec::new(), Vec::new());
        for (number, location) in template.locations.iter().enumerate() {
            let written = self.location(location, number);
            let has_id = self.enter_node(&mut nodes, location.id, location.tag, &written.name.text);
            if has_id && location.committed.is_some() {
                committed.push(written.name.clone());
            } else if has_id && location.urgent.is_some() {
                urgent.push(written.name.clone());
            }
            locations.push(written);
        }
        let mut branchpoints = Vec::new();
        for (number, branchpoint) in template.branchpoints.iter().enumerate() {
            let text = format!("#branchpoint{number}");
            if self.enter_node(&mut nodes, branchpoint.id, branchpoint.tag, &text) {
                branchpoints.push(ast::Name { text, span: branchpoint.tag });
            }
        }
        let mut initial = Vec::new();
        if let Some((reference, element)) = template.initial {
            initial.extend(self.referenced(&nodes, reference, element, "the element `init`"));
        }
        let mut edges = Vec::new();
        for transition in &template.transitions {
            edges.extend(self.edge(transition, &nodes));
        }
        ast::ProcessDeclaration {
            name,
            arguments: Vec::new(),
            parameters,
            template: None,
            declarations,
            locations,
            branchpoints,
            initial,
            urgent,
            committed,
            edges,
            span: template.span,
        }
    }

    /// Enters a location or branch point under its id; returns whether it has one.
    fn enter_node(&mut self, nodes: &mut NodeNames, id: Option<Attribute>, tag: Span, name: &str) -> bool {
        let Some(id) = id else {
            let message = "the location has no id".to_owned();
            self.error(&XML_REFERENCE, tag, message, "write `id=\"…\"`, so that edges can refer to it");
            return false;
        };
        let text = id.text(self.files);
        if nodes.contains_key(&text) {
            let message = format!("the location id `{text}` is declared twice in this template");
            self.error(&XML_REFERENCE, id.value, message, "give each location an id of its own");
            return false;
        }
        nodes.insert(text, name.to_owned());
        true
    }

    fn referenced(
        &mut self,
        nodes: &NodeNames,
        reference: Option<Attribute>,
        element: Span,
        what: &str,
    ) -> Option<ast::Name> {
        let Some(reference) = reference else {
            let message = format!("{what} refers to no location");
            self.error(&XML_REFERENCE, element, message, "write `ref=\"…\"` with the id of a location");
            return None;
        };
        let id = reference.text(self.files);
        match nodes.get(&id) {
            Some(name) => Some(ast::Name { text: name.clone(), span: reference.value }),
            None => {
                let message = format!("unknown location id `{id}` in this template");
                let hint = match tempora_source::nearest_names(&id, nodes.keys().map(String::as_str)).first()
                {
                    Some(nearest) => format!("did you mean `{nearest}`?"),
                    None => "add a location with this id".to_owned(),
                };
                self.error(&XML_REFERENCE, reference.value, message, &hint);
                None
            }
        }
    }

    fn location(&mut self, location: &LocationElement, number: usize) -> ast::LocationDeclaration {
        let name = location.name.as_ref().and_then(|name| self.name(name, "a location"));
        let name = name.unwrap_or_else(|| ast::Name { text: format!("#{number}"), span: location.tag });
        let (mut invariant, mut rate) = (None, None);
        for label in &location.labels {
            match label.kind {
                Some(LabelKind::Invariant) => {
                    let parsed = self.parsed(parse_invariant(self.files, label.text.file));
                    self.once(&mut invariant, parsed, label);
                }
                Some(LabelKind::ExponentialRate) => {
                    let parsed = self.parsed(parse_rate(self.files, label.text.file));
                    self.once(&mut rate, parsed, label);
                }
                Some(LabelKind::Comments | LabelKind::TestCode) => {}
                _ => self.misplaced(label, "a location"),
            }
        }
        ast::LocationDeclaration { name, invariant, rate, labels: Vec::new(), span: location.tag }
    }

    fn edge(&mut self, transition: &TransitionElement, nodes: &NodeNames) -> Option<ast::Edge> {
        let source = self.referenced(nodes, transition.source, transition.tag, "the source of the edge");
        let target = self.referenced(nodes, transition.target, transition.tag, "the target of the edge");
        let mut labels = ast::EdgeLabels::default();
        let (mut select, mut updates) = (None, None);
        for label in &transition.labels {
            let file = label.text.file;
            match label.kind {
                Some(LabelKind::Select) => {
                    let parsed = self.parsed(parse_select(self.files, file));
                    self.once(&mut select, Some(parsed).filter(|list| !list.is_empty()), label);
                }
                Some(LabelKind::Guard) => {
                    let parsed = self.parsed(parse_guard(self.files, file));
                    self.once(&mut labels.guard, parsed, label);
                }
                Some(LabelKind::Synchronisation) => {
                    let parsed = self.parsed(parse_synchronisation(self.files, file));
                    self.once(&mut labels.synchronisation, parsed, label);
                }
                Some(LabelKind::Assignment) => {
                    let parsed = self.parsed(parse_expression_list(self.files, file));
                    self.once(&mut updates, Some(parsed).filter(|list| !list.is_empty()), label);
                }
                Some(LabelKind::Probability) => {
                    if !self.files.text(file).trim().is_empty() {
                        let parsed = self.parsed(parse_expression(self.files, file));
                        self.once(&mut labels.weight, Some(parsed), label);
                    }
                }
                Some(LabelKind::Comments | LabelKind::TestCode) => {}
                _ => self.misplaced(label, "an edge"),
            }
        }
        labels.select = select.unwrap_or_default();
        labels.updates = updates.unwrap_or_default();
        Some(ast::Edge {
            source: source?,
            is_uncontrollable: transition.is_uncontrollable,
            labels,
            target: ast::EdgeTarget::Single(target?),
            span: transition.tag,
        })
    }

    /// Stores the parsed content of a label, unless an earlier label of this kind has content.
    fn once<T>(&mut self, place: &mut Option<T>, parsed: Option<T>, label: &LabelElement) {
        let Some(parsed) = parsed else { return };
        if place.replace(parsed).is_some() {
            let message = "duplicate label of this kind".to_owned();
            self.error(&XML_LABEL, label.text.element, message, "merge them into one label");
        }
    }

    fn misplaced(&mut self, label: &LabelElement, what: &str) {
        let kind = self.files.text_at(label.kind_span).to_owned();
        if label.kind.is_none() {
            let message = format!("unknown label kind `{kind}`");
            self.warning(&XML_LABEL, label.kind_span, &message, "it is kept, but has no effect on the model");
        } else if !self.files.text(label.text.file).trim().is_empty() {
            let message = format!("{what} cannot have a label of the kind `{kind}`");
            self.error(&XML_LABEL, label.kind_span, message, "move it to an element that can have it");
        }
    }

    /// Returns the name in an element; `None` if it is blank or invalid.
    fn name(&mut self, text: &Text, what: &str) -> Option<ast::Name> {
        let whole = self.files.text(text.file);
        let name = whole.trim();
        if name.is_empty() {
            return None;
        }
        let start = whole.len() - whole.trim_start().len();
        let place = |length: usize| {
            let start = u32::try_from(start).unwrap_or(u32::MAX);
            Span::new(text.file, start, start.saturating_add(u32::try_from(length).unwrap_or(u32::MAX)))
        };
        let span = place(name.len());
        let is_first = |character: char| character.is_ascii_alphabetic() || character == '_';
        let is_other =
            |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '$' | '#');
        if name.starts_with(is_first) && name.chars().all(is_other) {
            return Some(ast::Name { text: name.to_owned(), span });
        }
        let message = format!("`{name}` is not a valid name for {what}");
        self.error(&XML_NAME, span, message, "use letters, digits and `_`, and do not begin with a digit");
        None
    }

    /// Parses the queries that are not blank. Their errors do not make the model invalid.
    fn queries(&mut self, document: &XmlDocument) -> Vec<ast::QueryItem> {
        let mut items = Vec::new();
        for row in &document.queries {
            let parsed = parse_query(self.files, row.formula.file);
            let has_errors = parsed.diagnostics.has_errors();
            self.diagnostics.extend(parsed.diagnostics.into_iter().map(demoted));
            if !has_errors && !matches!(parsed.tree.kind, ast::QueryKind::Empty) {
                items.push(ast::QueryItem { title: None, query: parsed.tree, span: row.formula.content });
            }
        }
        items
    }

    fn parsed<T>(&mut self, parsed: Parsed<T>) -> T {
        self.diagnostics.extend(parsed.diagnostics);
        parsed.tree
    }

    fn error(&mut self, code: &'static tempora_source::Code, place: Span, message: String, hint: &str) {
        self.diagnostics.push(Diagnostic::error(code, message).with_primary(place, "").with_hint(hint));
    }

    fn warning(&mut self, code: &'static tempora_source::Code, place: Span, message: &str, hint: &str) {
        self.diagnostics.push(Diagnostic::warning(code, message).with_primary(place, "").with_hint(hint));
    }
}

/// Turns an error into a warning: an invalid query of a model does not affect other queries.
pub(crate) fn demoted(mut diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.severity = diagnostic.severity.max(Severity::Warning);
    diagnostic
}
