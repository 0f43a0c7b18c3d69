//! A spatial index of the shapes that labels and lines should avoid.
//!
//! Invariant: the cost of a query is bounded. Full squares and shapes that cover very many squares are indexed only
//! partially; labels may then overlap, which makes no difference in such a crowded picture.

use std::collections::HashMap;

use tempora_interrupt::checkpoint;

use crate::geometry::{Point, Rectangle};

pub(super) struct Obstacles {
    square_size: f64,
    squares: HashMap<(i64, i64), Vec<u32>>,
    obstacles: Vec<Obstacle>,
}

#[derive(Clone, Copy)]
enum Obstacle {
    Solid(Rectangle),
    Line(Point, Point),
}

/// The maximal number of obstacles per square.
const SQUARE_CAPACITY: usize = 48;

/// The maximal number of squares per obstacle.
const MOST_SQUARES: i64 = 4096;

/// The cost of covering one square pixel of a node or a label; higher than for a line, on which text remains readable.
const SOLID_COST: f64 = 8.0;

/// The cost of covering one pixel of the length of a line.
const LINE_COST: f64 = 20.0;

impl Obstacles {
    /// Creates an empty index for a drawing of about this size.
    pub(super) fn new(bounds: Rectangle) -> Obstacles {
        let extent = bounds.width().max(bounds.height());
        Obstacles { square_size: (extent / 1024.0).max(48.0), squares: HashMap::new(), obstacles: Vec::new() }
    }

    pub(super) fn add_solid(&mut self, solid: Rectangle) {
        let squares: Vec<(i64, i64)> = self.squares_of(solid).collect();
        self.remember(Obstacle::Solid(solid), &squares);
    }

    pub(super) fn add_lines(&mut self, points: &[Point]) {
        for pair in points.windows(2) {
            checkpoint();
            let (from, to) = (pair[0], pair[1]);
            let squares = self.squares_along(from, to);
            self.remember(Obstacle::Line(from, to), &squares);
        }
    }

    /// Returns whether a line crosses a solid obstacle, except those at its ends.
    pub(super) fn are_hit_by(&self, from: Point, to: Point) -> bool {
        let is_hit = |index: &u32| match self.obstacles[*index as usize] {
            Obstacle::Solid(solid) => {
                let is_own = solid.nearest_to(from) == from || solid.nearest_to(to) == to;
                !is_own && solid.length_inside(from, to) > 0.0
            }
            Obstacle::Line(..) => false,
        };
        self.squares_along(from, to)
            .iter()
            .filter_map(|square| self.squares.get(square))
            .any(|obstacles| obstacles.iter().any(is_hit))
    }

    /// Computes the cost of drawing a solid shape here: zero if it covers nothing, and some number above `limit` if the
    /// cost exceeds the limit.
    pub(super) fn cost_of(&self, solid: Rectangle, limit: f64) -> f64 {
        let mut sum = 0.0;
        for square in self.squares_of(solid) {
            checkpoint();
            // Clip to the square, so that an obstacle in several squares is counted once.
            let clipped = solid.intersection(self.sides_of(square));
            for &index in self.squares.get(&square).map_or([].as_slice(), Vec::as_slice) {
                sum += match self.obstacles[index as usize] {
                    Obstacle::Solid(other) => clipped.overlap_area(other) * SOLID_COST,
                    Obstacle::Line(from, to) => clipped.length_inside(from, to) * LINE_COST,
                };
                if sum > limit {
                    return sum;
                }
            }
        }
        sum
    }

    fn remember(&mut self, obstacle: Obstacle, squares: &[(i64, i64)]) {
        let index = self.obstacles.len() as u32;
        self.obstacles.push(obstacle);
        for &square in squares {
            checkpoint();
            let obstacles = self.squares.entry(square).or_default();
            if obstacles.len() < SQUARE_CAPACITY {
                obstacles.push(index);
            }
        }
    }

    /// Returns the squares along a line. Sampling may miss squares that the line barely touches.
    fn squares_along(&self, from: Point, to: Point) -> Vec<(i64, i64)> {
        let steps = (from.distance(to) / (self.square_size * 0.25)).ceil().clamp(1.0, 4096.0);
        let mut squares: Vec<(i64, i64)> = (0..=steps as u32)
            .map(|step| self.square_of(from.towards(to, f64::from(step) / steps)))
            .collect();
        squares.dedup();
        squares
    }

    fn square_of(&self, point: Point) -> (i64, i64) {
        ((point.x / self.square_size).floor() as i64, (point.y / self.square_size).floor() as i64)
    }

    fn sides_of(&self, (column, row): (i64, i64)) -> Rectangle {
        let corner = Point::new(column as f64 * self.square_size, row as f64 * self.square_size);
        Rectangle::at(corner, self.square_size, self.square_size)
    }

    fn squares_of(&self, solid: Rectangle) -> impl Iterator<Item = (i64, i64)> + use<> {
        let first = self.square_of(solid.corner());
        let last = self.square_of(Point::new(solid.right, solid.bottom));
        let columns = first.0..=last.0;
        let count = MOST_SQUARES as usize;
        columns.flat_map(move |column| (first.1..=last.1).map(move |row| (column, row))).take(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cost_is_proportional_to_covered_area() {
        let mut obstacles = Obstacles::new(Rectangle::default());
        obstacles.add_solid(Rectangle::at(Point::new(0.0, 0.0), 100.0, 100.0));
        obstacles.add_lines(&[Point::new(200.0, -500.0), Point::new(200.0, 500.0)]);
        let at = |x: f64, y: f64| obstacles.cost_of(Rectangle::at(Point::new(x, y), 10.0, 10.0), f64::MAX);
        assert!((at(50.0, 50.0) - 100.0 * SOLID_COST).abs() < 1e-6);
        assert!((at(43.0, 43.0) - 100.0 * SOLID_COST).abs() < 1e-6);
        assert_eq!(at(150.0, 50.0), 0.0);
        assert!((at(195.0, 300.0) - 10.0 * LINE_COST).abs() < 1e-6);
    }
}
