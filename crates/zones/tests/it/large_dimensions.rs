//! Compares matrices of all sizes with a textbook implementation: the library has special code for each row width up to
//! 32 entries and a general path above.

use tempora_zones::{Bound, CompactZone, Constraint, Zone};

use crate::oracle::{
    Case, Entry, NaiveBounds, NaiveMatrix, assert_well_formed, check_share_of_cases, clock, dimension,
};

/// Numbers of rows: around each whole vector, around 32 and beyond.
const SIZES: [usize; 14] = [1, 4, 5, 8, 9, 11, 12, 16, 17, 21, 32, 33, 40, 70];

fn size_of(case: &Case) -> usize {
    SIZES[case.index as usize % SIZES.len()]
}

/// Returns random constraints around an integer point, so that the matrix is not empty; not closed.
fn random_open_matrix(case: &mut Case, size: usize) -> NaiveMatrix {
    let random = &mut case.random;
    let anchor: Vec<i64> =
        (0..size).map(|index| if index == 0 { 0 } else { random.between(0, 30) }).collect();
    let mut matrix = NaiveMatrix::universe(size);
    if size == 1 {
        return matrix;
    }
    for _ in 0..random.below(3 * size) {
        let left = random.below(size);
        let right = (left + 1 + random.below(size - 1)) % size;
        let slack = random.between(0, 12);
        let constant = i128::from(anchor[left] - anchor[right] + slack);
        let weak = slack == 0 || random.chance(50);
        matrix.entries[left][right] = matrix.entries[left][right].min(Entry::finite(constant, weak));
    }
    matrix
}

/// Returns the matrix with small random changes, closed and not empty.
fn neighbour(case: &mut Case, matrix: &NaiveMatrix) -> NaiveMatrix {
    if matrix.size == 1 {
        return matrix.clone();
    }
    let random = &mut case.random;
    let is_larger = random.chance(40);
    loop {
        let mut changed = matrix.clone();
        if is_larger {
            // Loosening single entries of a closed matrix usually has no effect, because others imply them.
            changed = changed.freed(1 + random.below(matrix.size - 1)).up();
        } else {
            for _ in 0..1 + random.below(2 * matrix.size) {
                let (left, right) = (1 + random.below(matrix.size - 1), random.below(matrix.size));
                let entry = &mut changed.entries[left][right];
                let step = i128::from(random.between(0, 5));
                if let (Some((constant, weak)), true) = (entry.0, left != right) {
                    *entry = Entry::finite(constant - step, weak);
                }
            }
        }
        if let Some(closed) = changed.closed() {
            return closed;
        }
    }
}

fn assert_same(what: &str, zone: &Zone, expected: Option<&NaiveMatrix>) {
    assert_eq!(NaiveMatrix::of_zone(zone).as_ref(), expected, "{what}");
    assert_well_formed(zone);
    // The padding must be equal too, because equality and hashes read it.
    if let Some(expected) = expected {
        let rebuilt = expected.to_zone();
        assert_eq!(*zone, rebuilt, "{what}: padding");
        assert_eq!(zone.fingerprint(), rebuilt.fingerprint(), "{what}: padding");
    }
}

#[test]
fn operations_at_all_sizes() {
    check_share_of_cases("operations at all sizes", 200, |case| {
        let size = size_of(case);
        case.note("size", &size);
        let open = random_open_matrix(case, size);
        let matrix = open.clone().closed().unwrap();
        let zone = open.to_zone();
        assert_same("close", &zone, Some(&matrix));

        let mut later = zone.clone();
        later.up();
        assert_same("up", &later, Some(&matrix.up()));
        let mut earlier = zone.clone();
        earlier.down();
        assert_same("down", &earlier, Some(&matrix.down()));

        let other_open = random_open_matrix(case, size);
        let other = other_open.clone().closed().unwrap();
        let mut both = zone.clone();
        both.intersect(&other.to_zone()).unwrap();
        let expected = matrix.intersection(&other);
        assert_same("intersect", &both, expected.as_ref());
        assert_eq!(zone.intersects(&other.to_zone()).unwrap(), expected.is_some());

        if size == 1 {
            return;
        }
        let left = case.random.below(size);
        let right = (left + 1 + case.random.below(size - 1)) % size;
        let opposite = matrix.entries[right][left].0.map_or(-5, |(constant, _)| -constant);
        let bound = Entry::finite(opposite + i128::from(case.random.between(-3, 3)), case.random.chance(50));
        case.note("constraint", &(left, right, bound));
        let mut constrained = zone.clone();
        let constraint = Constraint::difference(clock(left), clock(right), bound.to_bound());
        let is_inhabited = constrained.constrain(constraint).unwrap();
        let expected = matrix.clone().constrained(left, right, bound);
        assert_eq!(case.outcome("inhabited", is_inhabited), expected.is_some());
        assert_same("constrain", &constrained, expected.as_ref());

        let (target, value) = (1 + case.random.below(size - 1), case.random.between(0, 40));
        let mut reset = zone.clone();
        reset.reset(clock(target), value as u32).unwrap();
        assert_same("reset", &reset, matrix.assigned(target, 0, i128::from(value)).as_ref());
        let mut freed = zone.clone();
        freed.free(clock(target));
        assert_same("free", &freed, Some(&matrix.freed(target)));
        let from = case.random.below(size);
        if from != target {
            let mut copied = zone.clone();
            copied.copy(clock(target), clock(from));
            assert_same("copy", &copied, matrix.assigned(target, from, 0).as_ref());
        }
        let amount = case.random.between(-10, 10);
        let mut shifted = zone.clone();
        shifted.shift(clock(target), amount as i32).unwrap();
        assert_same("shift", &shifted, matrix.shifted(target, i128::from(amount)).as_ref());
    });
}

