//! Minimal sets of constraints for a zone.
//!
//! Invariant: the constraints, together with non-negative clocks, define exactly the zone, and none is redundant. The
//! construction is the shortest-path reduction of Larsen, Larsson, Pettersson and Yi, "Efficient verification of
//! real-time systems: compact data structure and state-space reduction" (1997).

use crate::bound::{Bound, RAW_INFINITY, RAW_LE_ZERO, raw_sum};
use crate::clock::Clock;
use crate::constraint::Constraint;
use crate::zone::Zone;

impl Zone {
    /// Returns a minimal set of constraints that defines the zone, in the order of the clocks.
    ///
    /// The universe needs none; an empty zone is defined by one unsatisfiable constraint.
    pub fn minimal_constraints(&self) -> Vec<Constraint> {
        if self.is_empty() {
            return vec![Constraint::difference(Clock::REFERENCE, Clock::REFERENCE, Bound::LT_ZERO)];
        }
        let size = self.dimension().size();
        // Clocks with a constant difference are tied: the smallest of them represents all.
        let leader: Vec<usize> = (0..size)
            .map(|clock| (0..=clock).find(|&other| self.are_tied(clock, other)).unwrap_or(clock))
            .collect();
        let mut kept: Vec<(usize, usize)> = Vec::new();
        for first in (0..size).filter(|&clock| leader[clock] == clock) {
            // A cycle through the tied clocks fixes all their differences.
            let mut tied: Vec<usize> = (first..size).filter(|&clock| leader[clock] == first).collect();
            if first == 0
                && let Some(at) = (1..tied.len()).find(|&at| self.is_at_least_zero(0, tied[at]))
            {
                // Leave the reference clock by a bound that is implied by non-negative clocks.
                tied.swap(1, at);
            }
            if tied.len() > 1 {
                kept.extend((0..tied.len()).map(|at| (tied[at], tied[(at + 1) % tied.len()])));
            }
            for second in (0..size).filter(|&clock| leader[clock] == clock && clock != first) {
                let raw = self.raw(first, second);
                let is_implied = (0..size).filter(|&via| leader[via] == via).any(|via| {
                    via != first
                        && via != second
                        && raw_sum(self.raw(first, via), self.raw(via, second)) <= raw
                });
                if raw != RAW_INFINITY && !is_implied {
                    kept.push((first, second));
                }
            }
        }
        kept.retain(|&(left, right)| {
            // Between leaders, it suffices that one of the clocks tied to the right one is not negative.
            let goes_without_saying = |clock: usize| self.is_at_least_zero(left, clock);
            if leader[right] == leader[left] {
                !goes_without_saying(right)
            } else {
                !(right..size).any(|clock| leader[clock] == right && goes_without_saying(clock))
            }
        });
        kept.sort_unstable();
        kept.into_iter()
            .map(|(left, right)| {
                let (left, right) = (Clock(left as u16), Clock(right as u16));
                Constraint::difference(left, right, self.bound(left, right))
            })
            .collect()
    }

    fn are_tied(&self, left: usize, right: usize) -> bool {
        raw_sum(self.raw(left, right), self.raw(right, left)) == RAW_LE_ZERO
    }

    /// Returns whether the bound only says that a clock is not negative.
    fn is_at_least_zero(&self, left: usize, right: usize) -> bool {
        left == 0 && self.raw(left, right) == RAW_LE_ZERO
    }
}
