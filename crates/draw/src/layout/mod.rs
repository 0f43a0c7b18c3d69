//! Computes the positions of nodes, lines and labels of a diagram.
//!
//! The steps, in order: [`graph`] resolves ids and measures texts, [`placement`] computes the centres of nodes (with
//! [`layered`] for nodes without a position in the file, whose edges [`straighten`] straightens), [`routing`] computes
//! the lines of edges, and [`labels`] finds free positions for texts among the [`obstacles`]. Invariant: positions in
//! the file are kept exactly, and every position is finite.

pub(crate) mod graph;
pub(crate) mod labels;
mod layered;
mod obstacles;
mod placement;
pub(crate) mod routing;
mod straighten;

use crate::geometry::Point;
use graph::Graph;
use labels::PlacedLabel;
use routing::Route;

/// The positions of all elements.
pub(crate) struct Layout {
    /// The centre of each node of the graph.
    pub(crate) centres: Vec<Point>,
    /// The line of each edge of the graph.
    pub(crate) routes: Vec<Route>,
    /// The texts, those of nodes before those of edges.
    pub(crate) labels: Vec<PlacedLabel>,
}

pub(crate) fn lay_out(graph: &Graph<'_>) -> Layout {
    let placement = placement::place_nodes(graph);
    let routes = routing::route_edges(graph, &placement);
    let labels = labels::place_labels(graph, &placement, &routes);
    Layout { centres: placement.centres, routes, labels }
}
