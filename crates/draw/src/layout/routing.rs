//! Routes the lines of edges, from the rim of one node to the rim of another.
//!
//! The line of an edge passes through its nails, with rounded corners. Parallel edges without nails are bent apart,
//! and loops without nails use the widest free angle of their node. Invariant: unless nodes overlap, the tip of an
//! arrow is on the rim of its target.

use std::collections::BTreeMap;

use tempora_interrupt::checkpoint;

use super::graph::{EdgeIndex, Graph, NodeIndex, stack_size};
use super::placement::Placement;
use crate::geometry::Point;
use crate::path::{Path, Segment, point_and_direction};
use crate::skins::Outline;

pub(crate) struct Route {
    pub(crate) path: Path,
    /// The end of one barb, the tip, and the end of the other barb.
    pub(crate) arrow_head: [Point; 3],
    /// Points along the path.
    pub(crate) samples: Vec<Point>,
}

/// The radius of rounded corners at nails.
const NAIL_RADIUS: f64 = 10.0;

/// The radius of rounded corners at bends of automatic layout.
const BEND_RADIUS: f64 = 24.0;

/// The least distance between the middles of parallel edges.
const PARALLEL_GAP: f64 = 26.0;

/// The greatest distance between the middles of parallel edges with labels.
const MOST_PARALLEL_GAP: f64 = 70.0;

/// The extent of a loop beyond the rim of its node.
const LOOP_REACH: f64 = 40.0;

/// Half the width of a loop.
const LOOP_HALF_WIDTH: f64 = 26.0;

const ARROW_LENGTH: f64 = 9.0;
const ARROW_HALF_WIDTH: f64 = 4.5;

pub(crate) fn route_edges(graph: &Graph<'_>, placement: &Placement) -> Vec<Route> {
    let bundles = bundles_of_straight_edges(graph, placement);
    let loops = directions_of_loops(graph, placement);
    (0..graph.edges.len())
        .map(EdgeIndex)
        .map(|index| {
            let path = match (&loops[index.0], bundles[index.0]) {
                (Some(direction), _) => loop_path(graph, placement, index, *direction),
                (None, Some(offset)) => bent_path(graph, placement, index, offset),
                (None, None) => nailed_path(graph, placement, index),
            };
            let samples = path.samples();
            Route { arrow_head: arrow_head(&samples), path, samples }
        })
        .collect()
}

fn is_drawn_as_loop(graph: &Graph<'_>, placement: &Placement, index: EdgeIndex) -> bool {
    let edge = &graph.edges[index.0];
    let interior = edge.nails.len() + placement.bends[index.0].len();
    // A straight line between two nodes at one point would have length zero.
    let same_spot = placement.centres[edge.source.0].distance(placement.centres[edge.target.0]) < 1.0;
    interior < 2 && (edge.source == edge.target || (same_spot && interior == 0))
}

/// Computes the offsets of parallel edges without interior points: the distance of the middle of each edge to the
/// left of the line from the lesser to the greater node.
fn bundles_of_straight_edges(graph: &Graph<'_>, placement: &Placement) -> Vec<Option<f64>> {
    let mut bundles: BTreeMap<(NodeIndex, NodeIndex), Vec<usize>> = BTreeMap::new();
    for (index, edge) in graph.edges.iter().enumerate() {
        checkpoint();
        if edge.source != edge.target && edge.nails.is_empty() && placement.bends[index].is_empty() {
            let ends = (edge.source.min(edge.target), edge.source.max(edge.target));
            bundles.entry(ends).or_default().push(index);
        }
    }
    let mut offsets = vec![None; graph.edges.len()];
    for ((lesser, _), mut bundle) in bundles.into_iter().filter(|(_, bundle)| bundle.len() > 1) {
        checkpoint();
        // Group the edges by direction, on the left of the direction, as in left-hand traffic.
        bundle.sort_by_key(|&edge| graph.edges[edge].source == lesser);
        let (source, target) = (graph.edges[bundle[0]].source, graph.edges[bundle[0]].target);
        let along = placement.centres[target.0] - placement.centres[source.0];
        let side = along.unit_or(Point::new(1.0, 0.0)).turned_left();
        // The labels between two edges determine their distance.
        let gaps = bundle.windows(2).map(|pair| {
            let rooms = [pair[0], pair[1]].map(|edge| {
                let size = stack_size(&graph.edges[edge].labels);
                side.x.abs() * size.x + side.y.abs() * size.y
            });
            (rooms[0].max(rooms[1]) + PARALLEL_GAP / 2.0).clamp(PARALLEL_GAP, MOST_PARALLEL_GAP)
        });
        let mut places = vec![0.0];
        places.extend(gaps.scan(0.0, |place, gap| {
            *place += gap;
            Some(*place)
        }));
        let middle = places.last().copied().unwrap_or_default() / 2.0;
        for (&edge, place) in bundle.iter().zip(places) {
            checkpoint();
            offsets[edge] = Some(place - middle);
        }
    }
    offsets
}

