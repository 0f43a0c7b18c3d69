//! Which constants clocks may still be compared with, for engines that compare what states can do.
//!
//! Invariant: two states with the same cells whose clocks are equal, or above the constants of their location, and agree on
//! all diagonals can do the same (see [`crate::graph::bounds`]).

use tempora_machine::Machine;
use tempora_model::Network;
use tempora_zones::{Bound, BoundOverflow, Clock, Constraint};

use crate::graph::bounds::{ClockBounds, Profile};

/// The greatest constants of a network, location by location.
pub struct BranchingBounds {
    bounds: ClockBounds,
}

impl BranchingBounds {
    /// Works them out; an error names what cannot be followed.
    pub fn new(network: &Network, machine: &Machine) -> Result<BranchingBounds, String> {
        Ok(BranchingBounds { bounds: ClockBounds::new(network, machine, &[], Profile::Branching)? })
    }

    /// The greatest constant that a clock, counted from 0, may still be compared with; `None` if with none before it is set.
    pub fn greatest(&self, clock: usize, cells: &[i32]) -> Option<i32> {
        let pair = self.bounds.pair(clock, cells);
        pair.is_active().then_some(pair.lower.max(pair.upper))
    }

    /// The differences of clocks, counted from 1, that are compared somewhere.
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
