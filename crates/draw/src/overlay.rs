//! Marks on elements of a scene: tokens, chosen, visited and enabled edges, and findings.
//!
//! Invariant: an overlay never changes a diagram and never moves a shape. A scene with overlays has all elements of
//! the scene without overlays, at the same places, and in addition only halos, badges and glyphs of findings, and
//! plates with numbers.

use std::collections::{BTreeMap, BTreeSet};

use crate::element_ref::ElementRef;
use crate::geometry::{Point, Rectangle};
use crate::path::{Path, Segment};
use crate::scene::{Part, Scene, SceneElement, Shape, TextBlock, bounds_of};
use crate::text_metrics::line_width;

/// The marks of a scene, by element.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Overlays(BTreeMap<ElementRef, Overlay>);

/// The marks of one element.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Overlay {
    /// Whether the process is in this location.
    pub token: bool,
    /// Whether this edge is taken.
    pub chosen: bool,
    /// Whether a trace visits the element.
    pub visited: bool,
    /// Whether the edge is enabled.
    pub availability: Option<Availability>,
    /// The finding of a check.
    pub finding: Option<FindingMark>,
    /// The text of a small plate at the element, such as the numbers of the steps that visit it; may be empty.
    pub order: String,
    /// An additional line of the tooltip, such as the message of the finding; may be empty.
    pub note: String,
}

/// Whether an edge is enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Availability {
    /// Enabled.
    Enabled,
    /// Disabled; drawn in grey.
    Disabled,
}

/// The mark of a finding, ordered from mild to severe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingMark {
    /// True in all explored states of an incomplete exploration: a dotted halo.
    NotSeen,
    /// True in some instances: a yellow halo and an exclamation mark.
    Some,
    /// True in every instance: a red halo and a cross.
    Every,
}

impl Overlays {
    /// Creates overlays without marks.
    pub fn new() -> Overlays {
        Overlays::default()
    }

    /// Returns a mutable reference to the marks of an element.
    pub fn of(&mut self, element: impl Into<ElementRef>) -> &mut Overlay {
        self.0.entry(element.into()).or_default()
    }

    /// Returns the marks of an element.
    pub fn get(&self, element: &ElementRef) -> Option<&Overlay> {
        self.0.get(element)
    }

    /// Returns the marked elements that the scene does not show, for the caller to report.
    pub fn missing_from(&self, scene: &Scene) -> Vec<&ElementRef> {
        let shown: BTreeSet<&ElementRef> = scene.elements.iter().map(|part| &part.element).collect();
        self.0.keys().filter(|element| !shown.contains(element)).collect()
    }
}

impl Scene {
    /// Returns the scene with marks.
    pub fn with_overlays(&self, overlays: &Overlays) -> Scene {
        let mut elements = Vec::with_capacity(self.elements.len());
        let mut haloed: BTreeSet<&ElementRef> = BTreeSet::new();
        let mut numbered: BTreeSet<&ElementRef> = BTreeSet::new();
        // Plates avoid labels and nodes if there is room.
        let mut taken: Vec<Rectangle> = self
            .elements
            .iter()
            .filter(|part| matches!(part.part, Part::Label(_) | Part::Location | Part::BranchPoint))
            .map(|part| part.shape.bounds())
            .collect();
        for part in &self.elements {
            let Some(overlay) = overlays.get(&part.element) else {
                elements.push(part.clone());
                continue;
            };
            let mut marked = SceneElement { overlay: overlay.clone(), ..part.clone() };
            if !overlay.note.is_empty() && !part.tooltip.is_empty() {
                marked.tooltip = format!("{}\n{}", part.tooltip, overlay.note);
            }
            elements.push(marked);
            if !overlay.order.trim().is_empty() && has_outline(part.part) && numbered.insert(&part.element) {
                let (parts, sides) = plate(&part.element, &part.shape, overlay.order.trim(), &taken);
                elements.extend(parts);
                taken.push(sides);
            }
            if let Some(finding) = overlay.finding
                && has_outline(part.part)
                && haloed.insert(&part.element)
            {
                let (halo, glyph_place) = halo_around(&part.shape);
                elements.push(SceneElement::new(&part.element, Part::Halo(finding), halo));
                let badge = Shape::Circle { centre: glyph_place, radius: BADGE_RADIUS };
                elements.push(SceneElement::new(&part.element, Part::FindingBadge(finding), badge));
                elements.extend(glyph(&part.element, finding, glyph_place));
            }
        }
        elements.sort_by_key(|element| element.part);
        let bounds = self.bounds.union(bounds_of(&elements));
        Scene { title: self.title.clone(), bounds, elements }
    }
}

/// The distance of a halo from its element.
const HALO_DISTANCE: f64 = 5.0;

/// The radius of the disc behind the glyph of a finding.
const BADGE_RADIUS: f64 = 7.0;

/// The size of the text on a plate.
const ORDER_SIZE: f64 = 10.0;

/// Half the size of the glyph of a finding.
const GLYPH_RADIUS: f64 = 2.8;

/// Returns whether a halo surrounds this part, which is the body of its element.
fn has_outline(part: Part) -> bool {
    matches!(
        part,
        Part::Location
            | Part::BranchPoint
            | Part::UnknownNode
            | Part::EdgeLine
            | Part::Label(_)
            | Part::FrameTitle
            | Part::PortName
            | Part::LifelineHead
            | Part::LocationBox
    )
}

