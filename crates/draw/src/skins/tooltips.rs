//! The tooltips of nodes and edges.
//!
//! Invariant: a tooltip is plain text and contains every label of its element, including labels that are not drawn.

use crate::diagram::{Label, LabelKind};
use crate::layout::graph::{Graph, GraphEdge, GraphNode};

pub(super) fn of_node(node: &GraphNode<'_>) -> String {
    let Some(known) = node.node else { return node.element.to_string() };
    let mut lines = vec![name_of(node)];
    let initial = if known.initial { "initial " } else { "" };
    lines.push(format!("{initial}{}", known.kind.description()));
    lines.extend(label_lines(&known.labels));
    lines.join("\n")
}

pub(super) fn of_edge(graph: &Graph<'_>, edge: &GraphEdge<'_>) -> String {
    let (source, target) = (name_of(graph.node(edge.source)), name_of(graph.node(edge.target)));
    let mut lines = vec![format!("{source} → {target}")];
    if !edge.edge.controllable {
        lines.push("uncontrollable".to_owned());
    }
    lines.extend(label_lines(&edge.edge.labels));
    lines.join("\n")
}

/// Returns the name of a node, or else its id.
fn name_of(node: &GraphNode<'_>) -> String {
    let labels = node.node.map_or([].as_slice(), |node| &node.labels);
    let text =
        |kind: LabelKind| labels.iter().find(|label| label.kind == kind).map(|label| label.text.trim());
    let name = text(LabelKind::Name).filter(|name| !name.is_empty());
    let name = name.or_else(|| text(LabelKind::Identifier).filter(|name| !name.is_empty()));
    name.map_or_else(|| node.element.to_string(), str::to_owned)
}

fn label_lines(labels: &[Label]) -> impl Iterator<Item = String> {
    labels
        .iter()
        .filter(|label| !matches!(label.kind, LabelKind::Name | LabelKind::Identifier))
        .filter(|label| !label.text.trim().is_empty())
        .map(|label| format!("{}: {}", label.kind.name(), label.text.trim()))
}
