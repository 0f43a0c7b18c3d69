//! The outlines of nodes, with the distance from the centre to the rim in each direction.
//!
//! Invariant: the distance is between [`Outline::radius`] and one and a half times the radius.

use crate::geometry::Point;

/// A shape around a centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Outline {
    /// A circle with this radius.
    Disc(f64),
    /// A regular octagon with upright sides, at this distance from the centre.
    Octagon(f64),
    /// A square with upright sides, at this distance from the centre.
    Square(f64),
}

impl Outline {
    /// Returns half the width, which is also half the height.
    pub(crate) fn radius(self) -> f64 {
        match self {
            Outline::Disc(radius) | Outline::Octagon(radius) | Outline::Square(radius) => radius,
        }
    }

    /// Returns the distance to the rim in a direction, which has length one.
    pub(crate) fn distance_to_rim(self, direction: Point) -> f64 {
        let (across, down) = (direction.x.abs(), direction.y.abs());
        match self {
            Outline::Disc(radius) => radius,
            Outline::Octagon(radius) => {
                let diagonal = (across + down) * std::f64::consts::FRAC_1_SQRT_2;
                radius / across.max(down).max(diagonal)
            }
            Outline::Square(radius) => radius / across.max(down),
        }
    }

    /// Returns the corners of the shape; none for a disc.
    pub(crate) fn corners(self, centre: Point) -> Vec<Point> {
        // The tangent of a sixteenth of a turn.
        const TANGENT: f64 = std::f64::consts::SQRT_2 - 1.0;
        let corners: &[(f64, f64)] = match self {
            Outline::Disc(_) => &[],
            Outline::Square(_) => &[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)],
            Outline::Octagon(_) => &[
                (-TANGENT, -1.0),
                (TANGENT, -1.0),
                (1.0, -TANGENT),
                (1.0, TANGENT),
                (TANGENT, 1.0),
                (-TANGENT, 1.0),
                (-1.0, TANGENT),
                (-1.0, -TANGENT),
            ],
        };
        corners.iter().map(|&(x, y)| centre + Point::new(x, y) * self.radius()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_on_the_rim() {
        for outline in [Outline::Octagon(15.0), Outline::Square(15.0)] {
            for corner in outline.corners(Point::default()) {
                let distance = outline.distance_to_rim(corner.unit_or(Point::new(1.0, 0.0)));
                assert!((distance - corner.length()).abs() < 1e-9, "{outline:?} {corner:?}");
            }
        }
    }
}
