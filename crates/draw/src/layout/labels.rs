//! Computes the positions of labels that have no position in the file.
//!
//! The labels of an edge are stacked beside its line; the name of a location goes above it and its invariant to the
//! lower right, or into any free slot. Slots are tried one after the other, as in Christensen, Marks and Shieber 1995
//! ("An empirical study of algorithms for point-feature label placement"), in a fixed order and without backtracking.
//! Invariant: positions in the file are kept exactly.

use tempora_interrupt::checkpoint;

use super::graph::{EdgeIndex, Graph, MeasuredLabel, NodeIndex, stack_size};
use super::obstacles::Obstacles;
use super::placement::Placement;
use super::routing::Route;
use crate::geometry::{Point, Rectangle};
use crate::path::point_and_direction;
use crate::scene::Anchor;

/// The owner of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Node(NodeIndex),
    Edge(EdgeIndex),
}

pub(crate) struct PlacedLabel {
    pub(crate) owner: Owner,
    /// The index among the labels of its owner.
    pub(crate) label: usize,
    /// The box of the label.
    pub(crate) sides: Rectangle,
    /// The side of the box to which lines of text are aligned.
    pub(crate) anchor: Anchor,
}

/// The additional cost of each slot further down the list of candidates.
const COST_OF_NEXT_SLOT: f64 = 12.0;

/// The distance between a rim and a label.
const LABEL_GAP: f64 = 4.0;

pub(crate) fn place_labels(graph: &Graph<'_>, placement: &Placement, routes: &[Route]) -> Vec<PlacedLabel> {
    let mut obstacles = known_obstacles(graph, placement, routes);
    let mut placed = Vec::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        checkpoint();
        let owner = Owner::Node(NodeIndex(index));
        keep_given(owner, &node.labels, &mut placed);
        place_node_labels(graph, placement, NodeIndex(index), &mut obstacles, &mut placed);
    }
    for (index, edge) in graph.edges.iter().enumerate() {
        checkpoint();
        let owner = Owner::Edge(EdgeIndex(index));
        keep_given(owner, &edge.labels, &mut placed);
        let size = stack_size(&edge.labels);
        if size.y > 0.0 {
            let reserved = placement.label_corners[index];
            let stack =
                best_beside_line(&routes[index].samples, size, graph.label_distance, reserved, &obstacles);
            place_stack(owner, &edge.labels, stack, &mut obstacles, &mut placed);
        }
    }
    placed
}

fn known_obstacles(graph: &Graph<'_>, placement: &Placement, routes: &[Route]) -> Obstacles {
    let bounds = Rectangle::of_points(
        placement
            .centres
            .iter()
            .copied()
            .chain(routes.iter().flat_map(|route| route.samples.iter().copied())),
    );
    let mut obstacles = Obstacles::new(bounds.unwrap_or_default());
    let node_labels = graph.nodes.iter().flat_map(|node| &node.labels);
    let edge_labels = graph.edges.iter().flat_map(|edge| &edge.labels);
    for label in node_labels.chain(edge_labels) {
        checkpoint();
        if let Some(corner) = label.given {
            obstacles.add_solid(Rectangle::at(corner, label.size.x, label.size.y));
        }
    }
    for (node, &centre) in graph.nodes.iter().zip(&placement.centres) {
        checkpoint();
        let radius = node.outline.radius();
        obstacles.add_solid(Rectangle::around(centre, radius * 2.0, radius * 2.0));
    }
    for route in routes {
        checkpoint();
        obstacles.add_lines(&route.samples);
        let [left, tip, right] = route.arrow_head;
        if let Some(head) = Rectangle::of_points([left, tip, right]) {
            obstacles.add_solid(head);
        }
    }
    obstacles
}

