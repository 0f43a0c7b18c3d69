//! Covering with clock differences.
//!
//! Invariant: a candidate is reported as covered only if the G-simulation of Gastin, Mukherjee and Srivathsan,
//! "Reachability in timed automata with diagonal constraints" (2018), covers it. When the budget is exhausted nothing
//! is covered any more, which is sound.

use tempora_evidence::BudgetWatch;
use tempora_zones::{ArenaCandidate, Bound, Constraint, LuBounds, Zone, ZoneArena, ZoneHandle};

use crate::graph::bounds::Diagonal;
use crate::graph::clocks::ClockIndex;
use crate::graph::store::Covering;

/// Covering by bounds and clock differences.
pub(crate) struct DiagonalCovering<'search, 'budget> {
    bounds: &'search LuBounds,
    diagonals: Vec<Constraint>,
    candidate: &'search Zone,
    stored: Zone,
    watch: &'search mut BudgetWatch<'budget>,
}

impl<'search, 'budget> DiagonalCovering<'search, 'budget> {
    pub(crate) fn new(
        bounds: &'search LuBounds,
        diagonals: &[Diagonal],
        clocks: &ClockIndex,
        candidate: &'search Zone,
        watch: &'search mut BudgetWatch<'budget>,
    ) -> DiagonalCovering<'search, 'budget> {
        let diagonals = diagonals
            .iter()
            .filter_map(|diagonal| {
                let left = clocks.zone_clock(diagonal.left)?;
                let right = clocks.zone_clock(diagonal.right)?;
                // A constant that is too large for a bound occurs in no zone.
                let bound = Bound::finite(diagonal.constant, !diagonal.is_strict).ok()?;
                Some(Constraint::difference(left, right, bound))
            })
            .collect();
        let stored = Zone::universe(candidate.dimension());
        DiagonalCovering { bounds, diagonals, candidate, stored, watch }
    }
}

impl Covering for DiagonalCovering<'_, '_> {
    fn is_covering(&mut self, zones: &ZoneArena, stored: ZoneHandle, _: &ArenaCandidate) -> bool {
        zones.decode_into(stored, &mut self.stored);
        is_covered(self.candidate, &self.stored, self.bounds, &self.diagonals, self.watch)
    }

    fn is_covered(&mut self, zones: &ZoneArena, stored: ZoneHandle, _: &ArenaCandidate) -> bool {
        zones.decode_into(stored, &mut self.stored);
        is_covered(&self.stored, self.candidate, self.bounds, &self.diagonals, self.watch)
    }
}

/// Returns whether each valuation of one zone is simulated by one of the other that satisfies at least the same
/// differences.
fn is_covered(
    zone: &Zone,
    other: &Zone,
    bounds: &LuBounds,
    diagonals: &[Constraint],
    watch: &mut BudgetWatch<'_>,
) -> bool {
    // Differences only make the relation smaller, and it contains inclusion.
    if !zone.is_covered_by(other, bounds) {
        return false;
    }
    if zone.is_subset_of(other) {
        return true;
    }
    if watch.check(0).is_err() {
        return false;
    }
    let Some((&diagonal, rest)) = diagonals.split_first() else { return true };
    let Some(negated) = diagonal.negated() else {
        return is_covered(zone, other, bounds, rest, watch);
    };
    if !zone.satisfies_somewhere(diagonal) {
        return is_covered(zone, other, bounds, rest, watch);
    }
    let mut inside = other.clone();
    if inside.constrain(diagonal).is_err() {
        return false;
    }
    if !zone.satisfies_somewhere(negated) {
        return is_covered(zone, &inside, bounds, rest, watch);
    }
    let (mut satisfying, mut violating) = (zone.clone(), zone.clone());
    if satisfying.constrain(diagonal).is_err() || violating.constrain(negated).is_err() {
        return false;
    }
    is_covered(&satisfying, &inside, bounds, rest, watch)
        && is_covered(&violating, other, bounds, rest, watch)
}
