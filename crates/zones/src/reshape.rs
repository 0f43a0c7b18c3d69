//! Adding, removing and permuting clocks.
//!
//! Invariant: removing a clock projects (existential quantification); what is known of the others is kept.

use crate::bound::{Bound, BoundOverflow, RAW_INFINITY, RAW_LE_ZERO, RAW_LIMIT, raw_sum};
use crate::clock::{Clock, Dimension, TooManyClocks};
use crate::zone::Zone;

/// What is known of a clock that is added to a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NewClockValue {
    /// It is zero.
    Zero,
    /// It is any value from zero up.
    Any,
}

/// Where a clock of a new zone gets its value from: the sum of a clock and a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockSource {
    /// The clock of the old zone; the reference clock stands for zero.
    pub from: Clock,
    /// What is added to it.
    pub plus: u32,
}

impl Zone {
    /// Replaces this zone by all valuations whose clocks have the values that the sources have in another zone.
    ///
    /// One pass for any number of assignments, together with removing, adding and permuting clocks. There is one
    /// source for each clock of this zone beside the reference clock. On an overflow this zone is left empty.
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

    /// The zone with more clocks behind the ones it has.
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
                // A new clock that is zero has the bounds of the reference clock; one that may be anything has
                // them as the right side only, and no upper bound.
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

    /// All valuations whose first clocks are those of one of this zone, and whose others those of one of the other.
    ///
    /// The clocks have nothing to do with each other, so the tightest bound on a difference of one of each is the sum of
    /// what the zones say about them alone, and nothing has to be closed. The dimension is that of both together.
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

    /// The zone of the given clocks in the given order; clocks that are not given are removed.
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

    /// The zone without one clock; later clocks move down by one.
    pub fn without_clock(&self, clock: Clock) -> Zone {
        assert!(clock != Clock::REFERENCE, "the reference clock cannot be removed");
        let kept: Vec<Clock> = self.dimension().clocks().filter(|&other| other != clock).collect();
        match self.with_clocks(&kept) {
            Ok(zone) => zone,
            Err(error) => unreachable!("fewer clocks than before: {error}"),
        }
    }
}

/// The sum of a raw bound and a constant, which is even.
#[inline(always)]
fn plus_even(raw: i32, constant: i32) -> i32 {
    if raw == RAW_INFINITY { RAW_INFINITY } else { raw + constant }
}
