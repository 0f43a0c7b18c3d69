//! Skins: the looks of diagrams, one file per skin.
//!
//! A skin determines the outlines of nodes before layout, and paints the diagram after it. Invariant: the painted
//! shape of a node is its outline, so that arrows end on rims.

mod ecdar;
mod outline;
mod tooltips;
mod uppaal;

pub(crate) use outline::Outline;

use crate::colour::Colour;
use crate::diagram::{Diagram, NodeKind, Skin};
use crate::geometry::Point;
use crate::layout::Layout;
use crate::layout::graph::Graph;
use crate::layout::labels::Owner;
use crate::layout::routing::Route;
use crate::path::Path;
use crate::scene::{Anchor, Part, SceneElement, Shape, TextBlock};
use crate::text_metrics::{ASCENT, LABEL_SIZE};

/// The radius of the dotted circle of an unknown node.
const UNKNOWN_RADIUS: f64 = 9.0;

/// Returns the outline of a node; without a kind, of an unknown node.
pub(crate) fn outline(skin: Skin, kind: Option<NodeKind>) -> Outline {
    match (skin, kind) {
        (_, None) => Outline::Disc(UNKNOWN_RADIUS),
        (Skin::Uppaal, Some(kind)) => uppaal::outline(kind),
        (Skin::Ecdar, Some(kind)) => ecdar::outline(kind),
    }
}

/// Returns the space between the text of a label and the border of its box.
pub(crate) fn label_padding(skin: Skin) -> Point {
    match skin {
        Skin::Uppaal => Point::default(),
        Skin::Ecdar => ecdar::LABEL_PADDING,
    }
}

/// Returns the distance between the line of an edge and its labels.
pub(crate) fn label_distance(skin: Skin) -> f64 {
    match skin {
        Skin::Uppaal => 5.0,
        Skin::Ecdar => ecdar::LABEL_DISTANCE,
    }
}

/// Paints a diagram.
pub(crate) fn paint(diagram: &Diagram, graph: &Graph<'_>, layout: &Layout) -> Vec<SceneElement> {
    match diagram.skin {
        Skin::Uppaal => uppaal::paint(diagram, graph, layout),
        Skin::Ecdar => ecdar::paint(diagram, graph, layout),
    }
}

/// Paints the lines and arrow heads of all edges.
fn paint_edges(graph: &Graph<'_>, layout: &Layout, elements: &mut Vec<SceneElement>) {
    for (edge, route) in graph.edges.iter().zip(&layout.routes) {
        let tooltip = tooltips::of_edge(graph, edge);
        elements.push(
            SceneElement::new(&edge.edge.element, Part::EdgeLine, Shape::Path(route.path.clone()))
                .dashed(!edge.edge.controllable)
                .coloured(edge.edge.colour)
                .with_tooltip(tooltip),
        );
        elements.push(arrow_head(edge.edge, route));
    }
}

fn arrow_head(edge: &crate::diagram::Edge, route: &Route) -> SceneElement {
    SceneElement::new(&edge.element, Part::ArrowHead, Shape::Path(Path::straight(&route.arrow_head)))
        .coloured(edge.colour)
}

/// Paints the dotted circle of an unknown node.
fn paint_unknown_node(graph: &Graph<'_>, index: usize, centre: Point, elements: &mut Vec<SceneElement>) {
    let element = graph.nodes[index].element;
    let circle = Shape::Circle { centre, radius: UNKNOWN_RADIUS };
    elements.push(
        SceneElement::new(element, Part::UnknownNode, circle)
            .with_tooltip(format!("{element}\nunknown location")),
    );
    let text = Shape::Text(TextBlock::centred(centre, 11.0, "?"));
    elements.push(SceneElement::new(element, Part::UnknownNodeText, text));
}

fn inside_text(
    element: &crate::element_ref::ElementRef,
    centre: Point,
    size: f64,
    text: &str,
) -> SceneElement {
    SceneElement::new(element, Part::LocationText, Shape::Text(TextBlock::centred(centre, size, text)))
}

/// Returns the colour of text on a node with a colour from the file; `None` leaves the choice to the theme.
fn ink_on(fill: Option<Colour>) -> Option<Colour> {
    fill.map(|fill| if fill.is_dark() { Colour::new(255, 255, 255) } else { Colour::new(0, 0, 0) })
}

/// Paints the texts of all labels.
fn paint_label_texts(graph: &Graph<'_>, layout: &Layout, padding: Point, elements: &mut Vec<SceneElement>) {
    for placed in &layout.labels {
        let labels = match placed.owner {
            Owner::Node(node) => &graph.node(node).labels,
            Owner::Edge(edge) => &graph.edges[edge.0].labels,
        };
        let label = &labels[placed.label];
        let x = match placed.anchor {
            Anchor::Start => placed.sides.left + padding.x,
            Anchor::Middle => placed.sides.centre().x,
            Anchor::End => placed.sides.right - padding.x,
        };
        let text = TextBlock {
            position: Point::new(x, placed.sides.top + padding.y + LABEL_SIZE * ASCENT),
            anchor: placed.anchor,
            size: LABEL_SIZE,
            lines: label.lines.clone(),
        };
        elements.push(
            SceneElement::new(label.element, Part::Label(label.kind), Shape::Text(text))
                .with_tooltip(label.kind.name()),
        );
    }
}