/// Returns the halo of a shape and the position of its glyph.
fn halo_around(shape: &Shape) -> (Shape, Point) {
    match shape {
        Shape::Circle { centre, radius } => {
            let radius = radius + HALO_DISTANCE;
            // At the upper left of the halo; the name of a location is above or to the right.
            (Shape::Circle { centre: *centre, radius }, *centre - Point::new(0.71, 0.71) * (radius + 3.0))
        }
        Shape::Polygon(_) => {
            let bounds = shape.bounds();
            let radius = bounds.width().max(bounds.height()) / 2.0 + HALO_DISTANCE;
            let centre = bounds.centre();
            (Shape::Circle { centre, radius }, centre - Point::new(0.71, 0.71) * (radius + 3.0))
        }
        Shape::Path(path) => (shape.clone(), path.point_and_direction(0.5).0),
        Shape::Rectangle { .. } | Shape::Text(_) => {
            let sides = shape.bounds().grown(HALO_DISTANCE - 2.0);
            (Shape::Rectangle { sides, corner_radius: 4.0 }, sides.corner())
        }
    }
}

/// The possible positions of a plate along a line, best first.
const PLACES_ON_LINE: [f64; 9] = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.12, 0.88];

/// Creates a plate with a text: on a line, at the position that covers least; otherwise at the lower right of the
/// shape, away from names.
fn plate(
    element: &ElementRef,
    shape: &Shape,
    text: &str,
    taken: &[Rectangle],
) -> ([SceneElement; 2], Rectangle) {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let around =
        |centre: Point| Rectangle::around(centre, line_width(&line, ORDER_SIZE) + 8.0, ORDER_SIZE + 4.0);
    let centre = match shape {
        Shape::Path(path) => {
            let covered = |place: &f64| {
                let sides = around(path.point_and_direction(*place).0);
                taken.iter().map(|other| sides.overlap_area(*other)).sum::<f64>()
            };
            // The first position of least coverage.
            let best = PLACES_ON_LINE.iter().min_by(|left, right| covered(left).total_cmp(&covered(right)));
            path.point_and_direction(best.copied().unwrap_or(0.5)).0
        }
        other => {
            let bounds = other.bounds();
            let half = Point::new(bounds.width(), bounds.height()) * 0.5;
            bounds.centre() + Point::new(half.x * 0.71, half.y * 0.71) + Point::new(5.0, 5.0)
        }
    };
    let sides = around(centre);
    let corner_radius = sides.height() / 2.0;
    let parts = [
        SceneElement::new(element, Part::OrderBadge, Shape::Rectangle { sides, corner_radius }),
        SceneElement::new(
            element,
            Part::OrderText,
            Shape::Text(TextBlock::centred(centre, ORDER_SIZE, line.as_str())),
        ),
    ];
    (parts, sides)
}

/// Draws the glyph of a finding with lines, because not every font has suitable characters.
fn glyph(element: &ElementRef, finding: FindingMark, place: Point) -> Vec<SceneElement> {
    let part = Part::FindingGlyph(finding);
    let line = |from: Point, to: Point| {
        SceneElement::new(element, part, Shape::Path(Path::straight(&[place + from, place + to])))
    };
    let r = GLYPH_RADIUS;
    match finding {
        FindingMark::Every => {
            vec![line(Point::new(-r, -r), Point::new(r, r)), line(Point::new(-r, r), Point::new(r, -r))]
        }
        FindingMark::Some => vec![
            line(Point::new(0.0, -r * 1.4), Point::new(0.0, r * 0.4)),
            line(Point::new(0.0, r * 1.1), Point::new(0.0, r * 1.4)),
        ],
        FindingMark::NotSeen => {
            // A question mark: an arc, a stem and a dot.
            let arc = Path {
                start: place + Point::new(-r * 0.7, -r * 0.8),
                segments: vec![
                    Segment::Cubic(
                        place + Point::new(-r * 0.7, -r * 1.7),
                        place + Point::new(r, -r * 1.7),
                        place + Point::new(r * 0.7, -r * 0.7),
                    ),
                    Segment::Quadratic(
                        place + Point::new(r * 0.5, -r * 0.2),
                        place + Point::new(0.0, r * 0.4),
                    ),
                ],
            };
            vec![
                SceneElement::new(element, part, Shape::Path(arc)),
                line(Point::new(0.0, r * 1.1), Point::new(0.0, r * 1.4)),
            ]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disc() -> Scene {
        let shape = Shape::Circle { centre: Point::new(5.0, 5.0), radius: 10.0 };
        Scene::new("disc", vec![SceneElement::new(&"a".into(), Part::Location, shape)])
    }

    #[test]
    fn overlays_add_but_never_move_shapes() {
        let scene = disc();
        let mut overlays = Overlays::new();
        overlays.of("a").finding = Some(FindingMark::Every);
        overlays.of("a").token = true;
        let marked = scene.with_overlays(&overlays);
        let body: Vec<_> = marked.elements.iter().filter(|part| part.part == Part::Location).collect();
        assert_eq!(body.len(), 1);
        assert_eq!(body[0].shape, scene.elements[0].shape);
        assert!(body[0].overlay.token);
        assert!(marked.elements.iter().any(|part| part.part == Part::Halo(FindingMark::Every)));
        assert_eq!(scene, disc());
    }

    #[test]
    fn reports_marks_on_missing_elements() {
        let mut overlays = Overlays::new();
        overlays.of("b").visited = true;
        assert_eq!(overlays.missing_from(&disc()), [&ElementRef::from("b")]);
    }
}
