//! Deadlocks that covering by a simulation may hide: deadlocked states that are dropped for stored states with
//! successors.
//!
//! Invariant: if an exhaustive search finds no deadlock of a kind and none may be hidden, then none is reachable.
//!
//! A simulation preserves reachability and infinite runs: a stored state simulates every state that is dropped for it.
//! It does not preserve deadlocks. A bisimulation does, but has many more states, and most of its distinctions have
//! nothing to do with deadlocks. So the search uses a simulation and checks for each stored zone whether a state that
//! it may stand for is deadlocked. Let `D` be the deadlocked values of the discrete state, among all values that its
//! invariants allow; it is computed once for each discrete state and is usually empty. Let `H` contain all values that
//! the bounds relate to a value of the zone. If `D` and `H` are disjoint, no deadlock is hidden. Otherwise the zone
//! itself may contain a deadlock, which is real because zones are exact. If it does not, the search restarts with a
//! relation that keeps apart the values of those clocks by which `H` exceeds the zone. In a search for a certificate,
//! the enlarged zone takes the place of `H`: a deadlock in it may not be real, and then the search restarts in the same
//! way.
//!
//! `H` follows from the definition of the simulation for lower and upper bounds (Herbreteau, Srivathsan and
//! Walukiewicz, "Better abstractions for timed automata", 2012): a value `v` is simulated by `v'` if for each clock
//! they are equal, or `v'` is above the lower bound and smaller than `v`, or `v` is above the upper bound and smaller
//! than `v'`.

use std::ops::ControlFlow;

use tempora_machine::{ClockConstraint, Enabled, Predicate};
use tempora_zones::{Bound, BoundOverflow, Clock, Constraint, OpenMatrix, Zone};

use crate::graph::arrivals::{Arrival, Arrivals};
use crate::graph::bounds::{LuPair, NONE as NO_BOUND};
use crate::graph::explorer::{Explorer, Flow, SearchStop, constrain, dimension, too_large};
use crate::graph::pieces::minus_all;
use crate::graph::store::{DiscreteId, NodeId};
use crate::search::deadlock::deadlocked_parts;

/// Caches the deadlocks of discrete states.
#[derive(Default)]
pub(crate) struct DeadlockTable {
    /// For each discrete state, the position of its entry; [`UNKNOWN`] before it is computed.
    positions: Vec<u32>,
    /// The first entry has no parts.
    known: Vec<DeadlockEntry>,
    arrivals: Arrivals,
}

/// An over-approximation of the deadlocked values of a discrete state.
#[derive(Default)]
struct DeadlockEntry {
    parts: Vec<Zone>,
}

const UNKNOWN: u32 = u32::MAX;
/// The entry of most states: no deadlocks.
const NO_PARTS: u32 = 0;
/// Limits on the number of zones for deadlocked values, and on the pieces of a zone.
const MOST_PARTS: usize = 64;
const MOST_PIECES: usize = 16;

/// Returns whether a predicate, with a wanted truth value, is monotonic in deadlocks: more deadlocks make it true in
/// more states. It may still be true in states without deadlocks, as `p || deadlock` is.
pub(crate) fn is_monotonic_in_deadlocks(predicate: &Predicate, wanted: bool) -> bool {
    match predicate {
        Predicate::Deadlock => wanted,
        Predicate::Data(_) | Predicate::Clocks(_) => true,
        Predicate::Not(inner) => is_monotonic_in_deadlocks(inner, !wanted),
        Predicate::And(left, right) | Predicate::Or(left, right) => {
            is_monotonic_in_deadlocks(left, wanted) && is_monotonic_in_deadlocks(right, wanted)
        }
        Predicate::Conditional { then, otherwise, .. } => {
            is_monotonic_in_deadlocks(then, wanted) && is_monotonic_in_deadlocks(otherwise, wanted)
        }
        Predicate::Quantified { body, .. } => is_monotonic_in_deadlocks(body, wanted),
    }
}

