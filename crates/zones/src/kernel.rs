//! The loops over matrix entries, written so that the compiler vectorises each row.
//!
//! Invariant: matrices are row-major with a stride that is a multiple of four; padding entries are infinite and
//! stay so. The functions are `inline(always)` because `dispatch` compiles them once for each processor level.
//!
//! Two ideas reduce the inner loops to load, add, minimum, store:
//!
//! - *Weak bits outside the loop.* For raw bounds, `a + b` is `(a & !1) + b` if `a` is weak and `(a & !1) + (b & !1)`
//!   if it is strict. So the added row is prepared twice, once for each case.
//! - *Infinity by margin.* In the prepared row, infinity is replaced by [`FAR`], which is so large that adding any
//!   finite bound keeps it above [`RAW_INFINITY`], where it loses every minimum. No lane needs a test, and "infinity
//!   minus something" never becomes finite.

use crate::bound::{RAW_INFINITY, RAW_LE_ZERO, RAW_LIMIT, is_in_range, raw_sum};

/// Stands for infinity in a prepared row; `FAR + raw >= RAW_INFINITY` for each finite raw bound, without overflow.
const FAR: i32 = RAW_INFINITY + (1 << 29);
const _: () = assert!(FAR - RAW_LIMIT >= RAW_INFINITY && FAR.checked_add(RAW_LIMIT).is_some());

/// Calls the function with the stride as a compile-time constant where one is instantiated, so that whole rows fit
/// registers; the second function handles larger strides.
macro_rules! with_stride {
    ($stride:expr, $fixed:ident $(<$entry:ident>)?, $any:ident, ($($argument:expr),*)) => {
        match $stride {
            4 => $fixed::<4 $(, $entry)?>($($argument),*),
            8 => $fixed::<8 $(, $entry)?>($($argument),*),
            12 => $fixed::<12 $(, $entry)?>($($argument),*),
            16 => $fixed::<16 $(, $entry)?>($($argument),*),
            20 => $fixed::<20 $(, $entry)?>($($argument),*),
            24 => $fixed::<24 $(, $entry)?>($($argument),*),
            28 => $fixed::<28 $(, $entry)?>($($argument),*),
            32 => $fixed::<32 $(, $entry)?>($($argument),*),
            stride => $any(stride, $($argument),*),
        }
    };
}

/// Adds `left - right <= raw` to a closed matrix, keeping it closed.
///
/// The caller has checked that the result is not empty and that no sum leaves the range of finite bounds.
#[inline(always)]
pub(crate) fn tighten(entries: &mut [i32], stride: usize, left: usize, right: usize, raw: i32) {
    with_stride!(stride, tighten_fixed, tighten_any, (entries, left, right, raw));
}

#[inline(always)]
fn tighten_fixed<const STRIDE: usize>(entries: &mut [i32], left: usize, right: usize, raw: i32) {
    let rows = entries.as_chunks_mut::<STRIDE>().0;
    if left >= STRIDE || right >= STRIDE || right >= rows.len() {
        return;
    }
    let source = prepare(&rows[right], raw);
    for row in rows {
        let via = row[left];
        // In a closed matrix a row changes only if its entry towards `right` does.
        if via != RAW_INFINITY && raw_finite_sum(via, raw) < row[right] {
            lower_row(row, via, &source);
        }
    }
}

#[inline(always)]
fn tighten_any(stride: usize, entries: &mut [i32], left: usize, right: usize, raw: i32) {
    for index in 0..entries.len() / stride {
        if index == right {
            continue; // The closed matrix has no shorter way from `right` to anywhere over the new bound.
        }
        let (row, source) = two_rows(entries, stride, index, right);
        let via = row[left];
        if via != RAW_INFINITY && raw_finite_sum(via, raw) < row[right] {
            lower_row_any(row, raw_finite_sum(via, raw), source);
        }
    }
}

