//! Many zones in few allocations: 16-bit matrices without padding, small ones without diagonals, packed into large
//! chunks.
//!
//! Invariant: between two entries of a diagonal lie as many consecutive entries as the matrix has rows, so a matrix
//! without its diagonal is read and written in runs. A handle is valid until its zone is removed; the space of a
//! removed zone is reused for a zone of the same dimension. Zones with entries that need more than 16 bits, and those
//! that are too large for a chunk, are stored apart, one allocation each.

use crate::bound::RAW_LE_ZERO;
use crate::clock::Dimension;
use crate::compact::{CompactZone, NARROW_LIMIT};
use crate::covering::LuBounds;
use crate::dispatch;
use crate::zone::Zone;

/// A handle of a zone in an arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ZoneHandle(u32);

/// An arena of non-empty zones of any dimensions.
///
/// The dimension of a zone is not stored with it; callers know it.
#[derive(Debug, Default)]
pub struct ZoneArena {
    chunks: Vec<Box<[i16]>>,
    /// The used units of the last chunk.
    used: usize,
    /// Removed zones, by the size of their dimension.
    removed: Vec<Vec<u32>>,
    apart: Vec<Option<CompactZone>>,
    removed_apart: Vec<u32>,
    bytes: usize,
}

/// A zone in the form in which an arena compares it; reusable for many zones.
#[derive(Debug)]
pub struct ArenaCandidate {
    dimension: Dimension,
    narrow: Vec<i16>,
    /// Set if entries need more than 16 bits, or the matrix is too large for a chunk.
    apart: Option<CompactZone>,
}

/// Entries of one unit; handles count in units.
const UNIT: usize = 4;
/// Units of one chunk.
const CHUNK: usize = 1 << 16;
/// The entries of a diagonal: `<= 0`.
const DIAGONAL: i16 = RAW_LE_ZERO as i16;
/// Marks handles of zones that are stored apart.
const APART: u32 = 1 << 31;

impl ZoneArena {
    /// Creates an empty arena.
    pub fn new() -> ZoneArena {
        ZoneArena::default()
    }

    /// Adds the zone of a candidate; `None` if there are too many.
    pub fn insert(&mut self, candidate: &ArenaCandidate) -> Option<ZoneHandle> {
        if let Some(zone) = &candidate.apart {
            self.bytes += zone.bytes();
            if let Some(place) = self.removed_apart.pop() {
                self.apart[place as usize] = Some(zone.clone());
                return Some(ZoneHandle(place | APART));
            }
            let place = u32::try_from(self.apart.len()).ok().filter(|place| place & APART == 0)?;
            self.apart.push(Some(zone.clone()));
            return Some(ZoneHandle(place | APART));
        }
        let units = stored_length(candidate.dimension) / UNIT;
        let reused = self.removed.get_mut(candidate.dimension.size()).and_then(Vec::pop);
        let place = match reused {
            Some(place) => place,
            None => {
                if self.chunks.is_empty() || self.used + units > CHUNK {
                    let first = self.chunks.len().checked_mul(CHUNK)?;
                    u32::try_from(first + CHUNK).ok().filter(|end| *end <= APART)?;
                    self.chunks.push(vec![0; CHUNK * UNIT + SLACK].into_boxed_slice());
                    self.bytes += (CHUNK * UNIT + SLACK) * size_of::<i16>();
                    self.used = 0;
                }
                let place = (self.chunks.len() - 1) * CHUNK + self.used;
                self.used += units;
                place as u32
            }
        };
        let (chunk, offset) = (place as usize / CHUNK, place as usize % CHUNK * UNIT);
        let size = candidate.dimension.size();
        let stored = &mut self.chunks[chunk][offset..offset + units * UNIT];
        if size > MOST_WITHOUT_DIAGONAL {
            stored.copy_from_slice(&candidate.narrow);
        } else {
            for (run, entries) in stored.chunks_exact_mut(size).zip(candidate.narrow.chunks(size + 1)) {
                if let Some(entries) = entries.get(1..=size) {
                    run.copy_from_slice(entries);
                }
            }
        }
        Some(ZoneHandle(place))
    }

