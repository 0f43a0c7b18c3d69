//! Compares covering tests and extrapolations with their definitions.

use tempora_zones::{Constraint, Extrapolation, LuBounds, Zone};

use crate::oracle::{
    Case, Difference, Entry, NaiveBounds, NaiveMatrix, NaiveZone, Point, Scale, assert_well_formed,
    check_cases, clock, constraint_of, dimension, is_satisfiable, naive_of, random_bounds, zone_of,
};

/// Returns whether `w` simulates `v` in one clock: equal, or `L < w < v`, or `U < v < w`; all values scaled.
fn is_simulated(v: i64, w: i64, lower: Option<i32>, upper: Option<i32>, denominator: i64) -> bool {
    let is_above = |value: i64, constant: Option<i32>| {
        constant.is_none_or(|constant| value > i64::from(constant) * denominator)
    };
    v == w || w < v && is_above(w, lower) || v < w && is_above(v, upper)
}

/// Decides covering for two clocks by exhaustive search.
///
/// `v` runs through the multiples of 1/3. Then `w` has to satisfy constraints whose constants are integers or
/// coordinates of `v`, hence multiples of 1/3, and two clocks with such constraints need a grid three times as
/// fine: `w` runs through the multiples of 1/9.
fn is_covered_by_search(v_zone: &NaiveZone, w_zone: &NaiveZone, bounds: &NaiveBounds, largest: i64) -> bool {
    const DENOMINATOR: i64 = 9;
    // Within this limit each region has a `v`, and a `w` for it.
    let v_limit = (2 * largest + 1) * DENOMINATOR;
    let w_limit = v_limit + (largest + 1) * DENOMINATOR;
    let simulating = |at: usize| -> Vec<Vec<i64>> {
        let (lower, upper) = (bounds.lower[at], bounds.upper[at]);
        (0..=v_limit / 3)
            .map(|third| {
                (0..=w_limit).filter(|&w| is_simulated(third * 3, w, lower, upper, DENOMINATOR)).collect()
            })
            .collect()
    };
    let (first, second) = (simulating(0), simulating(1));
    for v1 in (0..=v_limit).step_by(3) {
        for v2 in (0..=v_limit).step_by(3) {
            if !v_zone.contains(&[0, v1, v2, 0, 0], DENOMINATOR) {
                continue;
            }
            let is_found = first[(v1 / 3) as usize].iter().any(|&w1| {
                second[(v2 / 3) as usize].iter().any(|&w2| w_zone.contains(&[0, w1, w2, 0, 0], DENOMINATOR))
            });
            if !is_found {
                return false;
            }
        }
    }
    true
}

/// Decides covering for any number of clocks: for each coarse `v`, and for each way in which the clocks of `w` may
/// simulate those of `v`, solves exactly whether such a `w` is in the zone and satisfies the diagonals.
fn is_covered_by_cases(
    scale: Scale,
    v_zone: &NaiveZone,
    w_zone: &NaiveZone,
    bounds: &NaiveBounds,
    diagonals: &[Difference],
) -> bool {
    let denominator = scale.denominator();
    let mut is_covered = true;
    scale.for_each_point(|v| {
        if !is_covered || !v_zone.contains(v, denominator) {
            return;
        }
        let mut system: Vec<Difference> =
            w_zone.constraints.iter().map(|difference| difference.scaled(denominator)).collect();
        let preserved = diagonals.iter().filter(|diagonal| diagonal.holds(v, denominator));
        system.extend(preserved.map(|diagonal| diagonal.scaled(denominator)));
        is_covered = has_simulating_point(scale, v, 1, bounds, &system);
    });
    is_covered
}

