//! Compares compact zones with ordinary zones, and both with a textbook implementation without limits.

use tempora_zones::{CompactZone, LuBounds, Zone};

use crate::oracle::{Case, Entry, NaiveBounds, NaiveMatrix, check_cases, clock, dimension};

/// Small constants, and constants around the largest that fits 16 bits.
const CONSTANTS: [i64; 10] = [0, 1, 3, 4095, 4096, 8190, 8191, 8192, 8193, 20_000];

/// Bounds from minus infinity over the 16-bit boundary to the largest 32-bit number.
const BOUNDS: [Option<i32>; 16] = [
    None,
    Some(0),
    Some(1),
    Some(3),
    Some(4095),
    Some(8190),
    Some(8191),
    Some(8192),
    Some(8193),
    Some(16_382),
    Some(16_383),
    Some(16_384),
    Some(32_767),
    Some(32_768),
    Some(1 << 28),
    Some(i32::MAX),
];

/// Returns a non-empty zone with random constraints around a point; narrow ones have small constants only.
fn random_matrix(case: &mut Case, clocks: usize, narrow: bool) -> NaiveMatrix {
    let random = &mut case.random;
    let usable = if narrow { 7 } else { CONSTANTS.len() };
    loop {
        let mut matrix = NaiveMatrix::universe(clocks + 1);
        for _ in 0..random.below(3 * clocks + 2) {
            let left = random.below(clocks + 1);
            let right = (left + 1 + random.below(clocks)) % (clocks + 1);
            let constant = i128::from(CONSTANTS[random.below(usable)]) * random.pick(&[1, 1, 1, -1]);
            matrix.entries[left][right] =
                matrix.entries[left][right].min(Entry::finite(constant, random.chance(60)));
        }
        if let Some(closed) = matrix.closed()
            && (!narrow || closed.magnitude() <= i128::from(CompactZone::LARGEST_NARROW_CONSTANT))
            && (narrow || closed.magnitude() > 8190)
        {
            return closed;
        }
    }
}

/// Returns a zone similar to the given one, with a few larger or smaller bounds.
fn neighbour(case: &mut Case, matrix: &NaiveMatrix) -> NaiveMatrix {
    let random = &mut case.random;
    loop {
        let mut changed = matrix.clone();
        for _ in 0..1 + random.below(3) {
            let left = random.below(matrix.size);
            let right = (left + 1 + random.below(matrix.size - 1)) % matrix.size;
            let entry = &mut changed.entries[left][right];
            *entry = match entry.0 {
                Some(_) if random.chance(15) => Entry::INFINITE,
                Some((constant, weak)) => {
                    Entry::finite(constant + i128::from(random.between(-2, 1)), weak ^ random.chance(50))
                }
                None if random.chance(50) => {
                    Entry::finite(i128::from(CONSTANTS[random.below(7)]), random.chance(50))
                }
                None => Entry::INFINITE,
            };
            if left == 0 {
                *entry = (*entry).min(Entry::finite(0, true));
            }
        }
        if let Some(closed) = changed.closed() {
            return closed;
        }
    }
}

fn random_bounds(case: &mut Case, clocks: usize) -> NaiveBounds {
    let mut draw = || (0..clocks).map(|_| case.random.pick(&BOUNDS)).collect();
    NaiveBounds { lower: draw(), upper: draw() }
}

fn encode(zone: &Zone) -> CompactZone {
    let compact = CompactZone::encode(zone).unwrap();
    assert_eq!(compact.decode(), *zone);
    assert_eq!(NaiveMatrix::of_zone(&compact.decode()), NaiveMatrix::of_zone(zone));
    assert_eq!(compact.dimension(), zone.dimension());
    // Decoding reuses a zone of any dimension and contents.
    for clocks in [0, zone.dimension().size() - 1, 40] {
        let mut reused = Zone::zero(dimension(clocks));
        compact.decode_into(&mut reused);
        assert_eq!(reused, *zone);
        reused = Zone::empty(dimension(clocks));
        compact.decode_into(&mut reused);
        assert_eq!(reused, *zone);
    }
    compact
}

