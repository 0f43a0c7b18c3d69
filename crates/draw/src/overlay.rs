//! Marks on elements of a scene: a token, a chosen edge, what was visited, findings, what is enabled.
//!
//! Invariant: an overlay never touches a diagram, and never moves anything. The scene with overlays has all elements of
//! the scene without, at the same places, and besides them only halos, badges, glyphs of findings and plates with numbers.

use std::collections::{BTreeMap, BTreeSet};

use crate::element_ref::ElementRef;
use crate::geometry::{Point, Rectangle};
use crate::path::{Path, Segment};
use crate::scene::{Part, Scene, SceneElement, Shape, TextBlock, bounds_of};
use crate::text_metrics::line_width;

/// What is marked, by element.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Overlays(BTreeMap<ElementRef, Overlay>);

/// What is marked on one element.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Overlay {
    /// The process is in this location.
    pub token: bool,
    /// This edge is the one taken.
    pub chosen: bool,
    /// A trace came by here.
    pub visited: bool,
    /// Whether the edge can be taken now.
    pub availability: Option<Availability>,
    /// What a check found.
    pub finding: Option<FindingMark>,
    /// What is written on a small plate at the element, such as the numbers of the steps that came by; may be empty.
    pub order: String,
    /// One more line for the tooltip, such as the message of the finding; may be empty.
    pub note: String,
}

/// Whether an edge can be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Availability {
    /// It can.
    Enabled,
    /// It cannot; drawn in grey.
    Disabled,
}

/// How bad a finding is. The order is from mild to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingMark {
    /// Not seen as far as the search went: a dotted halo.
    NotSeen,
    /// In some instance: a yellow halo and an exclamation mark.
    Some,
    /// In every instance: a red halo and a cross.
    Every,
}

impl Overlays {
    /// No marks.
    pub fn new() -> Overlays {
        Overlays::default()
    }

    /// The marks of an element, to be changed.
    pub fn of(&mut self, element: impl Into<ElementRef>) -> &mut Overlay {
        self.0.entry(element.into()).or_default()
    }

    /// The marks of an element, if it has any.
    pub fn get(&self, element: &ElementRef) -> Option<&Overlay> {
        self.0.get(element)
    }

    /// Marked elements that the scene does not show; whoever made the marks should know.
    pub fn missing_from(&self, scene: &Scene) -> Vec<&ElementRef> {
        let shown: BTreeSet<&ElementRef> = scene.elements.iter().map(|part| &part.element).collect();
        self.0.keys().filter(|element| !shown.contains(element)).collect()
    }
}

impl Scene {
    /// The scene with these marks on it.
    pub fn with_overlays(&self, overlays: &Overlays) -> Scene {
        let mut elements = Vec::with_capacity(self.elements.len());
        let mut haloed: BTreeSet<&ElementRef> = BTreeSet::new();
        let mut numbered: BTreeSet<&ElementRef> = BTreeSet::new();
        // Plates do not cover what is to be read, if there is room.
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

/// How far outside its element a halo is.
const HALO_DISTANCE: f64 = 5.0;

/// The disc behind the glyph of a finding.
const BADGE_RADIUS: f64 = 7.0;

/// The text on a plate.
const ORDER_SIZE: f64 = 10.0;

/// Half the size of the glyph of a finding.
const GLYPH_RADIUS: f64 = 2.8;

/// Whether a halo goes around this part: one part an element, the one that is its body.
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

/// The halo of a shape, and where its glyph goes.
fn halo_around(shape: &Shape) -> (Shape, Point) {
    match shape {
        Shape::Circle { centre, radius } => {
            let radius = radius + HALO_DISTANCE;
            // Up and to the left, on the halo; the name of a location is straight above or to the right.
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

/// Where along a line a plate may be, the best place first.
const PLACES_ON_LINE: [f64; 9] = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.12, 0.88];

/// A plate with a text on it: on a line where it covers least, or at the lower right of anything else, where no name is.
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
            // The first of those that cover least.
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

/// The glyph is drawn with lines: not every font has signs for it.
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
    fn marks_add_but_never_move() {
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
    fn marks_on_what_is_not_shown_are_told() {
        let mut overlays = Overlays::new();
        overlays.of("b").visited = true;
        assert_eq!(overlays.missing_from(&disc()), [&ElementRef::from("b")]);
    }
}