/// Closes a matrix (Floyd-Warshall); returns false if it is empty.
///
/// The caller has checked that no sum leaves the range unless the matrix is empty; the test after each pivot stops
/// before a negative cycle is traversed twice.
#[inline(always)]
pub(crate) fn close(entries: &mut [i32], stride: usize) -> bool {
    with_stride!(stride, close_fixed, close_any, (entries))
}

#[inline(always)]
fn close_fixed<const STRIDE: usize>(entries: &mut [i32]) -> bool {
    let rows = entries.as_chunks_mut::<STRIDE>().0;
    for pivot in 0..rows.len().min(STRIDE) {
        let source = prepare(&rows[pivot], RAW_LE_ZERO);
        let mut cyclic = false;
        for (index, row) in rows.iter_mut().enumerate() {
            let via = row[pivot];
            if via != RAW_INFINITY {
                lower_row(row, via, &source);
                cyclic |= row.get(index).is_some_and(|&diagonal| diagonal < RAW_LE_ZERO);
            }
        }
        if cyclic {
            return false;
        }
    }
    true
}

#[inline(always)]
fn close_any(stride: usize, entries: &mut [i32]) -> bool {
    let size = entries.len() / stride;
    // The loop below skips rows without finite entries.
    if (0..size).any(|index| entries[index * stride + index] < RAW_LE_ZERO) {
        return false;
    }
    for pivot in 0..size {
        for index in 0..size {
            if index == pivot {
                continue;
            }
            let (row, source) = two_rows(entries, stride, index, pivot);
            let via = row[pivot];
            if via != RAW_INFINITY {
                lower_row_any(row, via, source);
                if row[index] < RAW_LE_ZERO {
                    return false;
                }
            }
        }
    }
    true
}

/// The row `source + raw`, prepared for addition to weak bounds and to strict bounds.
struct Prepared<const STRIDE: usize> {
    for_weak: [i32; STRIDE],
    for_strict: [i32; STRIDE],
}

#[inline(always)]
fn prepare<const STRIDE: usize>(source: &[i32; STRIDE], raw: i32) -> Prepared<STRIDE> {
    let mut prepared = Prepared { for_weak: [0; STRIDE], for_strict: [0; STRIDE] };
    let (base, mask) = split_weak_bit(raw);
    for ((for_weak, for_strict), &entry) in
        prepared.for_weak.iter_mut().zip(&mut prepared.for_strict).zip(source)
    {
        let sum = if entry == RAW_INFINITY { FAR } else { base + (entry & mask) };
        *for_weak = sum;
        *for_strict = sum & !1;
    }
    prepared
}

#[inline(always)]
fn lower_row<const STRIDE: usize>(row: &mut [i32; STRIDE], via: i32, source: &Prepared<STRIDE>) {
    let base = via & !1;
    let source = if via & 1 == 1 { &source.for_weak } else { &source.for_strict };
    // In pieces that the compiler turns into one vector; it does not do so for whole rows of 32.
    for (row, source) in row.as_chunks_mut::<4>().0.iter_mut().zip(source.as_chunks::<4>().0) {
        for lane in 0..4 {
            row[lane] = row[lane].min(base + source[lane]);
        }
    }
}

#[inline(always)]
fn lower_row_any(row: &mut [i32], via: i32, source: &[i32]) {
    let (base, mask) = split_weak_bit(via);
    for (entry, &next) in row.iter_mut().zip(source) {
        let sum = if next == RAW_INFINITY { RAW_INFINITY } else { base + (next & mask) };
        *entry = (*entry).min(sum);
    }
}

/// Returns `base` and `mask` such that `raw + other` is `base + (other & mask)`.
#[inline(always)]
fn split_weak_bit(raw: i32) -> (i32, i32) {
    // All ones for a weak bound, all but the lowest for a strict one.
    (raw & !1, (raw & 1) - 2)
}

#[inline(always)]
fn raw_finite_sum(left: i32, right: i32) -> i32 {
    left + right - ((left | right) & 1)
}