#[test]
fn compact_zones_agree_with_zones() {
    // Four clocks need a row of eight; the last row is too wide for the special cases.
    for (name, clocks) in [
        ("compact, two clocks", 2),
        ("compact, three clocks", 3),
        ("compact, four clocks", 4),
        ("compact, many clocks", 34),
    ] {
        check_cases(name, |case| {
            let narrow = case.random.chance(50);
            let matrix = random_matrix(case, clocks, narrow);
            let other = match case.random.below(4) {
                0 => random_matrix(case, clocks, narrow),
                1 => matrix.clone(),
                _ => neighbour(case, &matrix),
            };
            let bounds = random_bounds(case, clocks);
            if clocks < 10 {
                case.note("zone", &matrix);
                case.note("other", &other);
                case.note("bounds", &bounds);
            }
            let (zone, other_zone) = (matrix.to_zone(), other.to_zone());
            let (compact, other_compact) = (encode(&zone), encode(&other_zone));
            case.outcome("narrow", compact.is_narrow());
            if matrix.magnitude() <= i128::from(CompactZone::LARGEST_NARROW_CONSTANT) {
                assert!(compact.is_narrow());
            } else if matrix.magnitude() > 8192 {
                assert!(!compact.is_narrow());
            }
            assert_eq!(compact == other_compact, matrix == other);

            let is_subset = case.outcome("subset", zone.is_subset_of(&other_zone));
            assert_eq!(is_subset, matrix.is_subset_of(&other));
            assert_eq!(compact.is_subset_of(&other_compact), is_subset);

            let library_bounds = bounds.of_library();
            let is_covered = case.outcome("covered", zone.is_covered_by(&other_zone, &library_bounds));
            assert_eq!(is_covered, matrix.is_covered_by(&other, &bounds.lower, &bounds.upper));
            assert_eq!(compact.is_covered_by(&other_compact, &library_bounds), is_covered);
        });
    }
}

/// One narrow and one wide zone, which share no fast path.
#[test]
fn mixed_widths() {
    check_cases("mixed widths", |case| {
        let changed = 1 + case.random.below(3);
        let narrow = loop {
            let matrix = random_matrix(case, 3, true);
            let bounded = matrix.constrained(changed, 0, Entry::finite(4096, true));
            if let Some(bounded) = bounded.filter(|matrix| matrix.magnitude() <= 8190) {
                break bounded;
            }
        };
        // The same with one clock unbounded or forced beyond the narrow range.
        let mut wide = narrow.freed(changed);
        if case.random.chance(45) {
            wide.entries[changed][0] = Entry::finite(i128::from(case.random.between(9000, 9002)), true);
        } else {
            wide.entries[0][changed] = Entry::finite(-9000, true);
        }
        let wide = wide.closed().unwrap();
        let mut bounds = random_bounds(case, 3);
        if case.random.chance(40) {
            // Bounds below the wide zone, so that the narrow one may cover it.
            bounds.lower[changed - 1] = Some(4095);
            bounds.upper[changed - 1] = None;
        }
        case.note("narrow", &narrow);
        case.note("wide", &wide);
        case.note("bounds", &bounds);
        let library_bounds = bounds.of_library();
        let both = [encode(&narrow.to_zone()), encode(&wide.to_zone())];
        assert_eq!([both[0].is_narrow(), both[1].is_narrow()], [true, false]);
        assert!(both[0].bytes() * 2 == both[1].bytes());
        assert_eq!(
            case.outcome("narrow in wide", both[0].is_subset_of(&both[1])),
            narrow.is_subset_of(&wide)
        );
        assert_eq!(both[1].is_subset_of(&both[0]), wide.is_subset_of(&narrow));
        let covered = case.outcome("narrow covered", both[0].is_covered_by(&both[1], &library_bounds));
        assert_eq!(covered, narrow.is_covered_by(&wide, &bounds.lower, &bounds.upper));
        let covered = case.outcome("wide covered", both[1].is_covered_by(&both[0], &library_bounds));
        assert_eq!(covered, wide.is_covered_by(&narrow, &bounds.lower, &bounds.upper));
    });
}

#[test]
fn empty_zones_are_not_encoded() {
    assert_eq!(CompactZone::encode(&Zone::empty(dimension(3))), None);
    assert!(CompactZone::encode(&Zone::zero(dimension(0))).is_some());
}

#[test]
fn bounds_survive_clipping() {
    for bound in BOUNDS.into_iter().flatten().filter(|&bound| bound < 1 << 28) {
        let bounds = LuBounds::from_maxima(dimension(1), &[Some(bound)]);
        assert_eq!((bounds.lower(clock(1)), bounds.upper(clock(1))), (Some(bound), Some(bound)));
    }
}
