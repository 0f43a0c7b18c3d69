//! Sets of clock values as matrices of bounds on differences, in the plainest way.
//!
//! Invariant: a matrix is closed: each entry is the least upper bound of its difference, and the zone is not empty.
//! Constants that come in from outside are at most [`LARGEST_CONSTANT`], so that sums cannot overflow.

use tempora_evidence::{ClockBound, Rational};
use tempora_model::Comparison;
use tempora_replay::{ClockComparison, ClockFormula};

/// The largest constant that is accepted, up or down.
pub(crate) const LARGEST_CONSTANT: i64 = 1 << 40;
/// The largest number of clocks that is accepted.
pub(crate) const MOST_CLOCKS: usize = 1000;

/// An upper bound of a difference; `None` is no bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Upper(Option<(i64, bool)>);

impl Upper {
    const INFINITY: Upper = Upper(None);
    const ZERO: Upper = Upper(Some((0, false)));

    pub(crate) fn new(constant: i64, is_strict: bool) -> Upper {
        Upper(Some((constant, is_strict)))
    }

    fn is_below(self, other: Upper) -> bool {
        match (self.0, other.0) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some((constant, is_strict)), Some((other, other_is_strict))) => {
                constant < other || (constant == other && is_strict && !other_is_strict)
            }
        }
    }

    fn plus(self, other: Upper) -> Upper {
        match (self.0, other.0) {
            (Some((left, left_is_strict)), Some((right, right_is_strict))) => {
                Upper(Some((left.saturating_add(right), left_is_strict || right_is_strict)))
            }
            _ => Upper::INFINITY,
        }
    }

    fn shifted(self, by: i64) -> Upper {
        Upper(self.0.map(|(constant, is_strict)| (constant.saturating_add(by), is_strict)))
    }
}

/// Where a clock has its value from: another one (zero is no clock), plus a constant that is not negative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct From {
    pub(crate) clock: usize,
    pub(crate) plus: i64,
}

/// A convex set of clock values that is not empty. Clocks count from 1; 0 stands for the number zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Zone {
    size: usize,
    entries: Vec<Upper>,
}

impl Zone {
    /// All clock values.
    pub(crate) fn universe(clock_count: usize) -> Zone {
        let size = clock_count + 1;
        let mut entries = vec![Upper::INFINITY; size * size];
        for clock in 0..size {
            entries[clock] = Upper::ZERO;
            entries[clock * size + clock] = Upper::ZERO;
        }
        Zone { size, entries }
    }

    /// All clocks are zero.
    pub(crate) fn zero(clock_count: usize) -> Zone {
        let size = clock_count + 1;
        Zone { size, entries: vec![Upper::ZERO; size * size] }
    }

    /// The values that satisfy all bounds, if there are any.
    pub(crate) fn of_bounds(clock_count: usize, bounds: &[ClockBound]) -> Option<Zone> {
        let mut zone = Zone::universe(clock_count);
        for bound in bounds {
            let upper = Upper::new(bound.constant, bound.is_strict);
            zone = zone.constrained(number(bound.left), number(bound.right), upper)?;
        }
        Some(zone)
    }

    fn entry(&self, left: usize, right: usize) -> Upper {
        self.entries[left * self.size + right]
    }

    /// Those of the values for which `left - right` is within the bound, if there are any.
    pub(crate) fn constrained(mut self, left: usize, right: usize, upper: Upper) -> Option<Zone> {
        if !upper.is_below(self.entry(left, right)) {
            return Some(self);
        }
        if self.entry(right, left).plus(upper).is_below(Upper::ZERO) {
            return None;
        }
        // Each way from one clock to another may now lead over the new bound.
        let before = self.clone();
        for from in 0..self.size {
            for to in 0..self.size {
                let way = before.entry(from, left).plus(upper).plus(before.entry(right, to));
                if way.is_below(self.entry(from, to)) {
                    self.entries[from * self.size + to] = way;
                }
            }
        }
        Some(self)
    }

