//! Compact zones for storage: 16-bit entries where they fit.
//!
//! Invariant: decoding gives the zone that was encoded; an entry is narrow only if all entries of its zone are.

use crate::bound::{Bound, RAW_INFINITY};
use crate::clock::Dimension;
use crate::covering::LuBounds;
use crate::dispatch;
use crate::zone::Zone;

/// Finite narrow raw entries lie in `-NARROW_LIMIT..=NARROW_LIMIT`: half the range, so that the covering tests can add
/// a bound without relevant overflow.
pub(crate) const NARROW_LIMIT: i16 = (1 << 14) - 1;

const NARROW_INFINITY: i16 = i16::MAX;

/// A non-empty zone in compact form, on which covering tests work directly.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CompactZone {
    dimension: Dimension,
    entries: Entries,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Entries {
    Narrow(Box<[i16]>),
    Wide(Box<[i32]>),
}

impl CompactZone {
    /// The largest constant of a zone with 16-bit entries.
    pub const LARGEST_NARROW_CONSTANT: i32 = (NARROW_LIMIT >> 1) as i32;

    /// Encodes a zone; `None` if it is empty.
    pub fn encode(zone: &Zone) -> Option<CompactZone> {
        if zone.is_empty() {
            return None;
        }
        let entries = match narrowed(zone.entries()) {
            Some(narrow) => Entries::Narrow(narrow),
            None => Entries::Wide(zone.entries().into()),
        };
        Some(CompactZone { dimension: zone.dimension(), entries })
    }

    /// Returns the encoded zone.
    pub fn decode(&self) -> Zone {
        let mut zone = Zone::universe(self.dimension);
        self.decode_into(&mut zone);
        zone
    }

    /// Replaces a zone by the encoded one; does not allocate if the dimensions are equal.
    pub fn decode_into(&self, zone: &mut Zone) {
        if zone.dimension() != self.dimension {
            *zone = Zone::universe(self.dimension);
        }
        match &self.entries {
            Entries::Narrow(entries) => zone.overwrite_closed(entries.iter().map(|&entry| widened(entry))),
            Entries::Wide(entries) => zone.overwrite_closed(entries.iter().copied()),
        }
    }

    /// Returns the number of clocks, including the reference clock.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// Returns whether the entries have 16 bits.
    pub fn is_narrow(&self) -> bool {
        matches!(self.entries, Entries::Narrow(_))
    }

    /// Returns the size of the entries in bytes.
    pub fn bytes(&self) -> usize {
        match &self.entries {
            Entries::Narrow(entries) => size_of_val::<[i16]>(entries),
            Entries::Wide(entries) => size_of_val::<[i32]>(entries),
        }
    }

    /// Returns whether each valuation of this zone is in the other.
    pub fn is_subset_of(&self, other: &CompactZone) -> bool {
        assert_eq!(self.dimension, other.dimension, "zones of different dimensions");
        match (&self.entries, &other.entries) {
            (Entries::Narrow(mine), Entries::Narrow(theirs)) => dispatch::is_subset_narrow(mine, theirs),
            (Entries::Wide(mine), Entries::Wide(theirs)) => dispatch::is_subset(mine, theirs),
            (Entries::Narrow(mine), Entries::Wide(theirs)) => {
                mine.iter().zip(theirs).all(|(&mine, &theirs)| widened(mine) <= theirs)
            }
            (Entries::Wide(mine), Entries::Narrow(theirs)) => {
                mine.iter().zip(theirs).all(|(&mine, &theirs)| mine <= widened(theirs))
            }
        }
    }

    /// Performs the test of [`Zone::is_covered_by`].
    pub fn is_covered_by(&self, other: &CompactZone, bounds: &LuBounds) -> bool {
        assert_eq!(self.dimension, other.dimension, "zones of different dimensions");
        assert_eq!(self.dimension, bounds.dimension(), "bounds of another dimension");
        let stride = self.dimension.stride();
        match (&self.entries, &other.entries) {
            (Entries::Narrow(mine), Entries::Narrow(theirs)) => {
                let (lower, upper) = bounds.narrow();
                dispatch::is_covered_narrow(stride, mine, theirs, lower, upper)
            }
            (Entries::Wide(mine), Entries::Wide(theirs)) => {
                let (lower, upper) = bounds.wide();
                dispatch::is_covered(stride, mine, theirs, lower, upper)
            }
            // One zone has large bounds and the other has not; rare enough for the slow path.
            _ => self.decode().is_covered_by(&other.decode(), bounds),
        }
    }
}

/// Returns the entries with 16 bits each, if they all fit.
fn narrowed(entries: &[i32]) -> Option<Box<[i16]>> {
    let limit = i32::from(NARROW_LIMIT);
    let fits = entries.iter().all(|&entry| entry == RAW_INFINITY || (-limit..=limit).contains(&entry));
    fits.then(|| {
        entries
            .iter()
            .map(|&entry| if entry == RAW_INFINITY { NARROW_INFINITY } else { entry as i16 })
            .collect()
    })
}

fn widened(entry: i16) -> i32 {
    if entry == NARROW_INFINITY { Bound::INFINITY.raw() } else { i32::from(entry) }
}
