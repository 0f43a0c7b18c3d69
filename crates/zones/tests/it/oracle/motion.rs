//! Effects of delays and assignments on a point, and searches for its predecessors.

use tempora_zones::ClockUpdate;

use super::generate::Scale;
use super::grid::Point;
use super::naive::{NaiveZone, any_contains};

/// Returns the point with one coordinate changed.
pub(crate) fn with(point: &Point, at: usize, value: i64) -> Point {
    let mut changed = *point;
    changed[at] = value;
    changed
}

/// Returns the point after a delay; scaled, possibly negative.
pub(crate) fn delayed(point: &Point, clocks: usize, delay: i64) -> Point {
    let mut later = *point;
    later[1..=clocks].iter_mut().for_each(|coordinate| *coordinate += delay);
    later
}

/// Returns whether a delay leads from the zones to the point.
pub(crate) fn is_after(scale: Scale, zones: &[NaiveZone], point: &Point) -> bool {
    let most = point[1..=scale.clocks].iter().copied().min().unwrap_or(0);
    (0..=most).any(|delay| any_contains(zones, &delayed(point, scale.clocks, -delay), scale.denominator()))
}

/// Returns whether a delay leads from the point into the zones.
pub(crate) fn is_before(scale: Scale, zones: &[NaiveZone], point: &Point) -> bool {
    scale
        .fine_values()
        .any(|delay| any_contains(zones, &delayed(point, scale.clocks, delay), scale.denominator()))
}

/// Returns whether some value of one clock puts the point into the zones.
pub(crate) fn is_inside_for_some(scale: Scale, zones: &[NaiveZone], point: &Point, changed: usize) -> bool {
    scale.fine_values().any(|value| any_contains(zones, &with(point, changed, value), scale.denominator()))
}

/// Returns whether the update leads from a point of the zones to the point.
pub(crate) fn is_reached(scale: Scale, zones: &[NaiveZone], update: ClockUpdate, point: &Point) -> bool {
    let denominator = scale.denominator();
    match update {
        ClockUpdate::Reset { clock, value } => {
            let at = usize::from(clock.0);
            point[at] == i64::from(value) * denominator && is_inside_for_some(scale, zones, point, at)
        }
        ClockUpdate::Copy { target, from } if target == from => any_contains(zones, point, denominator),
        ClockUpdate::Copy { target, from } => {
            let (at, from) = (usize::from(target.0), usize::from(from.0));
            point[at] == point[from] && is_inside_for_some(scale, zones, point, at)
        }
        ClockUpdate::Shift { clock, amount } => {
            let at = usize::from(clock.0);
            any_contains(zones, &with(point, at, point[at] - i64::from(amount) * denominator), denominator)
        }
    }
}

/// Returns the point after the update; a negative coordinate means that there is none.
pub(crate) fn updated(scale: Scale, update: ClockUpdate, point: &Point) -> Point {
    match update {
        ClockUpdate::Reset { clock, value } => {
            with(point, usize::from(clock.0), i64::from(value) * scale.denominator())
        }
        ClockUpdate::Copy { target, from } => with(point, usize::from(target.0), point[usize::from(from.0)]),
        ClockUpdate::Shift { clock, amount } => {
            let at = usize::from(clock.0);
            with(point, at, point[at] + i64::from(amount) * scale.denominator())
        }
    }
}

/// Returns whether some delay leads from the start zones to the point, and no shorter one leads to it from the bad
/// ones.
///
/// The fine grid suffices, as for [`reaches_good_avoiding_bad`], with time reversed.
pub(crate) fn is_reached_avoiding_bad(
    scale: Scale,
    point: &Point,
    start: &[NaiveZone],
    bad: &[NaiveZone],
) -> bool {
    let most = point[1..=scale.clocks].iter().copied().min().unwrap_or(0);
    for delay in 0..=most {
        let earlier = delayed(point, scale.clocks, -delay);
        if any_contains(bad, &earlier, scale.denominator()) {
            return false;
        }
        if any_contains(start, &earlier, scale.denominator()) {
            return true;
        }
    }
    false
}

/// Returns whether some delay leads into the good zones, and no delay from 0 up to it leads into the bad ones.
///
/// The second quantifier ranges over a continuum, yet the fine grid suffices: from a coarse point, whose coordinates
/// are multiples of `1/(n + 1)`, each constraint on a single clock changes its truth value only at delays that are
/// multiples of `1/(n + 1)`, and constraints on differences do not change. So good and bad are constant at each such
/// delay and between any two neighbours, and the fine grid has a point of each of these pieces.
pub(crate) fn reaches_good_avoiding_bad(
    scale: Scale,
    point: &Point,
    good: &[NaiveZone],
    bad: &[NaiveZone],
) -> bool {
    for delay in scale.fine_values() {
        let later = delayed(point, scale.clocks, delay);
        if any_contains(bad, &later, scale.denominator()) {
            return false;
        }
        if any_contains(good, &later, scale.denominator()) {
            return true;
        }
    }
    false
}