    /// Removes a zone of the given dimension.
    pub fn remove(&mut self, handle: ZoneHandle, dimension: Dimension) {
        if handle.0 & APART != 0 {
            let place = handle.0 & !APART;
            if let Some(zone) = self.apart.get_mut(place as usize).and_then(Option::take) {
                self.bytes -= zone.bytes();
                self.removed_apart.push(place);
            }
            return;
        }
        let size = dimension.size();
        if self.removed.len() <= size {
            self.removed.resize_with(size + 1, Vec::new);
        }
        self.removed[size].push(handle.0);
    }

    /// Replaces a zone, which has the same dimension, by a stored one.
    pub fn decode_into(&self, handle: ZoneHandle, zone: &mut Zone) {
        match self.apart(handle) {
            Some(stored) => stored.decode_into(zone),
            None => {
                self.with_narrow(handle, zone.dimension(), |entries| zone.overwrite_packed(entries));
            }
        }
    }

    /// Returns whether the stored zone covers the candidate; see [`Zone::is_covered_by`].
    #[inline]
    pub fn covers(&self, handle: ZoneHandle, candidate: &ArenaCandidate, bounds: &LuBounds) -> bool {
        if candidate.apart.is_none() && handle.0 & APART == 0 {
            let (lower, upper) = bounds.narrow();
            return self.with_narrow(handle, candidate.dimension, |stored| {
                dispatch::is_covered_packed(
                    candidate.dimension.size(),
                    &candidate.narrow,
                    stored,
                    lower,
                    upper,
                )
            });
        }
        self.compact(handle, candidate.dimension)
            .is_some_and(|stored| candidate.compact().is_some_and(|own| own.is_covered_by(&stored, bounds)))
    }

    /// Returns whether the candidate covers the stored zone; see [`Zone::is_covered_by`].
    #[inline]
    pub fn is_covered_by(&self, handle: ZoneHandle, candidate: &ArenaCandidate, bounds: &LuBounds) -> bool {
        if candidate.apart.is_none() && handle.0 & APART == 0 {
            let (lower, upper) = bounds.narrow();
            return self.with_narrow(handle, candidate.dimension, |stored| {
                dispatch::is_covered_packed(
                    candidate.dimension.size(),
                    stored,
                    &candidate.narrow,
                    lower,
                    upper,
                )
            });
        }
        self.compact(handle, candidate.dimension)
            .is_some_and(|stored| candidate.compact().is_some_and(|own| stored.is_covered_by(&own, bounds)))
    }

    /// Returns whether the stored zone includes the candidate.
    #[inline]
    pub fn includes(&self, handle: ZoneHandle, candidate: &ArenaCandidate) -> bool {
        let narrow = |stored: &[i16], own: &[i16]| is_included(own, stored);
        self.compare(handle, candidate, narrow, |stored, own| own.is_subset_of(stored))
    }

    /// Returns whether the candidate includes the stored zone.
    #[inline]
    pub fn is_included_in(&self, handle: ZoneHandle, candidate: &ArenaCandidate) -> bool {
        self.compare(handle, candidate, is_included, Zone::is_subset_of)
    }

    /// Compares a stored zone with a candidate, entry by entry if both are narrow.
    #[inline]
    fn compare(
        &self,
        handle: ZoneHandle,
        candidate: &ArenaCandidate,
        narrow: impl FnOnce(&[i16], &[i16]) -> bool,
        wide: impl FnOnce(&Zone, &Zone) -> bool,
    ) -> bool {
        let dimension = candidate.dimension;
        if candidate.apart.is_none() && handle.0 & APART == 0 {
            let entries = dimension.size() * dimension.size();
            return self.with_narrow(handle, dimension, |stored| {
                narrow(&stored[..entries], &candidate.narrow[..entries])
            });
        }
        let (mut stored, mut own) = (Zone::universe(dimension), Zone::universe(dimension));
        self.decode_into(handle, &mut stored);
        candidate.decode_into(&mut own);
        wide(&stored, &own)
    }