    /// Whether all values satisfy a bound.
    pub(crate) fn is_within(&self, bound: &ClockBound) -> bool {
        let upper = Upper::new(bound.constant, bound.is_strict);
        !upper.is_below(self.entry(number(bound.left), number(bound.right)))
    }

    /// Whether all values are among those of another zone.
    pub(crate) fn is_part_of(&self, other: &Zone) -> bool {
        self.entries.iter().zip(&other.entries).all(|(own, others)| !others.is_below(*own))
    }

    /// The values after any delay.
    pub(crate) fn up(mut self) -> Zone {
        for clock in 1..self.size {
            self.entries[clock * self.size] = Upper::INFINITY;
        }
        self
    }

    /// The values from which a delay leads here.
    pub(crate) fn down(mut self) -> Zone {
        for clock in 1..self.size {
            // A clock was at least zero, and at least as far above the others as it is now.
            let mut least = Upper::ZERO;
            for other in 1..self.size {
                let difference = self.entry(other, clock);
                if difference.is_below(least) {
                    least = difference;
                }
            }
            self.entries[clock] = least;
        }
        self
    }

    /// What all its values satisfy, and no others.
    pub(crate) fn formula(&self) -> ClockFormula {
        let clock = |number: usize| number.checked_sub(1);
        let mut parts = Vec::new();
        for left in 0..self.size {
            for right in 0..self.size {
                if let Upper(Some((constant, is_strict))) = self.entry(left, right)
                    && left != right
                {
                    parts.push(ClockFormula::Compare(ClockComparison {
                        left: clock(left),
                        right: clock(right),
                        comparison: if is_strict { Comparison::Less } else { Comparison::LessOrEqual },
                        bound: Rational::from_integer(constant),
                    }));
                }
            }
        }
        ClockFormula::And(parts)
    }

    /// The values after each clock has been set.
    pub(crate) fn set(&self, origins: &[From]) -> Zone {
        let mut after = self.clone();
        let origin = |clock: usize| match clock.checked_sub(1) {
            None => From { clock: 0, plus: 0 },
            Some(position) => origins[position],
        };
        for left in 0..self.size {
            for right in 0..self.size {
                let (from, minus) = (origin(left), origin(right));
                let difference = self.entry(from.clock, minus.clock);
                after.entries[left * self.size + right] = difference.shifted(from.plus - minus.plus);
            }
        }
        after
    }
}

