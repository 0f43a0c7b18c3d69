//! Zones: closed difference bound matrices, and the operations of a forward exploration.
//!
//! Invariant: a zone is empty, which the diagonal entry of the reference clock marks (`< 0`; the other entries are then
//! meaningless), or it is closed: each entry is the tightest bound, the diagonal is `<= 0`, clocks are at least 0, and
//! no finite entry is larger in magnitude than the field `magnitude`.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::bound::{Bound, BoundOverflow, RAW_INFINITY, RAW_LE_ZERO, RAW_LIMIT, RAW_LT_ZERO, raw_sum};
use crate::clock::{Clock, Dimension};
use crate::constraint::Constraint;
use crate::{dispatch, kernel};

/// A set of clock valuations that is an intersection of constraints `x - y < c` and `x - y <= c`.
///
/// All clocks are at least 0. Every operation accepts an empty zone and leaves it empty. Operations on several zones
/// expect the same dimension and panic otherwise, as do operations on a clock outside the dimension: both are defects
/// of the caller, never of a model.
pub struct Zone {
    dimension: Dimension,
    /// An upper bound on the magnitude of each finite raw entry. It is a loose estimate (each tightening may double it)
    /// and is recomputed near the limit, so that the overflow check costs one comparison per operation.
    magnitude: i32,
    entries: Box<[i32]>,
}

/// The bounds on one clock: `lower` bounds the negated clock from above, `upper` the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockRange {
    /// The bound on `0 - x`: `<= -3` means `x >= 3`, `< -3` means `x > 3`.
    pub lower: Bound,
    /// The bound on `x`.
    pub upper: Bound,
}

impl Zone {
    /// Creates the zone with one point, all clocks zero.
    pub fn zero(dimension: Dimension) -> Zone {
        let mut zone = Zone::filled(dimension, RAW_INFINITY);
        for row in 0..dimension.size() {
            zone.row_mut(row)[..dimension.size()].fill(RAW_LE_ZERO);
        }
        zone
    }

    /// Creates the zone of all valuations without negative clocks.
    pub fn universe(dimension: Dimension) -> Zone {
        let mut zone = Zone::filled(dimension, RAW_INFINITY);
        zone.row_mut(0)[..dimension.size()].fill(RAW_LE_ZERO);
        for clock in 0..dimension.size() {
            zone.set(clock, clock, RAW_LE_ZERO);
        }
        zone
    }

    /// Creates the empty zone.
    pub fn empty(dimension: Dimension) -> Zone {
        let mut zone = Zone::universe(dimension);
        zone.make_empty();
        zone
    }

    /// Creates the zone of the valuations that satisfy all constraints.
    pub fn from_constraints(dimension: Dimension, constraints: &[Constraint]) -> Result<Zone, BoundOverflow> {
        let mut zone = Zone::universe(dimension);
        zone.constrain_all(constraints)?;
        Ok(zone)
    }

    /// Returns the number of clocks, including the reference clock.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// Returns whether the zone is empty.
    pub fn is_empty(&self) -> bool {
        self.entries[0] < RAW_LE_ZERO
    }

    /// Returns the tightest bound on `left - right` in a non-empty zone.
    pub fn bound(&self, left: Clock, right: Clock) -> Bound {
        Bound::from_raw(self.raw(left.index(), right.index()))
    }

    /// Returns the tightest bounds on one clock in a non-empty zone.
    pub fn range(&self, clock: Clock) -> ClockRange {
        ClockRange { lower: self.bound(Clock::REFERENCE, clock), upper: self.bound(clock, Clock::REFERENCE) }
    }

    /// Keeps the valuations that satisfy the constraint; returns whether there are any.
    ///
    /// Takes time quadratic in the number of clocks, and constant time if the constraint excludes nothing or
    /// everything.
    #[inline]
    pub fn constrain(&mut self, constraint: Constraint) -> Result<bool, BoundOverflow> {
        self.constrain_raw(constraint.left.index(), constraint.right.index(), constraint.bound.raw())
    }

