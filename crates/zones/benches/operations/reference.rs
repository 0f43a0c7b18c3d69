//! The plain loops for comparison: 32-bit entries without padding, compiled for any x86-64.
//!
//! Invariant: same results as the library, written straightforwardly in a form that the compiler can vectorise. They do
//! not check for overflow.

use tempora_zones::{Bound, Clock, Zone};

pub(crate) const INFINITY: i32 = i32::MAX / 2;
const LE_ZERO: i32 = 1;

pub(crate) fn raw(bound: Bound) -> i32 {
    bound.constant().map_or(INFINITY, |constant| 2 * constant + i32::from(bound.is_weak()))
}

/// Returns the entries of a zone, row by row.
pub(crate) fn entries(zone: &Zone) -> Vec<i32> {
    let size = zone.dimension().size() as u16;
    (0..size)
        .flat_map(|left| (0..size).map(move |right| raw(zone.bound(Clock(left), Clock(right)))))
        .collect()
}

fn sum(left: i32, right: i32) -> i32 {
    if left == INFINITY || right == INFINITY { INFINITY } else { left + right - ((left | right) & 1) }
}

/// Adds one constraint to a closed matrix; returns false if it becomes empty.
pub(crate) fn tighten(
    d: &mut [i32],
    size: usize,
    left: usize,
    right: usize,
    raw: i32,
    row: &mut [i32],
) -> bool {
    if raw >= d[left * size + right] {
        return true;
    }
    if sum(d[right * size + left], raw) < LE_ZERO {
        return false;
    }
    for (entry, &old) in row.iter_mut().zip(&d[right * size..][..size]) {
        *entry = sum(raw, old);
    }
    for line in d.chunks_exact_mut(size) {
        let via = line[left];
        if via != INFINITY {
            for (entry, &add) in line.iter_mut().zip(&*row) {
                *entry = (*entry).min(sum(via, add));
            }
        }
    }
    true
}

/// Closes a matrix (Floyd-Warshall); returns false if it is empty.
pub(crate) fn close(d: &mut [i32], size: usize, row: &mut [i32]) -> bool {
    for pivot in 0..size {
        row.copy_from_slice(&d[pivot * size..][..size]);
        for line in d.chunks_exact_mut(size) {
            let via = line[pivot];
            if via != INFINITY {
                for (entry, &add) in line.iter_mut().zip(&*row) {
                    *entry = (*entry).min(sum(via, add));
                }
            }
        }
        if d[pivot * size + pivot] < LE_ZERO {
            return false;
        }
    }
    (0..size).all(|clock| d[clock * size + clock] >= LE_ZERO)
}

/// Compares row by row, so that rows are vectorised and a difference ends the test early.
pub(crate) fn is_subset(left: &[i32], right: &[i32]) -> bool {
    left.chunks(16).zip(right.chunks(16)).all(|(left, right)| {
        left.iter().zip(right).fold(true, |below, (left, right)| below & (left <= right))
    })
}

/// `lower` and `upper` are the constants, `i32::MIN` for minus infinity.
pub(crate) fn is_covered(
    covered: &[i32],
    covering: &[i32],
    size: usize,
    lower: &[i32],
    upper: &[i32],
) -> bool {
    for y in 0..size {
        if lower[y] == i32::MIN {
            continue;
        }
        let (covered_row, covering_row) = (&covered[y * size..][..size], &covering[y * size..][..size]);
        let mut uncovered = false;
        for x in 0..size {
            let at_zero = covered[x];
            uncovered |= (upper[x] != i32::MIN)
                & (at_zero > upper[x].wrapping_mul(-2))
                & (covering_row[x] < covered_row[x])
                & (((covering_row[x] & !1) - 2 * lower[y]) < at_zero);
        }
        if uncovered {
            return false;
        }
    }
    true
}

pub(crate) fn up(d: &mut [i32], size: usize) {
    for line in d.chunks_exact_mut(size).skip(1) {
        line[0] = INFINITY;
    }
}

pub(crate) fn reset(d: &mut [i32], size: usize, clock: usize, value: i32) {
    for column in 0..size {
        d[clock * size + column] = sum(d[column], 2 * value + 1);
    }
    for line in d.chunks_exact_mut(size) {
        line[clock] = sum(line[0], 1 - 2 * value);
    }
    d[clock * size + clock] = LE_ZERO;
}

/// Returns one piece for each bound of the subtracted zone that excludes something.
pub(crate) fn subtract(minuend: &[i32], subtrahend: &[i32], size: usize, row: &mut [i32]) -> Vec<Vec<i32>> {
    let mut pieces = Vec::new();
    let mut rest = minuend.to_vec();
    for left in 0..size {
        for right in 0..size {
            let raw = subtrahend[left * size + right];
            if raw < rest[left * size + right] {
                let mut piece = rest.clone();
                if tighten(&mut piece, size, right, left, 1 - raw, row) {
                    pieces.push(piece);
                }
                if !tighten(&mut rest, size, left, right, raw, row) {
                    return pieces;
                }
            }
        }
    }
    pieces
}
