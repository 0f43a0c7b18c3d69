//! The look of Ecdar: nodes in the colour of the component, boxed labels on tethers, a frame with ports.
//!
//! Inputs enter the frame at the left with solid lines, outputs leave it at the right with dashed lines. Invariant: the
//! tether of a label ends on the line of its edge, at the glyph of its kind.

use super::{Outline, inside_text, paint_edges, paint_label_texts, paint_unknown_node, tooltips};
use crate::colour::Colour;
use crate::diagram::{Diagram, LabelKind, Node, NodeKind, Port};
use crate::geometry::{Point, Rectangle};
use crate::layout::Layout;
use crate::layout::graph::Graph;
use crate::layout::labels::{Owner, PlacedLabel};
use crate::path::{Path, point_and_direction};
use crate::scene::{Anchor, Part, SceneElement, Shape, TextBlock};
use crate::text_metrics::line_width;

pub(super) const LABEL_PADDING: Point = Point::new(4.0, 2.0);

/// Grey-blue, the first colour of the palette of Ecdar.
const DEFAULT_COLOUR: Colour = Colour::new(0x60, 0x7d, 0x8b);

/// The distance between a line and its labels, with space for glyphs on the line.
pub(super) const LABEL_DISTANCE: f64 = 13.0;

const LOCATION_RADIUS: f64 = 15.0;
const INITIAL_RADIUS: f64 = LOCATION_RADIUS * 0.75;
const NAIL_RADIUS: f64 = 7.0;

/// The distance between the frame and its content.
const FRAME_PADDING: f64 = 26.0;
const HEADER_HEIGHT: f64 = 26.0;
const CUT_CORNER: f64 = 22.0;
const TITLE_SIZE: f64 = 14.0;

const PORT_LENGTH: f64 = 36.0;
const PORT_PITCH: f64 = 30.0;
const PORT_TEXT_SIZE: f64 = 12.0;

pub(super) fn outline(kind: NodeKind) -> Outline {
    match kind {
        NodeKind::BranchPoint => Outline::Disc(5.0),
        NodeKind::Urgent => Outline::Octagon(LOCATION_RADIUS),
        NodeKind::Committed => Outline::Square(LOCATION_RADIUS - 1.0),
        _ => Outline::Disc(LOCATION_RADIUS),
    }
}

pub(super) fn paint(diagram: &Diagram, graph: &Graph<'_>, layout: &Layout) -> Vec<SceneElement> {
    let mut elements = Vec::new();
    paint_edges(graph, layout, &mut elements);
    for (index, &centre) in layout.centres.iter().enumerate() {
        match graph.nodes[index].node {
            Some(node) => {
                elements.extend(paint_node(diagram, node, graph, index, centre));
            }
            None => paint_unknown_node(graph, index, centre, &mut elements),
        }
    }
    paint_boxes(graph, layout, &mut elements);
    paint_label_texts(graph, layout, LABEL_PADDING, &mut elements);
    paint_frame(diagram, &mut elements);
    elements
}

