//! Constants near the largest: an operation gives the exact result or an error, never a wrong set or a panic.

use tempora_zones::{Bound, BoundOverflow, ClockUpdate, Constraint, Federation, OpenMatrix, Zone};

use crate::oracle::{
    Case, Entry, NaiveBounds, NaiveMatrix, assert_well_formed, check_cases, clock, dimension,
};

const LARGEST: i64 = Bound::LARGEST_CONSTANT as i64;

/// Magnitudes at which sums of two and of three reach the limit.
fn random_constant(case: &mut Case) -> i64 {
    let random = &mut case.random;
    let base = random.pick(&[0, LARGEST / 3, LARGEST / 2, LARGEST / 2, LARGEST - 4, LARGEST - 4]);
    let constant = base + random.between(0, 4);
    if random.chance(50) { -constant } else { constant }
}

/// Draws a closed, representable matrix with such constants, in both implementations.
fn draw(case: &mut Case, clocks: usize) -> (NaiveMatrix, Zone) {
    loop {
        let mut matrix = NaiveMatrix::universe(clocks + 1);
        for _ in 0..1 + case.random.below(3 * clocks) {
            let left = case.random.below(clocks + 1);
            let right = (left + 1 + case.random.below(clocks)) % (clocks + 1);
            let entry = Entry::finite(i128::from(random_constant(case)), case.random.chance(50));
            matrix.entries[left][right] = matrix.entries[left][right].min(entry);
        }
        if let Some(closed) = matrix.clone().closed()
            && closed.is_representable()
        {
            case.note("zone", &closed);
            let mut zone = Zone::universe(dimension(clocks));
            match zone.assign_closure(&closed.to_open_matrix()) {
                Ok(is_inhabited) => {
                    assert!(is_inhabited);
                    assert_eq!(NaiveMatrix::of_zone(&zone).as_ref(), Some(&closed));
                    return (closed, zone);
                }
                Err(error) => panic!("a closed matrix within the range is refused: {error}"),
            }
        }
    }
}

/// Checks that the result is exact and representable, or an error. If every constant is below a third of the limit, no
/// sum of three leaves the range, and an error would be wrong.
fn check_result(
    what: &str,
    result: Result<bool, BoundOverflow>,
    zone: &Zone,
    expected: Option<&NaiveMatrix>,
    largest_in_play: i128,
) {
    match result {
        Ok(is_inhabited) => {
            assert_eq!(is_inhabited, expected.is_some(), "{what}: emptiness");
            assert_eq!(NaiveMatrix::of_zone(zone).as_ref(), expected, "{what}");
            assert_well_formed(zone);
        }
        Err(error) => {
            assert!(3 * largest_in_play + 4 > i128::from(LARGEST), "{what}: needless {error}");
        }
    }
}

/// Calls [`check_result`] and counts overflows.
fn check_and_count(
    case: &mut Case,
    what: &str,
    result: Result<bool, BoundOverflow>,
    zone: &Zone,
    expected: Option<&NaiveMatrix>,
    largest_in_play: i128,
) {
    check_result(what, result, zone, expected, largest_in_play);
    case.outcome_one_in(20, "overflow", result.is_err());
}

#[test]
fn constrain() {
    check_cases("constrain near the limit", |case| {
        let (matrix, mut zone) = draw(case, 3);
        let (left, right) = (case.random.below(4), case.random.below(4));
        let (constant, weak) = (random_constant(case), case.random.chance(50));
        case.note("constraint", &(left, right, constant, weak));
        let before = zone.clone();
        let bound = Bound::finite(constant, weak).unwrap();
        let result = zone.constrain(Constraint::difference(clock(left), clock(right), bound));
        let expected = matrix.clone().constrained(left, right, Entry::of_bound(bound));
        let largest = matrix.magnitude().max(i128::from(constant.abs()));
        if result.is_err() {
            assert_eq!(zone, before, "an overflow leaves the zone as it was");
        }
        match (&result, &expected) {
            (Err(_), None) => {
                // An empty result needs no bound, but its computation may; two contradicting bounds never do.
                let opposite = matrix.entries[right][left];
                assert!(opposite.plus(Entry::of_bound(bound)) >= Entry::finite(0, true));
            }
            (Ok(_), Some(expected)) => assert!(expected.is_representable()),
            _ => {}
        }
        check_result("constrain", result, &zone, expected.as_ref(), largest);
        // Only bounds that exclude something can overflow.
        if left != right && Entry::of_bound(bound) < matrix.entries[left][right] && expected.is_some() {
            case.outcome_one_in(20, "overflow", result.is_err());
        }
    });
}