/// The eight directions in which a loop may leave, in order of preference.
const LOOP_DIRECTIONS: [Point; 8] = [
    Point::new(-1.0, 0.0),
    Point::new(1.0, 0.0),
    Point::new(0.0, 1.0),
    Point::new(0.0, -1.0),
    Point::new(-DIAGONAL, -DIAGONAL),
    Point::new(-DIAGONAL, DIAGONAL),
    Point::new(DIAGONAL, DIAGONAL),
    Point::new(DIAGONAL, -DIAGONAL),
];

const DIAGONAL: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Computes the vector from the centre of the node to the apex of each edge that is drawn as a loop.
fn directions_of_loops(graph: &Graph<'_>, placement: &Placement) -> Vec<Option<Point>> {
    let mut directions = vec![None; graph.edges.len()];
    let mut leaving: Vec<Vec<Point>> = vec![Vec::new(); graph.nodes.len()];
    let mut loops: Vec<usize> = Vec::new();
    for (index, edge) in graph.edges.iter().enumerate() {
        checkpoint();
        if is_drawn_as_loop(graph, placement, EdgeIndex(index)) {
            loops.push(index);
            continue;
        }
        let interior = if edge.nails.is_empty() { &placement.bends[index] } else { &edge.nails };
        let (source, target) = (placement.centres[edge.source.0], placement.centres[edge.target.0]);
        for (node, centre, next) in [
            (edge.source, source, interior.first().copied().unwrap_or(target)),
            (edge.target, target, interior.last().copied().unwrap_or(source)),
        ] {
            // More directions leave no free angle anyway.
            if leaving[node.0].len() < 64 {
                leaving[node.0].push((next - centre).unit_or(Point::new(1.0, 0.0)));
            }
        }
    }
    for index in loops {
        checkpoint();
        let edge = &graph.edges[index];
        let node = edge.source;
        let rim = graph.node(node).outline.radius();
        let centre = placement.centres[node.0];
        let nail = edge.nails.first().map(|&nail| nail - centre);
        let apex = match nail.filter(|nail| nail.length() > rim + 6.0) {
            Some(nail) => nail,
            None => free_direction(&leaving[node.0], placement.is_layered[node.0]) * (rim + LOOP_REACH),
        };
        if leaving[node.0].len() < 64 {
            leaving[node.0].push(apex.unit_or(LOOP_DIRECTIONS[0]));
        }
        directions[index] = Some(apex);
    }
    directions
}

fn free_direction(leaving: &[Point], prefers_left: bool) -> Point {
    let crowding = |direction: &Point| leaving.iter().map(|other| direction.dot(*other)).fold(-1.0, f64::max);
    // Automatic layout reserves space at the left. Otherwise any direction with a free right angle on both sides will
    // do.
    if prefers_left && crowding(&LOOP_DIRECTIONS[0]) < 0.8 {
        return LOOP_DIRECTIONS[0];
    }
    if let Some(good) = LOOP_DIRECTIONS.iter().find(|direction| crowding(direction) < 0.1) {
        return *good;
    }
    let preferred = LOOP_DIRECTIONS.iter().enumerate().map(|(rank, direction)| {
        // Names are above and to the right; use these directions only for a clearly wider angle.
        (crowding(direction) + rank as f64 * 0.02, *direction)
    });
    preferred.min_by(|left, right| left.0.total_cmp(&right.0)).map_or(LOOP_DIRECTIONS[0], |(_, best)| best)
}

