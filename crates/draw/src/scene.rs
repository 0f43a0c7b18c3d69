//! The scene: shapes and texts in one plane, each with the stable id of the element that it shows.
//!
//! SVG, reports and the browser draw the same scene. Invariants: elements are in painting order; all coordinates are
//! finite; the bounds contain all shapes.

use crate::colour::Colour;
use crate::diagram::LabelKind;
use crate::element_ref::ElementRef;
use crate::geometry::{Point, Rectangle};
use crate::overlay::{FindingMark, Overlay};
use crate::path::Path;
use crate::text_metrics;

/// The shapes and texts of a drawing, from back to front.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Scene {
    /// The title.
    pub title: String,
    /// The rectangle around all shapes, with a margin.
    pub bounds: Rectangle,
    /// The shapes and texts, in painting order.
    pub elements: Vec<SceneElement>,
}

/// One shape or text.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneElement {
    /// The element of the user's model that it shows.
    pub element: ElementRef,
    /// The role of the shape; renderers choose colours by it.
    pub part: Part,
    /// The shape.
    pub shape: Shape,
    /// Whether its line is dashed.
    pub dashed: bool,
    /// A colour from the file, which overrides the colour of the part.
    pub colour: Option<Colour>,
    /// The tooltip; may be empty.
    pub tooltip: String,
    /// The marks on it, except the halo, which is a separate element.
    pub overlay: Overlay,
}

/// The geometry of a scene element.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A circle.
    Circle {
        /// Its centre.
        centre: Point,
        /// Its radius.
        radius: f64,
    },
    /// A closed polygon.
    Polygon(Vec<Point>),
    /// A rectangle.
    Rectangle {
        /// Its sides.
        sides: Rectangle,
        /// The radius of its corners.
        corner_radius: f64,
    },
    /// An open line.
    Path(Path),
    /// A text.
    Text(TextBlock),
}

/// Lines of text below each other.
#[derive(Clone, Debug, PartialEq)]
pub struct TextBlock {
    /// A point on the baseline of the first line, at the side given by `anchor`.
    pub position: Point,
    /// The side of each line that is at `position`.
    pub anchor: Anchor,
    /// The size of the font in pixels.
    pub size: f64,
    /// The lines.
    pub lines: Vec<String>,
}

/// The side of a line of text that is fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Anchor {
    /// The left side.
    #[default]
    Start,
    /// The middle.
    Middle,
    /// The right side.
    End,
}

/// The role of a shape in the drawing. The order is the painting order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The box around a component or a diagram.
    Frame,
    /// The line from a port through the frame.
    PortLine,
    /// A line from a label to its owner.
    Tether,
    /// A horizontal band that represents a delay.
    DelayBand,
    /// The vertical line of a process in a sequence chart.
    LifelineLine,
    /// The halo of a finding, behind its element.
    Halo(FindingMark),
    /// The line of an edge.
    EdgeLine,
    /// The head of the arrow of an edge.
    ArrowHead,
    /// A point on the line of an edge that carries a glyph.
    Nail,
    /// The disc, octagon or square of a location.
    Location,
    /// The small disc of a branch point.
    BranchPoint,
    /// The dotted circle in place of an undeclared node.
    UnknownNode,
    /// The mark of an initial location.
    InitialMark,
    /// The stroke through a prohibited location.
    ProhibitedMark,
    /// The box at the top of a lifeline.
    LifelineHead,
    /// The box around the name of a location on a lifeline.
    LocationBox,
    /// The box behind a label.
    LabelBox,
    /// The glyph on a nail.
    NailGlyph,
    /// The letter inside a location: U, C, or an id.
    LocationText,
    /// The question mark inside an undeclared node.
    UnknownNodeText,
    /// The name above a diagram.
    FrameTitle,
    /// The parameters beside that name.
    FrameParameters,
    /// The name of a port.
    PortName,
    /// The name in the box at the top of a lifeline.
    LifelineName,
    /// The name of a location on a lifeline.
    LocationBoxText,
    /// The length of a delay.
    DelayText,
    /// The text on an arrow of a sequence chart.
    MessageText,
    /// The changes in a step of a sequence chart.
    NoteText,
    /// A label of a node or an edge.
    Label(LabelKind),
    /// The small disc behind the glyph of a finding.
    FindingBadge(FindingMark),
    /// The glyph of a finding, whose shape has the meaning of the colour of its halo.
    FindingGlyph(FindingMark),
    /// The small plate behind the step numbers of an element.
    OrderBadge,
    /// The numbers of the steps in which a trace visits the element.
    OrderText,
}

impl Scene {
    /// Creates a scene: sorts the elements into painting order and computes their bounds.
    pub(crate) fn new(title: &str, mut elements: Vec<SceneElement>) -> Scene {
        elements.sort_by_key(|element| element.part);
        let bounds = bounds_of(&elements);
        Scene { title: title.to_owned(), bounds, elements }
    }

    /// Returns the shapes and texts that show an element.
    pub fn parts_of<'a>(&'a self, element: &'a ElementRef) -> impl Iterator<Item = &'a SceneElement> {
        self.elements.iter().filter(move |part| part.element == *element)
    }
}

