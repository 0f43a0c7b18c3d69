//! Zone minus zone, in few pieces.
//!
//! Invariant: the pieces are disjoint, none is empty, and together they are exactly the difference.

use crate::bound::{BoundOverflow, raw_sum};
use crate::zone::Zone;

impl Zone {
    /// The valuations of this zone that are not in the other, as disjoint zones.
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
        if other.is_empty() || self.is_separated_from(other) {
            pieces.push(self.clone());
            return Ok(());
        }
        let before = pieces.len();
        let mut rest = self.clone();
        // A bound that follows from others of the subtracted zone is often implied once those have been cut off,
        // and then costs no piece: so the ones that do not follow go first.
        for follows in [false, true] {
            for left in 0..self.dimension().size() {
                for right in 0..self.dimension().size() {
                    let raw = other.raw(left, right);
                    if raw >= rest.raw(left, right) || other.bound_follows(left, right) != follows {
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
            }
        }
        Ok(())
    }

    /// Whether the bound is the sum of two others.
    fn bound_follows(&self, left: usize, right: usize) -> bool {
        let raw = self.raw(left, right);
        (0..self.dimension().size()).any(|via| {
            via != left && via != right && raw_sum(self.raw(left, via), self.raw(via, right)) <= raw
        })
    }
}
