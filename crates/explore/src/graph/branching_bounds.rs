//! The constants that clocks may still be compared with, for engines that need bisimulation.
//!
//! Invariant: two states with the same cells whose clocks are equal, or above the constants of their location, and
//! agree on all diagonals are bisimilar (see [`crate::graph::bounds`]).

use tempora_machine::Machine;
use tempora_model::Network;
use tempora_zones::{Bound, BoundOverflow, Clock, Constraint};

use crate::graph::bounds::{ClockBounds, Profile};

/// The greatest constants of a network, location by location.
pub struct BranchingBounds {
    bounds: ClockBounds,
}

impl BranchingBounds {
    /// Computes the bounds; an error names the unsupported construct.
    pub fn new(network: &Network, machine: &Machine) -> Result<BranchingBounds, String> {
        Ok(BranchingBounds { bounds: ClockBounds::new(network, machine, &[], Profile::Branching)? })
    }

    /// Returns the greatest constant that a clock, from 0, may be compared with before it is set; `None` if there is
    /// none.
    pub fn greatest(&self, clock: usize, cells: &[i32]) -> Option<i32> {
        let pair = self.bounds.pair(clock, cells);
        pair.is_active().then_some(pair.lower.max(pair.upper))
    }

    /// Returns the clock differences, from 1, that occur in conditions.
    pub fn diagonals(&self) -> Result<Vec<Constraint>, BoundOverflow> {
        let diagonals = self.bounds.diagonals.iter();
        diagonals
            .map(|diagonal| {
                let bound = Bound::finite(diagonal.constant, !diagonal.is_strict)?;
                Ok(Constraint::difference(Clock(diagonal.left), Clock(diagonal.right), bound))
            })
            .collect()
    }
}
