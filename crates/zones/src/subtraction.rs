//! Subtraction of zones, with few pieces.
//!
//! Invariant: the pieces are disjoint, none is empty, and together they are exactly the difference.

use crate::bound::{BoundOverflow, RAW_LE_ZERO, raw_sum};
use crate::zone::Zone;

/// A bound of the subtracted zone that is tighter than that of the minuend.
struct Cut {
    left: usize,
    right: usize,
    /// Whether the bound is the sum of two others of its zone.
    follows: bool,
}

impl Zone {
    /// Returns the valuations of this zone that are not in the other, as disjoint zones.
    pub fn minus(&self, other: &Zone) -> Result<Vec<Zone>, BoundOverflow> {
        let mut pieces = Vec::new();
        self.subtract_into(other, &mut pieces)?;
        Ok(pieces)
    }

    /// Appends the pieces of the difference to a list.
    pub(crate) fn subtract_into(&self, other: &Zone, pieces: &mut Vec<Zone>) -> Result<(), BoundOverflow> {
        if self.is_empty() {
            return Ok(());
        }
        let Some(cuts) = self.cuts_by(other) else {
            pieces.push(self.clone());
            return Ok(());
        };
        let before = pieces.len();
        let mut rest = self.clone();
        // A bound implied by others is often satisfied once those have been cut off, and then yields no piece; so such
        // bounds come last.
        let ordered = cuts.iter().filter(|cut| !cut.follows).chain(cuts.iter().filter(|cut| cut.follows));
        for &Cut { left, right, .. } in ordered {
            let raw = other.raw(left, right);
            if raw >= rest.raw(left, right) {
                continue;
            }
            let mut piece = rest.clone();
            piece.constrain_raw(right, left, 1 - raw)?;
            debug_assert!(!piece.is_empty(), "a closed zone attains its bounds");
            if !rest.constrain_raw(left, right, raw)? {
                // The zones are disjoint: one piece is better than several.
                pieces.truncate(before);
                pieces.push(self.clone());
                return Ok(());
            }
            pieces.push(piece);
        }
        Ok(())
    }

    /// Returns the bounds of the other zone that cut something off; `None` if one of them cuts off everything.
    fn cuts_by(&self, other: &Zone) -> Option<Vec<Cut>> {
        assert_eq!(self.dimension(), other.dimension(), "zones of different dimensions");
        if other.is_empty() {
            return None;
        }
        let (size, stride) = (self.dimension().size(), self.dimension().stride());
        let mut cuts = Vec::with_capacity(2 * size);
        let rows = self.entries().chunks_exact(stride).zip(other.entries().chunks_exact(stride));
        for (left, (mine, theirs)) in rows.enumerate() {
            for (right, (&mine, &theirs)) in mine.iter().zip(theirs).enumerate() {
                if theirs < mine {
                    if raw_sum(self.raw(right, left), theirs) < RAW_LE_ZERO {
                        return None;
                    }
                    cuts.push(Cut { left, right, follows: other.bound_follows(left, right) });
                }
            }
        }
        Some(cuts)
    }

    /// Returns whether the bound is the sum of two others.
    fn bound_follows(&self, left: usize, right: usize) -> bool {
        let (stride, raw) = (self.dimension().stride(), self.raw(left, right));
        let from_left = &self.entries()[left * stride..][..stride];
        let rows = self.entries().chunks_exact(stride);
        rows.zip(from_left)
            .enumerate()
            .any(|(via, (row, &first))| via != left && via != right && raw_sum(first, row[right]) <= raw)
    }
}
