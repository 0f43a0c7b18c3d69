//! Adding, removing and permuting clocks.
//!
//! Invariant: removing a clock is projection (existential quantification); constraints between the other clocks are
//! kept.

use crate::bound::{Bound, BoundOverflow, RAW_INFINITY, RAW_LE_ZERO, RAW_LIMIT, raw_sum};
use crate::clock::{Clock, Dimension, TooManyClocks};
use crate::zone::Zone;

/// The value of a clock that is added to a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NewClockValue {
    /// Zero.
    Zero,
    /// Any non-negative value.
    Any,
}

/// The source of a clock's value in a new zone: the sum of a clock and a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockSource {
    /// The clock of the old zone; the reference clock stands for zero.
    pub from: Clock,
    /// The constant added to it.
    pub plus: u32,
}

impl Zone {
    /// Replaces this zone by the image of another zone under an assignment that gives each clock a source.
    ///
    /// One pass for any number of assignments, together with removing, adding and permuting clocks. There is one source
    /// for each clock of this zone besides the reference clock. On an overflow this zone is left empty.
    #[inline]
    pub fn assign_from(&mut self, old: &Zone, sources: &[ClockSource]) -> Result<(), BoundOverflow> {
        let size = self.dimension().size();
        assert_eq!(sources.len() + 1, size, "sources for another dimension");
        if old.is_empty() {
            self.make_empty();
            return Ok(());
        }
        let largest = sources.iter().map(|source| source.plus).max().unwrap_or(0);
        let largest = Bound::finite(i64::from(largest), true)?.raw();
        let magnitude = i64::from(old.magnitude()) + 2 * i64::from(largest) + 2;
        if magnitude > i64::from(RAW_LIMIT) {
            self.make_empty();
            return Err(BoundOverflow { constant: magnitude / 2 });
        }
        let (stride, old_stride) = (self.dimension().stride(), old.dimension().stride());
        let reference = ClockSource { from: Clock::REFERENCE, plus: 0 };
        assert!(sources.iter().all(|source| old.dimension().contains(source.from)), "no such clock");
        let is_plain = largest == RAW_LE_ZERO;
        let entries = self.entries_mut(magnitude as i32);
        for row in 0..size {
            let own = if row == 0 { reference } else { sources[row - 1] };
            let old_row = &old.entries()[own.from.index() * old_stride..][..old_stride];
            let above = 2 * own.plus as i32;
            let new_row = &mut entries[row * stride..][..size];
            if is_plain {
                // The usual case: clocks are kept, copied or set to zero.
                new_row[0] = old_row[0];
                for (entry, other) in new_row[1..].iter_mut().zip(sources) {
                    *entry = old_row[other.from.index()];
                }
                new_row[row] = RAW_LE_ZERO;
                continue;
            }
            new_row[0] = plus_even(old_row[0], above);
            for (entry, other) in new_row[1..].iter_mut().zip(sources) {
                *entry = plus_even(old_row[other.from.index()], above - 2 * other.plus as i32);
            }
            new_row[row] = RAW_LE_ZERO;
        }
        Ok(())
    }

    /// Returns the zone with more clocks after the existing ones.
    pub fn with_clocks_added(&self, count: usize, value: NewClockValue) -> Result<Zone, TooManyClocks> {
        let old_size = self.dimension().size();
        let dimension = Dimension::for_clocks(old_size - 1 + count)?;
        let mut zone = match value {
            NewClockValue::Zero => Zone::zero(dimension),
            NewClockValue::Any => Zone::universe(dimension),
        };
        if self.is_empty() {
            zone.make_empty();
            return Ok(zone);
        }
        for left in 0..dimension.size() {
            for right in 0..dimension.size() {
                // A new clock that is zero has the bounds of the reference clock; an unconstrained one has them as the
                // right side only, and no upper bound.
                let raw = match value {
                    _ if left == right => RAW_LE_ZERO,
                    NewClockValue::Any if left >= old_size => RAW_INFINITY,
                    _ => self.raw(
                        if left < old_size { left } else { 0 },
                        if right < old_size { right } else { 0 },
                    ),
                };
                zone.set(left, right, raw);
            }
        }
        Ok(zone.with_known_magnitude())
    }

    /// Returns the product of two zones: the first clocks of a valuation are in this zone, the others in the other
    /// zone.
    ///
    /// The clocks of both zones are independent, so the tightest bound on the difference of one of each is the sum of
    /// their individual bounds, and no closure is needed. The dimension is that of both zones together.
    pub fn beside(&self, other: &Zone, dimension: Dimension) -> Result<Zone, BoundOverflow> {
        let (mine, theirs) = (self.dimension().size(), other.dimension().size());
        assert_eq!(dimension.size() + 1, mine + theirs, "a dimension that is not that of both zones");
        let mut zone = Zone::universe(dimension);
        if self.is_empty() || other.is_empty() {
            zone.make_empty();
            return Ok(zone);
        }
        let magnitude = i64::from(self.magnitude()) + i64::from(other.magnitude());
        if magnitude > i64::from(RAW_LIMIT) {
            return Err(BoundOverflow { constant: magnitude / 2 });
        }
        let stride = dimension.stride();
        let (my_stride, their_stride) = (self.dimension().stride(), other.dimension().stride());
        let entries = zone.entries_mut(magnitude as i32);
        for left in 0..mine {
            let row = &self.entries()[left * my_stride..][..mine];
            let new = &mut entries[left * stride..][..dimension.size()];
            new[..mine].copy_from_slice(row);
            for (entry, theirs) in new[mine..].iter_mut().zip(&other.entries()[1..theirs]) {
                *entry = raw_sum(row[0], *theirs);
            }
        }
        for left in 1..theirs {
            let row = &other.entries()[left * their_stride..][..theirs];
            let new = &mut entries[(mine - 1 + left) * stride..][..dimension.size()];
            new[0] = row[0];
            for (entry, mine) in new[1..mine].iter_mut().zip(&self.entries()[1..mine]) {
                *entry = raw_sum(row[0], *mine);
            }
            new[mine..].copy_from_slice(&row[1..]);
        }
        Ok(zone)
    }

    /// Returns the zone over the given clocks in the given order; other clocks are removed.
    ///
    /// A clock that is given twice appears twice, with equal values.
    pub fn with_clocks(&self, clocks: &[Clock]) -> Result<Zone, TooManyClocks> {
        let dimension = Dimension::for_clocks(clocks.len())?;
        let mut zone = Zone::universe(dimension);
        if self.is_empty() {
            zone.make_empty();
            return Ok(zone);
        }
        let old = |new: usize| if new == 0 { 0 } else { clocks[new - 1].index() };
        for left in 0..dimension.size() {
            for right in 0..dimension.size() {
                zone.set(left, right, self.raw(old(left), old(right)));
            }
        }
        Ok(zone.with_known_magnitude())
    }

    /// Returns the zone without one clock; later clocks move down by one.
    pub fn without_clock(&self, clock: Clock) -> Zone {
        assert!(clock != Clock::REFERENCE, "the reference clock cannot be removed");
        let kept: Vec<Clock> = self.dimension().clocks().filter(|&other| other != clock).collect();
        match self.with_clocks(&kept) {
            Ok(zone) => zone,
            Err(error) => unreachable!("fewer clocks than before: {error}"),
        }
    }
}

/// Returns the sum of a raw bound and a constant, which is even.
#[inline(always)]
fn plus_even(raw: i32, constant: i32) -> i32 {
    if raw == RAW_INFINITY { RAW_INFINITY } else { raw + constant }
}
