//! Storing of states: a zone is covered, or becomes a node of the store and is checked for goals.
//!
//! Invariant: the node that covers a dropped zone is explored or waits.

use std::ops::ControlFlow;

use tempora_zones::{ArenaCandidate, Clock, Dimension, LuBounds, Zone};

use crate::graph::bounds::{ClockBounds, NONE as NO_BOUND};
use crate::graph::clocks::ClockIndex;
use crate::graph::diagonals::DiagonalCovering;
use crate::graph::explorer::{Explorer, Flow, SearchStop, dimension, too_many};
use crate::graph::store::{
    Covering, DiscreteId, Inserted, LuCovering, NONE, NodeId, NodeOrigin, Store, StoreFull,
};
use crate::search::certificate::Inclusion;
use crate::search::goals::{Goal, GoalOutcome};

impl Explorer<'_> {
    /// Stores a state unless a stored one covers it, and checks it for goals.
    pub(crate) fn store_state(&mut self, zone: &Zone, ordinal: u32, may_delay: bool) -> Flow {
        let enlarged = match self.certifying {
            Some(how) => Some(self.enlarged(zone, how)?),
            None => None,
        };
        let zone = enlarged.as_ref().unwrap_or(zone);
        let how = NodeOrigin { parent: self.node, ordinal, may_delay };
        let placed = self.insert_state(zone, how, false)?;
        self.survey_insertion(&placed);
        match placed {
            Insertion::Covered(_) => ControlFlow::Continue(()),
            Insertion::New(node) if self.fastest.is_some() => self.keep_earliest(node, zone),
            Insertion::New(node) => self.check_goals(node, zone),
        }
    }

    /// Stores the state of the execution unless a stored one covers it; in a search that needs equality, unless both
    /// cover each other.
    pub(crate) fn insert_state(
        &mut self,
        zone: &Zone,
        how: NodeOrigin,
        needs_equality: bool,
    ) -> ControlFlow<SearchStop, Insertion> {
        if !self.packer.pack(self.execution.cells(), &mut self.key) {
            return ControlFlow::Break(SearchStop::Bug("a variable is out of range".to_owned()));
        }
        if let Some(bytes) = self.store.growth_ahead()
            && let Err(exhausted) = self.watch.check_memory_for(bytes)
        {
            return ControlFlow::Break(SearchStop::Exhausted(exhausted));
        }
        let Ok((discrete, is_first)) = self.store.discrete(&self.key) else { return too_many() };
        self.candidate.assign(zone);
        let dimension = zone.dimension();
        let mut lu = self.take_lu(dimension);
        if !is_first {
            set_bounds(&mut lu, self.bounds, &self.target, self.execution.cells());
        }
        let (store, candidate) = (&mut self.store, &self.candidate);
        let place = if self.certifying.is_some() {
            insert_into(
                store,
                (discrete, is_first),
                candidate,
                dimension,
                &mut Inclusion,
                needs_equality,
                how,
            )
        } else if self.bounds.diagonals.is_empty() {
            insert_into(
                store,
                (discrete, is_first),
                candidate,
                dimension,
                &mut LuCovering(&lu),
                needs_equality,
                how,
            )
        } else {
            let mut covering =
                DiagonalCovering::new(&lu, &self.bounds.diagonals, &self.target, zone, &mut self.watch);
            insert_into(store, (discrete, is_first), candidate, dimension, &mut covering, needs_equality, how)
        };
        self.lu[dimension.size()] = Some(lu);
        match place {
            Err(StoreFull) => too_many(),
            Ok(Ok(node)) => ControlFlow::Continue(Insertion::Covered(node)),
            Ok(Err(inserted)) => {
                self.unreported.0 += 1;
                if self.fastest.is_none() {
                    let follows = how.parent != NONE && self.store.node(NodeId(how.parent)).is_deep;
                    if self.waiting.add(&inserted, follows) {
                        self.store.mark_deep(inserted.node);
                    }
                }
                self.watch_memory()?;
                ControlFlow::Continue(Insertion::New(inserted.node))
            }
        }
    }

    /// Returns whether a finished node covers a node, which becomes the target.
    pub(crate) fn is_covered_by_finished(&mut self, id: NodeId) -> bool {
        self.compare_in_list(id, |store, discrete, candidate, covering| {
            store.finished_node_covers(discrete, candidate, covering)
        })
    }

    /// Marks a node as finished, and makes it the target.
    pub(crate) fn finish(&mut self, id: NodeId) {
        self.compare_in_list(id, |store, _, candidate, covering| {
            store.finish(id, candidate, covering);
            true
        });
    }

    /// Compares a node with others of its discrete state; returns false if clock differences matter.
    fn compare_in_list(
        &mut self,
        id: NodeId,
        compare: impl FnOnce(&mut Store, DiscreteId, &ArenaCandidate, &mut LuCovering<'_>) -> bool,
    ) -> bool {
        if !self.bounds.diagonals.is_empty() {
            return false;
        }
        let discrete = self.store.node(id).discrete;
        let mut cells = std::mem::take(&mut self.source_cells);
        self.packer.unpack(self.store.key(discrete), &mut cells);
        self.target.set(self.bounds, &cells);
        let dimension = dimension(&self.target);
        let mut zone = self.pool.take(dimension);
        self.store.zone_into(id, &mut zone);
        self.candidate.assign(&zone);
        let mut lu = self.take_lu(dimension);
        set_bounds(&mut lu, self.bounds, &self.target, &cells);
        let answer = compare(&mut self.store, discrete, &self.candidate, &mut LuCovering(&lu));
        self.lu[dimension.size()] = Some(lu);
        self.pool.give_back(zone);
        self.source_cells = cells;
        answer
    }

    pub(crate) fn take_lu(&mut self, dimension: Dimension) -> LuBounds {
        if self.lu.len() <= dimension.size() {
            self.lu.resize_with(dimension.size() + 1, || None);
        }
        self.lu[dimension.size()].take().unwrap_or_else(|| LuBounds::none(dimension))
    }

    fn check_goals(&mut self, node: NodeId, zone: &Zone) -> Flow {
        for position in 0..self.goals.len() {
            if self.goals[position].outcome.is_none() && !self.goals[position].predicate.mentions_deadlock() {
                self.check_goal(position, node, zone, true, &[])?;
            }
        }
        if self.undecided == 0 { ControlFlow::Break(SearchStop::Decided) } else { ControlFlow::Continue(()) }
    }

    /// Checks whether a zone of the target, or of the source, contains a goal state.
    pub(crate) fn check_goal(
        &mut self,
        position: usize,
        node: NodeId,
        zone: &Zone,
        is_target: bool,
        deadlocked: &[Zone],
    ) -> Flow {
        // Taken out temporarily, to avoid a copy of the predicate.
        let goals = std::mem::take(&mut self.goals);
        let Goal { predicate, wanted, .. } = &goals[position];
        let parts = self.parts(predicate, *wanted, zone, is_target, deadlocked);
        self.goals = goals;
        let outcome = match parts? {
            Ok(parts) => match parts.first() {
                None => return ControlFlow::Continue(()),
                Some(part) => {
                    let clocks = if is_target { &self.target } else { &self.source };
                    GoalOutcome::Found { node, constraints: clocks.constraints_of(part) }
                }
            },
            Err(failure) => GoalOutcome::Failed(failure),
        };
        if let (Some(stopwatches), GoalOutcome::Found { node, constraints }) =
            (&mut self.stopwatches, &outcome)
        {
            stopwatches.suspect(position, *node, constraints.clone());
            return ControlFlow::Continue(());
        }
        self.goals[position].outcome = Some(outcome);
        self.undecided -= 1;
        ControlFlow::Continue(())
    }
}