#[test]
fn comparisons_at_all_sizes() {
    check_share_of_cases("comparisons at all sizes", 400, |case| {
        let size = size_of(case);
        case.note("size", &size);
        let matrix = random_open_matrix(case, size).closed().unwrap();
        let other = neighbour(case, &matrix);
        let (zone, other_zone) = (matrix.to_zone(), other.to_zone());
        let (compact, other_compact) =
            (CompactZone::encode(&zone).unwrap(), CompactZone::encode(&other_zone).unwrap());
        let is_subset = zone.is_subset_of(&other_zone);
        assert_eq!(is_subset, matrix.is_subset_of(&other));
        assert_eq!(compact.is_subset_of(&other_compact), is_subset);
        assert_eq!(zone == other_zone, matrix == other);

        let mut draw = || -> Vec<Option<i32>> {
            (1..size).map(|_| (!case.random.chance(30)).then(|| case.random.between(0, 60) as i32)).collect()
        };
        let bounds = NaiveBounds { lower: draw(), upper: draw() };
        let is_covered = zone.is_covered_by(&other_zone, &bounds.of_library());
        assert_eq!(is_covered, matrix.is_covered_by(&other, &bounds.lower, &bounds.upper));
        assert_eq!(compact.is_covered_by(&other_compact, &bounds.of_library()), is_covered);
        if size > 1 {
            case.outcome("subset", is_subset);
            case.outcome("covered", is_covered);
        }
    });
}

/// Closures and single constraints detect a contradiction anywhere, in every size.
#[test]
fn contradictions_at_all_sizes() {
    check_share_of_cases("contradictions at all sizes", 200, |case| {
        let size = size_of(case).max(4);
        // A cycle of bounds with the sum -1, 0 strict, 0 weak or 1.
        let length = 2 + case.random.below(size.min(6) - 2);
        let (sum, weak) = case.random.pick(&[(-1, true), (0, false), (0, true), (1, false), (7, true)]);
        let mut matrix = NaiveMatrix::universe(size);
        // A cycle through clock 0 is usually contradictory, because clocks are not negative.
        let skipped = usize::from(case.random.chance(80));
        let first = case.random.below(size);
        let step = 1 + case.random.below((size - 1) / length);
        let cycle: Vec<usize> =
            (0..length).map(|at| skipped + (first + at * step) % (size - skipped)).collect();
        let mut rest = sum;
        for at in 0..length {
            let is_last = at + 1 == length;
            let constant = if is_last { rest } else { case.random.between(-20, 20) };
            rest -= constant;
            let entry = &mut matrix.entries[cycle[at]][cycle[(at + 1) % length]];
            // Clocks are not negative, regardless of the entry.
            *entry = (*entry).min(Entry::finite(i128::from(constant), weak || !is_last));
        }
        case.note("cycle", &(&cycle, sum, weak));
        let expected = matrix.clone().closed();
        let mut closed = Zone::universe(dimension(0));
        let is_inhabited = closed.assign_closure(&matrix.to_open_matrix()).unwrap();
        assert_eq!(is_inhabited, expected.is_some());
        let mut constrained = Zone::universe(dimension(size - 1));
        for at in 0..length {
            let (left, right) = (cycle[at], cycle[(at + 1) % length]);
            let bound: Bound = matrix.entries[left][right].to_bound();
            constrained.constrain(Constraint::difference(clock(left), clock(right), bound)).unwrap();
        }
        assert_same("constrain", &constrained, expected.as_ref());
        assert_eq!(closed, constrained);
        case.outcome("inhabited", is_inhabited);
    });
}
