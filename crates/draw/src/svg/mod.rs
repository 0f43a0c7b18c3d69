//! Writes scenes as self-contained SVG files.
//!
//! Invariant: for all texts and ids, the output is well-formed XML without scripts and without external references;
//! every painted element has a `data-element` attribute with its stable id.

mod theme;
mod xml;

pub use theme::{Theme, style_sheet};

use std::fmt::Write;

use crate::overlay::Availability;
use crate::path::{Path, Segment};
use crate::scene::{Anchor, Part, Scene, SceneElement, Shape, TextBlock};
use crate::text_metrics::LINE_PITCH;
use xml::{escaped, number};

/// Options for writing a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SvgOptions {
    /// The colours.
    pub theme: Theme,
    /// Whether the background is painted; a page that embeds the drawing may have its own background.
    pub background: bool,
    /// Whether the file contains its style sheet; a page that embeds several drawings needs [`style_sheet`] only once.
    pub style_sheet: bool,
}

impl Default for SvgOptions {
    fn default() -> SvgOptions {
        SvgOptions { theme: Theme::Automatic, background: true, style_sheet: true }
    }
}

/// Writes a scene as the text of an SVG file.
pub fn write_svg(scene: &Scene, options: &SvgOptions) -> String {
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let bounds = scene.bounds;
    let (left, top) = (bounds.left.floor(), bounds.top.floor());
    let (width, height) = ((bounds.right.ceil() - left).max(1.0), (bounds.bottom.ceil() - top).max(1.0));
    let view = [left, top, width, height].map(number);
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{}\" role=\"img\" width=\"{}\" height=\"{}\" \
         viewBox=\"{}\">",
        options.theme.class(),
        view[2],
        view[3],
        view.join(" ")
    );
    let _ = writeln!(svg, "<title>{}</title>", escaped(&scene.title));
    if options.style_sheet {
        let _ = writeln!(svg, "<style>\n{}</style>", style_sheet(options.theme));
    }
    if options.background {
        let [x, y, width, height] = &view;
        let _ = writeln!(
            svg,
            "<rect class=\"background\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
        );
    }
    for element in &scene.elements {
        write_element(&mut svg, element);
    }
    svg.push_str("</svg>\n");
    svg
}

fn write_element(svg: &mut String, element: &SceneElement) {
    let common = common_attributes(element);
    let tooltip = if element.tooltip.is_empty() {
        String::new()
    } else {
        format!("<title>{}</title>", escaped(&element.tooltip))
    };
    let _ = match &element.shape {
        Shape::Circle { centre, radius } => writeln!(
            svg,
            "<circle{common} cx=\"{}\" cy=\"{}\" r=\"{}\">{tooltip}</circle>",
            number(centre.x),
            number(centre.y),
            number(*radius)
        ),
        Shape::Polygon(points) => {
            let points: Vec<String> =
                points.iter().map(|point| format!("{},{}", number(point.x), number(point.y))).collect();
            writeln!(svg, "<polygon{common} points=\"{}\">{tooltip}</polygon>", points.join(" "))
        }
        Shape::Rectangle { sides, corner_radius } => writeln!(
            svg,
            "<rect{common} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\">{tooltip}</rect>",
            number(sides.left),
            number(sides.top),
            number(sides.width().max(0.0)),
            number(sides.height().max(0.0)),
            number(*corner_radius)
        ),
        Shape::Path(path) => {
            writeln!(svg, "<path{common} d=\"{}\">{tooltip}</path>", path_data(path))
        }
        Shape::Text(text) => writeln!(svg, "{}", text_element(&common, &tooltip, text)),
    };
}

fn common_attributes(element: &SceneElement) -> String {
    let mut classes = vec![element.part.class()];
    let overlay = &element.overlay;
    for (holds, class) in [
        (element.dashed, "dashed"),
        (overlay.token, "token"),
        (overlay.chosen, "chosen"),
        (overlay.visited, "visited"),
        (overlay.availability == Some(Availability::Enabled), "enabled"),
        (overlay.availability == Some(Availability::Disabled), "disabled"),
    ] {
        if holds {
            classes.push(class);
        }
    }
    let mut attributes = format!(
        " class=\"{}\" data-element=\"{}\"",
        classes.join(" "),
        escaped(&element.element.to_string())
    );
    // A mark overrides the colour from the file.
    let is_recoloured = overlay.token || overlay.chosen || overlay.visited;
    if let Some(colour) = element.colour.filter(|_| !is_recoloured) {
        let property = match (&element.shape, element.part) {
            (Shape::Path(_), _) | (_, Part::InitialMark | Part::Frame) => "stroke",
            _ => "fill",
        };
        let _ = write!(attributes, " style=\"{property}:{colour}\"");
    }
    attributes
}

fn path_data(path: &Path) -> String {
    let mut data = format!("M{} {}", number(path.start.x), number(path.start.y));
    for segment in &path.segments {
        let (letter, points) = match *segment {
            Segment::Line(end) => ('L', vec![end]),
            Segment::Quadratic(control, end) => ('Q', vec![control, end]),
            Segment::Cubic(first, second, end) => ('C', vec![first, second, end]),
        };
        let points: Vec<String> =
            points.iter().map(|point| format!("{} {}", number(point.x), number(point.y))).collect();
        data.push(letter);
        data.push_str(&points.join(" "));
    }
    data
}

fn text_element(common: &str, tooltip: &str, text: &TextBlock) -> String {
    let anchor = match text.anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let (x, y) = (number(text.position.x), number(text.position.y));
    let size = number(text.size);
    let content = match text.lines.as_slice() {
        [line] => escaped(line),
        lines => {
            let pitch = number(text.size * LINE_PITCH);
            let spans = lines.iter().enumerate().map(|(index, line)| {
                let down = if index == 0 { "0" } else { &pitch };
                // A span without text does not move the next span down.
                let line = if line.is_empty() { "\u{a0}".to_owned() } else { escaped(line) };
                format!("<tspan x=\"{x}\" dy=\"{down}\">{line}</tspan>")
            });
            spans.collect()
        }
    };
    format!(
        "<text{common} x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{anchor} xml:space=\"preserve\">{tooltip}{content}</text>"
    )
}
