//! Computes the centres of nodes that have no position in the file.
//!
//! A connected component without any position is drawn in layers, below the positioned nodes. A node without a position
//! in a component with positions is put near its neighbours. Invariant: positions in the file are kept exactly.

use std::collections::HashMap;

use tempora_interrupt::checkpoint;

use super::graph::{Graph, NodeIndex, stack_size};
use super::layered::{LayeredDrawing, LayeredEdge, LayeredGraph, draw_layered};
use crate::geometry::{Point, Rectangle};

pub(crate) struct Placement {
    /// The centre of each node.
    pub(crate) centres: Vec<Point>,
    /// Whether each node is in a layer of automatic layout.
    pub(crate) is_layered: Vec<bool>,
    /// The bends of each edge from automatic layout.
    pub(crate) bends: Vec<Vec<Point>>,
    /// The corner of the space that automatic layout reserves for the labels of each edge.
    pub(crate) label_corners: Vec<Option<Point>>,
}

/// The distance between drawings of connected components.
const BLOCK_GAP: f64 = 40.0;

/// The extent of a self loop beyond its node, including the width of the line.
const LOOP_ROOM: f64 = 40.0;

pub(crate) fn place_nodes(graph: &Graph<'_>) -> Placement {
    let mut placement = Placement {
        centres: graph.nodes.iter().map(|node| node.given.unwrap_or_default()).collect(),
        is_layered: vec![false; graph.nodes.len()],
        bends: vec![Vec::new(); graph.edges.len()],
        label_corners: vec![None; graph.edges.len()],
    };
    if graph.nodes.iter().all(|node| node.given.is_some()) {
        return placement;
    }
    let part_of = connected_parts(graph);
    let mut part_has_place = vec![false; graph.nodes.len()];
    for (node, &part) in graph.nodes.iter().zip(&part_of) {
        checkpoint();
        part_has_place[part] |= node.given.is_some();
    }
    place_near_neighbours(graph, &mut placement, &|node| part_has_place[part_of[node.0]]);

    let placed = graph.nodes.iter().enumerate().filter(|(index, _)| part_has_place[part_of[*index]]);
    let nails = graph.edges.iter().flat_map(|edge| edge.nails.iter().copied());
    let taken = Rectangle::of_points(placed.map(|(index, _)| placement.centres[index]).chain(nails));
    place_in_layers(graph, &mut placement, &part_of, &part_has_place, taken);
    placement
}

/// Computes the least node of the connected component of each node (union-find).
fn connected_parts(graph: &Graph<'_>) -> Vec<usize> {
    fn root(parent: &mut [usize], mut node: usize) -> usize {
        while parent[node] != node {
            checkpoint();
            parent[node] = parent[parent[node]];
            node = parent[node];
        }
        node
    }
    let mut parent: Vec<usize> = (0..graph.nodes.len()).collect();
    for edge in &graph.edges {
        checkpoint();
        let (left, right) = (root(&mut parent, edge.source.0), root(&mut parent, edge.target.0));
        parent[left.max(right)] = left.min(right);
    }
    (0..graph.nodes.len()).map(|node| root(&mut parent, node)).collect()
}

/// The distances of the grid of candidate spots around a neighbour.
const SPOT_STEP: Point = Point::new(120.0, 90.0);

/// The distance of a free spot from all nodes.
const SPOT_CLEARANCE: f64 = 70.0;

fn place_near_neighbours(
    graph: &Graph<'_>,
    placement: &mut Placement,
    is_wanted: &dyn Fn(NodeIndex) -> bool,
) {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        checkpoint();
        neighbours[edge.source.0].push(edge.target.0);
        neighbours[edge.target.0].push(edge.source.0);
    }
    let mut has_place: Vec<bool> = graph.nodes.iter().map(|node| node.given.is_some()).collect();
    let mut spots = Spots::default();
    let mut queue: Vec<usize> = Vec::new();
    for (index, _) in has_place.iter().enumerate().filter(|(_, placed)| **placed) {
        checkpoint();
        spots.take(placement.centres[index]);
        queue.push(index);
    }
    let mut next = 0;
    while let Some(&from) = queue.get(next) {
        checkpoint();
        next += 1;
        for &node in &neighbours[from] {
            checkpoint();
            if has_place[node] || !is_wanted(NodeIndex(node)) {
                continue;
            }
            let near: Vec<Point> = neighbours[node]
                .iter()
                .filter(|&&neighbour| has_place[neighbour])
                .map(|&neighbour| placement.centres[neighbour])
                .collect();
            let sum = near.iter().fold(Point::default(), |sum, &point| sum + point);
            let middle = sum * (1.0 / near.len().max(1) as f64);
            placement.centres[node] = spots.free_spot_near(middle);
            spots.take(placement.centres[node]);
            has_place[node] = true;
            queue.push(node);
        }
    }
}