/// Tries the three ways for one clock after the other.
fn has_simulating_point(
    scale: Scale,
    v: &Point,
    at: usize,
    bounds: &NaiveBounds,
    system: &[Difference],
) -> bool {
    if at > scale.clocks {
        return is_satisfiable(scale.clocks, system);
    }
    let scaled = |constant: i32| i64::from(constant) * scale.denominator();
    let (lower, upper) = (bounds.lower[at - 1].map(scaled), bounds.upper[at - 1].map(scaled));
    let equal = [Difference::new(at, 0, v[at], true), Difference::new(0, at, -v[at], true)];
    let below =
        [Difference::new(at, 0, v[at], false), Difference::new(0, at, lower.map_or(1, |l| -l), false)];
    let above = [Difference::new(0, at, -v[at], false)];
    let mut ways: Vec<&[Difference]> = vec![&equal];
    if lower.is_none_or(|lower| lower < v[at]) {
        ways.push(&below);
    }
    if upper.is_none_or(|upper| upper < v[at]) {
        ways.push(&above);
    }
    ways.into_iter().any(|way| {
        let mut more = system.to_vec();
        more.extend_from_slice(way);
        has_simulating_point(scale, v, at + 1, bounds, &more)
    })
}

/// Draws two zones of which the first is covered about half of the time.
fn draw_pair(case: &mut Case, scale: Scale) -> [(NaiveZone, Zone); 2] {
    let random = &mut case.random;
    let covered =
        if random.chance(95) { scale.random_nonempty_zone(random) } else { scale.random_zone(random) };
    let covering = match random.below(4) {
        0 | 1 => scale.loosened(&covered, random).and(scale.random_difference(random)),
        2 => scale.random_nonempty_zone(random),
        _ => scale.loosened(&covered, random),
    };
    case.note("covered", &covered);
    case.note("covering", &covering);
    [covered, covering].map(|naive| {
        let zone = zone_of(&naive);
        (naive, zone)
    })
}

#[test]
fn two_clocks_by_search() {
    for (name, equal) in [("a_LU by search", false), ("a_M by search", true)] {
        check_cases(name, |case| {
            let scale = Scale { clocks: 2, largest: 4 };
            let [(naive, zone), (naive_other, other)] = draw_pair(case, scale);
            let bounds = random_bounds(scale, equal, &mut case.random);
            case.note("bounds", &bounds);
            let is_covered = case.outcome("covered", zone.is_covered_by(&other, &bounds.of_library()));
            assert_eq!(is_covered, is_covered_by_search(&naive, &naive_other, &bounds, scale.largest));
        });
    }
}

#[test]
fn three_clocks() {
    for (name, equal) in [("a_LU of three clocks", false), ("a_M of three clocks", true)] {
        check_cases(name, |case| {
            let scale = Scale { clocks: 3, largest: 2 };
            let [(naive, zone), (naive_other, other)] = draw_pair(case, scale);
            let bounds = random_bounds(scale, equal, &mut case.random);
            case.note("bounds", &bounds);
            let is_covered = case.outcome("covered", zone.is_covered_by(&other, &bounds.of_library()));
            assert_eq!(is_covered, is_covered_by_cases(scale, &naive, &naive_other, &bounds, &[]));
        });
    }
}

/// Draws a diagonal that, if a few attempts suffice, intersects the first zone and does not include the second.
fn random_diagonal(case: &mut Case, scale: Scale, covered: &NaiveZone, covering: &NaiveZone) -> Difference {
    let mut draws = 0;
    loop {
        let difference = scale.random_difference(&mut case.random);
        let is_diagonal = difference.left != 0 && difference.right != 0;
        draws += 1;
        let matters = !covered.and(difference).is_empty() && !covering.and(difference.negated()).is_empty();
        if is_diagonal && (matters || draws > 10) {
            return difference;
        }
    }
}

#[test]
fn diagonals() {
    for (name, count) in [("one diagonal", 1), ("two diagonals", 2)] {
        check_cases(name, |case| {
            let scale = Scale::of_case(case);
            let [(naive, zone), (naive_other, other)] = draw_pair(case, scale);
            let bounds = random_bounds(scale, case.random.chance(50), &mut case.random);
            let diagonals: Vec<Difference> =
                (0..count).map(|_| random_diagonal(case, scale, &naive, &naive_other)).collect();
            case.note("bounds", &bounds);
            case.note("diagonals", &diagonals);
            let constraints: Vec<Constraint> = diagonals.iter().copied().map(constraint_of).collect();
            let found = zone.is_covered_with_diagonals(&other, &bounds.of_library(), &constraints).unwrap();
            let expected = is_covered_by_cases(scale, &naive, &naive_other, &bounds, &diagonals);
            assert_eq!(case.outcome("covered", found), expected);
            // Counts how often the diagonals matter.
            if zone.is_covered_by(&other, &bounds.of_library()) && !zone.is_subset_of(&other) {
                case.outcome("still covered with diagonals", found);
            }
        });
    }
}