#[inline(always)]
fn two_rows(entries: &mut [i32], stride: usize, written: usize, read: usize) -> (&mut [i32], &[i32]) {
    if written < read {
        let (before, after) = entries.split_at_mut(read * stride);
        (&mut before[written * stride..][..stride], &after[..stride])
    } else {
        let (before, after) = entries.split_at_mut(written * stride);
        (&mut after[..stride], &before[read * stride..][..stride])
    }
}

/// Removes the upper bounds of all clocks but the reference clock.
#[inline(always)]
pub(crate) fn drop_upper_bounds(entries: &mut [i32], stride: usize) {
    // A loop over chunks would begin with a division.
    let mut at = stride;
    while let Some(upper_bound) = entries.get_mut(at) {
        *upper_bound = RAW_INFINITY;
        at += stride;
    }
}

/// Sets the bounds on a clock, not the reference clock, and on its negation to `above` and `below` (both weak).
///
/// Too short to be dispatched by processor; the caller has checked for overflow.
#[inline(always)]
pub(crate) fn reset(entries: &mut [i32], stride: usize, clock: usize, above: i32, below: i32) {
    with_stride!(stride, reset_fixed, reset_any, (entries, clock, above, below));
}

#[inline(always)]
fn reset_fixed<const STRIDE: usize>(entries: &mut [i32], clock: usize, above: i32, below: i32) {
    let rows = entries.as_chunks_mut::<STRIDE>().0;
    if clock >= STRIDE || clock >= rows.len() {
        return;
    }
    // The row is read before and written after the column: reading a vector right after one of its lanes was written
    // stalls.
    let mut from_reference = rows[0];
    for entry in &mut from_reference {
        *entry = plus_weak(*entry, above);
    }
    for row in rows.iter_mut() {
        row[clock] = plus_weak(row[0], below);
    }
    rows[clock] = from_reference;
    rows[clock][clock] = RAW_LE_ZERO;
}

#[inline(always)]
fn reset_any(stride: usize, entries: &mut [i32], clock: usize, above: i32, below: i32) {
    for row in entries.chunks_exact_mut(stride) {
        row[clock] = plus_weak(row[0], below);
    }
    let (row, reference) = two_rows(entries, stride, clock, 0);
    for (entry, &from_reference) in row.iter_mut().zip(reference) {
        *entry = plus_weak(from_reference, above);
    }
    row[clock] = RAW_LE_ZERO;
}

/// Returns the sum of a raw bound and a weak, finite one.
#[inline(always)]
fn plus_weak(raw: i32, weak: i32) -> i32 {
    if raw == RAW_INFINITY { RAW_INFINITY } else { raw + (weak - 1) }
}

/// Lowers the lower bounds of a closed matrix as far as differences allow (the past of the zone).
#[inline(always)]
pub(crate) fn lower_reference_row(entries: &mut [i32], stride: usize, size: usize) {
    let (reference, rest) = entries.split_at_mut(stride);
    reference[..size].fill(RAW_LE_ZERO);
    for row in rest.chunks_exact(stride) {
        for (entry, &other) in reference.iter_mut().zip(row) {
            *entry = (*entry).min(other);
        }
    }
}

/// Returns the largest magnitude of a finite entry.
#[inline(always)]
pub(crate) fn largest_magnitude(entries: &[i32]) -> i32 {
    let mut largest = 0;
    for &entry in entries {
        let magnitude = if entry == RAW_INFINITY { 0 } else { entry.wrapping_abs() };
        largest = largest.max(magnitude);
    }
    largest
}

/// A stored matrix entry: 32 bits, or 16 where all bounds are small.
pub(crate) trait Entry: Copy + Ord {
    /// Below every bound and every threshold.
    const LOWEST: Self;
    /// Whether `LOWEST` plus a threshold can exceed a bound and must be excluded by a test.
    const LOWEST_CAN_RISE: bool;
    /// Returns the strict bound with the same constant.
    fn strict(self) -> Self;
    /// Returns a sum that may be clipped where no bound can tell the difference.
    fn clipped_sum(self, other: Self) -> Self;
}