fn loop_path(graph: &Graph<'_>, placement: &Placement, index: EdgeIndex, apex: Point) -> Path {
    let edge = &graph.edges[index.0];
    let centre = placement.centres[edge.source.0];
    let direction = apex.unit_or(LOOP_DIRECTIONS[0]);
    let side = direction.turned_left();
    let source_rim = graph.node(edge.source).outline;
    let target_rim = graph.node(edge.target).outline;
    let leave = (direction * 0.87 - side * 0.5).unit_or(direction);
    let enter = (direction * 0.87 + side * 0.5).unit_or(direction);
    let start = centre + leave * source_rim.distance_to_rim(leave);
    let end = centre + enter * target_rim.distance_to_rim(enter);
    // The middle of a cubic curve is the sum of an eighth of each end and three eighths of each control point.
    let reach = (apex.length() - 0.25 * 0.87 * source_rim.radius()) / 0.75;
    let half_width = LOOP_HALF_WIDTH.min(apex.length() * 0.6);
    let controls =
        (centre + direction * reach - side * half_width, centre + direction * reach + side * half_width);
    Path { start, segments: vec![Segment::Cubic(controls.0, controls.1, end)] }
}

fn bent_path(graph: &Graph<'_>, placement: &Placement, index: EdgeIndex, offset: f64) -> Path {
    let edge = &graph.edges[index.0];
    let (source, target) = (placement.centres[edge.source.0], placement.centres[edge.target.0]);
    let along = if edge.source < edge.target { target - source } else { source - target };
    let side = along.unit_or(Point::new(1.0, 0.0)).turned_left();
    // The middle of a quadratic curve is half-way to its control point.
    let control = source.towards(target, 0.5) + side * (offset * 2.0);
    if control.distance(source) < 1e-6 || control.distance(target) < 1e-6 {
        return Path::straight(&[source, target]);
    }
    let start = rim_towards(source, control, graph.node(edge.source).outline);
    let end = rim_towards(target, control, graph.node(edge.target).outline);
    Path { start, segments: vec![Segment::Quadratic(control, end)] }
}

fn rim_towards(centre: Point, towards: Point, outline: Outline) -> Point {
    let direction = (towards - centre).unit_or(Point::new(1.0, 0.0));
    centre + direction * outline.distance_to_rim(direction)
}

fn nailed_path(graph: &Graph<'_>, placement: &Placement, index: EdgeIndex) -> Path {
    let edge = &graph.edges[index.0];
    let is_automatic = edge.nails.is_empty();
    let bends = straightened(placement, graph, index);
    let interior = if is_automatic { &bends } else { &edge.nails };
    let mut points = Vec::with_capacity(interior.len() + 2);
    points.push(placement.centres[edge.source.0]);
    points.extend_from_slice(interior);
    points.push(placement.centres[edge.target.0]);
    clip_start(&mut points, graph.node(edge.source).outline);
    points.reverse();
    clip_start(&mut points, graph.node(edge.target).outline);
    points.reverse();
    Path::rounded(&points, if is_automatic { BEND_RADIUS } else { NAIL_RADIUS })
}

/// The maximal distance of a line from its bends by automatic layout; less than the clearance of the layout.
const BEND_TOLERANCE: f64 = 4.5;

/// Removes the insignificant bends of automatic layout (Douglas and Peucker 1973, "Algorithms for the reduction of the
/// number of points required to represent a digitized line or its caricature").
fn straightened(placement: &Placement, graph: &Graph<'_>, index: EdgeIndex) -> Vec<Point> {
    let edge = &graph.edges[index.0];
    let mut points = vec![placement.centres[edge.source.0]];
    points.extend_from_slice(&placement.bends[index.0]);
    points.push(placement.centres[edge.target.0]);
    let mut is_kept = vec![false; points.len()];
    let mut stretches = vec![(0, points.len() - 1)];
    while let Some((first, last)) = stretches.pop() {
        checkpoint();
        let side = (points[last] - points[first]).unit_or(Point::new(1.0, 0.0)).turned_left();
        let deviation = |place: usize| (points[place] - points[first]).dot(side).abs();
        let farthest = (first + 1..last).max_by(|left, right| deviation(*left).total_cmp(&deviation(*right)));
        if let Some(farthest) = farthest.filter(|&place| deviation(place) > BEND_TOLERANCE) {
            is_kept[farthest] = true;
            stretches.push((first, farthest));
            stretches.push((farthest, last));
        }
    }
    points.iter().zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|(&point, _)| point).collect()
}