fn keep_given(owner: Owner, labels: &[MeasuredLabel<'_>], placed: &mut Vec<PlacedLabel>) {
    for (index, label) in labels.iter().enumerate() {
        checkpoint();
        if let Some(corner) = label.given {
            let sides = Rectangle::at(corner, label.size.x, label.size.y);
            placed.push(PlacedLabel { owner, label: index, sides, anchor: Anchor::Start });
        }
    }
}

/// A possible position of a stack of labels, and the side to which its lines are aligned.
#[derive(Clone, Copy)]
struct LabelSlot {
    sides: Rectangle,
    anchor: Anchor,
}

/// Returns the first slot of least cost; every slot costs a little more than the previous slot.
fn cheapest(slots: impl IntoIterator<Item = LabelSlot>, obstacles: &Obstacles) -> Option<LabelSlot> {
    let mut best: Option<(f64, LabelSlot)> = None;
    for (rank, slot) in slots.into_iter().enumerate() {
        checkpoint();
        let penalty = rank as f64 * COST_OF_NEXT_SLOT;
        if best.is_some_and(|(cost, _)| cost <= penalty) {
            break;
        }
        let limit = best.map_or(f64::MAX, |(least, _)| least - penalty);
        let cost = penalty + obstacles.cost_of(slot.sides.grown(1.0), limit);
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, slot));
        }
    }
    best.map(|(_, slot)| slot)
}

fn place_node_labels(
    graph: &Graph<'_>,
    placement: &Placement,
    index: NodeIndex,
    obstacles: &mut Obstacles,
    placed: &mut Vec<PlacedLabel>,
) {
    let node = graph.node(index);
    let (centre, radius) = (placement.centres[index.0], node.outline.radius());
    let owner = Owner::Node(index);
    if placement.is_layered[index.0] {
        // Edges arrive from above and leave below, so layout reserves space for all labels beside the node.
        let size = stack_size(&node.labels);
        if size.y > 0.0 {
            let slots = beside_node(centre, radius, size);
            if let Some(slot) = cheapest(slots, obstacles) {
                place_stack(owner, &node.labels, slot, obstacles, placed);
            }
        }
        return;
    }
    for (label_index, label) in node.labels.iter().enumerate().filter(|(_, label)| label.given.is_none()) {
        checkpoint();
        let slots = if label.kind == crate::diagram::LabelKind::Name {
            above_node(centre, radius, label.size)
        } else {
            below_node(centre, radius, label.size)
        };
        if let Some(slot) = cheapest(slots, obstacles) {
            obstacles.add_solid(slot.sides);
            placed.push(PlacedLabel { owner, label: label_index, sides: slot.sides, anchor: slot.anchor });
        }
    }
}

/// Returns the slot around a centre in a horizontal and a vertical direction: -1 for left or above, 0 for the middle, 1
/// for right or below.
fn slot_around(centre: Point, distance: Point, size: Point, across: f64, down: f64) -> LabelSlot {
    let middle = Point::new(
        centre.x + across * (distance.x + size.x / 2.0),
        centre.y + down * (distance.y + size.y / 2.0),
    );
    let anchor = if across < -0.5 {
        Anchor::End
    } else if across < 0.5 {
        Anchor::Middle
    } else {
        Anchor::Start
    };
    LabelSlot { sides: Rectangle::around(middle, size.x, size.y), anchor }
}

fn beside_node(centre: Point, radius: f64, size: Point) -> Vec<LabelSlot> {
    let out = Point::new(radius + LABEL_GAP, radius + LABEL_GAP);
    let near = Point::new(radius * 0.6 + LABEL_GAP, radius * 0.6);
    vec![
        slot_around(centre, out, size, 1.0, 0.0),
        slot_around(centre, near, size, 1.0, -1.0),
        slot_around(centre, near, size, 1.0, 1.0),
        slot_around(centre, out, size, -1.0, 0.0),
        slot_around(centre, near, size, -1.0, -1.0),
        slot_around(centre, near, size, -1.0, 1.0),
        slot_around(centre, out, size, 0.0, -1.0),
        slot_around(centre, out, size, 0.0, 1.0),
    ]
}

fn above_node(centre: Point, radius: f64, size: Point) -> Vec<LabelSlot> {
    let out = Point::new(radius + LABEL_GAP, radius + LABEL_GAP);
    let near = Point::new(radius * 0.5 + LABEL_GAP, radius * 0.5);
    let far = Point::new(radius + LABEL_GAP, radius + LABEL_GAP + size.y);
    let beyond = Point::new(LABEL_GAP, radius + LABEL_GAP);
    vec![
        slot_around(centre, out, size, 0.0, -1.0),
        slot_around(centre, near, size, 1.0, -1.0),
        slot_around(centre, near, size, -1.0, -1.0),
        slot_around(centre, out, size, 0.0, 1.0),
        slot_around(centre, near, size, 1.0, 1.0),
        slot_around(centre, near, size, -1.0, 1.0),
        slot_around(centre, out, size, 1.0, 0.0),
        slot_around(centre, out, size, -1.0, 0.0),
        slot_around(centre, beyond, size, -1.0, -1.0),
        slot_around(centre, beyond, size, 1.0, -1.0),
        slot_around(centre, beyond, size, 1.0, 1.0),
        slot_around(centre, beyond, size, -1.0, 1.0),
        slot_around(centre, far, size, 0.0, -1.0),
        slot_around(centre, far, size, 0.0, 1.0),
    ]
}

