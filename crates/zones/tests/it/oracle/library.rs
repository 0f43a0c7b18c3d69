//! Conversions between the library's objects and the naive ones.

use tempora_zones::{Bound, Clock, Constraint, Dimension, Federation, Rational, Zone};

use super::generate::Scale;
use super::grid::Point;
use super::matrix::Entry;
use super::naive::{Difference, NaiveZone, any_contains};

pub(crate) fn clock(index: usize) -> Clock {
    Clock(index as u16)
}

pub(crate) fn dimension(clocks: usize) -> Dimension {
    Dimension::for_clocks(clocks).unwrap()
}

pub(crate) fn constraint_of(difference: Difference) -> Constraint {
    let bound = Bound::finite(difference.constant, difference.weak).unwrap();
    Constraint::difference(clock(difference.left), clock(difference.right), bound)
}

pub(crate) fn zone_of(naive: &NaiveZone) -> Zone {
    let constraints: Vec<Constraint> = naive.constraints.iter().copied().map(constraint_of).collect();
    let zone = Zone::from_constraints(dimension(naive.clocks), &constraints).unwrap();
    assert_well_formed(&zone);
    zone
}

pub(crate) fn federation_of(clocks: usize, naive: &[NaiveZone]) -> Federation {
    Federation::from_zones(dimension(clocks), naive.iter().map(zone_of).collect())
}

/// Reads the entries of a zone as constraints, and checks its structure.
pub(crate) fn naive_of(zone: &Zone) -> NaiveZone {
    assert_well_formed(zone);
    let clocks = zone.dimension().size() - 1;
    if zone.is_empty() {
        return NaiveZone::new(clocks, vec![Difference::new(0, 0, 0, false)]);
    }
    let mut constraints = Vec::new();
    for left in 0..=clocks {
        for right in 0..=clocks {
            let bound = zone.bound(clock(left), clock(right));
            if let Some(constant) = bound.constant() {
                constraints.push(Difference::new(left, right, i64::from(constant), bound.is_weak()));
            }
        }
    }
    NaiveZone::new(clocks, constraints)
}

/// Checks that a non-empty zone has `<= 0` on its diagonal, no clock below 0, and satisfies all triangle inequalities.
pub(crate) fn assert_well_formed(zone: &Zone) {
    if zone.is_empty() {
        return;
    }
    let size = zone.dimension().size();
    let entry = |left: usize, right: usize| Entry::of_bound(zone.bound(clock(left), clock(right)));
    for left in 0..size {
        assert_eq!(entry(left, left), Entry::finite(0, true), "diagonal of clock {left}");
        assert!(entry(0, left) <= Entry::finite(0, true), "clock {left} may be negative");
        for via in 0..size {
            for right in 0..size {
                assert!(
                    entry(left, right) <= entry(left, via).plus(entry(via, right)),
                    "not closed: {left} to {right} by {via}"
                );
            }
        }
    }
}

/// Checks that each entry of the zone is the supremum of its difference over the naive zones, none of them empty.
pub(crate) fn assert_tight(zone: &Zone, zones: &[NaiveZone]) {
    let clocks = zone.dimension().size() - 1;
    let attains = |difference: Difference| zones.iter().any(|zone| !zone.and(difference).is_empty());
    for left in 0..=clocks {
        for right in 0..=clocks {
            let bound = zone.bound(clock(left), clock(right));
            let at_least = |constant: i64| Difference::new(right, left, -constant, true);
            let above = |constant: i64| Difference::new(right, left, -constant, false);
            match bound.constant().map(i64::from) {
                None => assert!(attains(at_least(1 << 40)), "x{left} - x{right} is bounded after all"),
                Some(constant) if bound.is_weak() => {
                    assert!(attains(at_least(constant)), "x{left} - x{right} <= {constant} is not attained");
                    assert!(!attains(above(constant)), "x{left} - x{right} <= {constant} is exceeded");
                }
                Some(constant) => {
                    // Suprema of integer systems are integers, so a value above `constant - 1` suffices.
                    assert!(
                        attains(above(constant - 1)),
                        "x{left} - x{right} < {constant} is not approached"
                    );
                    assert!(!attains(at_least(constant)), "x{left} - x{right} < {constant} is exceeded");
                }
            }
        }
    }
}

/// Compares a zone of the library with a set at every coarse point, and checks its structure.
pub(crate) fn assert_same_set(what: &str, scale: Scale, zone: &Zone, expected: impl Fn(&Point) -> bool) {
    let found = naive_of(zone);
    let mut is_inhabited = false;
    scale.for_each_point(|point| {
        let is_inside = found.contains(point, scale.denominator());
        is_inhabited |= is_inside;
        assert_eq!(
            is_inside,
            expected(point),
            "{what}: {:?} over {} (library left, definition right), in {zone:?}",
            &point[1..=scale.clocks],
            scale.denominator(),
        );
    });
    assert_eq!(is_inhabited, !zone.is_empty(), "{what}: emptiness of {zone:?}");
}

/// Compares a federation of the library with a set in the same way.
pub(crate) fn assert_same_federation(
    what: &str,
    scale: Scale,
    federation: &Federation,
    expected: impl Fn(&Point) -> bool,
) {
    assert!(federation.zones().iter().all(|zone| !zone.is_empty()), "{what}: an empty zone is kept");
    let found: Vec<NaiveZone> = federation.zones().iter().map(naive_of).collect();
    let mut is_inhabited = false;
    scale.for_each_point(|point| {
        let is_inside = any_contains(&found, point, scale.denominator());
        is_inhabited |= is_inside;
        assert_eq!(
            is_inside,
            expected(point),
            "{what}: {:?} over {} (library left, definition right), in {federation:?}",
            &point[1..=scale.clocks],
            scale.denominator(),
        );
    });
    assert_eq!(is_inhabited, !federation.is_empty(), "{what}: emptiness of {federation:?}");
}

/// Converts a scaled point to the library's form.
pub(crate) fn rationals(point: &Point, clocks: usize, denominator: i64) -> Vec<Rational> {
    point[1..=clocks].iter().map(|&coordinate| Rational::new(coordinate, denominator)).collect()
}