    /// Keeps the valuations that satisfy all constraints; returns whether there are any.
    ///
    /// On an overflow the zone satisfies some of them.
    pub fn constrain_all(&mut self, constraints: &[Constraint]) -> Result<bool, BoundOverflow> {
        for &constraint in constraints {
            if !self.constrain(constraint)? {
                return Ok(false);
            }
        }
        Ok(!self.is_empty())
    }

    /// Returns whether a valuation of the zone satisfies the constraint.
    pub fn satisfies_somewhere(&self, constraint: Constraint) -> bool {
        !self.is_empty()
            && raw_sum(self.raw(constraint.right.index(), constraint.left.index()), constraint.bound.raw())
                >= RAW_LE_ZERO
    }

    /// Returns whether all valuations of the zone satisfy the constraint.
    pub fn satisfies_everywhere(&self, constraint: Constraint) -> bool {
        self.is_empty()
            || self.raw(constraint.left.index(), constraint.right.index()) <= constraint.bound.raw()
    }

    /// Keeps the valuations that are also in the other zone; returns whether there are any.
    ///
    /// On an overflow the zone satisfies some of the other's constraints.
    pub fn intersect(&mut self, other: &Zone) -> Result<bool, BoundOverflow> {
        assert_eq!(self.dimension, other.dimension, "zones of different dimensions");
        if self.is_empty() || other.is_empty() {
            self.make_empty();
            return Ok(false);
        }
        let tighter = self.entries.iter().zip(&other.entries).filter(|(mine, theirs)| theirs < mine).count();
        if tighter > self.dimension.size() {
            return self.intersect_all_at_once(other);
        }
        if tighter > 0 {
            let stride = self.dimension.stride();
            for (position, &theirs) in other.entries.iter().enumerate() {
                // Most bounds are not tighter, also because earlier ones may have tightened this entry.
                if theirs < self.entries[position]
                    && !self.constrain_raw(position / stride, position % stride, theirs)?
                {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Lets time pass (future): adds all valuations after a delay.
    #[inline]
    pub fn up(&mut self) {
        if !self.is_empty() {
            kernel::drop_upper_bounds(&mut self.entries, self.dimension.stride());
        }
    }

    /// Lets time pass as long as each of the clocks stays within its bound.
    ///
    /// The zone must already satisfy the bounds. Then only the upper bounds of clocks change: clock differences and
    /// lower bounds stay the same, and the shortest path from a clock to the reference clock uses one of the bounds. On
    /// an overflow the zone is the unrestricted future.
    #[inline]
    pub fn up_within(&mut self, bounds: &[(Clock, Bound)]) -> Result<(), BoundOverflow> {
        if self.is_empty() {
            return Ok(());
        }
        debug_assert!(
            bounds.iter().all(|&(clock, bound)| self.bound(clock, Clock::REFERENCE) <= bound),
            "time passes from outside of the bounds"
        );
        let stride = self.dimension.stride();
        let largest = bounds.iter().map(|(_, bound)| bound.raw().abs()).max().unwrap_or(0);
        let magnitude = i64::from(self.magnitude) + i64::from(largest) + 2;
        if magnitude > i64::from(RAW_LIMIT) {
            kernel::drop_upper_bounds(&mut self.entries, stride);
            for &(clock, bound) in bounds {
                self.constrain(Constraint::difference(clock, Clock::REFERENCE, bound))?;
            }
            return Ok(());
        }
        self.magnitude = magnitude as i32;
        if bounds.is_empty() {
            kernel::drop_upper_bounds(&mut self.entries, stride);
            return Ok(());
        }
        let mut few = [RAW_INFINITY; 32];
        let mut many = Vec::new();
        let columns: &mut [i32] = if stride <= few.len() {
            &mut few[..stride]
        } else {
            many.resize(stride, RAW_INFINITY);
            &mut many
        };
        for &(clock, bound) in bounds {
            let column = &mut columns[clock.index()];
            *column = bound.raw().min(*column);
        }
        dispatch::raise_upper_bounds(&mut self.entries, stride, columns);
        Ok(())
    }

    /// Lets time pass while some clocks are stopped: the least zone with all valuations after a delay.
    ///
    /// The other clocks grow relative to a stopped clock as to the reference clock, so their upper bounds against it
    /// are dropped too. The exact set may need a constraint on three clocks, which no zone can express; so the result
    /// is an over-approximation (Cassez, Larsen, "The Impressive Power of Stopwatches", 2000).
    pub fn up_except(&mut self, stopped: &[Clock]) {
        if self.is_empty() {
            return;
        }
        for running in (1..self.dimension.size()).filter(|&clock| !stopped.contains(&Clock(clock as u16))) {
            self.set(running, 0, RAW_INFINITY);
            for clock in stopped {
                self.set(running, clock.index(), RAW_INFINITY);
            }
        }
    }

    /// Lets time pass backwards (past): adds all valuations from which a delay reaches the zone.
    pub fn down(&mut self) {
        if !self.is_empty() {
            dispatch::lower_reference_row(&mut self.entries, self.dimension.stride(), self.dimension.size());
        }
    }

    /// Removes all constraints on a clock, except that it is not negative.
    pub fn free(&mut self, clock: Clock) {
        assert!(clock != Clock::REFERENCE, "the reference clock cannot be freed");
        if self.is_empty() {
            return;
        }
        let (size, clock) = (self.dimension.size(), clock.index());
        self.row_mut(clock)[..size].fill(RAW_INFINITY);
        for row in 0..size {
            self.set(row, clock, self.raw(row, 0));
        }
        self.set(clock, clock, RAW_LE_ZERO);
    }

    /// Sets a clock to a constant.
    #[inline]
    pub fn reset(&mut self, clock: Clock, value: u32) -> Result<(), BoundOverflow> {
        assert!(clock != Clock::REFERENCE, "the reference clock cannot be reset");
        let above = Bound::finite(i64::from(value), true)?.raw();
        if self.is_empty() {
            return Ok(());
        }
        let below = 2 - above; // The bound `<= -value`.
        self.reserve_for_sums(0, above, below)?;
        kernel::reset(&mut self.entries, self.dimension.stride(), clock.index(), above, below);
        Ok(())
    }

    /// Assigns the value of the second clock to the first.
    pub fn copy(&mut self, target: Clock, from: Clock) {
        assert!(target != Clock::REFERENCE, "the reference clock cannot be assigned");
        if target == from || self.is_empty() {
            return;
        }
        let (target, from, size) = (target.index(), from.index(), self.dimension.size());
        for other in 0..size {
            self.set(target, other, self.raw(from, other));
            self.set(other, target, self.raw(other, from));
        }
        for (left, right) in [(target, target), (target, from), (from, target)] {
            self.set(left, right, RAW_LE_ZERO);
        }
    }

    /// Adds a constant to a clock and drops valuations where it would become negative; returns whether any is left.
    ///
    /// On an overflow the zone may have lost those valuations, but the clock is not changed.
    pub fn shift(&mut self, clock: Clock, amount: i32) -> Result<bool, BoundOverflow> {
        assert!(clock != Clock::REFERENCE, "the reference clock cannot be shifted");
        let above = Bound::weak(amount)?.raw();
        if amount < 0 {
            self.constrain(Constraint::at_least(clock, -amount)?)?;
        }
        if self.is_empty() {
            return Ok(false);
        }
        let (below, clock) = (2 - above, clock.index());
        self.reserve_for_sums(clock, above, below)?;
        for other in 0..self.dimension.size() {
            if other != clock {
                self.set(clock, other, raw_sum(self.raw(clock, other), above));
                self.set(other, clock, raw_sum(self.raw(other, clock), below));
            }
        }
        Ok(true)
    }

    /// Extends the zone to the smallest one that includes both.
    pub fn extend_to_hull(&mut self, other: &Zone) {
        assert_eq!(self.dimension, other.dimension, "zones of different dimensions");
        if other.is_empty() {
            return;
        }
        if self.is_empty() {
            self.clone_from(other);
            return;
        }
        // The maximum of closed matrices is closed: each triangle inequality holds for the larger of both.
        for (mine, &theirs) in self.entries.iter_mut().zip(&other.entries) {
            *mine = (*mine).max(theirs);
        }
        self.magnitude = self.magnitude.max(other.magnitude);
    }

    /// Replaces the zone by the closure of the matrix; returns whether it is not empty.
    pub fn assign_closure(&mut self, matrix: &OpenMatrix) -> Result<bool, BoundOverflow> {
        if self.dimension != matrix.dimension {
            *self = Zone::universe(matrix.dimension);
        }
        let magnitude = dispatch::largest_magnitude(&matrix.entries);
        if i64::from(magnitude) * self.dimension.size() as i64 > i64::from(RAW_LIMIT) {
            return self.assign_closed(matrix.entries.clone(), magnitude);
        }
        self.entries.copy_from_slice(&matrix.entries);
        self.magnitude = magnitude * self.dimension.size() as i32;
        if !dispatch::close(&mut self.entries, self.dimension.stride()) {
            self.make_empty();
        }
        Ok(!self.is_empty())
    }

    /// Returns a hash of the set of valuations, the same for equal zones, in every run.
    pub fn fingerprint(&self) -> u64 {
        const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
        let fold = |state: u64, word: u64| {
            let product = u128::from(state ^ word) * u128::from(MULTIPLIER);
            (product as u64) ^ ((product >> 64) as u64)
        };
        let seed = self.dimension.size() as u64 + 0x243F_6A88_85A3_08D3;
        if self.is_empty() {
            return fold(seed, 0);
        }
        self.entries.as_chunks::<2>().0.iter().fold(seed, |state, pair| {
            fold(state, u64::from(pair[0] as u32) << 32 | u64::from(pair[1] as u32)).wrapping_add(MULTIPLIER)
        })
    }

    pub(crate) fn filled(dimension: Dimension, raw: i32) -> Zone {
        let entries = vec![raw; dimension.size() * dimension.stride()].into_boxed_slice();
        Zone { dimension, magnitude: RAW_LE_ZERO, entries }
    }

    /// Computes the exact magnitude after entries were written individually.
    pub(crate) fn with_known_magnitude(mut self) -> Zone {
        self.magnitude = dispatch::largest_magnitude(&self.entries);
        self
    }

    pub(crate) fn entries(&self) -> &[i32] {
        &self.entries
    }

    pub(crate) fn magnitude(&self) -> i32 {
        self.magnitude
    }

    /// Returns the entries, to be overwritten by those of a closed matrix with this magnitude.
    pub(crate) fn entries_mut(&mut self, magnitude: i32) -> &mut [i32] {
        self.magnitude = magnitude;
        &mut self.entries
    }

    /// Replaces the entries by those of a packed closed matrix.
    pub(crate) fn overwrite_packed(&mut self, packed: &[i16]) {
        self.magnitude = dispatch::unpack(self.dimension.size(), packed, &mut self.entries);
    }

    /// Replaces the entries by those of a closed matrix of the same dimension, without allocating.
    pub(crate) fn overwrite_closed(&mut self, entries: impl Iterator<Item = i32>) {
        for (mine, theirs) in self.entries.iter_mut().zip(entries) {
            *mine = theirs;
        }
        self.magnitude = dispatch::largest_magnitude(&self.entries);
    }

    #[inline]
    pub(crate) fn raw(&self, left: usize, right: usize) -> i32 {
        // Without this check a clock outside the dimension could read the padding of its row.
        assert!(right < self.dimension.size(), "clock {right} is outside the dimension");
        self.entries[left * self.dimension.stride() + right]
    }

    /// Writes an entry; the caller keeps the matrix closed and updates the magnitude.
    #[inline]
    pub(crate) fn set(&mut self, left: usize, right: usize, raw: i32) {
        assert!(right < self.dimension.size(), "clock {right} is outside the dimension");
        self.entries[left * self.dimension.stride() + right] = raw;
    }

    pub(crate) fn make_empty(&mut self) {
        self.entries[0] = RAW_LT_ZERO;
    }

    #[inline]
    pub(crate) fn constrain_raw(
        &mut self,
        left: usize,
        right: usize,
        raw: i32,
    ) -> Result<bool, BoundOverflow> {
        if self.is_empty() {
            return Ok(false);
        }
        if raw >= self.raw(left, right) {
            return Ok(true);
        }
        if raw_sum(self.raw(right, left), raw) < RAW_LE_ZERO {
            self.make_empty();
            return Ok(false);
        }
        let magnitude = 2 * i64::from(self.magnitude) + i64::from(raw.abs()) + 2;
        if magnitude > i64::from(RAW_LIMIT) {
            return self.constrain_with_large_bounds(left, right, raw);
        }
        self.magnitude = magnitude as i32;
        dispatch::tighten(&mut self.entries, self.dimension.stride(), left, right, raw);
        Ok(true)
    }

    /// Returns the slow path of `constrain`: the estimate of the magnitude does not rule out an overflow.
    #[cold]
    fn constrain_with_large_bounds(
        &mut self,
        left: usize,
        right: usize,
        raw: i32,
    ) -> Result<bool, BoundOverflow> {
        self.magnitude = dispatch::largest_magnitude(&self.entries);
        let magnitude = 2 * i64::from(self.magnitude) + i64::from(raw.abs()) + 2;
        if magnitude <= i64::from(RAW_LIMIT) {
            self.magnitude = magnitude as i32;
            dispatch::tighten(&mut self.entries, self.dimension.stride(), left, right, raw);
            return Ok(true);
        }
        let mut entries = self.entries.clone();
        entries[left * self.dimension.stride() + right] = raw;
        self.assign_closed(entries, RAW_LIMIT)
    }

    /// Intersects by the minimum of all entries and one closure.
    fn intersect_all_at_once(&mut self, other: &Zone) -> Result<bool, BoundOverflow> {
        let magnitude = i64::from(self.magnitude.max(other.magnitude)) * self.dimension.size() as i64;
        if magnitude > i64::from(RAW_LIMIT) {
            let mut entries = self.entries.clone();
            lower_to(&mut entries, &other.entries);
            return self.assign_closed(entries, RAW_LIMIT);
        }
        lower_to(&mut self.entries, &other.entries);
        self.magnitude = magnitude as i32;
        if !dispatch::close(&mut self.entries, self.dimension.stride()) {
            self.make_empty();
        }
        Ok(!self.is_empty())
    }

    /// Replaces the entries by the closure of others; unchanged if a bound overflows.
    fn assign_closed(&mut self, mut entries: Box<[i32]>, magnitude: i32) -> Result<bool, BoundOverflow> {
        let stride = self.dimension.stride();
        let largest = i64::from(magnitude) * self.dimension.size() as i64;
        let nonempty = if largest <= i64::from(RAW_LIMIT) {
            dispatch::close(&mut entries, stride)
        } else {
            kernel::close_checked(&mut entries, stride).map_err(|raw| BoundOverflow { constant: raw >> 1 })?
        };
        self.entries = entries;
        if nonempty {
            self.magnitude = dispatch::largest_magnitude(&self.entries);
        } else {
            self.make_empty();
        }
        Ok(nonempty)
    }

    /// Ensures that adding `above` to the row of a clock and `below` to its column stays in range; for a reset these
    /// are the row and column of the reference clock.
    #[inline]
    fn reserve_for_sums(&mut self, clock: usize, above: i32, below: i32) -> Result<(), BoundOverflow> {
        let magnitude = i64::from(self.magnitude) + i64::from(above.abs()) + 2;
        if magnitude <= i64::from(RAW_LIMIT) {
            self.magnitude = magnitude as i32;
            return Ok(());
        }
        self.reserve_for_large_sums(clock, above, below)
    }

    /// Returns the slow path of `reserve_for_sums`: the estimate does not rule out an overflow.
    #[cold]
    fn reserve_for_large_sums(&mut self, clock: usize, above: i32, below: i32) -> Result<(), BoundOverflow> {
        for other in (0..self.dimension.size()).filter(|&other| other != clock) {
            for sum in [raw_sum(self.raw(clock, other), above), raw_sum(self.raw(other, clock), below)] {
                Bound::from_raw_checked(sum)?;
            }
        }
        self.magnitude = RAW_LIMIT;
        Ok(())
    }

    fn row_mut(&mut self, row: usize) -> &mut [i32] {
        let stride = self.dimension.stride();
        &mut self.entries[row * stride..][..stride]
    }
}

impl Clone for Zone {
    fn clone(&self) -> Zone {
        Zone { dimension: self.dimension, magnitude: self.magnitude, entries: self.entries.clone() }
    }

    /// Does not allocate if the dimensions are equal.
    #[inline]
    fn clone_from(&mut self, source: &Zone) {
        if self.dimension == source.dimension {
            self.entries.copy_from_slice(&source.entries);
        } else {
            self.dimension = source.dimension;
            self.entries = source.entries.clone();
        }
        self.magnitude = source.magnitude;
    }
}

impl PartialEq for Zone {
    /// Compares the sets of valuations.
    fn eq(&self, other: &Zone) -> bool {
        self.dimension == other.dimension
            && (self.is_empty() && other.is_empty() || self.entries == other.entries)
    }
}

impl Eq for Zone {}

impl Hash for Zone {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.fingerprint().hash(state);
    }
}

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}}}", self.text(|clock| format!("x{}", clock.0)))
    }
}