fn paint_node(
    diagram: &Diagram,
    node: &Node,
    graph: &Graph<'_>,
    index: usize,
    centre: Point,
) -> Vec<SceneElement> {
    let graph_node = &graph.nodes[index];
    let outline = graph_node.outline;
    let shape = match outline {
        Outline::Disc(radius) => Shape::Circle { centre, radius },
        Outline::Octagon(_) | Outline::Square(_) => Shape::Polygon(outline.corners(centre)),
    };
    let fill = node.colour.or(diagram.colour).unwrap_or(DEFAULT_COLOUR);
    let ink = if fill.is_pale() { Colour::new(0, 0, 0) } else { Colour::new(255, 255, 255) };
    let is_branch_point = node.kind == NodeKind::BranchPoint;
    let part = if is_branch_point { Part::BranchPoint } else { Part::Location };
    let mut elements = vec![
        SceneElement::new(&node.element, part, shape)
            .coloured(Some(fill))
            .dashed(node.kind == NodeKind::Universal)
            .with_tooltip(tooltips::of_node(graph_node)),
    ];
    if node.initial {
        let ring = Shape::Circle { centre, radius: INITIAL_RADIUS };
        elements.push(SceneElement::new(&node.element, Part::InitialMark, ring).coloured(Some(ink)));
    }
    let reach = LOCATION_RADIUS * 0.7;
    let strokes: &[(Point, Point)] = match node.kind {
        NodeKind::Prohibited => &[(Point::new(-reach, reach), Point::new(reach, -reach))],
        NodeKind::Inconsistent => &[
            (Point::new(-reach, reach), Point::new(reach, -reach)),
            (Point::new(-reach, -reach), Point::new(reach, reach)),
        ],
        _ => &[],
    };
    for &(from, to) in strokes {
        let line = Shape::Path(Path::straight(&[centre + from, centre + to]));
        elements.push(SceneElement::new(&node.element, Part::ProhibitedMark, line));
    }
    let identifier = node.labels.iter().find(|label| label.kind == LabelKind::Identifier);
    if let Some(identifier) = identifier.filter(|label| !label.text.trim().is_empty()) {
        let text = identifier.text.trim();
        // Long ids get smaller letters, down to a readable size.
        let width = line_width(text, 1.0).max(0.1);
        let size = (LOCATION_RADIUS * 1.6 / width).clamp(7.0, 12.0);
        elements.push(inside_text(&node.element, centre, size, text).coloured(Some(ink)));
    }
    elements
}

/// Paints the boxes behind labels, and tethers from the boxes to edges or nodes.
fn paint_boxes(graph: &Graph<'_>, layout: &Layout, elements: &mut Vec<SceneElement>) {
    let mut drawn_of_edge = vec![0_usize; graph.edges.len()];
    for placed in &layout.labels {
        let (label, end) = match placed.owner {
            Owner::Node(node) => (&graph.node(node).labels[placed.label], layout.centres[node.0]),
            Owner::Edge(edge) => {
                let rank = drawn_of_edge[edge.0];
                drawn_of_edge[edge.0] += 1;
                let label = &graph.edges[edge.0].labels[placed.label];
                let nail = nail_of_label(graph, layout, placed, label.kind, rank);
                paint_nail(graph, edge.0, label.kind, nail, elements);
                (label, nail)
            }
        };
        let sides = placed.sides;
        elements.push(SceneElement::new(
            label.element,
            Part::LabelBox,
            Shape::Rectangle { sides, corner_radius: 3.0 },
        ));
        let from = sides.nearest_to(end);
        if from.distance(end) > 2.0 {
            let line = Shape::Path(Path::straight(&[from, end]));
            elements.push(SceneElement::new(label.element, Part::Tether, line).dashed(true));
        }
    }
}

/// Returns the position of the glyph of a label: at its nail in the file, or else near the middle of the line.
fn nail_of_label(
    graph: &Graph<'_>,
    layout: &Layout,
    placed: &PlacedLabel,
    kind: LabelKind,
    rank: usize,
) -> Point {
    let Owner::Edge(edge) = placed.owner else { return placed.sides.centre() };
    let graph_edge = &graph.edges[edge.0];
    let mut nails = graph_edge.edge.nails.iter().filter(|nail| nail.label == Some(kind));
    if let Some(given) = nails.find(|nail| graph_edge.nails.contains(&nail.position)) {
        return given.position;
    }
    let samples = &layout.routes[edge.0].samples;
    let length: f64 = samples.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let count = graph.edges[edge.0].labels.len();
    // Labels are stacked from top to bottom in both directions of the edge.
    let (_, direction) = point_and_direction(samples, 0.5);
    let rank = if direction.y < 0.0 { count.saturating_sub(rank + 1) } else { rank };
    let offset = (rank as f64 - (count.saturating_sub(1)) as f64 / 2.0) * NAIL_RADIUS * 2.4;
    let share = if length > 1.0 { (0.5 + offset / length).clamp(0.05, 0.95) } else { 0.5 };
    point_and_direction(samples, share).0
}

