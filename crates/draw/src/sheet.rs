//! Arranges several scenes on one sheet, in rows.
//!
//! Invariant: scenes are moved, never scaled or changed, and their bounds do not overlap on the sheet.

use crate::geometry::Point;
use crate::scene::Scene;

/// Options for the arrangement of scenes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SheetOptions {
    /// The number of scenes in a row; by default, the sheet has about the proportions of a screen.
    pub columns: Option<usize>,
    /// The distance between scenes.
    pub gap: f64,
}

impl Default for SheetOptions {
    fn default() -> SheetOptions {
        SheetOptions { columns: None, gap: 24.0 }
    }
}

/// The ratio of width to height of a sheet without a given number of columns.
const WIDTH_TO_HEIGHT: f64 = 1.6;

/// Combines scenes into one scene, in their order, row by row.
pub fn arrange_on_sheet(title: &str, scenes: &[Scene], options: &SheetOptions) -> Scene {
    let gap = if options.gap.is_finite() { options.gap.clamp(0.0, 10_000.0) } else { 0.0 };
    let area: f64 =
        scenes.iter().map(|scene| (scene.bounds.width() + gap) * (scene.bounds.height() + gap)).sum();
    let widest = scenes.iter().map(|scene| scene.bounds.width()).fold(0.0, f64::max);
    let row_width = (area * WIDTH_TO_HEIGHT).sqrt().max(widest);

    let mut sheet = Scene { title: title.to_owned(), ..Scene::default() };
    let mut corner = Point::default();
    let (mut row_bottom, mut in_row) = (0.0_f64, 0_usize);
    for (index, scene) in scenes.iter().enumerate() {
        let row_is_full = match options.columns {
            Some(columns) => in_row >= columns.max(1),
            None => in_row > 0 && corner.x + scene.bounds.width() > row_width,
        };
        if row_is_full {
            corner = Point::new(0.0, row_bottom + gap);
            in_row = 0;
        }
        let shift = corner - scene.bounds.corner();
        let bounds = scene.bounds.moved(shift);
        sheet.bounds = if index == 0 { bounds } else { sheet.bounds.union(bounds) };
        sheet.elements.extend(scene.elements.iter().map(|element| {
            let mut moved = element.clone();
            moved.shape = element.shape.moved(shift);
            moved
        }));
        corner.x = bounds.right + gap;
        row_bottom = row_bottom.max(bounds.bottom);
        in_row += 1;
    }
    // Scenes do not overlap, so they can share one painting order.
    sheet.elements.sort_by_key(|element| element.part);
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Rectangle;

    fn scene(width: f64, height: f64) -> Scene {
        Scene { bounds: Rectangle::at(Point::new(-7.0, 3.0), width, height), ..Scene::default() }
    }

    #[test]
    fn sheet_has_given_number_of_columns() {
        let scenes = vec![scene(100.0, 50.0); 5];
        let sheet = arrange_on_sheet("s", &scenes, &SheetOptions { columns: Some(2), gap: 10.0 });
        assert_eq!((sheet.bounds.width(), sheet.bounds.height()), (210.0, 170.0));
    }

    #[test]
    fn sheet_without_scenes_is_empty() {
        assert_eq!(arrange_on_sheet("s", &[], &SheetOptions::default()).bounds, Rectangle::default());
    }
}