impl Entry for i32 {
    const LOWEST: i32 = i32::MIN;
    // Thresholds are at most `RAW_INFINITY`, so the sum stays below the lowest bound.
    const LOWEST_CAN_RISE: bool = false;
    #[inline(always)]
    fn strict(self) -> i32 {
        self & !1
    }
    #[inline(always)]
    fn clipped_sum(self, other: i32) -> i32 {
        self.wrapping_add(other)
    }
}

impl Entry for i16 {
    const LOWEST: i16 = i16::MIN;
    const LOWEST_CAN_RISE: bool = true;
    #[inline(always)]
    fn strict(self) -> i16 {
        self & !1
    }
    #[inline(always)]
    fn clipped_sum(self, other: i16) -> i16 {
        self.saturating_add(other)
    }
}

/// Returns whether each entry is at most the other's: inclusion of closed matrices.
#[inline(always)]
pub(crate) fn is_subset<E: Entry>(left: &[E], right: &[E]) -> bool {
    // Exit after whole blocks only: a test for every vector would cost more than it saves.
    let (left_blocks, left_rest) = left.as_chunks::<16>();
    let (right_blocks, right_rest) = right.as_chunks::<16>();
    for (left, right) in left_blocks.iter().zip(right_blocks) {
        let mut above = false;
        for index in 0..16 {
            above |= left[index] > right[index];
        }
        if above {
            return false;
        }
    }
    let mut above = false;
    for (left, right) in left_rest.iter().zip(right_rest) {
        above |= left > right;
    }
    !above
}

/// Returns whether the first is included in the second, and the second in the first.
#[inline(always)]
pub(crate) fn inclusions(left: &[i32], right: &[i32]) -> (bool, bool) {
    let (mut subset, mut superset) = (true, true);
    for (left, right) in left.chunks(32).zip(right.chunks(32)) {
        let (mut above, mut below) = (false, false);
        for (left, right) in left.iter().zip(right) {
            above |= left > right;
            below |= left < right;
        }
        subset &= !above;
        superset &= !below;
        if !subset && !superset {
            break;
        }
    }
    (subset, superset)
}

/// Returns whether `covered` is in the abstraction of `covering` by lower and upper bounds; see `covering.rs`.
///
/// `upper[x]` is the raw bound `<= -U_x`, above all bounds if `U_x` is minus infinity; `lower[y]` is `2 L_y`, or
/// [`Entry::LOWEST`] if `L_y` is minus infinity.
#[inline(always)]
pub(crate) fn is_covered<E: Entry>(
    stride: usize,
    covered: &[E],
    covering: &[E],
    lower: &[E],
    upper: &[E],
) -> bool {
    with_stride!(stride, is_covered_fixed<E>, is_covered_any, (covered, covering, lower, upper))
}

#[inline(always)]
fn is_covered_fixed<const STRIDE: usize, E: Entry>(
    covered: &[E],
    covering: &[E],
    lower: &[E],
    upper: &[E],
) -> bool {
    let (covered, covering) = (covered.as_chunks::<STRIDE>().0, covering.as_chunks::<STRIDE>().0);
    let (Some(reference), Some(upper)) = (covered.first(), upper.first_chunk::<STRIDE>()) else {
        return true;
    };
    let mut witness = [E::LOWEST; STRIDE];
    for column in 0..STRIDE {
        witness[column] = if reference[column] < upper[column] { E::LOWEST } else { reference[column] };
    }
    for ((covered, covering), &lower) in covered.iter().zip(covering).zip(lower) {
        if lower == E::LOWEST {
            continue;
        }
        if is_row_uncovered(covered, covering, &witness, lower) {
            return false;
        }
    }
    true
}

/// Returns whether some entry of a row is too small to cover the other's.
#[inline(always)]
fn is_row_uncovered<const STRIDE: usize, E: Entry>(
    covered: &[E; STRIDE],
    covering: &[E; STRIDE],
    witness: &[E; STRIDE],
    lower: E,
) -> bool {
    let mut uncovered = false;
    for column in 0..STRIDE {
        let bound = covering[column];
        uncovered |= (bound < covered[column])
            & (bound.strict() < witness[column].clipped_sum(lower))
            & (!E::LOWEST_CAN_RISE | (witness[column] != E::LOWEST));
    }
    uncovered
}

