//! Open lines of straight and curved segments.
//!
//! Invariant: a path of finite points has finite bounds, samples and middle, even if all its points coincide.

use crate::geometry::{Point, Rectangle};

/// A line of consecutive segments.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The start.
    pub start: Point,
    /// The segments.
    pub segments: Vec<Segment>,
}

/// One piece of a path, from the end of the previous piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    /// Straight to a point.
    Line(Point),
    /// A quadratic Bézier curve: its control point and its end.
    Quadratic(Point, Point),
    /// A cubic Bézier curve: its two control points and its end.
    Cubic(Point, Point, Point),
}

impl Segment {
    /// Returns the end.
    pub fn end(self) -> Point {
        match self {
            Segment::Line(end) | Segment::Quadratic(_, end) | Segment::Cubic(_, _, end) => end,
        }
    }

    fn moved(self, by: Point) -> Segment {
        match self {
            Segment::Line(end) => Segment::Line(end + by),
            Segment::Quadratic(control, end) => Segment::Quadratic(control + by, end + by),
            Segment::Cubic(first, second, end) => Segment::Cubic(first + by, second + by, end + by),
        }
    }
}

/// The number of straight pieces that approximate a curve in measurements.
const PIECES_OF_A_CURVE: u32 = 10;

impl Path {
    /// Creates a path of straight lines.
    pub fn straight(points: &[Point]) -> Path {
        let start = points.first().copied().unwrap_or_default();
        Path { start, segments: points.iter().skip(1).map(|&point| Segment::Line(point)).collect() }
    }

    /// Creates a path of straight lines with corners rounded by at most `radius`.
    pub fn rounded(points: &[Point], radius: f64) -> Path {
        let start = points.first().copied().unwrap_or_default();
        let mut segments = Vec::with_capacity(points.len() * 2);
        for (index, &corner) in points.iter().enumerate().skip(1) {
            let Some(&next) = points.get(index + 1) else {
                segments.push(Segment::Line(corner));
                break;
            };
            let before = points[index - 1];
            let (length_in, length_out) = (before.distance(corner), corner.distance(next));
            let cut = radius.min(length_in / 2.0).min(length_out / 2.0);
            if cut < 0.5 {
                segments.push(Segment::Line(corner));
                continue;
            }
            segments.push(Segment::Line(corner.towards(before, cut / length_in)));
            segments.push(Segment::Quadratic(corner, corner.towards(next, cut / length_out)));
        }
        Path { start, segments }
    }

    /// Returns the end.
    pub fn end(&self) -> Point {
        self.segments.last().map_or(self.start, |segment| segment.end())
    }

    /// Returns points along the path whose connecting lines approximate it.
    pub fn samples(&self) -> Vec<Point> {
        let mut points = vec![self.start];
        let mut from = self.start;
        for &segment in &self.segments {
            match segment {
                Segment::Line(end) => points.push(end),
                Segment::Quadratic(control, end) => {
                    let at =
                        |share: f64| from.towards(control, share).towards(control.towards(end, share), share);
                    points.extend(shares().map(at));
                }
                Segment::Cubic(first, second, end) => {
                    let at = |share: f64| {
                        let middle = first.towards(second, share);
                        let before = from.towards(first, share).towards(middle, share);
                        let after = middle.towards(second.towards(end, share), share);
                        before.towards(after, share)
                    };
                    points.extend(shares().map(at));
                }
            }
            from = segment.end();
        }
        points
    }

    /// Returns the point at `share` of the length, and the direction of the path there.
    pub(crate) fn point_and_direction(&self, share: f64) -> (Point, Point) {
        point_and_direction(&self.samples(), share)
    }

    /// Returns the rectangle around the path.
    pub fn bounds(&self) -> Rectangle {
        Rectangle::of_points(self.samples()).unwrap_or_default()
    }

    /// Returns the path moved by a vector.
    pub fn moved(&self, by: Point) -> Path {
        Path {
            start: self.start + by,
            segments: self.segments.iter().map(|segment| segment.moved(by)).collect(),
        }
    }
}

/// Returns the point at `share` of the length of a polyline, and its direction there.
pub(crate) fn point_and_direction(points: &[Point], share: f64) -> (Point, Point) {
    let right = Point::new(1.0, 0.0);
    let total: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let mut left_over = total * share;
    for pair in points.windows(2) {
        let length = pair[0].distance(pair[1]);
        if length > 0.0 && left_over <= length {
            return (pair[0].towards(pair[1], left_over / length), (pair[1] - pair[0]).unit_or(right));
        }
        left_over -= length;
    }
    let last = points.last().copied().unwrap_or_default();
    let direction = points
        .windows(2)
        .rev()
        .map(|pair| pair[1] - pair[0])
        .find(|direction| direction.length() > 1e-9)
        .unwrap_or(right);
    (last, direction.unit_or(right))
}

fn shares() -> impl Iterator<Item = f64> {
    (1..=PIECES_OF_A_CURVE).map(|piece| f64::from(piece) / f64::from(PIECES_OF_A_CURVE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_keeps_ends_and_cuts_corner() {
        let corner = [Point::new(0.0, 0.0), Point::new(100.0, 0.0), Point::new(100.0, 100.0)];
        let path = Path::rounded(&corner, 10.0);
        assert_eq!(path.segments[0], Segment::Line(Point::new(90.0, 0.0)));
        assert_eq!(path.segments[1], Segment::Quadratic(corner[1], Point::new(100.0, 10.0)));
        assert_eq!((path.start, path.end()), (corner[0], corner[2]));
    }

    #[test]
    fn degenerate_path_has_finite_middle() {
        let spot = Point::new(3.0, 3.0);
        let (middle, direction) = Path::straight(&[spot, spot]).point_and_direction(0.5);
        assert_eq!((middle, direction), (spot, Point::new(1.0, 0.0)));
        assert_eq!(Path::rounded(&[], 5.0).point_and_direction(0.5).0, Point::default());
    }
}