#[test]
fn intersect() {
    check_cases("intersect near the limit", |case| {
        let (matrix, mut zone) = draw(case, 3);
        let (other_matrix, other) = draw(case, 3);
        let expected = matrix.intersection(&other_matrix);
        let intersects = zone.intersects(&other);
        let result = zone.intersect(&other);
        if let (Ok(intersects), Ok(is_inhabited)) = (intersects, result) {
            assert_eq!(intersects, is_inhabited);
        }
        let largest = matrix.magnitude().max(other_matrix.magnitude());
        // A path through four clocks has three edges.
        check_and_count(case, "intersect", result, &zone, expected.as_ref(), largest);
    });
}

#[test]
fn closure() {
    check_cases("closure near the limit", |case| {
        let mut matrix = NaiveMatrix::universe(4);
        for _ in 0..case.random.below(8) {
            let (left, right) = (case.random.below(4), case.random.below(4));
            let entry = Entry::finite(i128::from(random_constant(case)), case.random.chance(50));
            matrix.entries[left][right] = matrix.entries[left][right].min(entry);
        }
        case.note("matrix", &matrix);
        let expected = matrix.clone().closed();
        let mut zone = Zone::zero(dimension(3));
        let result = zone.assign_closure(&matrix.to_open_matrix());
        check_and_count(case, "assign_closure", result, &zone, expected.as_ref(), matrix.magnitude());
    });
}

#[test]
fn updates() {
    check_cases("updates near the limit", |case| {
        let (matrix, zone) = draw(case, 3);
        let target = 1 + case.random.below(3);
        let constant = random_constant(case);
        case.note("clock and constant", &(target, constant));
        let largest = matrix.magnitude().max(i128::from(constant.abs()));

        let mut reset = zone.clone();
        let value = constant.unsigned_abs() as u32;
        let result = reset.reset(clock(target), value).map(|()| true);
        let expected = matrix.assigned(target, 0, i128::from(value));
        let is_representable = expected.as_ref().is_none_or(NaiveMatrix::is_representable);
        assert_eq!(result.is_ok(), is_representable, "a reset is refused exactly if a bound does not fit");
        check_and_count(case, "reset", result, &reset, expected.as_ref(), largest);
        if result.is_err() {
            assert_eq!(reset, zone);
        }

        let mut shifted = zone.clone();
        let result = shifted.shift(clock(target), constant as i32);
        let expected = matrix.shifted(target, i128::from(constant));
        check_and_count(case, "shift", result, &shifted, expected.as_ref(), largest);

        let mut before = zone.clone();
        let result =
            before.weakest_precondition(ClockUpdate::Shift { clock: clock(target), amount: constant as i32 });
        let expected = matrix.shifted(target, -i128::from(constant));
        check_and_count(case, "precondition of shift", result, &before, expected.as_ref(), largest);

        let mut before = zone.clone();
        let result = before.weakest_precondition(ClockUpdate::Reset { clock: clock(target), value });
        let expected = matrix
            .clone()
            .constrained(target, 0, Entry::finite(i128::from(value), true))
            .and_then(|matrix| matrix.constrained(0, target, Entry::finite(-i128::from(value), true)))
            .map(|matrix| matrix.freed(target));
        check_result("precondition of reset", result, &before, expected.as_ref(), largest);

        // These never need a larger constant.
        let (mut later, mut earlier, mut freed, mut copied) =
            (zone.clone(), zone.clone(), zone.clone(), zone.clone());
        later.up();
        assert_eq!(NaiveMatrix::of_zone(&later), Some(matrix.up()));
        earlier.down();
        assert_eq!(NaiveMatrix::of_zone(&earlier), Some(matrix.down()));
        freed.free(clock(target));
        assert_eq!(NaiveMatrix::of_zone(&freed), Some(matrix.freed(target)));
        let from = (target + 1 + case.random.below(3)) % 4;
        copied.copy(clock(target), clock(from));
        assert_eq!(NaiveMatrix::of_zone(&copied), matrix.assigned(target, from, 0));
    });
}

