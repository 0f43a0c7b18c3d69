//! Zones of clock values as plain matrices of difference bounds.
//!
//! Invariant: a matrix is closed: each entry is the tightest bound of its difference, and the zone is not empty.
//! Constants of the input are at most [`LARGEST_CONSTANT`]; a sum too far from zero becomes a weaker bound, so that no
//! sum overflows and no value is lost.

use tempora_evidence::{ClockBound, Rational};
use tempora_model::Comparison;
use tempora_replay::{ClockComparison, ClockFormula};

/// The largest absolute constant that is accepted.
pub(crate) const LARGEST_CONSTANT: i64 = 1 << 40;
/// The largest number of clocks that is accepted.
pub(crate) const MOST_CLOCKS: usize = 1000;

/// An upper bound of a difference, or none: twice the constant, plus one unless the bound is strict. So the tighter of
/// two bounds is the smaller number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Upper(i64);

impl Upper {
    const INFINITY: Upper = Upper(i64::MAX);
    const ZERO: Upper = Upper(1);

    pub(crate) fn new(constant: i64, is_strict: bool) -> Upper {
        Upper(2 * constant + i64::from(!is_strict))
    }

    fn is_below(self, other: Upper) -> bool {
        self < other
    }

    /// Returns the constant, and whether the bound is strict; `None` without a bound.
    fn finite(self) -> Option<(i64, bool)> {
        (self != Upper::INFINITY).then_some((self.0 >> 1, self.0 & 1 == 0))
    }

    fn plus(self, other: Upper) -> Upper {
        if self == Upper::INFINITY || other == Upper::INFINITY {
            return Upper::INFINITY;
        }
        // The sum is strict if either bound is.
        Upper((self.0 & !1) + (other.0 & !1) + (self.0 & other.0 & 1)).limited()
    }

    fn shifted(self, by: i64) -> Upper {
        if self == Upper::INFINITY { self } else { Upper(self.0 + 2 * by).limited() }
    }

    /// Returns a weaker bound if the bound is so far from zero that a few sums might overflow.
    fn limited(self) -> Upper {
        if self.0 > FARTHEST { Upper::INFINITY } else { Upper(self.0.max(-FARTHEST)) }
    }
}

/// The maximal absolute encoding of a finite bound.
const FARTHEST: i64 = (1 << 60) + 1;

/// The source of a clock value: another clock, or zero for the number 0, plus a non-negative constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct From {
    pub(crate) clock: usize,
    pub(crate) plus: i64,
}

/// A convex, non-empty set of clock values. Clocks count from 1; 0 stands for the number zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Zone {
    size: usize,
    entries: Vec<Upper>,
}

impl Zone {
    /// Returns all clock values.
    pub(crate) fn universe(clock_count: usize) -> Zone {
        let size = clock_count + 1;
        let mut entries = vec![Upper::INFINITY; size * size];
        for clock in 0..size {
            entries[clock] = Upper::ZERO;
            entries[clock * size + clock] = Upper::ZERO;
        }
        Zone { size, entries }
    }

    /// Returns the zone in which all clocks are zero.
    pub(crate) fn zero(clock_count: usize) -> Zone {
        let size = clock_count + 1;
        Zone { size, entries: vec![Upper::ZERO; size * size] }
    }

    /// Returns the values that satisfy all bounds, if there are any.
    pub(crate) fn of_bounds(clock_count: usize, bounds: &[ClockBound]) -> Option<Zone> {
        let mut zone = Zone::universe(clock_count);
        for bound in bounds {
            let upper = Upper::new(bound.constant, bound.is_strict);
            zone = zone.constrained(number(bound.left), number(bound.right), upper)?;
        }
        Some(zone)
    }

    /// Returns the number of stored bounds.
    pub(crate) fn bound_count(&self) -> usize {
        self.entries.len()
    }

    fn entry(&self, left: usize, right: usize) -> Upper {
        self.entries[left * self.size + right]
    }

    /// Returns the values that satisfy the bound on `left - right`, if there are any.
    pub(crate) fn constrained(mut self, left: usize, right: usize, upper: Upper) -> Option<Zone> {
        if !upper.is_below(self.entry(left, right)) {
            return Some(self);
        }
        if self.entry(right, left).plus(upper).is_below(Upper::ZERO) {
            return None;
        }
        // Each path from one clock to another may now use the new bound. Paths to `left` and from `right` do not, since
        // no cycle is negative; so they can be read while others are written.
        for from in 0..self.size {
            let first = self.entry(from, left).plus(upper);
            if first == Upper::INFINITY {
                continue;
            }
            for to in 0..self.size {
                let way = first.plus(self.entry(right, to));
                if way.is_below(self.entry(from, to)) {
                    self.entries[from * self.size + to] = way;
                }
            }
        }
        Some(self)
    }

    /// Returns whether all values satisfy a bound.
    pub(crate) fn is_within(&self, bound: &ClockBound) -> bool {
        let upper = Upper::new(bound.constant, bound.is_strict);
        !upper.is_below(self.entry(number(bound.left), number(bound.right)))
    }

    /// Returns whether another zone includes this one.
    pub(crate) fn is_part_of(&self, other: &Zone) -> bool {
        self.entries.iter().zip(&other.entries).all(|(own, others)| !others.is_below(*own))
    }

    /// Returns the values after any delay.
    pub(crate) fn up(mut self) -> Zone {
        for clock in 1..self.size {
            self.entries[clock * self.size] = Upper::INFINITY;
        }
        self
    }