/// Replaces each entry by the minimum of both.
fn lower_to(entries: &mut [i32], others: &[i32]) {
    for (mine, &theirs) in entries.iter_mut().zip(others) {
        *mine = (*mine).min(theirs);
    }
}

/// A matrix with arbitrary entries; [`Zone::assign_closure`] turns it into a zone.
///
/// Starts as the universe; clocks cannot be made negative.
#[derive(Clone, Debug)]
pub struct OpenMatrix {
    dimension: Dimension,
    entries: Box<[i32]>,
}

impl OpenMatrix {
    /// Creates a matrix without constraints except that clocks are not negative.
    pub fn universe(dimension: Dimension) -> OpenMatrix {
        OpenMatrix { dimension, entries: Zone::universe(dimension).entries }
    }

    /// Creates a matrix with the entries of a non-empty zone.
    pub fn from_zone(zone: &Zone) -> OpenMatrix {
        OpenMatrix { dimension: zone.dimension, entries: zone.entries.clone() }
    }

    /// Returns the entry for `left - right`.
    pub fn bound(&self, left: Clock, right: Clock) -> Bound {
        Bound::from_raw(self.entries[self.index(left, right)])
    }

    /// Sets the entry for `left - right`, even if it is looser than before.
    pub fn set(&mut self, left: Clock, right: Clock, bound: Bound) {
        let most = if left == Clock::REFERENCE || left == right { RAW_LE_ZERO } else { RAW_INFINITY };
        let index = self.index(left, right);
        self.entries[index] = bound.raw().min(most);
    }

    fn index(&self, left: Clock, right: Clock) -> usize {
        assert!(self.dimension.contains(right), "clock {} is outside the dimension", right.0);
        left.index() * self.dimension.stride() + right.index()
    }
}