/// Moves the start of a line from the centre of a node to its rim, unless the line never leaves the node.
fn clip_start(points: &mut Vec<Point>, outline: Outline) {
    let Some(&centre) = points.first() else { return };
    let is_outside = |point: Point| {
        let from_centre = point - centre;
        let direction = from_centre.unit_or(Point::new(1.0, 0.0));
        from_centre.length() > outline.distance_to_rim(direction)
    };
    let Some(first_outside) = points.iter().position(|&point| is_outside(point)) else { return };
    let (mut inside, mut outside) = (points[first_outside.saturating_sub(1)], points[first_outside]);
    for _ in 0..40 {
        checkpoint();
        let middle = inside.towards(outside, 0.5);
        if is_outside(middle) {
            outside = middle;
        } else {
            inside = middle;
        }
    }
    points.splice(..first_outside, [outside]);
}

fn arrow_head(samples: &[Point]) -> [Point; 3] {
    let tip = samples.last().copied().unwrap_or_default();
    // On a curve, the head follows the last stretch of its own length, not the tangent at the tip.
    let total: f64 = samples.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let share = if total > ARROW_LENGTH { 1.0 - ARROW_LENGTH / total } else { 0.0 };
    let (before, direction) = point_and_direction(samples, share);
    let back = (before - tip).unit_or(direction * -1.0);
    let side = back.turned_left();
    let foot = tip + back * ARROW_LENGTH;
    [foot + side * ARROW_HALF_WIDTH, tip, foot - side * ARROW_HALF_WIDTH]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::{Diagram, Edge, Node, NodeKind};
    use crate::draw::DrawOptions;
    use crate::layout::placement::place_nodes;

    fn routes(diagram: &Diagram) -> Vec<Route> {
        let graph = Graph::of_diagram(diagram, &DrawOptions::default());
        route_edges(&graph, &place_nodes(&graph))
    }

    fn two_nodes() -> Diagram {
        let mut diagram = Diagram::new("two");
        diagram.nodes.push(Node::new("a", NodeKind::Location).at(0.0, 0.0));
        diagram.nodes.push(Node::new("b", NodeKind::Location).at(200.0, 0.0));
        diagram
    }

    #[test]
    fn straight_edge_connects_rims() {
        let mut diagram = two_nodes();
        diagram.edges.push(Edge::new("e", "a", "b"));
        let route = &routes(&diagram)[0];
        let radius = crate::skins::outline(diagram.skin, Some(NodeKind::Location)).radius();
        assert!((route.path.start.x - radius).abs() < 1e-6);
        assert!((route.path.end().x - (200.0 - radius)).abs() < 1e-6);
        assert_eq!(route.arrow_head[1], route.path.end());
    }

    #[test]
    fn opposite_edges_are_bent_apart() {
        let mut diagram = two_nodes();
        diagram.edges.push(Edge::new("e", "a", "b"));
        diagram.edges.push(Edge::new("f", "b", "a"));
        let middles: Vec<Point> =
            routes(&diagram).iter().map(|route| route.path.point_and_direction(0.5).0).collect();
        assert!((middles[0].y - middles[1].y).abs() > PARALLEL_GAP * 0.8, "{middles:?}");
        // Each is to the left of its direction.
        assert!(middles[0].y < 0.0 && middles[1].y > 0.0);
    }

    #[test]
    fn loops_of_one_node_have_distinct_directions() {
        let mut diagram = two_nodes();
        diagram.edges.push(Edge::new("e", "a", "a"));
        diagram.edges.push(Edge::new("f", "a", "a"));
        let middles: Vec<Point> =
            routes(&diagram).iter().map(|route| route.path.point_and_direction(0.5).0).collect();
        assert!(middles[0].distance(middles[1]) > 30.0);
    }

    #[test]
    fn loop_reaches_its_nail() {
        let mut diagram = two_nodes();
        diagram.edges.push(Edge::new("e", "a", "a").with_nail(-60.0, -60.0));
        let middle = routes(&diagram)[0].path.point_and_direction(0.5).0;
        assert!(middle.distance(Point::new(-60.0, -60.0)) < 1.0, "{middle:?}");
    }
}