fn paint_nail(
    graph: &Graph<'_>,
    edge: usize,
    kind: LabelKind,
    nail: Point,
    elements: &mut Vec<SceneElement>,
) {
    let edge = graph.edges[edge].edge;
    let glyph = match kind {
        LabelKind::Select => ":",
        LabelKind::Guard => "<",
        LabelKind::Update => "=",
        LabelKind::Synchronisation if edge.controllable => "?",
        LabelKind::Synchronisation => "!",
        _ => return,
    };
    let disc = Shape::Circle { centre: nail, radius: NAIL_RADIUS };
    elements.push(SceneElement::new(&edge.element, Part::Nail, disc));
    let text = Shape::Text(TextBlock::centred(nail, 11.0, glyph));
    elements.push(SceneElement::new(&edge.element, Part::NailGlyph, text));
}

fn paint_frame(diagram: &Diagram, elements: &mut Vec<SceneElement>) {
    let title = diagram.title.trim().to_owned();
    let content = elements.iter().map(|element| element.shape.bounds()).reduce(Rectangle::union);
    let mut frame = content.unwrap_or_default().grown(FRAME_PADDING);
    frame.top -= HEADER_HEIGHT;
    let title_right = frame.left + CUT_CORNER + 8.0 + line_width(&title, TITLE_SIZE) * 1.1 + 12.0;
    frame.right = frame.right.max(title_right);
    let ports = diagram.inputs.len().max(diagram.outputs.len()) as f64;
    frame.bottom = frame.bottom.max(frame.top + HEADER_HEIGHT + (ports + 0.5) * PORT_PITCH);

    let corners = vec![
        Point::new(frame.left + CUT_CORNER, frame.top),
        Point::new(frame.right, frame.top),
        Point::new(frame.right, frame.bottom),
        Point::new(frame.left, frame.bottom),
        Point::new(frame.left, frame.top + CUT_CORNER),
    ];
    elements.push(
        SceneElement::new(&diagram.element, Part::Frame, Shape::Polygon(corners))
            .coloured(Some(diagram.colour.unwrap_or(DEFAULT_COLOUR))),
    );
    let corner = Point::new(frame.left + CUT_CORNER + 8.0, frame.top + 6.0);
    let text = TextBlock::at_corner(corner, TITLE_SIZE, vec![title]);
    elements.push(SceneElement::new(&diagram.element, Part::FrameTitle, Shape::Text(text)));

    for (port, y) in port_places(&diagram.inputs, frame) {
        let ends = [Point::new(frame.left - PORT_LENGTH, y), Point::new(frame.left, y)];
        let (text, anchor) = (Point::new(frame.left - 10.0, y - 5.0), Anchor::End);
        paint_port(port, ends, text, anchor, false, elements);
    }
    for (port, y) in port_places(&diagram.outputs, frame) {
        let ends = [Point::new(frame.right, y), Point::new(frame.right + PORT_LENGTH, y)];
        let (text, anchor) = (Point::new(frame.right + 6.0, y - 5.0), Anchor::Start);
        paint_port(port, ends, text, anchor, true, elements);
    }
}

fn port_places(ports: &[Port], frame: Rectangle) -> impl Iterator<Item = (&Port, f64)> {
    let first = frame.top + HEADER_HEIGHT + PORT_PITCH * 0.75;
    ports.iter().enumerate().map(move |(index, port)| (port, first + index as f64 * PORT_PITCH))
}

fn paint_port(
    port: &Port,
    [from, to]: [Point; 2],
    text_position: Point,
    anchor: Anchor,
    dashed: bool,
    elements: &mut Vec<SceneElement>,
) {
    let line = Shape::Path(Path::straight(&[from, to]));
    elements.push(SceneElement::new(&port.element, Part::PortLine, line).dashed(dashed));
    let barbs = [to + Point::new(-8.0, -4.0), to, to + Point::new(-8.0, 4.0)];
    elements.push(SceneElement::new(&port.element, Part::PortLine, Shape::Path(Path::straight(&barbs))));
    let text = TextBlock {
        position: text_position,
        anchor,
        size: PORT_TEXT_SIZE,
        lines: vec![port.name.trim().to_owned()],
    };
    let direction = if dashed { "output" } else { "input" };
    elements
        .push(SceneElement::new(&port.element, Part::PortName, Shape::Text(text)).with_tooltip(direction));
}