impl Part {
    /// Returns the classes in style sheets, separated by spaces. Labels have the name of their kind.
    pub fn class(self) -> &'static str {
        match self {
            Part::Frame => "frame",
            Part::PortLine => "port-line",
            Part::Tether => "tether",
            Part::LifelineLine => "lifeline-line",
            Part::DelayBand => "delay-band",
            Part::Halo(FindingMark::Every) => "halo halo-every",
            Part::Halo(FindingMark::Some) => "halo halo-some",
            Part::Halo(FindingMark::NotSeen) => "halo halo-not-seen",
            Part::EdgeLine => "edge",
            Part::ArrowHead => "arrow-head",
            Part::Nail => "nail",
            Part::Location => "location",
            Part::BranchPoint => "branch-point",
            Part::UnknownNode => "unknown-node",
            Part::InitialMark => "initial-mark",
            Part::ProhibitedMark => "prohibited-mark",
            Part::LifelineHead => "lifeline-head",
            Part::LocationBox => "location-box",
            Part::LabelBox => "label-box",
            Part::NailGlyph => "nail-glyph",
            Part::LocationText => "location-text",
            Part::UnknownNodeText => "unknown-node-text",
            Part::FrameTitle => "frame-title",
            Part::FrameParameters => "frame-parameters",
            Part::PortName => "port-name",
            Part::LifelineName => "lifeline-name",
            Part::LocationBoxText => "location-box-text",
            Part::DelayText => "delay-text",
            Part::MessageText => "message-text",
            Part::NoteText => "note-text",
            Part::Label(kind) => kind.name(),
            Part::FindingBadge(FindingMark::Every) => "finding-badge glyph-every",
            Part::FindingBadge(FindingMark::Some) => "finding-badge glyph-some",
            Part::FindingBadge(FindingMark::NotSeen) => "finding-badge glyph-not-seen",
            Part::FindingGlyph(FindingMark::Every) => "finding-glyph glyph-every",
            Part::FindingGlyph(FindingMark::Some) => "finding-glyph glyph-some",
            Part::FindingGlyph(FindingMark::NotSeen) => "finding-glyph glyph-not-seen",
            Part::OrderBadge => "order-badge",
            Part::OrderText => "order-text",
        }
    }
}

/// The width of the blank border around a drawing.
const MARGIN: f64 = 12.0;

pub(crate) fn bounds_of(elements: &[SceneElement]) -> Rectangle {
    elements
        .iter()
        .map(|element| element.shape.bounds())
        .reduce(Rectangle::union)
        .unwrap_or_default()
        .grown(MARGIN)
}

impl SceneElement {
    pub(crate) fn new(element: &ElementRef, part: Part, shape: Shape) -> SceneElement {
        SceneElement {
            element: element.clone(),
            part,
            shape,
            dashed: false,
            colour: None,
            tooltip: String::new(),
            overlay: Overlay::default(),
        }
    }

    pub(crate) fn dashed(mut self, dashed: bool) -> SceneElement {
        self.dashed = dashed;
        self
    }

    pub(crate) fn coloured(mut self, colour: Option<Colour>) -> SceneElement {
        self.colour = colour;
        self
    }

    pub(crate) fn with_tooltip(mut self, tooltip: impl Into<String>) -> SceneElement {
        self.tooltip = tooltip.into();
        self
    }
}

impl Shape {
    /// Returns the rectangle around the shape, without the width of its line.
    pub fn bounds(&self) -> Rectangle {
        match self {
            Shape::Circle { centre, radius } => Rectangle::around(*centre, radius * 2.0, radius * 2.0),
            Shape::Polygon(points) => Rectangle::of_points(points.iter().copied()).unwrap_or_default(),
            Shape::Rectangle { sides, .. } => *sides,
            Shape::Path(path) => path.bounds(),
            Shape::Text(text) => text.bounds(),
        }
    }

    /// Returns the shape moved by a vector.
    pub fn moved(&self, by: Point) -> Shape {
        match self {
            Shape::Circle { centre, radius } => Shape::Circle { centre: *centre + by, radius: *radius },
            Shape::Polygon(points) => Shape::Polygon(points.iter().map(|&point| point + by).collect()),
            Shape::Rectangle { sides, corner_radius } => {
                Shape::Rectangle { sides: sides.moved(by), corner_radius: *corner_radius }
            }
            Shape::Path(path) => Shape::Path(path.moved(by)),
            Shape::Text(text) => Shape::Text(TextBlock { position: text.position + by, ..text.clone() }),
        }
    }
}

impl TextBlock {
    /// Creates a text whose upper left corner is at `corner`.
    pub(crate) fn at_corner(corner: Point, size: f64, lines: Vec<String>) -> TextBlock {
        let position = Point::new(corner.x, corner.y + size * text_metrics::ASCENT);
        TextBlock { position, anchor: Anchor::Start, size, lines }
    }

    /// Creates one line of text whose middle is at `centre`.
    pub(crate) fn centred(centre: Point, size: f64, line: impl Into<String>) -> TextBlock {
        // The height of capitals of Helvetica is about 0.72 of the size; half of that centres them.
        let position = Point::new(centre.x, centre.y + size * 0.36);
        TextBlock { position, anchor: Anchor::Middle, size, lines: vec![line.into()] }
    }

    /// Returns the estimated rectangle of the text.
    pub fn bounds(&self) -> Rectangle {
        let size = text_metrics::block_size(&self.lines, self.size);
        let left = match self.anchor {
            Anchor::Start => self.position.x,
            Anchor::Middle => self.position.x - size.x / 2.0,
            Anchor::End => self.position.x - size.x,
        };
        Rectangle::at(Point::new(left, self.position.y - self.size * text_metrics::ASCENT), size.x, size.y)
    }
}