/// The occupied points, in squares as large as the clearance.
#[derive(Default)]
struct Spots {
    taken: HashMap<(i64, i64), Vec<Point>>,
    /// The first ring with a free spot in each neighbourhood; full rings never become free.
    first_ring: HashMap<(i64, i64), i32>,
}

impl Spots {
    fn square_of(point: Point) -> (i64, i64) {
        ((point.x / SPOT_CLEARANCE).floor() as i64, (point.y / SPOT_CLEARANCE).floor() as i64)
    }

    fn take(&mut self, point: Point) {
        let points = self.taken.entry(Spots::square_of(point)).or_default();
        // More points do not make a full square fuller.
        if points.len() < 8 {
            points.push(point);
        }
    }

    fn is_free(&self, point: Point) -> bool {
        let (column, row) = Spots::square_of(point);
        (column - 1..=column + 1).flat_map(|column| (row - 1..=row + 1).map(move |row| (column, row))).all(
            |square| {
                let points = self.taken.get(&square).map_or([].as_slice(), Vec::as_slice);
                points.iter().all(|taken| taken.distance(point) >= SPOT_CLEARANCE)
            },
        )
    }

    fn free_spot_near(&mut self, middle: Point) -> Point {
        // Neighbourhoods are larger than squares, because nearby nodes compete for the same spots.
        let (column, row) = Spots::square_of(middle);
        let square = (column.div_euclid(4), row.div_euclid(4));
        let first = self.first_ring.get(&square).copied().unwrap_or(0);
        for ring in first..first + 10_000 {
            checkpoint();
            for (column, row) in ring_cells(ring) {
                let spot = middle + Point::new(f64::from(column) * SPOT_STEP.x, f64::from(row) * SPOT_STEP.y);
                if self.is_free(spot) {
                    self.first_ring.insert(square, ring);
                    return spot;
                }
            }
        }
        middle
    }
}

/// Returns the cells of a grid at this distance from the middle. Near the middle, the cells straight below, right,
/// above and left of it come first, because edges to them are horizontal or vertical.
fn ring_cells(ring: i32) -> Vec<(i32, i32)> {
    let across = move |row: i32| (-ring..=ring).map(move |column| (column, row));
    let down = move |column: i32| (1 - ring..ring).map(move |row| (column, row));
    if ring == 0 {
        return vec![(0, 0)];
    }
    let mut cells: Vec<(i32, i32)> =
        across(ring).chain(down(ring)).chain(across(-ring)).chain(down(-ring)).collect();
    if ring <= 3 {
        cells.sort_by_key(|(column, row)| column.abs().min(row.abs()));
    }
    cells
}