#[test]
fn covering_grows_with_the_covering_zone() {
    check_cases("covering_grows_with_the_covering_zone", |case| {
        let scale = Scale::of_case(case);
        let [(_, zone), (naive_other, other)] = draw_pair(case, scale);
        let larger = zone_of(&scale.loosened(&naive_other, &mut case.random));
        let bounds = random_bounds(scale, false, &mut case.random).of_library();
        assert!(other.is_subset_of(&larger) && other.is_covered_by(&larger, &bounds));
        if case.outcome("covered", zone.is_covered_by(&other, &bounds)) {
            assert!(zone.is_covered_by(&larger, &bounds));
        }
    });
}

/// Returns the bounds of the papers: clock 0 has 0, and negative constants are minus infinity.
fn constant_of(constants: &[Option<i32>], index: usize) -> Option<i128> {
    if index == 0 { Some(0) } else { constants[index - 1].map(i128::from).filter(|&constant| constant >= 0) }
}

/// Implements the entrywise definitions of Behrmann, Bouyer, Larsen and Pelánek in the order of the paper, with minus
/// infinity below every constant. Entry `c[i][j]` bounds `x_i - x_j`.
fn extrapolated(how: Extrapolation, zone: &NaiveMatrix, bounds: &NaiveBounds) -> NaiveMatrix {
    let maxima: Vec<Option<i32>> =
        bounds.lower.iter().zip(&bounds.upper).map(|(&lower, &upper)| lower.max(upper)).collect();
    let m = |index: usize| constant_of(&maxima, index);
    let l = |index: usize| constant_of(&bounds.lower, index);
    let u = |index: usize| constant_of(&bounds.upper, index);
    let c = |i: usize, j: usize| zone.entries[i][j].0.map(|(constant, _)| constant);
    // `value > bound`, where a missing value is infinity and a missing bound minus infinity.
    let exceeds = |value: Option<i128>, bound: Option<i128>| {
        value.is_none_or(|value| bound.is_none_or(|bound| value > bound))
    };
    // `-value > bound`, where a negated infinite value exceeds nothing.
    let negated_exceeds = |value: Option<i128>, bound: Option<i128>| {
        value.is_some_and(|value| bound.is_none_or(|bound| -value > bound))
    };
    let below = |bound: Option<i128>| bound.map_or(Entry::INFINITE, |bound| Entry::finite(-bound, false));
    let mut result = zone.clone();
    for i in 0..zone.size {
        for j in (0..zone.size).filter(|&j| j != i) {
            let entry = &mut result.entries[i][j];
            match how {
                Extrapolation::M => {
                    if exceeds(c(i, j), m(i)) {
                        *entry = Entry::INFINITE;
                    } else if negated_exceeds(c(i, j), m(j)) {
                        *entry = below(m(j));
                    }
                }
                Extrapolation::MPlus => {
                    if exceeds(c(i, j), m(i))
                        || negated_exceeds(c(0, i), m(i))
                        || negated_exceeds(c(0, j), m(j)) && i != 0
                    {
                        *entry = Entry::INFINITE;
                    } else if negated_exceeds(c(0, j), m(j)) && i == 0 {
                        *entry = below(m(j));
                    }
                }
                Extrapolation::Lu => {
                    if exceeds(c(i, j), l(i)) {
                        *entry = Entry::INFINITE;
                    } else if negated_exceeds(c(i, j), u(j)) {
                        *entry = below(u(j));
                    }
                }
                Extrapolation::LuPlus => {
                    if exceeds(c(i, j), l(i))
                        || negated_exceeds(c(0, i), l(i))
                        || negated_exceeds(c(0, j), u(j)) && i != 0
                    {
                        *entry = Entry::INFINITE;
                    } else if negated_exceeds(c(0, j), u(j)) && i == 0 {
                        *entry = below(u(j));
                    }
                }
            }
            if i == 0 {
                // Clocks are not negative.
                *entry = (*entry).min(Entry::finite(0, true));
            }
        }
    }
    result.closed().unwrap()
}

