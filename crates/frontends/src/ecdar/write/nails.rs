//! Computes the nails of edges in Ecdar's diagrams.
//!
//! Invariant: each label of an edge is attached to a nail, because Ecdar shows no other labels; a loop has at least two
//! nails.

use crate::uppaal::{PrintedEdge, PrintedTemplate, place_in_rows};
use crate::{Bend, ComponentLayout, EdgeLabel, EdgeLayout, LayoutPoint, LocationLayout};

/// The least distance of all elements from the upper left corner.
const MARGIN: f64 = 100.0;
/// The extent of loops, and the distance between parallel edges.
const REACH: f64 = 60.0;
const APART: f64 = 30.0;

/// Completes a layout: every location gets a position, and every edge label a nail.
pub(super) fn complete_layout(template: &PrintedTemplate) -> ComponentLayout {
    let mut layout = template.layout.clone().unwrap_or_default();
    layout.locations.resize_with(template.locations.len(), LocationLayout::default);
    layout.edges.resize_with(template.edges.len(), EdgeLayout::default);
    for (number, location) in layout.locations.iter_mut().enumerate() {
        location.place.get_or_insert_with(|| place_in_rows(number));
    }
    move_into_view(&mut layout);
    let places: Vec<LayoutPoint> = layout.locations.iter().filter_map(|location| location.place).collect();
    for (number, edge) in template.edges.iter().enumerate() {
        let (Some(source), Some(target)) = (edge.source, edge.target) else { continue };
        let (Some(&from), Some(&to)) = (places.get(source), places.get(target)) else { continue };
        let is_between = |other: &&PrintedEdge| (other.source, other.target) == (edge.source, edge.target);
        let before = template.edges[..number].iter().filter(is_between).count();
        attach_labels(edge, &mut layout.edges[number], (from, to), before);
    }
    if layout.size.is_none_or(|(width, height)| width <= 0.0 || height <= 0.0) {
        let most = |value: fn(&LayoutPoint) -> f64| places.iter().map(value).fold(0.0, f64::max);
        layout.size = Some((most(|place| place.x) + 2.0 * MARGIN, most(|place| place.y) + 2.0 * MARGIN));
    }
    layout
}

/// Moves a layout into view: UPPAAL documents may have negative coordinates.
fn move_into_view(layout: &mut ComponentLayout) {
    let places = layout.locations.iter().filter_map(|location| location.place);
    let bends = layout.edges.iter().flat_map(|edge| edge.bends.iter().map(|bend| bend.place));
    let least = places
        .chain(bends)
        .reduce(|least, place| LayoutPoint { x: least.x.min(place.x), y: least.y.min(place.y) });
    let Some(least) = least else { return };
    // A layout that is in view stays unchanged.
    let shift = |value: f64| if value < 20.0 { MARGIN - value } else { 0.0 };
    let (right, down) = (shift(least.x), shift(least.y));
    let move_place = |place: &mut LayoutPoint| {
        place.x += right;
        place.y += down;
    };
    for location in &mut layout.locations {
        [&mut location.place, &mut location.name, &mut location.invariant]
            .into_iter()
            .flatten()
            .for_each(move_place);
    }
    for edge in &mut layout.edges {
        edge.bends.iter_mut().for_each(|bend| move_place(&mut bend.place));
        edge.labels.iter_mut().flatten().for_each(move_place);
    }
}

fn attach_labels(
    edge: &PrintedEdge,
    layout: &mut EdgeLayout,
    (from, to): (LayoutPoint, LayoutPoint),
    before: usize,
) {
    let texts = [&edge.select, &edge.guard, &edge.channel, &edge.update];
    let has_text = |label: &EdgeLabel| !texts[*label as usize].is_empty();
    let is_attached = |label: &EdgeLabel, bends: &[Bend]| bends.iter().any(|bend| bend.label == Some(*label));
    let missing: Vec<EdgeLabel> = EdgeLabel::ALL
        .into_iter()
        .filter(|label| has_text(label) && !is_attached(label, &layout.bends))
        .collect();
    let mut missing = missing.into_iter();
    for bend in layout.bends.iter_mut().filter(|bend| bend.label.is_none()) {
        bend.label = missing.next();
    }
    let rest: Vec<EdgeLabel> = missing.collect();
    let is_loop = from == to;
    let least = if is_loop { 2usize.saturating_sub(layout.bends.len()) } else { 0 };
    let count = rest.len().max(least);
    let last = layout.bends.last().map_or(from, |bend| bend.place);
    for number in 0..count {
        let place = if is_loop && layout.bends.len() <= number {
            let angle = -1.2 + 2.4 * (number as f64 + 0.5) / count as f64 + before as f64 * 1.6;
            LayoutPoint { x: from.x + REACH * angle.sin(), y: from.y - REACH * angle.cos() }
        } else {
            // On the last straight segment, spread evenly.
            let part = (number as f64 + 1.0) / (count as f64 + 1.0);
            let (right, down) = (to.x - last.x, to.y - last.y);
            let length = right.hypot(down).max(1.0);
            let aside = APART * (before as f64 + if layout.bends.is_empty() { 0.5 } else { 0.0 });
            LayoutPoint {
                x: last.x + right * part - down / length * aside,
                y: last.y + down * part + right / length * aside,
            }
        };
        layout.bends.push(Bend { place: rounded(place), label: rest.get(number).copied() });
    }
}

fn rounded(place: LayoutPoint) -> LayoutPoint {
    LayoutPoint { x: place.x.round(), y: place.y.round() }
}