/// The result of storing a state.
pub(crate) enum Insertion {
    New(NodeId),
    Covered(NodeId),
}

/// Returns the node that covers a candidate, or a new node for it.
#[inline]
fn insert_into(
    store: &mut Store,
    (discrete, is_first): (DiscreteId, bool),
    candidate: &ArenaCandidate,
    dimension: Dimension,
    covering: &mut impl Covering,
    needs_equality: bool,
    how: NodeOrigin,
) -> Result<Result<NodeId, Inserted>, StoreFull> {
    if !is_first && let Some(node) = store.covering_node(discrete, candidate, covering, needs_equality) {
        return Ok(Ok(node));
    }
    Ok(Err(store.insert(discrete, dimension, candidate, covering, needs_equality, how)?))
}

/// Loads the bounds of the active clocks of a state.
#[inline]
fn set_bounds(lu: &mut LuBounds, bounds: &ClockBounds, clocks: &ClockIndex, cells: &[i32]) {
    for (position, &clock) in clocks.active().iter().enumerate() {
        let pair = bounds.pair(usize::from(clock), cells);
        let some = |bound: i32| (bound != NO_BOUND).then_some(bound);
        lu.set_lower(Clock(position as u16 + 1), some(pair.lower));
        lu.set_upper(Clock(position as u16 + 1), some(pair.upper));
    }
}