#[test]
fn extrapolations() {
    use Extrapolation::{Lu, LuPlus, M, MPlus};
    check_cases("extrapolations", |case| {
        let scale = Scale { clocks: 2 + case.random.below(2), largest: 5 };
        let naive = scale.random_nonempty_zone(&mut case.random);
        let bounds = random_bounds(scale, case.random.chance(30), &mut case.random);
        case.note("zone", &naive);
        case.note("bounds", &bounds);
        let (zone, library_bounds) = (zone_of(&naive), bounds.of_library());
        let matrix = NaiveMatrix::of_zone(&zone).unwrap();
        let [m, m_plus, lu, lu_plus] = [M, MPlus, Lu, LuPlus].map(|how| {
            let mut enlarged = zone.clone();
            enlarged.extrapolate(how, &library_bounds).unwrap();
            assert_well_formed(&enlarged);
            let expected = extrapolated(how, &matrix, &bounds);
            assert_eq!(NaiveMatrix::of_zone(&enlarged), Some(expected), "{how:?}");
            assert!(zone.is_subset_of(&enlarged), "{how:?} loses points");
            enlarged
        });
        assert!(m.is_subset_of(&m_plus) && lu.is_subset_of(&lu_plus));
        assert!(lu_plus.is_covered_by(&zone, &library_bounds), "beyond the abstraction");
        let maxima: Vec<Option<i32>> =
            bounds.lower.iter().zip(&bounds.upper).map(|(&lower, &upper)| lower.max(upper)).collect();
        let maxima = LuBounds::from_maxima(dimension(scale.clocks), &maxima);
        assert!(m_plus.is_covered_by(&zone, &maxima), "beyond the abstraction");
        case.outcome("M changes something", m != zone);
        case.outcome("LU+ changes more than M", lu_plus != m);
    });
    let mut empty = Zone::empty(dimension(2));
    empty.extrapolate(M, &LuBounds::none(dimension(2))).unwrap();
    assert!(empty.is_empty());
}

/// The covering test preserves each constraint added by `include` or `raise_to`.
#[test]
fn included_constraints_are_preserved() {
    check_cases("included_constraints_are_preserved", |case| {
        let scale = Scale { clocks: 2, largest: 4 };
        let [(_, zone), (_, other)] = draw_pair(case, scale);
        let mut bounds = LuBounds::none(dimension(2));
        let constraints: Vec<Difference> = (0..4)
            .map(|_| {
                let index = scale.random_clock(&mut case.random);
                let constant = case.random.between(0, scale.largest);
                let weak = case.random.chance(50);
                if case.random.chance(50) {
                    Difference::new(index, 0, constant, weak)
                } else {
                    Difference::new(0, index, -constant, weak)
                }
            })
            .collect();
        case.note("constraints", &constraints);
        let mut more = LuBounds::none(dimension(2));
        for (at, &difference) in constraints.iter().enumerate() {
            if at % 2 == 0 { &mut bounds } else { &mut more }.include(constraint_of(difference));
        }
        bounds.raise_to(&more);
        for index in 1..=2 {
            let largest = |is_lower: bool| {
                let of_clock = constraints.iter().filter(|difference| {
                    if is_lower { difference.right == index } else { difference.left == index }
                });
                of_clock.map(|difference| difference.constant.abs() as i32).max()
            };
            assert_eq!(bounds.lower(clock(index)), largest(true));
            assert_eq!(bounds.upper(clock(index)), largest(false));
            assert_eq!(bounds.is_active(clock(index)), largest(true).max(largest(false)).is_some());
        }
        if case.outcome("covered", zone.is_covered_by(&other, &bounds)) {
            for &difference in &constraints {
                let mut delayed = [zone.clone(), other.clone()];
                delayed.iter_mut().for_each(Zone::up);
                for [mine, theirs] in [[&zone, &other], [&delayed[0], &delayed[1]]] {
                    let reaches = |zone: &Zone| !naive_of(zone).and(difference).is_empty();
                    assert!(
                        !reaches(mine) || reaches(theirs),
                        "{difference:?} can only be passed when covered"
                    );
                }
            }
        }
    });
}