#[inline(always)]
fn is_covered_any<E: Entry>(stride: usize, covered: &[E], covering: &[E], lower: &[E], upper: &[E]) -> bool {
    let reference = &covered[..stride];
    for ((covered, covering), &lower) in covered.chunks(stride).zip(covering.chunks(stride)).zip(lower) {
        if lower == E::LOWEST {
            continue;
        }
        let mut uncovered = false;
        for ((&bound, &covered), (&reference, &upper)) in
            covering.iter().zip(covered).zip(reference.iter().zip(upper))
        {
            uncovered |=
                (bound < covered) & (bound.strict() < reference.clipped_sum(lower)) & (reference >= upper);
        }
        if uncovered {
            return false;
        }
    }
    true
}

/// Covering test for matrices without padding between rows; after the last row follows arbitrary padding.
///
/// `size` is the number of rows, and the bounds are padded as for [`is_covered`].
#[inline(always)]
pub(crate) fn is_covered_packed<E: Entry>(
    size: usize,
    covered: &[E],
    covering: &[E],
    lower: &[E],
    upper: &[E],
) -> bool {
    with_stride!(
        size.next_multiple_of(4),
        is_covered_packed_fixed<E>,
        is_covered_packed_any,
        (size, covered, covering, lower, upper)
    )
}

#[inline(always)]
fn is_covered_packed_fixed<const STRIDE: usize, E: Entry>(
    size: usize,
    covered: &[E],
    covering: &[E],
    lower: &[E],
    upper: &[E],
) -> bool {
    let (Some(reference), Some(upper)) = (covered.first_chunk::<STRIDE>(), upper.first_chunk::<STRIDE>())
    else {
        return false;
    };
    let mut witness = [E::LOWEST; STRIDE];
    for column in 0..STRIDE {
        // Entries beyond the end of a row belong to the next row.
        let counts = column < size && reference[column] >= upper[column];
        witness[column] = if counts { reference[column] } else { E::LOWEST };
    }
    for (row, &lower) in lower.iter().take(size).enumerate() {
        if lower == E::LOWEST {
            continue;
        }
        let start = row * size;
        let (Some(covered), Some(covering)) =
            (covered[start..].first_chunk::<STRIDE>(), covering[start..].first_chunk::<STRIDE>())
        else {
            return false;
        };
        if is_row_uncovered(covered, covering, &witness, lower) {
            return false;
        }
    }
    true
}

#[inline(always)]
fn is_covered_packed_any<E: Entry>(
    _: usize,
    size: usize,
    covered: &[E],
    covering: &[E],
    lower: &[E],
    upper: &[E],
) -> bool {
    let entries = size * size;
    is_covered_any(size, &covered[..entries], &covering[..entries], &lower[..size], &upper[..size])
}

/// Packs a matrix into 16 bits per entry without padding; returns false if an entry needs more.
///
/// The output has room for the padding after the last row.
#[inline(always)]
pub(crate) fn pack(size: usize, entries: &[i32], packed: &mut [i16], limit: i32) -> bool {
    with_stride!(size.next_multiple_of(4), pack_fixed, pack_any, (size, entries, packed, limit))
}

#[inline(always)]
fn pack_fixed<const STRIDE: usize>(size: usize, entries: &[i32], packed: &mut [i16], limit: i32) -> bool {
    let mut fits = true;
    // In order: entries written beyond the end of a row are overwritten by the next row.
    for (row, entries) in entries.as_chunks::<STRIDE>().0.iter().take(size).enumerate() {
        let Some(packed) = packed[row * size..].first_chunk_mut::<STRIDE>() else { return false };
        for column in 0..STRIDE {
            let entry = entries[column];
            fits &= (entry == RAW_INFINITY) | ((entry <= limit) & (entry >= -limit));
            packed[column] = entry.min(i32::from(i16::MAX)) as i16;
        }
    }
    fits
}

