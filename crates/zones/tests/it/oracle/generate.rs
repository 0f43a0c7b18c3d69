//! Random constraints, bounds and updates.

use tempora_zones::{ClockUpdate, LuBounds};

use super::cases::Case;
use super::grid;
use super::library::{clock, dimension};
use super::naive::{Difference, NaiveZone};
use super::random::Random;

/// The number of clocks of a case and the largest constant of its constraints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    pub(crate) clocks: usize,
    pub(crate) largest: i64,
}

impl Scale {
    /// Two clocks with constants up to 5 in three of four cases, else three clocks with constants up to 2.
    pub(crate) fn of_case(case: &Case) -> Scale {
        if case.index % 4 == 3 { Scale { clocks: 3, largest: 2 } } else { Scale { clocks: 2, largest: 5 } }
    }

    pub(crate) fn denominator(self) -> i64 {
        grid::denominator(self.clocks)
    }

    /// A limit below which each non-empty set has a point if it is given by `clocks` clocks and these constants:
    /// in its least point a clock is at most the sum of the constants on a path that visits each clock once,
    /// plus a fraction for strict bounds.
    pub(crate) fn limit(self) -> i64 {
        self.clocks as i64 * self.largest + 1
    }

    /// Calls the function for each coarse point up to the limit.
    pub(crate) fn for_each_point(self, visit: impl FnMut(&grid::Point)) {
        grid::for_each_coarse_point(self.clocks, self.limit(), visit);
    }

    /// Returns all delays and clock values that may be needed from a point within the limit, scaled.
    pub(crate) fn fine_values(self) -> std::ops::RangeInclusive<i64> {
        0..=(self.limit() + self.largest + 1) * self.denominator()
    }

    pub(crate) fn random_difference(self, random: &mut Random) -> Difference {
        let left = random.below(self.clocks + 1);
        let right = (left + 1 + random.below(self.clocks)) % (self.clocks + 1);
        Difference::new(left, right, random.between(-self.largest, self.largest), random.chance(50))
    }

    /// Draws a constraint that, if a few attempts suffice, some points of the zone satisfy and others do not.
    pub(crate) fn random_cut(self, zone: &NaiveZone, random: &mut Random) -> Difference {
        let mut cut = self.random_difference(random);
        for _ in 0..12 {
            if !zone.and(cut).is_empty() && !zone.and(cut.negated()).is_empty() {
                break;
            }
            cut = self.random_difference(random);
        }
        cut
    }

    /// Draws mostly satisfiable constraints: four of five times around a point.
    pub(crate) fn random_zone(self, random: &mut Random) -> NaiveZone {
        let is_anchored = random.chance(80);
        let denominator = self.denominator();
        let mut anchor: grid::Point = [0; grid::POINT_SIZE];
        for coordinate in &mut anchor[1..=self.clocks] {
            *coordinate = random.between(0, self.largest * denominator);
            if random.chance(40) {
                *coordinate -= *coordinate % denominator;
            }
        }
        let mut constraints = Vec::new();
        for _ in 0..random.below(3 * self.clocks + 1) {
            let mut constraint = self.random_difference(random);
            if is_anchored {
                let difference = anchor[constraint.left] - anchor[constraint.right];
                // The least integer constant that the anchor satisfies weakly, or a little more.
                constraint.constant = -(-difference).div_euclid(denominator) + random.between(0, 2);
                if constraint.constant.abs() > self.largest || !constraint.holds(&anchor, denominator) {
                    continue;
                }
            }
            constraints.push(constraint);
        }
        NaiveZone::new(self.clocks, constraints)
    }

    /// Draws a non-empty zone.
    pub(crate) fn random_nonempty_zone(self, random: &mut Random) -> NaiveZone {
        loop {
            let zone = self.random_zone(random);
            if !zone.is_empty() {
                return zone;
            }
        }
    }

    /// Draws the zones of a federation: none to three.
    pub(crate) fn random_zones(self, random: &mut Random) -> Vec<NaiveZone> {
        (0..random.below(4)).map(|_| self.random_zone(random)).collect()
    }

    /// Returns the zone with some constraints dropped or loosened: usually larger, sometimes the same set.
    pub(crate) fn loosened(self, zone: &NaiveZone, random: &mut Random) -> NaiveZone {
        let mut constraints = Vec::new();
        for constraint in &zone.constraints {
            let mut constraint = *constraint;
            match random.below(6) {
                0 => continue,
                1 => constraint.weak = true,
                2 if constraint.constant < self.largest => constraint.constant += 1,
                _ => {}
            }
            constraints.push(constraint);
        }
        NaiveZone::new(self.clocks, constraints)
    }

    /// Returns the same set with other constraints: shuffled, repeated, and with implied ones added.
    pub(crate) fn rephrased(self, zone: &NaiveZone, random: &mut Random) -> NaiveZone {
        let mut constraints = zone.constraints.clone();
        for _ in 0..3 {
            let extra = self.random_difference(random);
            if zone.and(extra.negated()).is_empty() {
                constraints.push(extra);
            }
        }
        for at in (1..constraints.len()).rev() {
            constraints.swap(at, random.below(at + 1));
        }
        NaiveZone::new(self.clocks, constraints)
    }

    pub(crate) fn random_clock(self, random: &mut Random) -> usize {
        1 + random.below(self.clocks)
    }
}

/// Draws `L` and `U` for each clock; a fifth of them minus infinity, and some negative, which is equivalent for
/// non-negative clocks. With `equal`, both are the same.
pub(crate) fn random_bounds(scale: Scale, equal: bool, random: &mut Random) -> NaiveBounds {
    let mut draw = || match random.below(20) {
        0..4 => None,
        4 => Some(-1),
        _ => Some(random.between(0, scale.largest) as i32),
    };
    let lower: Vec<Option<i32>> = (0..scale.clocks).map(|_| draw()).collect();
    let upper = if equal { lower.clone() } else { (0..scale.clocks).map(|_| draw()).collect() };
    NaiveBounds { lower, upper }
}

/// `L` and `U` of each clock, minus infinity as `None`.
#[derive(Clone, Debug)]
pub(crate) struct NaiveBounds {
    pub(crate) lower: Vec<Option<i32>>,
    pub(crate) upper: Vec<Option<i32>>,
}

impl NaiveBounds {
    pub(crate) fn of_library(&self) -> LuBounds {
        LuBounds::from_lower_and_upper(dimension(self.lower.len()), &self.lower, &self.upper)
    }
}

pub(crate) fn random_update(scale: Scale, random: &mut Random) -> ClockUpdate {
    let target = clock(scale.random_clock(random));
    match random.below(3) {
        0 => ClockUpdate::Reset { clock: target, value: random.between(0, scale.largest) as u32 },
        1 => ClockUpdate::Copy { target, from: clock(random.below(scale.clocks + 1)) },
        _ => ClockUpdate::Shift { clock: target, amount: random.between(-2, 2) as i32 },
    }
}
