//! A diagram with its ids resolved and its texts measured.
//!
//! Invariant: both ends of every edge are nodes of the graph. An unknown id becomes a separate node, so that the edge
//! is drawn and the mistake is visible. An ambiguous id denotes the first node with this id. Given positions are
//! exactly those of the file.

use std::collections::BTreeMap;

use tempora_interrupt::checkpoint;

use crate::diagram::{Diagram, Edge, Label, LabelKind, Node};
use crate::draw::DrawOptions;
use crate::element_ref::ElementRef;
use crate::geometry::Point;
use crate::skins::{self, Outline};
use crate::text_metrics::{self, LABEL_SIZE};

/// The index of a node of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NodeIndex(pub(crate) usize);

/// The index of an edge of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EdgeIndex(pub(crate) usize);

pub(crate) struct Graph<'a> {
    pub(crate) nodes: Vec<GraphNode<'a>>,
    pub(crate) edges: Vec<GraphEdge<'a>>,
    /// The distance between the line of an edge and its labels.
    pub(crate) label_distance: f64,
}

pub(crate) struct GraphNode<'a> {
    pub(crate) element: &'a ElementRef,
    /// The node of the diagram; `None` for an unknown id.
    pub(crate) node: Option<&'a Node>,
    pub(crate) outline: Outline,
    /// The drawable centre in the file.
    pub(crate) given: Option<Point>,
    pub(crate) labels: Vec<MeasuredLabel<'a>>,
}

pub(crate) struct GraphEdge<'a> {
    pub(crate) edge: &'a Edge,
    pub(crate) source: NodeIndex,
    pub(crate) target: NodeIndex,
    /// The drawable nails.
    pub(crate) nails: Vec<Point>,
    pub(crate) labels: Vec<MeasuredLabel<'a>>,
}

/// A label to draw, with its size.
pub(crate) struct MeasuredLabel<'a> {
    /// The id of the label, or else of its owner.
    pub(crate) element: &'a ElementRef,
    pub(crate) kind: LabelKind,
    pub(crate) lines: Vec<String>,
    /// The size, including the padding of its box.
    pub(crate) size: Point,
    /// The drawable upper left corner in the file.
    pub(crate) given: Option<Point>,
}

impl<'a> Graph<'a> {
    pub(crate) fn of_diagram(diagram: &'a Diagram, options: &DrawOptions) -> Graph<'a> {
        let given: fn(Point) -> Option<Point> = if has_places(diagram) { Point::drawable } else { |_| None };
        let mut nodes: Vec<GraphNode<'a>> = Vec::with_capacity(diagram.nodes.len());
        let mut index_of_id: BTreeMap<&'a ElementRef, NodeIndex> = BTreeMap::new();
        for node in &diagram.nodes {
            checkpoint();
            index_of_id.entry(&node.element).or_insert(NodeIndex(nodes.len()));
            nodes.push(GraphNode {
                element: &node.element,
                node: Some(node),
                outline: skins::outline(diagram.skin, Some(node.kind)),
                given: node.position.and_then(given),
                labels: measure(&node.labels, &node.element, diagram, options, given),
            });
        }
        let mut edges = Vec::with_capacity(diagram.edges.len());
        for edge in &diagram.edges {
            checkpoint();
            let [source, target] = [&edge.source, &edge.target].map(|id| {
                *index_of_id.entry(id).or_insert_with(|| {
                    nodes.push(GraphNode {
                        element: id,
                        node: None,
                        outline: skins::outline(diagram.skin, None),
                        given: None,
                        labels: Vec::new(),
                    });
                    NodeIndex(nodes.len() - 1)
                })
            });
            edges.push(GraphEdge {
                edge,
                source,
                target,
                nails: edge.nails.iter().filter_map(|nail| given(nail.position)).collect(),
                labels: measure(&edge.labels, &edge.element, diagram, options, given),
            });
        }
        Graph { nodes, edges, label_distance: skins::label_distance(diagram.skin) }
    }

    pub(crate) fn node(&self, index: NodeIndex) -> &GraphNode<'a> {
        &self.nodes[index.0]
    }
}

/// Returns whether a diagram has meaningful positions. Programs that write models without a layout put all nodes at one
/// point.
fn has_places(diagram: &Diagram) -> bool {
    match diagram.nodes.as_slice() {
        [first, second, others @ ..] => {
            first.position.is_none()
                || second.position != first.position
                || others.iter().any(|node| node.position != first.position)
        }
        _ => true,
    }
}

/// Returns the size of the stack of labels without a position.
pub(crate) fn stack_size(labels: &[MeasuredLabel<'_>]) -> Point {
    labels
        .iter()
        .filter(|label| label.given.is_none())
        .fold(Point::default(), |sum, label| Point::new(sum.x.max(label.size.x), sum.y + label.size.y))
}

fn measure<'a>(
    labels: &'a [Label],
    owner: &'a ElementRef,
    diagram: &Diagram,
    options: &DrawOptions,
    given: fn(Point) -> Option<Point>,
) -> Vec<MeasuredLabel<'a>> {
    let padding = skins::label_padding(diagram.skin);
    let mut measured: Vec<MeasuredLabel<'a>> = labels
        .iter()
        .filter(|label| options.draws(label.kind))
        .map(|label| (label, text_metrics::drawn_lines(&label.text)))
        .filter(|(_, lines)| !lines.is_empty())
        .map(|(label, lines)| {
            let size = text_metrics::block_size(&lines, LABEL_SIZE);
            MeasuredLabel {
                element: label.element.as_ref().unwrap_or(owner),
                kind: label.kind,
                lines,
                size: size + padding * 2.0,
                given: label.position.and_then(given),
            }
        })
        .collect();
    measured.sort_by_key(|label| label.kind);
    measured
}
