//! Networks in one text, with the parts that their trees identify.
//!
//! Invariant: every part is a range of the text. A process contains its declarations, locations and edges; an edge
//! contains its labels.

use std::collections::BTreeSet;

use tempora_draw::ElementRef;
use tempora_source::{FileId, Files, Span, Table};
use tempora_syntax::ast::{self, DeclarationKind};

use crate::diagrams::timed_automata;
use crate::document::{Document, DocumentDiagram, Part, PartId, PartKind, WrittenNetwork};

/// A network in a text.
#[derive(Debug)]
pub(crate) struct TextDocument {
    pub(crate) file: FileId,
    pub(crate) tree: ast::Network,
}

impl Document for TextDocument {
    fn files(&self) -> Vec<FileId> {
        vec![self.file]
    }

    fn parts(&self, files: &Files) -> Table<PartId, Part> {
        let mut collector = Collector { files, file: self.file, parts: Vec::new() };
        for declaration in &self.tree.declarations {
            collector.declaration(declaration, None);
        }
        let mut seen = BTreeSet::new();
        let mut parts = collector.parts;
        // Some languages create several trees from one text.
        parts.retain(|part| seen.insert((part.span, part.kind)));
        parts.sort_by_key(|part| (part.span.start, std::cmp::Reverse(part.span.end), part.kind));
        parts.into_iter().collect()
    }

    fn diagrams(&self, _files: &Files) -> Vec<DocumentDiagram> {
        timed_automata(&self.tree)
    }

    fn network(&self) -> Option<WrittenNetwork<'_>> {
        Some(WrittenNetwork { tree: &self.tree, xml: None, project: None })
    }
}

struct Collector<'files> {
    files: &'files Files,
    file: FileId,
    parts: Vec<Part>,
}

impl Collector<'_> {
    /// Adds a part, if it is in the text: trees may also come from other files or be synthetic.
    fn add(&mut self, kind: PartKind, name: &str, span: Span, element: Option<&ElementRef>) {
        if span.file == self.file && span.start < span.end {
            let part = Part::verbatim(self.files, kind, name, span);
            self.parts.push(Part { element: element.cloned(), ..part });
        }
    }

    /// Adds the place of a name, unless the text there differs.
    fn add_name(&mut self, kind: PartKind, name: &ast::Name, element: &ElementRef) {
        if self.files.text_at(name.span) == name.text {
            self.add(kind, &name.text, name.span, Some(element));
        }
    }

    fn declaration(&mut self, declaration: &ast::Declaration, element: Option<&ElementRef>) {
        let (kind, name) = match &declaration.kind {
            DeclarationKind::Process(process) => return self.process(process, declaration.span),
            DeclarationKind::Queries(items) => {
                for item in items {
                    self.add(PartKind::Query, "", item.query.span, None);
                }
                return;
            }
            DeclarationKind::System(_) => (PartKind::System, ""),
            DeclarationKind::Variables(variables) => {
                let name = variables.declarators.first().map_or("", |declarator| &declarator.name.text);
                (PartKind::Declaration, name)
            }
            DeclarationKind::Instantiation(instantiation) => {
                (PartKind::System, instantiation.name.text.as_str())
            }
            _ => (PartKind::Declaration, ""),
        };
        self.add(kind, name, declaration.span, element);
    }

    fn process(&mut self, process: &ast::ProcessDeclaration, span: Span) {
        let title = process.name.text.as_str();
        let whole = ElementRef::from(title);
        self.add(PartKind::Template, title, span, Some(&whole));
        self.add_name(PartKind::TemplateName, &process.name, &whole);
        let parameters = covered(process.parameters.iter().map(|parameter| parameter.span));
        self.add_covered(PartKind::Parameters, title, parameters, &whole);
        for declaration in &process.declarations {
            self.declaration(declaration, Some(&whole));
        }
        for (number, location) in process.locations.iter().enumerate() {
            let (id, name) = (ElementRef::location(title, number), location.name.text.as_str());
            self.add_name(PartKind::LocationName, &location.name, &id);
            let invariant = location.invariant.as_ref().map(|invariant| invariant.span);
            self.add_covered(PartKind::Invariant, name, invariant, &id);
            self.add_covered(PartKind::Rate, name, location.rate.as_ref().map(|rate| rate.span), &id);
        }
        for (number, edge) in process.edges.iter().enumerate() {
            let id = ElementRef::edge(title, number);
            self.add(PartKind::Edge, "", edge.span, Some(&id));
            let labels = &edge.labels;
            let select = covered(labels.select.iter().map(|binding| binding.span));
            let updates = covered(labels.updates.iter().map(|update| update.span));
            for (kind, span) in [
                (PartKind::Select, select),
                (PartKind::Guard, labels.guard.as_ref().map(|guard| guard.span)),
                (PartKind::Synchronisation, labels.synchronisation.as_ref().map(|label| label.span)),
                (PartKind::Synchronisation, labels.event.as_ref().map(|event| event.span)),
                (PartKind::Update, updates),
                (PartKind::Probability, labels.weight.as_ref().map(|weight| weight.span)),
            ] {
                self.add_covered(kind, "", span, &id);
            }
            let ast::EdgeTarget::Branches(branches) = &edge.target else { continue };
            for branch in branches {
                let weight = branch.weight.as_ref().map(|weight| weight.span);
                self.add_covered(PartKind::Probability, "", weight, &id);
                let updates = covered(branch.updates.iter().map(|update| update.span));
                self.add_covered(PartKind::Update, "", updates, &id);
            }
        }
    }

    fn add_covered(&mut self, kind: PartKind, name: &str, span: Option<Span>, element: &ElementRef) {
        if let Some(span) = span {
            self.add(kind, name, span, Some(element));
        }
    }
}

/// Returns the smallest range that covers some places.
fn covered(spans: impl Iterator<Item = Span>) -> Option<Span> {
    spans.reduce(|first, next| if first.file == next.file { first.cover(next) } else { first })
}