impl Explorer<'_> {
    /// Searches a node for goals that mention deadlocks, and for those that it may hide.
    pub(crate) fn check_hidden_deadlocks(
        &mut self,
        id: NodeId,
        enabled: &mut Enabled,
        cells: &mut Vec<i32>,
        zone: &Zone,
    ) -> Flow {
        self.check_goals_without_deadlocks(id, zone)?;
        let Some(pieces) = self.deadlocks_may_hide(id, enabled, cells, zone)? else {
            return ControlFlow::Continue(());
        };
        self.execution.cells_mut().copy_from_slice(&self.source_cells);
        let Some(table) = self.deadlocks.take() else { return ControlFlow::Continue(()) };
        let parts = table.parts(self.store.node(id).discrete);
        let mut may_be_found = Vec::new();
        for position in 0..self.goals.len() {
            if self.goals[position].outcome.is_some() {
                continue;
            }
            let goals = std::mem::take(&mut self.goals);
            let mut is_found = ControlFlow::Continue(Ok(Vec::new()));
            for piece in &pieces {
                is_found =
                    self.parts(&goals[position].predicate, goals[position].wanted, piece, false, parts);
                if !matches!(&is_found, ControlFlow::Continue(Ok(parts)) if parts.is_empty()) {
                    break;
                }
            }
            self.goals = goals;
            match is_found {
                ControlFlow::Continue(Ok(parts)) if parts.is_empty() => {}
                // The failure is detected below.
                ControlFlow::Continue(_) => may_be_found.push(position),
                ControlFlow::Break(stop) => {
                    self.deadlocks = Some(table);
                    return ControlFlow::Break(stop);
                }
            }
        }
        self.deadlocks = Some(table);
        if may_be_found.is_empty() {
            return ControlFlow::Continue(());
        }
        self.arrivals = Some(Arrivals::default());
        let was_only = std::mem::replace(&mut self.only_arrivals, true);
        let flow = self.expand(enabled, cells, zone);
        self.only_arrivals = was_only;
        let flow = match flow {
            ControlFlow::Continue(()) => self.check_deadlock_goals(id, zone),
            stop => stop,
        };
        self.arrivals = None;
        let matters = self.clocks_that_differ(zone);
        if self.certifying.is_some() {
            // The certificate contains the enlarged zone itself, which hides nothing.
            return match flow {
                ControlFlow::Break(SearchStop::Decided) if !matters.is_empty() => {
                    ControlFlow::Break(SearchStop::Hidden(matters))
                }
                flow => flow,
            };
        }
        flow?;
        let is_open = |&position: &usize| self.goals[position].outcome.is_none();
        if !matters.is_empty() && may_be_found.iter().any(is_open) {
            return ControlFlow::Break(SearchStop::Hidden(matters));
        }
        ControlFlow::Continue(())
    }

    /// Searches states without deadlocks for goals such as `p || deadlock`, which a simulation does not hide. More
    /// deadlocks make such a predicate true in more states, so a state that satisfies it without any is a goal state.
    fn check_goals_without_deadlocks(&mut self, id: NodeId, zone: &Zone) -> Flow {
        self.execution.cells_mut().copy_from_slice(&self.source_cells);
        for position in 0..self.goals.len() {
            let goal = &self.goals[position];
            if goal.outcome.is_none() && !goal.implies_deadlock && goal.predicate.mentions_deadlock() {
                self.check_goal(position, id, zone, false, &[])?;
            }
        }
        if self.undecided == 0 { ControlFlow::Break(SearchStop::Decided) } else { ControlFlow::Continue(()) }
    }

    /// Returns zones that contain all values for which a node may stand, if some of them may be deadlocked.
    ///
    /// The node is the source.
    pub(crate) fn deadlocks_may_hide(
        &mut self,
        id: NodeId,
        enabled: &mut Enabled,
        cells: &mut Vec<i32>,
        zone: &Zone,
    ) -> ControlFlow<SearchStop, Option<Vec<Zone>>> {
        let node = *self.store.node(id);
        let Some(mut table) = self.deadlocks.take() else { return ControlFlow::Continue(None) };
        let is_known = if table.is_known(node.discrete) {
            ControlFlow::Continue(())
        } else {
            self.find_deadlocks(&mut table, node.discrete, node.may_delay, enabled, cells)
        };
        let may_hide = match is_known {
            ControlFlow::Break(stop) => ControlFlow::Break(stop),
            ControlFlow::Continue(()) if table.parts(node.discrete).is_empty() => ControlFlow::Continue(None),
            ControlFlow::Continue(()) => match self.related_intersection(zone, table.parts(node.discrete)) {
                Ok(pieces) => ControlFlow::Continue(Some(pieces).filter(|pieces| !pieces.is_empty())),
                Err(overflow) => ControlFlow::Break(too_large(overflow)),
            },
        };
        self.deadlocks = Some(table);
        may_hide
    }

    /// Returns the clocks of the source, from 0, whose values may differ between a zone and the values that it covers.
    pub(crate) fn clocks_that_differ(&self, zone: &Zone) -> Vec<usize> {
        let differs = |&(position, clock): &(usize, usize)| {
            let pair = self.bounds.pair(clock, &self.source_cells);
            let greatest = zone.bound(Clock(position as u16 + 1), Clock::REFERENCE);
            !pair.is_equal() && (is_above(greatest, pair.lower) || is_above(greatest, pair.upper))
        };
        let active = self.source.active().iter().map(|&clock| usize::from(clock)).enumerate();
        active.filter(differs).map(|(_, clock)| clock).collect()
    }

    /// Returns the parts of the values for which a zone of the source may stand that intersect other zones.
    fn related_intersection(&self, zone: &Zone, others: &[Zone]) -> Result<Vec<Zone>, BoundOverflow> {
        let pairs: Vec<LuPair> = self
            .source
            .active()
            .iter()
            .map(|&clock| self.bounds.pair(usize::from(clock), &self.source_cells))
            .collect();
        let mut common = Vec::new();
        let pieces = if self.certifying.is_some() { vec![zone.clone()] } else { related(zone, &pairs)? };
        for piece in pieces {
            for other in others {
                if piece.intersects(other)? {
                    common.push(piece);
                    break;
                }
            }
        }
        Ok(common)
    }

    /// Computes the deadlocked values of the discrete state of the source, among all that its invariants allow.
    fn find_deadlocks(
        &mut self,
        table: &mut DeadlockTable,
        discrete: DiscreteId,
        may_delay: bool,
        enabled: &mut Enabled,
        cells: &mut Vec<i32>,
    ) -> Flow {
        self.execution.cells_mut().copy_from_slice(&self.source_cells);
        let Some(all) = self.allowed_by_invariants(true)? else {
            table.add(discrete, Vec::new());
            return ControlFlow::Continue(());
        };
        let (only_arrivals, ignores_failures) = (self.only_arrivals, self.ignores_failures);
        let arrivals = self.arrivals.replace(std::mem::take(&mut table.arrivals));
        // Failures and unsupported constructs may concern unreachable values only.
        (self.only_arrivals, self.ignores_failures) = (true, true);
        let transitions = self.unreported.2;
        let flow = self.expand(enabled, cells, &all);
        self.unreported.2 = transitions;
        (self.only_arrivals, self.ignores_failures) = (only_arrivals, ignores_failures);
        table.arrivals = std::mem::replace(&mut self.arrivals, arrivals).unwrap_or_default();
        // Where an urgent synchronisation depends on clocks, so does whether time may pass.
        let may_delay = may_delay && !self.machine.has_urgent_clock_guards();
        let parts = match flow {
            ControlFlow::Continue(())
                if may_delay && every_delay_ends_at_transition(&all, table.arrivals.as_slice())? =>
            {
                ControlFlow::Continue(Vec::new())
            }
            ControlFlow::Continue(()) => {
                deadlocked_parts(&all, may_delay, table.arrivals.as_slice(), MOST_PARTS)
            }
            ControlFlow::Break(SearchStop::Unsupported(_)) => ControlFlow::Continue(vec![all]),
            ControlFlow::Break(stop) => return ControlFlow::Break(stop),
        };
        table.add(discrete, parts?);
        ControlFlow::Continue(())
    }

    /// Returns all clock values that the invariants allow in the state of the execution, over the clocks of the source
    /// or of the target; `None` if the invariants cannot be evaluated.
    pub(crate) fn allowed_by_invariants(&mut self, is_source: bool) -> ControlFlow<SearchStop, Option<Zone>> {
        let machine = self.machine;
        let mut constraints: Vec<ClockConstraint> = Vec::new();
        for process in 0..machine.layout().process_count() {
            let location = machine.location(process, self.execution.cells()[process]);
            let range = location.invariant_clocks().constant.clone();
            constraints.extend(&machine.constraints()[range.start as usize..range.end as usize]);
        }
        if self.execution.computed_invariants(machine, &mut constraints).is_err() {
            return ControlFlow::Continue(None);
        }
        let clocks = if is_source { &self.source } else { &self.target };
        let mut all = Zone::universe(dimension(clocks));
        for constraint in constraints {
            let bound = match Bound::finite(constraint.constant, !constraint.is_strict) {
                Ok(bound) => bound,
                Err(overflow) => return ControlFlow::Break(too_large(overflow)),
            };
            if !constrain(&mut all, clocks.resolve(&constraint, bound))? {
                return ControlFlow::Continue(None);
            }
        }
        ControlFlow::Continue(Some(all))
    }
}