#[inline(always)]
fn pack_any(stride: usize, size: usize, entries: &[i32], packed: &mut [i16], limit: i32) -> bool {
    let mut fits = true;
    for (entries, packed) in entries.chunks_exact(stride).zip(packed.chunks_mut(size)).take(size) {
        for (&entry, packed) in entries.iter().zip(packed) {
            fits &= (entry == RAW_INFINITY) | ((entry <= limit) & (entry >= -limit));
            *packed = entry.min(i32::from(i16::MAX)) as i16;
        }
    }
    fits
}

/// Reads a matrix written by [`pack`], except for the padding, which is already infinite; returns the largest magnitude
/// of an entry.
#[inline(always)]
pub(crate) fn unpack(size: usize, packed: &[i16], entries: &mut [i32]) -> i32 {
    let stride = size.next_multiple_of(4);
    let mut largest = 0;
    for (packed, entries) in packed.chunks(size).zip(entries.chunks_exact_mut(stride)).take(size) {
        for (&packed, entry) in packed.iter().zip(entries) {
            let wide = i32::from(packed);
            let is_infinite = packed == i16::MAX;
            *entry = if is_infinite { RAW_INFINITY } else { wide };
            largest = largest.max(if is_infinite { 0 } else { wide.abs() });
        }
    }
    largest
}

/// Sets the upper bounds of a closed matrix to those after any delay within `bounds`, one for each column and infinity
/// for none. All points of the matrix satisfy the bounds.
#[inline(always)]
pub(crate) fn raise_upper_bounds(entries: &mut [i32], stride: usize, bounds: &[i32]) {
    with_stride!(stride, raise_upper_bounds_fixed, raise_upper_bounds_any, (entries, bounds));
}

#[inline(always)]
fn raise_upper_bounds_fixed<const STRIDE: usize>(entries: &mut [i32], bounds: &[i32]) {
    let Some(bounds) = bounds.first_chunk::<STRIDE>() else { return };
    for row in entries.as_chunks_mut::<STRIDE>().0.iter_mut().skip(1) {
        let mut upper = RAW_INFINITY;
        for column in 0..STRIDE {
            upper = upper.min(wrapping_raw_sum(row[column], bounds[column]));
        }
        row[0] = upper;
    }
}

#[inline(always)]
fn raise_upper_bounds_any(stride: usize, entries: &mut [i32], bounds: &[i32]) {
    for row in entries.chunks_exact_mut(stride).skip(1) {
        let mut upper = RAW_INFINITY;
        for (&entry, &bound) in row.iter().zip(bounds) {
            upper = upper.min(wrapping_raw_sum(entry, bound));
        }
        row[0] = upper;
    }
}

/// Returns the sum without a branch; finite operands are known to have a representable one.
#[inline(always)]
fn wrapping_raw_sum(left: i32, right: i32) -> i32 {
    let sum = left.wrapping_add(right).wrapping_sub((left | right) & 1);
    if (left == RAW_INFINITY) | (right == RAW_INFINITY) { RAW_INFINITY } else { sum }
}

/// Closes a matrix with checked sums; returns false if it is empty, or the raw sum that leaves the range.
///
/// The slow variant of [`close`] for matrices with bounds near the limit.
pub(crate) fn close_checked(entries: &mut [i32], stride: usize) -> Result<bool, i64> {
    let size = entries.len() / stride;
    for pivot in 0..size {
        for row in 0..size {
            for column in 0..size {
                let sum = raw_sum(entries[row * stride + pivot], entries[pivot * stride + column]);
                if sum < entries[row * stride + column] {
                    if !is_in_range(sum) {
                        return Err(i64::from(sum));
                    }
                    entries[row * stride + column] = sum;
                }
            }
            if entries[row * stride + row] < RAW_LE_ZERO {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
