//! Straightens the lines of automatic layout, like a string pulled tight among pegs.
//!
//! Layered layout gives an edge a bend in every layer, and most bends are unnecessary. Invariant: the result is a
//! subsequence of the given points with the first, the last and all fixed points, and hits no further obstacle.

use tempora_interrupt::checkpoint;

use super::obstacles::Obstacles;
use crate::geometry::Point;

/// The maximal number of bends that one step removes, which bounds the running time.
const LONGEST_STEP: usize = 24;

/// Removes the unnecessary bends of a line.
pub(super) fn straighten(points: &[Point], is_fixed: &[bool], obstacles: &Obstacles) -> Vec<Point> {
    let Some(last) = points.len().checked_sub(1) else { return Vec::new() };
    let mut kept = vec![points[0]];
    let mut from = 0;
    while from < last {
        checkpoint();
        let next_fixed = (from + 1..last).find(|&place| is_fixed[place]).unwrap_or(last);
        let farthest = next_fixed.min(from + LONGEST_STEP);
        let next = (from + 2..=farthest)
            .rev()
            .find(|&place| !obstacles.are_hit_by(points[from], points[place]))
            .unwrap_or(from + 1);
        kept.push(points[next]);
        from = next;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Rectangle;

    fn staircase() -> Vec<Point> {
        (0..5)
            .map(|step| {
                Point::new(f64::from(step) * 10.0, f64::from(step % 2) * 4.0 + f64::from(step) * 50.0)
            })
            .collect()
    }

    #[test]
    fn line_without_obstacles_becomes_straight() {
        let obstacles = Obstacles::new(Rectangle::default());
        let points = staircase();
        assert_eq!(straighten(&points, &[false; 5], &obstacles), [points[0], points[4]]);
        let fixed = [false, false, true, false, false];
        assert_eq!(straighten(&points, &fixed, &obstacles), [points[0], points[2], points[4]]);
        assert_eq!(straighten(&[], &[], &obstacles), Vec::<Point>::new());
    }

    #[test]
    fn obstacle_keeps_bend() {
        let mut obstacles = Obstacles::new(Rectangle::default());
        obstacles.add_solid(Rectangle::around(Point::new(50.0, 0.0), 10.0, 10.0));
        let around = [Point::new(0.0, 0.0), Point::new(50.0, 40.0), Point::new(100.0, 0.0)];
        assert_eq!(straighten(&around, &[false; 3], &obstacles), around);
    }
}
