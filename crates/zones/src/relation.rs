//! Relations between two zones.
//!
//! Invariant: the answers are exact; for closed matrices inclusion is the comparison of all entries.

use crate::bound::{BoundOverflow, RAW_LE_ZERO, raw_sum};
use crate::dispatch;
use crate::zone::Zone;

/// The relation of a set of valuations to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// The same valuations.
    Equal,
    /// The first is a proper subset of the second.
    Subset,
    /// The first is a proper superset of the second.
    Superset,
    /// Each has a valuation that the other lacks.
    Different,
}

impl Relation {
    pub(crate) fn from_inclusions(subset: bool, superset: bool) -> Relation {
        match (subset, superset) {
            (true, true) => Relation::Equal,
            (true, false) => Relation::Subset,
            (false, true) => Relation::Superset,
            (false, false) => Relation::Different,
        }
    }
}

impl Zone {
    /// Returns the relation of this zone to the other.
    pub fn relation(&self, other: &Zone) -> Relation {
        assert_eq!(self.dimension(), other.dimension(), "zones of different dimensions");
        if self.is_empty() || other.is_empty() {
            return Relation::from_inclusions(self.is_empty(), other.is_empty());
        }
        let (subset, superset) = dispatch::inclusions(self.entries(), other.entries());
        Relation::from_inclusions(subset, superset)
    }

    /// Returns whether each valuation of this zone is in the other.
    #[inline]
    pub fn is_subset_of(&self, other: &Zone) -> bool {
        assert_eq!(self.dimension(), other.dimension(), "zones of different dimensions");
        self.is_empty() || !other.is_empty() && dispatch::is_subset(self.entries(), other.entries())
    }

    /// Returns whether the zones have a common valuation.
    pub fn intersects(&self, other: &Zone) -> Result<bool, BoundOverflow> {
        if self.is_empty() || other.is_empty() || self.is_separated_from(other) {
            return Ok(false);
        }
        // No two bounds contradict each other, but a longer cycle of bounds may.
        self.clone().intersect(other)
    }

    /// Returns whether a pair of bounds, one of each zone, proves the zones disjoint; if not, they may still be
    /// disjoint.
    pub(crate) fn is_separated_from(&self, other: &Zone) -> bool {
        assert_eq!(self.dimension(), other.dimension(), "zones of different dimensions");
        let size = self.dimension().size();
        (0..size).any(|left| {
            (0..size).any(|right| raw_sum(self.raw(left, right), other.raw(right, left)) < RAW_LE_ZERO)
        })
    }
}