impl DeadlockTable {
    pub(crate) fn new() -> DeadlockTable {
        DeadlockTable { known: vec![DeadlockEntry::default()], ..DeadlockTable::default() }
    }

    fn is_known(&self, discrete: DiscreteId) -> bool {
        self.positions.get(discrete.index()).is_some_and(|&position| position != UNKNOWN)
    }

    /// Returns zones that together contain the deadlocked values of a discrete state.
    fn parts(&self, discrete: DiscreteId) -> &[Zone] {
        let position = self.positions.get(discrete.index()).copied().unwrap_or(NO_PARTS);
        self.known.get(position as usize).map_or(&[], |known| &known.parts)
    }

    fn add(&mut self, discrete: DiscreteId, parts: Vec<Zone>) {
        if self.positions.len() <= discrete.index() {
            self.positions.resize(discrete.index() + 1, UNKNOWN);
        }
        self.positions[discrete.index()] = if parts.is_empty() {
            NO_PARTS
        } else {
            self.known.push(DeadlockEntry { parts });
            self.known.len() as u32 - 1
        };
    }
}

/// Returns whether every delay ends at an enabled transition: time is bounded by an invariant, and some transition is
/// enabled at each of its bounds. A cheap sufficient test: the exact one depends on which bound time reaches first.
fn every_delay_ends_at_transition(all: &Zone, arrivals: &[Arrival]) -> ControlFlow<SearchStop, bool> {
    let mut is_bounded = false;
    let mut possible = Vec::new();
    for clock in all.dimension().clocks() {
        let bound = all.bound(clock, Clock::REFERENCE);
        let Some(greatest) = bound.constant() else { continue };
        if !bound.is_weak() {
            return ControlFlow::Continue(false);
        }
        is_bounded = true;
        if possible.is_empty() {
            for arrival in arrivals {
                possible.push(arrival.predecessor(&arrival.entry)?);
            }
        }
        let mut at_bound = all.clone();
        let rest = Constraint::at_least(clock, greatest)
            .and_then(|constraint| at_bound.constrain(constraint))
            .and_then(|_| minus_all(vec![at_bound], &possible));
        match rest {
            Ok(rest) if rest.is_empty() => {}
            Ok(_) => return ControlFlow::Continue(false),
            Err(overflow) => return ControlFlow::Break(too_large(overflow)),
        }
    }
    ControlFlow::Continue(is_bounded)
}

