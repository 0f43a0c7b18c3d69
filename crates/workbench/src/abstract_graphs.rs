//! Abstract reachability graphs as diagrams and documents.
//!
//! Invariant: the id of a node is `arg/node/N`, where N is its position in the graph.

use tempora_draw::{Diagram, DiagramPart, Edge, ElementRef, LabelKind, Node, NodeKind};
use tempora_report::documents::{AbstractGraphDocument, AbstractNodeRecord, DocumentVersion};
use tempora_symbolic::{AbstractGraph, AbstractNode};

/// Returns the graph as a diagram: targets look like prohibited locations, covered nodes like urgent ones, and dashed
/// edges lead to covering nodes.
pub fn diagram_of_graph(graph: &AbstractGraph) -> Diagram {
    let mut diagram = Diagram::new(format!("iteration {}", graph.iteration));
    let name = |position: usize| ElementRef::part("arg", DiagramPart::Node(position));
    for (position, node) in graph.nodes.iter().enumerate() {
        let kind = match (node.is_target, node.covered_by) {
            (true, _) => NodeKind::Prohibited,
            (false, Some(_)) => NodeKind::Urgent,
            (false, None) => NodeKind::Location,
        };
        let mut drawn = Node::new(name(position), kind)
            .with_label(LabelKind::Name, format!("{position}: {}", node.location))
            .with_label(LabelKind::Invariant, node.state.join("\n"));
        drawn.initial = node.parent.is_none();
        diagram.nodes.push(drawn);
        if let Some((parent, kind)) = &node.parent {
            let edge = Edge::new(ElementRef::edge("arg", position), name(*parent), name(position));
            diagram.edges.push(edge.with_label(LabelKind::Synchronisation, kind.name()));
        }
        if let Some(cover) = node.covered_by {
            let line = ElementRef::part("arg", DiagramPart::Cover(position));
            let mut edge = Edge::new(line, name(position), name(cover));
            edge.controllable = false;
            diagram.edges.push(edge.with_label(LabelKind::Comment, "covered"));
        }
    }
    diagram
}

/// Returns the graph as a JSON document.
pub(crate) fn document_of_graph(graph: &AbstractGraph) -> AbstractGraphDocument {
    let record = |node: &AbstractNode| AbstractNodeRecord {
        location: node.location.clone(),
        state: node.state.clone(),
        parent: node.parent.as_ref().map(|(parent, _)| *parent),
        edge: node.parent.as_ref().map(|(_, kind)| (*kind).into()),
        covered_by: node.covered_by,
        is_target: node.is_target,
        is_expanded: node.is_expanded,
    };
    AbstractGraphDocument {
        version: DocumentVersion,
        iteration: graph.iteration,
        precision: graph.precision.clone(),
        nodes: graph.nodes.iter().map(record).collect(),
    }
}