#[test]
fn differences() {
    check_cases("differences near the limit", |case| {
        let (matrix, zone) = draw(case, 2);
        let (other_matrix, other) = draw(case, 2);
        let Ok(pieces) = zone.minus(&other) else {
            case.outcome_one_in(20, "overflow", true);
            assert!(3 * matrix.magnitude().max(other_matrix.magnitude()) + 4 > i128::from(LARGEST));
            return;
        };
        case.outcome_one_in(20, "overflow", false);
        let both = matrix.intersection(&other_matrix);
        // The pieces are disjoint from the other zone and from each other, inside the zone, and cover the rest of it.
        let pieces: Vec<NaiveMatrix> =
            pieces.iter().map(|piece| NaiveMatrix::of_zone(piece).unwrap()).collect();
        for (at, piece) in pieces.iter().enumerate() {
            assert!(piece.is_subset_of(&matrix));
            assert_eq!(piece.intersection(&other_matrix), None);
            assert!(pieces[..at].iter().all(|earlier| piece.intersection(earlier).is_none()));
        }
        let mut parts: Vec<NaiveMatrix> = pieces;
        parts.extend(both);
        let corners = corners(&matrix);
        case.note("corners", &corners);
        for corner in corners {
            assert!(parts.iter().any(|part| corner.intersection(part).is_some()), "{corner:?} is lost");
        }
    });
}

/// Returns the regions where bounds of a zone meet: for each pair of bounds the part where both are nearly attained.
fn corners(matrix: &NaiveMatrix) -> Vec<NaiveMatrix> {
    let mut result = Vec::new();
    let pairs = |size: usize| (0..size).flat_map(move |left| (0..size).map(move |right| (left, right)));
    for (left, right) in pairs(matrix.size) {
        for (second_left, second_right) in pairs(matrix.size) {
            let near = |matrix: &NaiveMatrix, left: usize, right: usize| match matrix.entries[left][right].0 {
                Some((constant, weak)) => {
                    // At the bound, or less than 1 below it.
                    matrix.clone().constrained(
                        right,
                        left,
                        Entry::finite(if weak { -constant } else { 1 - constant }, weak),
                    )
                }
                None => Some(matrix.clone()),
            };
            result.extend(
                near(matrix, left, right).and_then(|matrix| near(&matrix, second_left, second_right)),
            );
        }
    }
    result
}

#[test]
fn federations() {
    check_cases("federations near the limit", |case| {
        let mut draw_two = || {
            let (first, second) = (draw(case, 2), draw(case, 2));
            ([first.0, second.0], Federation::from_zones(dimension(2), vec![first.1, second.1]))
        };
        let (matrices, federation) = draw_two();
        let (other_matrices, other) = draw_two();
        let meets_nothing =
            |piece: &NaiveMatrix| other_matrices.iter().all(|other| piece.intersection(other).is_none());
        let mut rest = federation.clone();
        let result = rest.subtract(&other);
        case.outcome_one_in(20, "subtract overflows", result.is_err());
        if result.is_ok() {
            for piece in rest.zones() {
                assert_well_formed(piece);
                assert!(meets_nothing(&NaiveMatrix::of_zone(piece).unwrap()), "{piece:?} was to be removed");
            }
            if let Ok(is_subset) = federation.is_subset_of(&other) {
                assert_eq!(is_subset, rest.is_empty());
            }
        }
        if let Ok(Some(point)) = federation.witness_outside(&other) {
            assert!(federation.contains_point(&point) && !other.contains_point(&point));
        }
        let mut both = federation.clone();
        if both.intersect(&other).is_ok() {
            let meet = matrices
                .iter()
                .any(|mine| other_matrices.iter().any(|theirs| mine.intersection(theirs).is_some()));
            assert_eq!(case.outcome_one_in(100, "intersection empty", both.is_empty()), !meet);
        }
        // Errors are allowed here, panics are not.
        let _ = federation.complement();
        let _ = federation.timed_predecessors(&other);
        let _ = federation.clone().reduce();
        let _ = federation.clone().drop_redundant();
    });
}

/// Covering tests with bounds as large as possible.
#[test]
fn covering() {
    check_cases("covering near the limit", |case| {
        let (matrix, zone) = draw(case, 2);
        let (other_matrix, other) = loop {
            let (other_matrix, other) = draw(case, 2);
            let mut nearby = matrix.clone();
            let (left, right) = (1 + case.random.below(2), case.random.below(3));
            if case.random.chance(50) {
                break (other_matrix, other);
            }
            if left != right {
                nearby.entries[left][right] = other_matrix.entries[left][right];
            }
            if let Some(nearby) = nearby.closed()
                && nearby.is_representable()
            {
                let zone = nearby.to_zone();
                break (nearby, zone);
            }
        };
        const BOUNDS: [Option<i32>; 9] = [
            None,
            Some(0),
            Some(Bound::LARGEST_CONSTANT / 2),
            Some(Bound::LARGEST_CONSTANT - 2),
            Some(Bound::LARGEST_CONSTANT),
            Some(Bound::LARGEST_CONSTANT + 1),
            Some(2 * Bound::LARGEST_CONSTANT - 1),
            Some(2 * Bound::LARGEST_CONSTANT + 1),
            Some(i32::MAX),
        ];
        let mut draw_bounds = || (0..2).map(|_| case.random.pick(&BOUNDS)).collect();
        let bounds = NaiveBounds { lower: draw_bounds(), upper: draw_bounds() };
        case.note("other", &other_matrix);
        case.note("bounds", &bounds);
        let is_covered = case.outcome("covered", zone.is_covered_by(&other, &bounds.of_library()));
        assert_eq!(is_covered, matrix.is_covered_by(&other_matrix, &bounds.lower, &bounds.upper));
    });
}