/// Returns whether values up to an upper bound exceed a constant.
fn is_above(greatest: Bound, constant: i32) -> bool {
    constant == NO_BOUND || Bound::weak(constant).is_ok_and(|bound| greatest > bound)
}

/// Returns zones that together contain all values simulated by a value of a zone, given the bounds of its clocks.
fn related(zone: &Zone, pairs: &[LuPair]) -> Result<Vec<Zone>, BoundOverflow> {
    let differing = || {
        let numbered = pairs.iter().enumerate().filter(|(_, pair)| !pair.is_equal());
        numbered.map(|(position, &pair)| (Clock(position as u16 + 1), pair))
    };
    // Up to the smaller bound the relation is equality, so a zone on both sides of it is split to lose less.
    let mut pieces = vec![zone.clone()];
    for (clock, pair) in differing() {
        let smaller = pair.lower.min(pair.upper);
        if smaller < 0 || pieces.len() > MOST_PIECES / 2 {
            continue;
        }
        let (low, high) = (Constraint::at_most(clock, smaller)?, Constraint::greater_than(clock, smaller)?);
        let mut split = Vec::new();
        for piece in pieces {
            if piece.satisfies_somewhere(low) && piece.satisfies_somewhere(high) {
                let mut above = piece.clone();
                above.constrain(high)?;
                split.push(above);
                let mut below = piece;
                below.constrain(low)?;
                split.push(below);
            } else {
                split.push(piece);
            }
        }
        pieces = split;
    }
    for piece in &mut pieces {
        let mut matrix = OpenMatrix::from_zone(piece);
        let mut is_larger = false;
        for (clock, pair) in differing() {
            let greatest = piece.bound(clock, Clock::REFERENCE);
            let (is_raised, is_lowered) = (is_above(greatest, pair.lower), is_above(greatest, pair.upper));
            is_larger |= is_raised || is_lowered;
            for other in piece.dimension().clocks().filter(|&other| other != clock) {
                if is_raised {
                    matrix.set(clock, other, Bound::INFINITY);
                }
                if is_lowered {
                    matrix.set(other, clock, Bound::INFINITY);
                }
            }
            if is_raised {
                matrix.set(clock, Clock::REFERENCE, Bound::INFINITY);
            }
            if is_lowered {
                let least = match pair.upper {
                    NO_BOUND => Bound::LE_ZERO,
                    upper => Bound::strict(-upper)?,
                };
                let before = piece.bound(Clock::REFERENCE, clock);
                matrix.set(Clock::REFERENCE, clock, before.max(least));
            }
        }
        if is_larger {
            piece.assign_closure(&matrix)?;
        }
    }
    Ok(pieces)
}