    /// Returns the bytes of all zones.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn apart(&self, handle: ZoneHandle) -> Option<&CompactZone> {
        if handle.0 & APART == 0 {
            return None;
        }
        self.apart.get((handle.0 & !APART) as usize).and_then(Option::as_ref)
    }

    /// Passes a stored matrix to a function, with its diagonal, and with the entries read beyond its last row.
    #[inline]
    fn with_narrow<Seen>(
        &self,
        handle: ZoneHandle,
        dimension: Dimension,
        see: impl FnOnce(&[i16]) -> Seen,
    ) -> Seen {
        let (place, size, length) = (handle.0 as usize, dimension.size(), packed_length(dimension));
        let chunk = &self.chunks[place / CHUNK];
        let offset = place % CHUNK * UNIT;
        if size > MOST_WITHOUT_DIAGONAL {
            return see(&chunk[offset..offset + length]);
        }
        let mut entries = [0; MOST_EXPANDED];
        if size <= 8 {
            expand::<8>(&chunk[offset..], size, &mut entries);
        } else {
            expand::<16>(&chunk[offset..], size, &mut entries);
        }
        entries[size * size..length].fill(0);
        see(&entries[..length])
    }

    fn compact(&self, handle: ZoneHandle, dimension: Dimension) -> Option<CompactZone> {
        match self.apart(handle) {
            Some(zone) => Some(zone.clone()),
            None => {
                let mut zone = Zone::universe(dimension);
                self.decode_into(handle, &mut zone);
                CompactZone::encode(&zone)
            }
        }
    }
}

/// Returns whether no entry of a closed matrix is above that of another, compared in blocks.
#[inline]
fn is_included(smaller: &[i16], larger: &[i16]) -> bool {
    const BLOCK: usize = 16;
    let mut blocks = smaller.chunks(BLOCK).zip(larger.chunks(BLOCK));
    blocks.all(|(smaller, larger)| {
        smaller.iter().zip(larger).fold(true, |holds, (smaller, larger)| holds & (smaller <= larger))
    })
}

/// Larger matrices keep their diagonals: restoring them would cost more time than the space is worth.
const MOST_WITHOUT_DIAGONAL: usize = 13;
/// The entries of the largest of the others, plus those written beyond its end.
const MOST_EXPANDED: usize = 208;
/// The number of entries read beyond the end of a stored matrix.
const SLACK: usize = 16;

/// Restores the diagonal. Runs are copied with trailing entries of the next run, which are then overwritten.
#[inline]
fn expand<const LANES: usize>(stored: &[i16], size: usize, entries: &mut [i16; MOST_EXPANDED]) {
    for run in 0..size.saturating_sub(1) {
        let diagonal = run * (size + 1);
        entries[diagonal] = DIAGONAL;
        entries[diagonal + 1..diagonal + 1 + LANES].copy_from_slice(&stored[run * size..run * size + LANES]);
    }
    entries[size * size - 1] = DIAGONAL;
}

/// Returns the number of stored entries of a matrix, in whole units: at least one, so that each zone has its own
/// handle.
#[inline]
fn stored_length(dimension: Dimension) -> usize {
    let size = dimension.size();
    if size > MOST_WITHOUT_DIAGONAL {
        return packed_length(dimension);
    }
    (size * (size - 1)).max(1).next_multiple_of(UNIT)
}

/// Returns the entries of a matrix with those read beyond its last row, in whole units.
#[inline]
fn packed_length(dimension: Dimension) -> usize {
    let (size, stride) = (dimension.size(), dimension.stride());
    (size * size + (stride - size)).next_multiple_of(UNIT)
}

impl ArenaCandidate {
    /// Creates a candidate that is not yet a zone.
    pub fn new() -> ArenaCandidate {
        let zone = Zone::universe(match Dimension::for_clocks(0) {
            Ok(dimension) => dimension,
            Err(error) => unreachable!("no clocks are few enough: {error}"),
        });
        let mut candidate = ArenaCandidate { dimension: zone.dimension(), narrow: Vec::new(), apart: None };
        candidate.assign(&zone);
        candidate
    }

    /// Sets the candidate to a non-empty zone. Reuses its memory, unless entries need more than 16 bits.
    #[inline]
    pub fn assign(&mut self, zone: &Zone) {
        self.dimension = zone.dimension();
        self.apart = None;
        let length = packed_length(self.dimension);
        self.narrow.resize(length, 0);
        let is_narrow = length <= CHUNK * UNIT
            && dispatch::pack(
                self.dimension.size(),
                zone.entries(),
                &mut self.narrow,
                i32::from(NARROW_LIMIT),
            );
        if !is_narrow {
            self.apart = CompactZone::encode(zone);
        }
    }