/// Values may exceed every bound of a zone, so bounds beyond the largest constant are not equivalent.
#[test]
fn covering_distinguishes_bounds_beyond_constants() {
    let largest = Bound::LARGEST_CONSTANT;
    let difference = |left, right, constant| {
        Constraint::difference(clock(left), clock(right), Bound::weak(constant).unwrap())
    };
    let zone = Zone::from_constraints(dimension(2), &[difference(0, 1, -largest), difference(1, 0, largest)])
        .unwrap();
    let mut other = zone.clone();
    other.up();
    other.constrain(difference(2, 1, largest)).unwrap();
    // The second clock is unbounded in the zone and at most `largest` above the first in the other, so that
    // values above `2 * largest` have no equal there: they are simulated only if the lower bound is smaller.
    for (lower, is_covered) in
        [(largest, true), (2 * largest - 1, true), (2 * largest, false), (i32::MAX, false)]
    {
        let bounds =
            NaiveBounds { lower: vec![Some(largest), Some(lower)], upper: vec![Some(largest), Some(0)] };
        let matrices = [&zone, &other].map(|zone| NaiveMatrix::of_zone(zone).unwrap());
        assert_eq!(matrices[0].is_covered_by(&matrices[1], &bounds.lower, &bounds.upper), is_covered);
        assert_eq!(zone.is_covered_by(&other, &bounds.of_library()), is_covered, "lower bound {lower}");
    }
}

#[test]
fn constants_out_of_range() {
    for constant in [LARGEST + 1, -LARGEST - 1, i64::MAX, i64::MIN + 1] {
        assert_eq!(Bound::finite(constant, true), Err(BoundOverflow { constant }));
        assert!(Bound::finite(constant, false).is_err());
    }
    for constant in [i32::MIN, i32::MAX, -(LARGEST as i32) - 1] {
        assert!(Bound::weak(constant).is_err() && Bound::strict(constant).is_err());
        assert!(Constraint::at_least(clock(1), constant).is_err());
        assert!(Constraint::greater_than(clock(1), constant).is_err());
        assert!(Constraint::at_most(clock(1), constant).is_err());
        assert!(Constraint::less_than(clock(1), constant).is_err());
        for zone in [Zone::universe(dimension(1)), Zone::empty(dimension(1))] {
            assert!(zone.clone().shift(clock(1), constant).is_err());
            let shift = ClockUpdate::Shift { clock: clock(1), amount: constant };
            assert!(zone.clone().weakest_precondition(shift).is_err());
        }
    }
    assert!(Bound::finite(i64::MIN, true).is_err());
    for value in [LARGEST as u32 + 1, u32::MAX] {
        assert!(Zone::zero(dimension(1)).reset(clock(1), value).is_err());
        let reset = ClockUpdate::Reset { clock: clock(1), value };
        assert!(Zone::zero(dimension(1)).weakest_precondition(reset).is_err());
    }
}

/// The estimate that avoids checks grows with every constraint; it must not cause errors.
#[test]
fn long_runs_with_small_constants_do_not_overflow() {
    let mut zone = Zone::universe(dimension(3));
    for round in 0..200 {
        zone.up();
        for index in 1..=3u16 {
            zone.constrain(Constraint::at_most(clock(usize::from(index)), 1000 + round % 7).unwrap())
                .unwrap();
            zone.constrain(Constraint::at_least(clock(usize::from(index)), round % 5).unwrap()).unwrap();
        }
        zone.reset(clock(1 + round as usize % 3), 3).unwrap();
        assert!(!zone.is_empty());
        assert_well_formed(&zone);
    }
}

#[test]
fn open_matrix_with_largest_constants() {
    // A chain of the largest bounds: its sum cannot be represented.
    let largest = Bound::weak(Bound::LARGEST_CONSTANT).unwrap();
    let mut matrix = OpenMatrix::universe(dimension(2));
    matrix.set(clock(2), clock(1), largest);
    let mut zone = Zone::universe(dimension(2));
    assert_eq!(zone.assign_closure(&matrix), Ok(true));
    matrix.set(clock(1), clock(0), largest);
    assert!(zone.assign_closure(&matrix).is_err());
}