    /// Returns the values from which a delay leads here.
    pub(crate) fn down(mut self) -> Zone {
        for clock in 1..self.size {
            // A clock was non-negative, and its differences to the other clocks were the same.
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

    /// Returns the zone as a formula.
    pub(crate) fn formula(&self) -> ClockFormula {
        let clock = |number: usize| number.checked_sub(1);
        let mut parts = Vec::new();
        for left in 0..self.size {
            for right in 0..self.size {
                if let Some((constant, is_strict)) = self.entry(left, right).finite()
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

    /// Returns the intersection with another zone, if it is not empty.
    pub(crate) fn within(self, other: &Zone) -> Option<Zone> {
        let mut zone = self;
        for left in 0..zone.size {
            for right in 0..zone.size {
                zone = zone.constrained(left, right, other.entry(left, right))?;
            }
        }
        Some(zone)
    }

    /// Returns the values outside another zone, in disjoint zones.
    pub(crate) fn minus(self, other: &Zone) -> Vec<Zone> {
        if self.clone().within(other).is_none() {
            return vec![self];
        }
        let mut found = Vec::new();
        let mut inside = self;
        for left in 0..inside.size {
            for right in 0..inside.size {
                let upper = other.entry(left, right);
                let Some((constant, is_strict)) = upper.finite() else { continue };
                if !upper.is_below(inside.entry(left, right)) {
                    continue;
                }
                let beyond = Upper::new(-constant, !is_strict);
                found.extend(inside.clone().constrained(right, left, beyond));
                match inside.constrained(left, right, upper) {
                    Some(rest) => inside = rest,
                    None => return found,
                }
            }
        }
        found
    }

    /// Returns the values after each clock has been set.
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

/// Returns the number of a clock of a certificate, which counts from 0.
fn number(clock: Option<u32>) -> usize {
    clock.map_or(0, |clock| clock as usize + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(left: Option<u32>, right: Option<u32>, constant: i64, is_strict: bool) -> ClockBound {
        ClockBound { left, right, constant, is_strict }
    }

    /// Returns whether values, in quarters, satisfy bounds, by definition.
    fn satisfies(values: &[i64], bounds: &[ClockBound]) -> bool {
        let value = |clock: Option<u32>| clock.map_or(0, |clock| values[clock as usize]);
        bounds.iter().all(|bound| {
            let difference = value(bound.left) - value(bound.right);
            if bound.is_strict { difference < 4 * bound.constant } else { difference <= 4 * bound.constant }
        })
    }

    /// Returns all entries of a zone as bounds.
    fn bounds_of(zone: &Zone) -> Vec<ClockBound> {
        let clock = |number: usize| number.checked_sub(1).map(|clock| clock as u32);
        let mut bounds = Vec::new();
        for left in 0..zone.size {
            for right in 0..zone.size {
                if let Some((constant, is_strict)) = zone.entry(left, right).finite() {
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

    /// Values of two clocks in steps of a half, which distinguish zones with constants up to 4.
    fn grid() -> impl Iterator<Item = [i64; 2]> {
        (0..40).flat_map(|first| (0..40).map(move |second| [2 * first, 2 * second]))
    }

    /// Returns the zone of one point, which must be integral.
    fn point(values: [i64; 2]) -> Zone {
        let fixed = |clock: u32, value: i64| {
            [bound(Some(clock), None, value / 4, false), bound(None, Some(clock), -value / 4, false)]
        };
        let bounds = [fixed(0, values[0]), fixed(1, values[1])].concat();
        Zone::of_bounds(2, &bounds).unwrap()
    }

    #[test]
    fn zones_contain_values_of_their_bounds() {
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
    fn differences_are_exact_and_disjoint() {
        let mut state = 11;
        let mut cuts = 0;
        for _ in 0..600 {
            let (bounds, others) = (random_bounds(&mut state), random_bounds(&mut state));
            let (Some(zone), Some(other)) = (Zone::of_bounds(2, &bounds), Zone::of_bounds(2, &others)) else {
                continue;
            };
            let parts: Vec<_> = zone.clone().minus(&other).iter().map(bounds_of).collect();
            cuts += u32::from(parts.len() > 1);
            let common = zone.within(&other).map(|common| bounds_of(&common));
            for values in grid() {
                let times = parts.iter().filter(|part| satisfies(&values, part)).count();
                let is_left = satisfies(&values, &bounds) && !satisfies(&values, &others);
                assert_eq!(times, usize::from(is_left), "{bounds:?} {others:?} {values:?}");
                let is_common = satisfies(&values, &bounds) && satisfies(&values, &others);
                let is_within = common.as_ref().is_some_and(|common| satisfies(&values, common));
                assert_eq!(is_within, is_common, "{bounds:?} {others:?} {values:?}");
            }
        }
        assert!(cuts > 50, "{cuts}");
    }

    #[test]
    fn unlimited_bounds_become_weaker() {
        let mut zone = Zone::zero(2);
        let add = [From { clock: 1, plus: LARGEST_CONSTANT }, From { clock: 2, plus: 0 }];
        for _ in 0..1 << 20 {
            zone = zone.set(&add);
        }
        let is_above = |bound: &ClockBound| bound.left == Some(0) && bound.right != Some(0);
        assert!(!bounds_of(&zone).iter().any(is_above), "the difference has an upper bound");
        assert!(
            zone.constrained(1, 0, Upper::new(LARGEST_CONSTANT, false)).is_none(),
            "the lower bound is lost"
        );
    }

    #[test]
    fn delays_and_assignments_match_definition() {
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
