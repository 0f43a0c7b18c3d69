//! The look of UPPAAL: discs, free coloured texts, the name and the parameters above.
//!
//! Invariant: this file chooses only shapes and texts; renderers choose colours by part.

use super::{Outline, ink_on, inside_text, paint_edges, paint_label_texts, paint_unknown_node, tooltips};
use crate::diagram::{Diagram, NodeKind};
use crate::geometry::{Point, Rectangle};
use crate::layout::Layout;
use crate::layout::graph::Graph;
use crate::scene::{Part, SceneElement, Shape, TextBlock};
use crate::text_metrics::{LINE_PITCH, line_width};

const LOCATION_RADIUS: f64 = 11.0;
const BRANCH_POINT_RADIUS: f64 = 4.0;
const INITIAL_RADIUS: f64 = 7.5;

/// The size of the name above a diagram.
const TITLE_SIZE: f64 = 14.0;

/// The maximal width of the name with the parameters above a narrow diagram.
const LEAST_TITLE_WIDTH: f64 = 300.0;

pub(super) fn outline(kind: NodeKind) -> Outline {
    match kind {
        NodeKind::BranchPoint => Outline::Disc(BRANCH_POINT_RADIUS),
        _ => Outline::Disc(LOCATION_RADIUS),
    }
}

pub(super) fn paint(diagram: &Diagram, graph: &Graph<'_>, layout: &Layout) -> Vec<SceneElement> {
    let mut elements = Vec::new();
    paint_edges(graph, layout, &mut elements);
    for (index, &centre) in layout.centres.iter().enumerate() {
        paint_node(graph, index, centre, &mut elements);
    }
    paint_label_texts(graph, layout, Point::default(), &mut elements);
    paint_title(diagram, &mut elements);
    elements
}

fn paint_node(graph: &Graph<'_>, index: usize, centre: Point, elements: &mut Vec<SceneElement>) {
    let graph_node = &graph.nodes[index];
    let Some(node) = graph_node.node else {
        paint_unknown_node(graph, index, centre, elements);
        return;
    };
    let is_branch_point = node.kind == NodeKind::BranchPoint;
    let part = if is_branch_point { Part::BranchPoint } else { Part::Location };
    elements.push(
        SceneElement::new(&node.element, part, Shape::Circle { centre, radius: graph_node.outline.radius() })
            .coloured(node.colour)
            .with_tooltip(tooltips::of_node(graph_node)),
    );
    if is_branch_point {
        return;
    }
    if node.initial {
        let ring = Shape::Circle { centre, radius: INITIAL_RADIUS };
        elements
            .push(SceneElement::new(&node.element, Part::InitialMark, ring).coloured(ink_on(node.colour)));
    }
    let letter = match node.kind {
        NodeKind::Urgent => "U",
        NodeKind::Committed => "C",
        NodeKind::Prohibited => "P",
        NodeKind::Universal => "*",
        NodeKind::Inconsistent => "!",
        NodeKind::Location | NodeKind::BranchPoint => return,
    };
    let size = if node.initial { 10.0 } else { 12.0 };
    elements.push(inside_text(&node.element, centre, size, letter).coloured(ink_on(node.colour)));
}

fn paint_title(diagram: &Diagram, elements: &mut Vec<SceneElement>) {
    let title = diagram.title.trim();
    let parameters = one_line(&diagram.parameters);
    if title.is_empty() && parameters.is_empty() {
        return;
    }
    let bounds = elements.iter().map(|element| element.shape.bounds()).reduce(Rectangle::union);
    let bounds = bounds.unwrap_or_default();
    // The name is bold, and thus wider than in the table of widths.
    let indent = if title.is_empty() { 0.0 } else { line_width(title, TITLE_SIZE) * 1.1 + 6.0 };
    let lines = parameter_lines(&parameters, bounds.width().max(LEAST_TITLE_WIDTH) - indent);
    let height = lines.len().max(1) as f64 * TITLE_SIZE * LINE_PITCH;
    let corner = Point::new(bounds.left, bounds.top - height - 10.0);
    if !title.is_empty() {
        let name = TextBlock::at_corner(corner, TITLE_SIZE, vec![title.to_owned()]);
        elements.push(SceneElement::new(&diagram.element, Part::FrameTitle, Shape::Text(name)));
    }
    if !lines.is_empty() {
        let text = TextBlock::at_corner(corner + Point::new(indent, 0.0), TITLE_SIZE, lines);
        elements.push(SceneElement::new(&diagram.element, Part::FrameParameters, Shape::Text(text)));
    }
}

/// Wraps the parameters in brackets to lines of about this width; lines end after commas.
fn parameter_lines(parameters: &str, width: f64) -> Vec<String> {
    if parameters.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![String::from("(")];
    for parameter in parameters.split_inclusive(", ") {
        let is_full = lines.last().is_some_and(|line| {
            line.len() > 1 && line_width(line, TITLE_SIZE) + line_width(parameter, TITLE_SIZE) > width
        });
        if is_full {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(parameter);
        }
    }
    if let Some(line) = lines.last_mut() {
        line.push(')');
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_parameters_are_wrapped_after_commas() {
        assert_eq!(parameter_lines("int a, int b", 500.0), ["(int a, int b)"]);
        assert_eq!(parameter_lines("int a, int b", 10.0), ["(int a,", "int b)"]);
        assert_eq!(parameter_lines("", 10.0), Vec::<String>::new());
    }
}
