//! Points and rectangles in the plane of a drawing: x grows to the right, y grows down, as in UPPAAL and in SVG.
//!
//! Invariant: every point accepted by [`Point::drawable`] is finite and so small that sums and products of a few such
//! points are exact to a fraction of a pixel.

use std::ops::{Add, Mul, Sub};

/// The greatest absolute value of a coordinate; greater values count as missing.
pub const COORDINATE_LIMIT: f64 = 1_000_000.0;

/// A point, or the vector from one point to another.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Point {
    /// The coordinate to the right.
    pub x: f64,
    /// The coordinate downwards.
    pub y: f64,
}

impl Point {
    /// Creates a point.
    pub const fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    /// Returns the point if it can be drawn: finite, and not beyond [`COORDINATE_LIMIT`].
    pub fn drawable(self) -> Option<Point> {
        let is_good = |value: f64| value.is_finite() && value.abs() <= COORDINATE_LIMIT;
        (is_good(self.x) && is_good(self.y)).then_some(self)
    }

    pub(crate) fn length(self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    pub(crate) fn distance(self, other: Point) -> f64 {
        (self - other).length()
    }

    /// Returns the unit vector in the same direction; `fallback` for a vector of length zero.
    pub(crate) fn unit_or(self, fallback: Point) -> Point {
        let length = self.length();
        if length > 1e-9 { self * (1.0 / length) } else { fallback }
    }

    /// Returns the vector turned left by a right angle, as seen on the screen.
    pub(crate) fn turned_left(self) -> Point {
        Point::new(self.y, -self.x)
    }

    pub(crate) fn dot(self, other: Point) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// Returns the point at `share` of the way to `other`.
    pub(crate) fn towards(self, other: Point, share: f64) -> Point {
        self + (other - self) * share
    }
}

impl Add for Point {
    type Output = Point;

    fn add(self, other: Point) -> Point {
        Point::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Point;

    fn sub(self, other: Point) -> Point {
        Point::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Point {
    type Output = Point;

    fn mul(self, factor: f64) -> Point {
        Point::new(self.x * factor, self.y * factor)
    }
}

/// An axis-parallel rectangle; sides may have length zero.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Rectangle {
    /// The least x.
    pub left: f64,
    /// The least y.
    pub top: f64,
    /// The greatest x.
    pub right: f64,
    /// The greatest y.
    pub bottom: f64,
}

impl Rectangle {
    /// Creates a rectangle from its upper left corner and its size.
    pub const fn at(corner: Point, width: f64, height: f64) -> Rectangle {
        Rectangle { left: corner.x, top: corner.y, right: corner.x + width, bottom: corner.y + height }
    }

    /// Creates a rectangle from its centre and its size.
    pub fn around(centre: Point, width: f64, height: f64) -> Rectangle {
        Rectangle::at(Point::new(centre.x - width / 2.0, centre.y - height / 2.0), width, height)
    }

    /// Returns the smallest rectangle that contains all points; `None` without points.
    pub fn of_points(points: impl IntoIterator<Item = Point>) -> Option<Rectangle> {
        points.into_iter().map(|point| Rectangle::at(point, 0.0, 0.0)).reduce(Rectangle::union)
    }

    /// Returns the extent in x.
    pub fn width(self) -> f64 {
        self.right - self.left
    }

    /// Returns the extent in y.
    pub fn height(self) -> f64 {
        self.bottom - self.top
    }

    /// Returns the centre.
    pub fn centre(self) -> Point {
        Point::new((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }

    /// Returns the smallest rectangle that contains both rectangles.
    pub fn union(self, other: Rectangle) -> Rectangle {
        Rectangle {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Returns the rectangle with each side moved out by `margin`.
    pub fn grown(self, margin: f64) -> Rectangle {
        Rectangle {
            left: self.left - margin,
            top: self.top - margin,
            right: self.right + margin,
            bottom: self.bottom + margin,
        }
    }

    /// Returns the rectangle moved by a vector.
    pub fn moved(self, by: Point) -> Rectangle {
        Rectangle {
            left: self.left + by.x,
            top: self.top + by.y,
            right: self.right + by.x,
            bottom: self.bottom + by.y,
        }
    }

    /// Returns the intersection; inverted, and thus without area, if the rectangles are disjoint.
    pub(crate) fn intersection(self, other: Rectangle) -> Rectangle {
        Rectangle {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    pub(crate) fn overlap_area(self, other: Rectangle) -> f64 {
        let width = self.right.min(other.right) - self.left.max(other.left);
        let height = self.bottom.min(other.bottom) - self.top.max(other.top);
        if width > 0.0 && height > 0.0 { width * height } else { 0.0 }
    }

    pub(crate) fn corner(self) -> Point {
        Point::new(self.left, self.top)
    }

    /// Returns the point of the rectangle that is nearest to `point`.
    pub(crate) fn nearest_to(self, point: Point) -> Point {
        Point::new(point.x.max(self.left).min(self.right), point.y.max(self.top).min(self.bottom))
    }

    /// Computes the length of the part of a straight line inside the rectangle (Liang and Barsky 1984, "A new concept
    /// and method for line clipping").
    pub(crate) fn length_inside(self, from: Point, to: Point) -> f64 {
        let direction = to - from;
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for (step, distance_low, distance_high) in [
            (direction.x, self.left - from.x, self.right - from.x),
            (direction.y, self.top - from.y, self.bottom - from.y),
        ] {
            if step.abs() < 1e-12 {
                if distance_low > 0.0 || distance_high < 0.0 {
                    return 0.0;
                }
                continue;
            }
            let (first, second) = (distance_low / step, distance_high / step);
            enter = enter.max(first.min(second));
            leave = leave.min(first.max(second));
        }
        if leave > enter { (leave - enter) * direction.length() } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_undrawable_coordinates() {
        assert!(Point::new(3.0, -4.0).drawable().is_some());
        for bad in [f64::NAN, f64::INFINITY, -f64::INFINITY, 2_147_483_647.0] {
            assert!(Point::new(bad, 0.0).drawable().is_none());
            assert!(Point::new(0.0, bad).drawable().is_none());
        }
    }

    #[test]
    fn line_is_clipped_at_both_sides() {
        let square = Rectangle::at(Point::new(0.0, 0.0), 10.0, 10.0);
        assert_eq!(square.length_inside(Point::new(-5.0, 5.0), Point::new(20.0, 5.0)), 10.0);
        assert_eq!(square.length_inside(Point::new(2.0, 5.0), Point::new(5.0, 5.0)), 3.0);
        assert_eq!(square.length_inside(Point::new(-5.0, 12.0), Point::new(20.0, 12.0)), 0.0);
        assert_eq!(square.length_inside(Point::new(5.0, 5.0), Point::new(5.0, 5.0)), 0.0);
    }

    #[test]
    fn zero_vector_gets_fallback_direction() {
        let up = Point::new(0.0, -1.0);
        assert_eq!(Point::default().unit_or(up), up);
        assert_eq!(Point::new(0.0, 4.0).unit_or(up), Point::new(0.0, 1.0));
    }
}
