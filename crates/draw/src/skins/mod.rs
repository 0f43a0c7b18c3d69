//! How diagrams look, one file a skin.
//!
//! A skin says how large nodes are before layout, and paints after it. Invariant: the outline that a skin announces is the
//! shape that it paints, so that arrows end on rims.

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

/// The radius of the dotted circle for a node that nobody declared.
const UNKNOWN_RADIUS: f64 = 9.0;

/// The outline of a node; without a kind, of one that only edges name.
pub(crate) fn outline(skin: Skin, kind: Option<NodeKind>) -> Outline {
    match (skin, kind) {
        (_, None) => Outline::Disc(UNKNOWN_RADIUS),
        (Skin::Uppaal, Some(kind)) => uppaal::outline(kind),
        (Skin::Ecdar, Some(kind)) => ecdar::outline(kind),
    }
}

/// The room between a label's text and the border of its box.
pub(crate) fn label_padding(skin: Skin) -> Point {
    match skin {
        Skin::Uppaal => Point::default(),
        Skin::Ecdar => ecdar::LABEL_PADDING,
    }
}

/// From the line of an edge to its labels.
pub(crate) fn label_distance(skin: Skin) -> f64 {
    match skin {
        Skin::Uppaal => 5.0,
        Skin::Ecdar => ecdar::LABEL_DISTANCE,
    }
}

/// Everything that is drawn of a diagram.
pub(crate) fn paint(diagram: &Diagram, graph: &Graph<'_>, layout: &Layout) -> Vec<SceneElement> {
    match diagram.skin {
        Skin::Uppaal => uppaal::paint(diagram, graph, layout),
        Skin::Ecdar => ecdar::paint(diagram, graph, layout),
    }
}

/// The lines and arrow heads of all edges.
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

/// The dotted circle in place of a node that nobody declared.
fn paint_unknown_node(graph: &Graph<'_>, index: usize, centre: Point, elements: &mut Vec<SceneElement>) {
    let element = graph.nodes[index].element;
    let circle = Shape::Circle { centre, radius: UNKNOWN_RADIUS };
    elements.push(
        SceneElement::new(element, Part::UnknownNode, circle)
            .with_tooltip(format!("{element}\nno such location")),
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

/// What to write with on a node of a colour that a file chose; where nobody chose, the theme knows.
fn ink_on(fill: Option<Colour>) -> Option<Colour> {
    fill.map(|fill| if fill.is_dark() { Colour::new(255, 255, 255) } else { Colour::new(0, 0, 0) })
}

/// The texts of all labels.
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
