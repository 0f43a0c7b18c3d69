//! The document of boxes: editable parts, and a diagram.
//!
//! Invariant: boxes, transitions and queries are parts; an edit keeps every other byte of the files.

use tempora_draw::{Diagram, Edge, ElementRef, LabelKind, Node, NodeKind};
use tempora_frontends::{DiagramKind, Document, DocumentDiagram, Part, PartId, PartKind};
use tempora_source::{FileId, Files, Table};

use super::language::Boxes;

/// The files and the model in them.
#[derive(Debug)]
pub(super) struct BoxesDocument {
    pub(super) files: Vec<FileId>,
    pub(super) model: Boxes,
}

impl Document for BoxesDocument {
    fn files(&self) -> Vec<FileId> {
        self.files.clone()
    }

    fn parts(&self, files: &Files) -> Table<PartId, Part> {
        let Boxes { boxes, transitions, queries } = &self.model;
        let boxes = boxes.iter().enumerate().map(|(number, one)| {
            Part::verbatim(files, PartKind::LocationName, &one.name, one.span)
                .of_element(ElementRef::location("boxes", number))
        });
        let transitions = transitions.iter().enumerate().map(|(number, one)| {
            Part::verbatim(files, PartKind::Edge, "", one.span).of_element(ElementRef::edge("boxes", number))
        });
        let queries = queries.iter().map(|span| Part::verbatim(files, PartKind::Query, "", *span));
        let mut parts: Vec<Part> = boxes.chain(transitions).chain(queries).collect();
        parts.sort_by_key(|part| part.span);
        parts.into_iter().collect()
    }

    fn diagrams(&self, _files: &Files) -> Vec<DocumentDiagram> {
        let mut diagram = Diagram::new("boxes");
        for (number, one) in self.model.boxes.iter().enumerate() {
            let node = Node::new(ElementRef::location("boxes", number), NodeKind::Location);
            diagram.nodes.push(node.with_label(LabelKind::Name, one.name.clone()));
        }
        for (number, one) in self.model.transitions.iter().enumerate() {
            let (source, target) =
                (ElementRef::location("boxes", one.source), ElementRef::location("boxes", one.target));
            diagram.edges.push(Edge::new(ElementRef::edge("boxes", number), source, target));
        }
        vec![DocumentDiagram { kind: DiagramKind::Other("boxes"), diagram }]
    }
}