    fn compact(&self) -> Option<CompactZone> {
        match &self.apart {
            Some(zone) => Some(zone.clone()),
            None => {
                let mut zone = Zone::universe(self.dimension);
                self.decode_into(&mut zone);
                CompactZone::encode(&zone)
            }
        }
    }

    /// Replaces a zone, which has the same dimension.
    fn decode_into(&self, zone: &mut Zone) {
        match &self.apart {
            Some(own) => own.decode_into(zone),
            None => {
                zone.overwrite_packed(&self.narrow);
            }
        }
    }
}

impl Default for ArenaCandidate {
    fn default() -> ArenaCandidate {
        ArenaCandidate::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::constraint::Constraint;

    fn zone(clocks: usize, most: i32) -> Zone {
        let dimension = Dimension::for_clocks(clocks).unwrap();
        let mut zone = Zone::zero(dimension);
        zone.up();
        zone.constrain(Constraint::at_most(Clock(1), most).unwrap()).unwrap();
        zone
    }

    #[test]
    fn stores_compares_and_replaces_zones() {
        let mut arena = ZoneArena::new();
        let mut candidate = ArenaCandidate::new();
        let bounds = LuBounds::from_maxima(zone(2, 0).dimension(), &[Some(20_000), Some(20_000)]);
        let mut handles = Vec::new();
        // The largest does not fit 16 bits.
        for most in [3, 7, 15_000] {
            candidate.assign(&zone(2, most));
            handles.push((arena.insert(&candidate).unwrap(), most));
        }
        for &(handle, most) in &handles {
            let mut decoded = zone(2, 0);
            arena.decode_into(handle, &mut decoded);
            assert_eq!(decoded, zone(2, most));
            for other in [1, 3, 5, 7, 9_000, 15_000] {
                candidate.assign(&zone(2, other));
                assert_eq!(arena.covers(handle, &candidate, &bounds), other <= most, "{other} in {most}");
                assert_eq!(arena.includes(handle, &candidate), other <= most, "{other} in {most}");
                assert_eq!(arena.is_included_in(handle, &candidate), most <= other, "{most} in {other}");
                assert_eq!(arena.is_covered_by(handle, &candidate, &bounds), most <= other);
            }
        }
        let (first, _) = handles[0];
        arena.remove(first, zone(2, 0).dimension());
        candidate.assign(&zone(2, 5));
        assert_eq!(arena.insert(&candidate), Some(first));
        candidate.assign(&zone(3, 5));
        assert_ne!(arena.insert(&candidate), Some(first));
    }

    #[test]
    fn simultaneous_assignments_equal_sequential() {
        use crate::reshape::ClockSource;
        let mut old = zone(3, 9);
        old.reset(Clock(2), 4).unwrap();
        old.up_within(&[(Clock(2), crate::bound::Bound::weak(6).unwrap())]).unwrap();
        // Clock 1 becomes 5, clock 2 is clock 3, clock 3 is dropped.
        let mut expected = old.clone();
        expected.reset(Clock(1), 5).unwrap();
        expected.copy(Clock(2), Clock(3));
        let expected = expected.with_clocks(&[Clock(1), Clock(2)]).unwrap();
        let mut new = Zone::universe(expected.dimension());
        let sources =
            [ClockSource { from: Clock::REFERENCE, plus: 5 }, ClockSource { from: Clock(3), plus: 0 }];
        new.assign_from(&old, &sources).unwrap();
        assert_eq!(new, expected);
    }

    #[test]
    fn bounded_delay_equals_delay_then_bounds() {
        let mut entry = zone(3, 9);
        entry.reset(Clock(2), 1).unwrap();
        entry.constrain(Constraint::at_most(Clock(3), 7).unwrap()).unwrap();
        let bounds = [
            (Clock(2), crate::bound::Bound::strict(5).unwrap()),
            (Clock(3), crate::bound::Bound::weak(8).unwrap()),
        ];
        let mut expected = entry.clone();
        expected.up();
        for (clock, bound) in bounds {
            expected.constrain(Constraint::difference(clock, Clock::REFERENCE, bound)).unwrap();
        }
        entry.up_within(&bounds).unwrap();
        assert_eq!(entry, expected);
    }
}