fn place_in_layers(
    graph: &Graph<'_>,
    placement: &mut Placement,
    part_of: &[usize],
    part_has_place: &[bool],
    taken: Option<Rectangle>,
) {
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    let mut edges: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for (node, &part) in part_of.iter().enumerate().filter(|(_, part)| !part_has_place[**part]) {
        checkpoint();
        members[part].push(node);
    }
    // The room of a node includes its loops.
    for (index, edge) in graph.edges.iter().enumerate().filter(|(_, edge)| edge.source != edge.target) {
        checkpoint();
        edges[part_of[edge.source.0]].push(index);
    }
    let rooms: Vec<Rectangle> = rooms_of_nodes(graph);

    let mut blocks = Vec::new();
    for (nodes, edges) in members.iter().zip(&edges).filter(|(nodes, _)| !nodes.is_empty()) {
        checkpoint();
        let drawing = draw_part(graph, &rooms, nodes, edges);
        let boxes = nodes.iter().zip(&drawing.centres).map(|(&node, &centre)| rooms[node].moved(centre));
        let bends = drawing.bends.iter().flatten().map(|&point| Rectangle::at(point, 0.0, 0.0));
        let labels = drawing.label_corners.iter().zip(edges).filter_map(|(corner, &edge)| {
            let size = stack_size(&graph.edges[edge].labels);
            corner.map(|corner| Rectangle::at(corner, size.x, size.y))
        });
        let bounds = boxes.chain(bends).chain(labels).reduce(Rectangle::union).unwrap_or_default();
        blocks.push((nodes, edges, drawing, bounds));
    }

    // Arrange the blocks in rows of about screen proportions.
    let area: f64 =
        blocks.iter().map(|(.., bounds)| (bounds.width() + BLOCK_GAP) * (bounds.height() + BLOCK_GAP)).sum();
    let widest = blocks.iter().map(|(.., bounds)| bounds.width()).fold(0.0, f64::max);
    let row_width = (area * 1.6).sqrt().max(widest);
    let start =
        taken.map_or(Point::default(), |taken| Point::new(taken.left, taken.bottom + BLOCK_GAP * 2.0));
    let (mut corner, mut row_bottom) = (start, start.y);
    for (nodes, edges, drawing, bounds) in blocks {
        checkpoint();
        if corner.x > start.x && corner.x + bounds.width() > start.x + row_width {
            corner = Point::new(start.x, row_bottom + BLOCK_GAP);
        }
        // Whole pixels keep the picture sharp.
        let shift = corner - bounds.corner();
        let shift = Point::new(shift.x.round(), shift.y.round());
        for (&node, &centre) in nodes.iter().zip(&drawing.centres) {
            checkpoint();
            placement.centres[node] = centre + shift;
            placement.is_layered[node] = true;
        }
        for (place, &edge) in edges.iter().enumerate() {
            checkpoint();
            placement.bends[edge] = drawing.bends[place].iter().map(|&point| point + shift).collect();
            placement.label_corners[edge] = drawing.label_corners[place].map(|corner| corner + shift);
        }
        corner.x += bounds.width() + BLOCK_GAP;
        row_bottom = row_bottom.max(corner.y + bounds.height());
    }
}

/// Computes the room of each node: its labels to the right, its loops with their labels to the left.
fn rooms_of_nodes(graph: &Graph<'_>) -> Vec<Rectangle> {
    let mut loop_room = vec![Point::default(); graph.nodes.len()];
    for edge in graph.edges.iter().filter(|edge| edge.source == edge.target) {
        checkpoint();
        let labels = stack_size(&edge.labels);
        let room = &mut loop_room[edge.source.0];
        *room = Point::new(room.x.max(labels.x + LOOP_ROOM), room.y + labels.y.max(30.0));
    }
    let rooms = graph.nodes.iter().zip(&loop_room).map(|(node, loops)| {
        let radius = node.outline.radius();
        let labels = stack_size(&node.labels);
        let label_width = if labels.x > 0.0 { labels.x + 6.0 } else { 0.0 };
        let half_height = radius.max(labels.y / 2.0).max(loops.y / 2.0) + 2.0;
        Rectangle {
            left: -radius - loops.x - 2.0,
            top: -half_height,
            right: radius + label_width + 2.0,
            bottom: half_height,
        }
    });
    rooms.collect()
}

fn draw_part(graph: &Graph<'_>, rooms: &[Rectangle], nodes: &[usize], edges: &[usize]) -> LayeredDrawing {
    let place_of: HashMap<usize, usize> =
        nodes.iter().enumerate().map(|(place, &node)| (node, place)).collect();
    let place = |node: NodeIndex| place_of.get(&node.0).copied().unwrap_or(0);
    draw_layered(&LayeredGraph {
        label_distance: graph.label_distance + 1.0,
        boxes: nodes.iter().map(|&node| rooms[node]).collect(),
        edges: edges
            .iter()
            .map(|&edge| {
                let edge = &graph.edges[edge];
                LayeredEdge {
                    source: place(edge.source),
                    target: place(edge.target),
                    label_size: stack_size(&edge.labels),
                }
            })
            .collect(),
        is_initial: nodes
            .iter()
            .map(|&node| graph.nodes[node].node.is_some_and(|node| node.initial))
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_are_complete_and_disjoint() {
        let mut cells: Vec<(i32, i32)> = (0..3).flat_map(ring_cells).collect();
        assert_eq!(cells.len(), 25);
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(cells.len(), 25);
    }

    #[test]
    fn thousand_nodes_get_distinct_spots() {
        let mut spots = Spots::default();
        let mut found: Vec<Point> = Vec::new();
        for _ in 0..1000 {
            let spot = spots.free_spot_near(Point::new(1.0, 1.0));
            spots.take(spot);
            found.push(spot);
        }
        for (index, left) in found.iter().enumerate() {
            assert!(found[..index].iter().all(|right| left.distance(*right) >= SPOT_CLEARANCE));
        }
    }
}
