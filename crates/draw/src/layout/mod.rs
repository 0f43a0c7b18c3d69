//! From a diagram to places: of nodes, of the lines of edges, of labels.
//!
//! The steps are in the order of the data: [`graph`] resolves ids and measures texts, [`placement`] finds centres of nodes
//! (with [`layered`] where the file has none, whose lines [`pulling`] makes straight), [`routing`] finds the lines of edges, and [`labels`] finds free places
//! for texts around what [`obstacles`] remembers. Invariant: what the file places stays exactly there; every place is finite.

pub(crate) mod graph;
pub(crate) mod labels;
mod layered;
mod obstacles;
mod placement;
mod pulling;
pub(crate) mod routing;

use crate::geometry::Point;
use graph::Graph;
use labels::PlacedLabel;
use routing::Route;

/// Where everything is.
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
