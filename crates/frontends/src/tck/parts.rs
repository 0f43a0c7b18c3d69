//! The editable parts of a `.tck` file: its declarations, and their names and attributes.
//!
//! Invariant: the parts follow the text, even where names are unresolved and the trees are incomplete.

use std::collections::BTreeMap;

use tempora_draw::ElementRef;
use tempora_source::{FileId, Files, Span, Table};
use tempora_syntax::ast;

use super::document::{Declaration, DeclarationKind, read_document};
use crate::diagrams::timed_automata;
use crate::document::{Document, DocumentDiagram, Part, PartId, PartKind, WrittenNetwork};

/// A `.tck` file with its trees.
#[derive(Debug)]
pub(super) struct TckDocument {
    pub(super) file: FileId,
    pub(super) tree: ast::Network,
}

impl Document for TckDocument {
    fn files(&self) -> Vec<FileId> {
        vec![self.file]
    }

    fn parts(&self, files: &Files) -> Table<PartId, Part> {
        let (document, _) = read_document(files, self.file);
        let (elements, mut parts) = (self.elements(), Vec::new());
        for declaration in &document.declarations {
            parts_of_declaration(files, &elements, declaration, &mut parts);
        }
        parts.into_iter().collect()
    }

    fn diagrams(&self, _files: &Files) -> Vec<DocumentDiagram> {
        timed_automata(&self.tree)
    }

    fn network(&self) -> Option<WrittenNetwork<'_>> {
        Some(WrittenNetwork { tree: &self.tree, xml: None, project: None })
    }
}

impl TckDocument {
    /// Returns the diagram elements, by the spans of location names and of edges.
    fn elements(&self) -> BTreeMap<Span, ElementRef> {
        let mut elements = BTreeMap::new();
        for declaration in &self.tree.declarations {
            let ast::DeclarationKind::Process(process) = &declaration.kind else { continue };
            let title = process.name.text.as_str();
            for (number, location) in process.locations.iter().enumerate() {
                elements.insert(location.name.span, ElementRef::location(title, number));
            }
            for (number, edge) in process.edges.iter().enumerate() {
                elements.insert(edge.span, ElementRef::edge(title, number));
            }
        }
        elements
    }
}

fn parts_of_declaration(
    files: &Files,
    elements: &BTreeMap<Span, ElementRef>,
    declaration: &Declaration,
    parts: &mut Vec<Part>,
) {
    let (kind, name, part_of_name, id) = match &declaration.kind {
        DeclarationKind::System => (PartKind::System, "", None, None),
        DeclarationKind::Clock { name, .. }
        | DeclarationKind::Integer { name, .. }
        | DeclarationKind::Event { name } => (PartKind::Declaration, name.text.as_str(), None, None),
        DeclarationKind::Process { name } => {
            let id = Some(ElementRef::from(name.text.as_str()));
            (PartKind::Template, name.text.as_str(), Some((PartKind::TemplateName, name.span)), id)
        }
        DeclarationKind::Location { name, .. } => {
            let id = elements.get(&name.span).cloned();
            (PartKind::Declaration, name.text.as_str(), Some((PartKind::LocationName, name.span)), id)
        }
        DeclarationKind::Edge { .. } => (PartKind::Edge, "", None, elements.get(&declaration.span).cloned()),
        DeclarationKind::Synchronisation { .. } => (PartKind::Declaration, "", None, None),
    };
    let mut add = |kind: PartKind, span: Span| {
        parts.push(Part { element: id.clone(), ..Part::verbatim(files, kind, name, span) });
    };
    add(kind, declaration.span);
    if let Some((kind, span)) = part_of_name {
        add(kind, span);
    }
    for attribute in declaration.attributes.iter().filter(|attribute| !attribute.value.is_empty()) {
        add(
            match attribute.key.text.as_str() {
                "invariant" => PartKind::Invariant,
                "provided" => PartKind::Guard,
                "do" => PartKind::Update,
                _ => PartKind::Other("attribute"),
            },
            attribute.value,
        );
    }
}
