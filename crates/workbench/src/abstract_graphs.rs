//! Abstract reachability graphs as diagrams.
//!
//! Invariant: the id of a node is `arg/node/N`, where N is its position in the graph.

use tempora_draw::{Diagram, Edge, LabelKind, Node, NodeKind};
use tempora_symbolic::AbstractGraph;

/// The graph for people: targets are prohibited locations, covered nodes urgent ones, covering is dashed.
pub fn diagram_of_graph(graph: &AbstractGraph) -> Diagram {
    let mut diagram = Diagram::new(format!("iteration {}", graph.iteration));
    let name = |position: usize| format!("arg/node/{position}");
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
            let id = format!("arg/edge/{position}");
            let edge = Edge::new(id, name(*parent), name(position));
            diagram.edges.push(edge.with_label(LabelKind::Synchronisation, kind.name()));
        }
        if let Some(cover) = node.covered_by {
            let mut edge = Edge::new(format!("arg/cover/{position}"), name(position), name(cover));
            edge.controllable = false;
            diagram.edges.push(edge.with_label(LabelKind::Comment, "covered"));
        }
    }
    diagram
}
