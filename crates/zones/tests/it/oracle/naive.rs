//! Constraints and zones as plain lists, with only membership and satisfiability.
//!
//! Invariant: a list is never closed, sorted or simplified. Satisfiability eliminates one clock at a time
//! (Fourier-Motzkin), so it is exact for real-valued clocks and any constants.

use std::fmt;

use super::grid::Point;

/// `left - right < constant`, or `<=` if weak. Clock 0 is zero.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) left: usize,
    pub(crate) right: usize,
    pub(crate) constant: i64,
    pub(crate) weak: bool,
}

impl Difference {
    pub(crate) fn new(left: usize, right: usize, constant: i64, weak: bool) -> Difference {
        Difference { left, right, constant, weak }
    }

    /// Returns whether a point whose coordinates are multiples of `1/denominator` satisfies the constraint.
    #[inline]
    pub(crate) fn holds(&self, point: &Point, denominator: i64) -> bool {
        let difference = point[self.left] - point[self.right];
        let constant = self.constant * denominator;
        if self.weak { difference <= constant } else { difference < constant }
    }

    pub(crate) fn negated(&self) -> Difference {
        Difference::new(self.right, self.left, -self.constant, !self.weak)
    }

    pub(crate) fn scaled(&self, factor: i64) -> Difference {
        Difference { constant: self.constant * factor, ..*self }
    }
}

impl fmt::Debug for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.weak { "<=" } else { "<" };
        write!(f, "x{} - x{} {sign} {}", self.left, self.right, self.constant)
    }
}

/// The points without negative coordinates that satisfy all constraints.
#[derive(Clone, Debug)]
pub(crate) struct NaiveZone {
    pub(crate) clocks: usize,
    pub(crate) constraints: Vec<Difference>,
}

impl NaiveZone {
    pub(crate) fn new(clocks: usize, constraints: Vec<Difference>) -> NaiveZone {
        NaiveZone { clocks, constraints }
    }

    #[inline]
    pub(crate) fn contains(&self, point: &Point, denominator: i64) -> bool {
        point.iter().all(|&coordinate| coordinate >= 0)
            && self.constraints.iter().all(|constraint| constraint.holds(point, denominator))
    }

    pub(crate) fn is_empty(&self) -> bool {
        !is_satisfiable(self.clocks, &self.constraints)
    }

    /// Returns the zone with one more constraint.
    pub(crate) fn and(&self, constraint: Difference) -> NaiveZone {
        let mut zone = self.clone();
        zone.constraints.push(constraint);
        zone
    }

    /// Returns the intersection.
    pub(crate) fn and_all(&self, others: &[Difference]) -> NaiveZone {
        let mut zone = self.clone();
        zone.constraints.extend_from_slice(others);
        zone
    }
}

/// Returns whether a union contains the point.
#[inline]
pub(crate) fn any_contains(zones: &[NaiveZone], point: &Point, denominator: i64) -> bool {
    zones.iter().any(|zone| zone.contains(point, denominator))
}

/// Returns whether non-negative reals satisfy all constraints.
pub(crate) fn is_satisfiable(clocks: usize, constraints: &[Difference]) -> bool {
    let mut system: Vec<Difference> = constraints.to_vec();
    system.extend((1..=clocks).map(|clock| Difference::new(0, clock, 0, true)));
    for eliminated in 1..=clocks {
        let mut next: Vec<Difference> = Vec::new();
        for above in &system {
            if above.left != eliminated && above.right != eliminated {
                push(&mut next, *above);
            } else if above.left == eliminated && above.right == eliminated {
                push(&mut next, Difference { left: 0, right: 0, ..*above });
            } else if above.left == eliminated {
                for below in
                    system.iter().filter(|below| below.right == eliminated && below.left != eliminated)
                {
                    push(
                        &mut next,
                        Difference::new(
                            below.left,
                            above.right,
                            below.constant + above.constant,
                            below.weak && above.weak,
                        ),
                    );
                }
            }
        }
        system = next;
    }
    system.iter().all(|constraint| constraint.constant > 0 || constraint.constant == 0 && constraint.weak)
}

/// Adds a constraint unless the list has it; otherwise elimination grows exponentially.
fn push(system: &mut Vec<Difference>, constraint: Difference) {
    if !system.contains(&constraint) {
        system.push(constraint);
    }
}