/// The number of a clock of a certificate, which count from 0.
fn number(clock: Option<u32>) -> usize {
    clock.map_or(0, |clock| clock as usize + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(left: Option<u32>, right: Option<u32>, constant: i64, is_strict: bool) -> ClockBound {
        ClockBound { left, right, constant, is_strict }
    }

    /// Whether values, in quarters, satisfy bounds; by the definition.
    fn satisfies(values: &[i64], bounds: &[ClockBound]) -> bool {
        let value = |clock: Option<u32>| clock.map_or(0, |clock| values[clock as usize]);
        bounds.iter().all(|bound| {
            let difference = value(bound.left) - value(bound.right);
            if bound.is_strict { difference < 4 * bound.constant } else { difference <= 4 * bound.constant }
        })
    }

    /// All entries of a zone as bounds.
    fn bounds_of(zone: &Zone) -> Vec<ClockBound> {
        let clock = |number: usize| number.checked_sub(1).map(|clock| clock as u32);
        let mut bounds = Vec::new();
        for left in 0..zone.size {
            for right in 0..zone.size {
                if let Upper(Some((constant, is_strict))) = zone.entry(left, right) {
                    bounds.push(bound(clock(left), clock(right), constant, is_strict));
                }
            }
        }
        bounds
    }

    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        *state >> 33
    }

    fn random_bounds(state: &mut u64) -> Vec<ClockBound> {
        let clock = |number: u64| if number == 0 { None } else { Some(number as u32 - 1) };
        (0..1 + random(state) % 5)
            .filter_map(|_| {
                let (left, right) = (random(state) % 3, random(state) % 3);
                let constant = random(state) as i64 % 9 - 4;
                (left != right)
                    .then(|| bound(clock(left), clock(right), constant, random(state).is_multiple_of(2)))
            })
            .collect()
    }

    /// Values of two clocks, in steps of a half: enough to tell zones with constants up to 4 apart.
    fn grid() -> impl Iterator<Item = [i64; 2]> {
        (0..40).flat_map(|first| (0..40).map(move |second| [2 * first, 2 * second]))
    }

    /// These values alone, if they are whole.
    fn point(values: [i64; 2]) -> Zone {
        let fixed = |clock: u32, value: i64| {
            [bound(Some(clock), None, value / 4, false), bound(None, Some(clock), -value / 4, false)]
        };
        let bounds = [fixed(0, values[0]), fixed(1, values[1])].concat();
        Zone::of_bounds(2, &bounds).unwrap()
    }

    #[test]
    fn zones_contain_the_values_that_they_should() {
        let mut state = 7;
        let (mut empty, mut inclusions) = (0, 0);
        for _ in 0..2000 {
            let bounds = random_bounds(&mut state);
            let Some(zone) = Zone::of_bounds(2, &bounds) else {
                empty += 1;
                assert!(!grid().any(|values| satisfies(&values, &bounds)), "{bounds:?}");
                continue;
            };
            let entries = bounds_of(&zone);
            for values in grid() {
                assert_eq!(
                    satisfies(&values, &bounds),
                    satisfies(&values, &entries),
                    "{bounds:?} {values:?}"
                );
            }
            let other = random_bounds(&mut state);
            let is_included = other.iter().all(|bound| zone.is_within(bound));
            let inside = grid().filter(|values| satisfies(values, &bounds));
            assert_eq!(
                is_included,
                inside.into_iter().all(|values| satisfies(&values, &other)),
                "{bounds:?}"
            );
            inclusions += u32::from(is_included);
        }
        assert!(empty > 100 && inclusions > 100, "{empty} empty, {inclusions} included");
    }

    #[test]
    fn delays_and_assignments_lead_where_they_should() {
        let mut state = 3;
        for _ in 0..150 {
            let bounds = random_bounds(&mut state);
            let Some(zone) = Zone::of_bounds(2, &bounds) else { continue };
            let later = bounds_of(&zone.clone().up());
            let earlier = bounds_of(&zone.clone().down());
            let formula = zone.formula();
            // The first clock plus one, and the first clock.
            let set = bounds_of(&zone.set(&[From { clock: 1, plus: 1 }, From { clock: 1, plus: 0 }]));
            let reset = bounds_of(&zone.set(&[From { clock: 0, plus: 2 }, From { clock: 2, plus: 0 }]));
            for values in grid() {
                if satisfies(&values, &bounds) {
                    for delay in 0..10 {
                        assert!(satisfies(&[values[0] + delay, values[1] + delay], &later));
                    }
                    assert!(satisfies(&[values[0] + 4, values[0]], &set));
                    assert!(satisfies(&[8, values[1]], &reset));
                }
                if values.iter().all(|value| value % 4 == 0) {
                    let parts = crate::formula::split(vec![point(values)], &formula, true).unwrap();
                    assert_eq!(!parts.is_empty(), satisfies(&values, &bounds), "{bounds:?} {values:?}");
                }
                let leads_there =
                    (0..60).any(|delay| satisfies(&values.map(|value| value + delay), &bounds_of(&zone)));
                assert_eq!(leads_there, satisfies(&values, &earlier), "{bounds:?} {values:?}");
                if values.iter().all(|&value| value < 32) && satisfies(&values, &later) {
                    let mut earlier =
                        (0..=values[0].min(values[1])).map(|delay| values.map(|value| value - delay));
                    assert!(earlier.any(|values| satisfies(&values, &bounds)), "{bounds:?} {values:?}");
                }
            }
        }
    }
}