fn below_node(centre: Point, radius: f64, size: Point) -> Vec<LabelSlot> {
    let out = Point::new(radius + LABEL_GAP, radius + LABEL_GAP);
    let near = Point::new(radius * 0.5 + LABEL_GAP, radius * 0.5);
    let far = Point::new(radius * 0.5 + LABEL_GAP, radius * 0.5 + size.y);
    vec![
        slot_around(centre, near, size, 1.0, 1.0),
        slot_around(centre, out, size, 0.0, 1.0),
        slot_around(centre, near, size, -1.0, 1.0),
        slot_around(centre, out, size, 1.0, 0.0),
        slot_around(centre, far, size, 1.0, 1.0),
        slot_around(centre, near, size, 1.0, -1.0),
        slot_around(centre, out, size, -1.0, 0.0),
        slot_around(centre, near, size, -1.0, -1.0),
        slot_around(centre, out, size, 0.0, -1.0),
        slot_around(centre, far, size, -1.0, 1.0),
    ]
}

/// Shares of the length of a line at which labels are tried, middle first.
const SHARES: [f64; 9] = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];

fn best_beside_line(
    samples: &[Point],
    size: Point,
    distance: f64,
    reserved: Option<Point>,
    obstacles: &Obstacles,
) -> LabelSlot {
    let reserved = reserved
        .map(|corner| LabelSlot { sides: Rectangle::at(corner, size.x, size.y), anchor: Anchor::Start });
    let (start, _) = point_and_direction(samples, 0.5);
    let fallback = LabelSlot { sides: Rectangle::at(start, size.x, size.y), anchor: Anchor::Start };
    // All slots at the line first, then all slots a little further out.
    let shares_and_distances =
        [distance, distance + 12.0].into_iter().flat_map(|distance| SHARES.map(|share| (share, distance)));
    let beside = shares_and_distances.flat_map(|(share, distance)| {
        let (point, direction) = point_and_direction(samples, share);
        let left = direction.turned_left();
        // Above or to the right of the line first, where readers expect labels.
        let first = if left.y < -0.3 || (left.y <= 0.3 && left.x > 0.0) { left } else { left * -1.0 };
        [first, first * -1.0].map(|normal| {
            let reach = (normal.x.abs() * size.x + normal.y.abs() * size.y) / 2.0 + distance;
            let anchor = if normal.x < -0.5 { Anchor::End } else { Anchor::Start };
            LabelSlot { sides: Rectangle::around(point + normal * reach, size.x, size.y), anchor }
        })
    });
    cheapest(reserved.into_iter().chain(beside), obstacles).unwrap_or(fallback)
}

/// Stacks the labels without a position in a slot.
fn place_stack(
    owner: Owner,
    labels: &[MeasuredLabel<'_>],
    slot: LabelSlot,
    obstacles: &mut Obstacles,
    placed: &mut Vec<PlacedLabel>,
) {
    obstacles.add_solid(slot.sides);
    let mut top = slot.sides.top;
    for (index, label) in labels.iter().enumerate().filter(|(_, label)| label.given.is_none()) {
        checkpoint();
        // The lines of a text are left-aligned; only a single line may be aligned to another side.
        let left = match slot.anchor {
            Anchor::Start => slot.sides.left,
            Anchor::Middle => slot.sides.centre().x - label.size.x / 2.0,
            Anchor::End => slot.sides.right - label.size.x,
        };
        let anchor = if label.lines.len() > 1 { Anchor::Start } else { slot.anchor };
        let sides = Rectangle::at(Point::new(left, top), label.size.x, label.size.y);
        placed.push(PlacedLabel { owner, label: index, sides, anchor });
        top += label.size.y;
    }
}
