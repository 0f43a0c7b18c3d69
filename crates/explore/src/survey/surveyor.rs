//! The observer of a survey, which records facts during a search.
//!
//! Invariant: the observer does not change the search, except at model errors: they are recorded, and the failing
//! transition has no target. Recording a new fact has a cost; a known fact costs one comparison and no allocation.
//!
//! The absence of a deadlock is first tested cheaply: a transition that all clock values of the zone can take, now or
//! later, and whose target's invariants exclude none of them, proves it. Only without such a transition the deadlocked
//! values are computed exactly.

use std::collections::BTreeSet;

use tempora_machine::{ClockConstraint, Failure, FailureKind, Machine};
use tempora_model::{Id, Network};
use tempora_zones::Zone;

use crate::graph::clocks::ZonePool;
use crate::graph::explorer::{ErrorPlace, ModelError};
use crate::graph::store::{NONE, NodeId};
use crate::survey::choices::Choices;
use crate::survey::observed_conditions::{WatchedGuard, WatchedInvariant, WatchedSelect};

/// The stages of an edge, as in [`tempora_evidence::EdgeStage`].
pub(crate) const IN_SOURCE: u8 = 1;
pub(crate) const DATA_HOLDS: u8 = 2;
pub(crate) const GUARD_HOLDS: u8 = 3;
pub(crate) const HAS_PARTNERS: u8 = 4;
pub(crate) const ALL_GUARDS_HOLD: u8 = 5;
pub(crate) const UPDATED: u8 = 6;
pub(crate) const TAKEN: u8 = 7;

/// The limit on facts of one kind; each has a run.
pub(crate) const MOST_FACTS: usize = 100;

/// The facts found so far.
pub(crate) struct Surveyor {
    /// For each process, the index of its first location.
    pub(crate) first_location: Vec<u32>,
    /// Whether each location was reached.
    pub(crate) locations: Vec<bool>,
    /// The stage that each edge of the machine reached.
    pub(crate) stages: Vec<u8>,
    /// The node where each edge reached its stage.
    pub(crate) nearest: Vec<u32>,
    /// The number of edges that have not been taken.
    pub(crate) untaken: usize,
    /// The edges of each location, until the location is first reached.
    pub(crate) edges_of_location: Vec<Vec<u32>>,
    /// The edges of the current transition.
    pub(crate) members: Vec<u32>,
    pub(crate) process_mask: u64,
    /// The zone that is expanded, and whether time may pass there.
    pub(crate) source: Option<Zone>,
    pub(crate) source_may_delay: bool,
    /// Whether all values of the source can take some transition.
    pub(crate) is_alive: bool,
    /// The values of the source that can take the current transition, now or later, if not all can.
    pub(crate) past: Option<Zone>,
    /// The same for the previous transitions.
    pub(crate) pasts: Vec<Zone>,
    /// Whether all values of the source can take the current transition, and whether invariants exclude some.
    pub(crate) is_for_all: bool,
    pub(crate) is_cut: bool,
    /// The least and the greatest value of each cell.
    pub(crate) least: Vec<i32>,
    pub(crate) greatest: Vec<i32>,
    /// Deadlocked values, for each new vector of locations that has any.
    pub(crate) deadlocks: Vec<(NodeId, Vec<i32>, Vec<ClockConstraint>)>,
    pub(crate) deadlocked_locations: BTreeSet<Vec<i32>>,
    pub(crate) violations: Vec<Violation>,
    pub(crate) errors: Vec<ModelError>,
    /// Why part of the model was skipped.
    pub(crate) skipped: Option<String>,
    pub(crate) guards: Vec<WatchedGuard>,
    /// For each location, the guards that still have an unobserved truth value.
    pub(crate) guards_of_location: Vec<Vec<u32>>,
    /// Transitions that all values of their source can take, now or later, if requested.
    pub(crate) sure_moves: Option<Vec<SureMove>>,
    /// The number of locations that have not been reached.
    pub(crate) unmet: usize,
    pub(crate) invariants: Vec<WatchedInvariant>,
    /// For each location, the invariants that have not restricted anything yet.
    pub(crate) invariants_of_location: Vec<Vec<u32>>,
    /// For each edge its first select; for each select its least value and which of the next 64 values have been taken.
    pub(crate) first_select: Vec<u32>,
    pub(crate) selects: Vec<WatchedSelect>,
    /// The values of selects in the current transition.
    pub(crate) select_values: Vec<(u32, i32)>,
    pub(crate) until: Until,
    /// Whether the search is an over-approximation, so that only the absence of facts is reported.
    pub(crate) is_only_for_absence: bool,
    /// Non-deterministic choices, if requested.
    pub(crate) choices: Option<Choices>,
}

/// When the search may end before all states are explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Until {
    /// Never.
    #[default]
    AllStates,
    /// When all locations have been reached, or all edges taken, or both.
    AllMet {
        /// Whether locations count.
        locations: bool,
        /// Whether edges count.
        edges: bool,
    },
    /// At the first fact that a run shows: a deadlock, an invariant violation, a model error.
    FirstRun {
        /// Whether deadlocks count.
        deadlocks: bool,
        /// Whether invariant violations count.
        violations: bool,
        /// Whether model errors count.
        errors: bool,
    },
}

/// A transition that all values of a node can take, now or later.
#[derive(Clone, Copy)]
pub(crate) struct SureMove {
    pub(crate) source: u32,
    pub(crate) target: u32,
    /// A bit set of the participants among the first 64 processes.
    pub(crate) processes: u64,
}

/// A transition whose target violates its invariants.
pub(crate) struct Violation {
    /// The source node ([`NONE`] for an initial state), and the number of the successor.
    pub(crate) node: u32,
    pub(crate) ordinal: u32,
    pub(crate) members: Vec<u32>,
    /// The locations of the target.
    pub(crate) locations: Vec<i32>,
    /// The process with the violated invariant, if known.
    pub(crate) process: Option<usize>,
    /// The violated clock constraint; `None` if data decides.
    pub(crate) constraint: Option<ClockConstraint>,
}

impl Surveyor {
    pub(crate) fn new(
        network: &Network,
        machine: &Machine,
        guards: Vec<WatchedGuard>,
        invariants: Vec<WatchedInvariant>,
        needs_moves: bool,
    ) -> Surveyor {
        let mut first_location = Vec::new();
        let mut count = 0u32;
        for process in network.processes.values() {
            first_location.push(count);
            count += process.locations.len() as u32;
        }
        let position = |process: usize, location: usize| first_location[process] as usize + location;
        let mut edges_of_location = vec![Vec::new(); count as usize];
        for index in 0..machine.edge_count() as u32 {
            let edge = machine.edge(tempora_machine::EdgeIndex(index));
            let source = network.processes[edge.process].edges[edge.edge].source;
            edges_of_location[position(edge.process.index(), source.index())].push(index);
        }
        let mut guards_of_location = vec![Vec::new(); count as usize];
        for (number, guard) in guards.iter().enumerate() {
            let process = tempora_model::ProcessId(guard.process as u32);
            let edge = tempora_model::EdgeId(guard.edge as u32);
            let source = network.processes[process].edges[edge].source;
            guards_of_location[position(guard.process, source.index())].push(number as u32);
        }
        let mut invariants_of_location = vec![Vec::new(); count as usize];
        for (number, invariant) in invariants.iter().enumerate() {
            invariants_of_location[position(invariant.process, invariant.location)].push(number as u32);
        }
        let (mut first_select, mut selects) = (Vec::new(), Vec::new());
        for index in 0..machine.edge_count() as u32 {
            let edge = machine.edge(tempora_machine::EdgeIndex(index));
            first_select.push(selects.len() as u32);
            let written = &network.processes[edge.process].edges[edge.edge].selects;
            for (select, binder) in written.iter().enumerate() {
                let least = binder.domain.values().next().unwrap_or(0);
                let (process, edge) = (edge.process.index(), edge.edge.index());
                selects.push(WatchedSelect { process, edge, select, least, taken: 0 });
            }
        }
        let cells = machine.layout().stored_cells();
        Surveyor {
            locations: vec![false; count as usize],
            first_location,
            stages: vec![0; machine.edge_count()],
            nearest: vec![NONE; machine.edge_count()],
            untaken: machine.edge_count(),
            edges_of_location,
            members: Vec::new(),
            process_mask: 0,
            source: None,
            source_may_delay: false,
            is_alive: false,
            past: None,
            pasts: Vec::new(),
            is_for_all: false,
            is_cut: false,
            least: vec![i32::MAX; cells],
            greatest: vec![i32::MIN; cells],
            deadlocks: Vec::new(),
            deadlocked_locations: BTreeSet::new(),
            violations: Vec::new(),
            errors: Vec::new(),
            skipped: None,
            guards,
            guards_of_location,
            sure_moves: needs_moves.then(Vec::new),
            unmet: count as usize,
            invariants,
            invariants_of_location,
            first_select,
            selects,
            select_values: Vec::new(),
            until: Until::AllStates,
            is_only_for_absence: false,
            choices: None,
        }
    }

    /// Returns whether all requested facts have been found.
    #[inline]
    pub(crate) fn has_found_all(&self) -> bool {
        match self.until {
            Until::AllStates => false,
            Until::AllMet { locations, edges } => !(locations && self.unmet > 0 || edges && self.untaken > 0),
            Until::FirstRun { deadlocks, violations, errors } => {
                deadlocks && !self.deadlocks.is_empty()
                    || violations && !self.violations.is_empty()
                    || errors && !self.errors.is_empty()
            }
        }
    }

    /// Returns whether a location of a process was reached.
    pub(crate) fn reaches(&self, process: usize, location: usize) -> bool {
        self.locations[self.first_location[process] as usize + location]
    }

    pub(crate) fn begin(&mut self, zone: &Zone, may_delay: bool, pool: &mut ZonePool) {
        // Zones of another dimension are returned to the pool, to avoid repeated allocation.
        for before in self.source.take().into_iter().chain(self.past.take()).chain(self.pasts.drain(..)) {
            pool.give_back(before);
        }
        let mut source = pool.take(zone.dimension());
        source.clone_from(zone);
        self.source = Some(source);
        self.source_may_delay = may_delay;
        self.is_alive = false;
    }

    /// Records the stage that an edge reached in this node.
    #[inline]
    pub(crate) fn advance(&mut self, edge: u32, stage: u8, node: u32) {
        if self.stages[edge as usize] < stage {
            self.stages[edge as usize] = stage;
            self.nearest[edge as usize] = node;
            if stage == TAKEN {
                self.untaken -= 1;
            }
        }
    }

    /// Records that the current transition is taken from these values of the source.
    #[inline]
    pub(crate) fn leave(&mut self, guarded: &Zone, pool: &mut ZonePool) {
        self.is_cut = false;
        if self.is_alive && self.sure_moves.is_none() {
            self.is_for_all = false;
            return;
        }
        let Some(source) = &self.source else { return };
        self.is_for_all = source.is_subset_of(guarded);
        if self.is_for_all {
            return;
        }
        let mut past = match self.past.take() {
            Some(past) => past,
            None => pool.take(guarded.dimension()),
        };
        past.clone_from(guarded);
        if self.source_may_delay {
            past.down();
            self.is_for_all = source.is_subset_of(&past);
        }
        self.past = Some(past);
    }

    /// Records a model error.
    pub(crate) fn fail(&mut self, failure: Failure, place: ErrorPlace) {
        // A failing transition is enabled, so the state is not a deadlock.
        self.is_alive = true;
        let kind = std::mem::discriminant::<FailureKind>(&failure.kind);
        let is_known = self.errors.iter().any(|error| {
            error.failure.origin == failure.origin && std::mem::discriminant(&error.failure.kind) == kind
        });
        if !is_known && self.errors.len() < MOST_FACTS {
            self.errors.push(ModelError { failure, place });
        }
        if matches!(place, ErrorPlace::Node(_) | ErrorPlace::Start) {
            self.skipped
                .get_or_insert_with(|| "the model fails, so later states are not explored".to_owned());
        }
    }

    /// Records a stored state.
    pub(crate) fn record_state(&mut self, cells: &[i32]) {
        for (process, &first) in self.first_location.iter().enumerate() {
            let is_met = &mut self.locations[first as usize + cells[process] as usize];
            if !std::mem::replace(is_met, true) {
                self.unmet -= 1;
            }
        }
        for ((least, greatest), &cell) in self.least.iter_mut().zip(&mut self.greatest).zip(cells) {
            *least = (*least).min(cell);
            *greatest = (*greatest).max(cell);
        }
    }

    pub(crate) fn violate(&mut self, violation: impl FnOnce(Vec<u32>) -> Violation, process: Option<usize>) {
        // Usually the violation is known, and nothing needs to be allocated; there are few violations.
        let is_known =
            self.violations.iter().any(|known| known.process == process && known.members == self.members);
        if !is_known && self.violations.len() < MOST_FACTS {
            self.violations.push(violation(self.members.clone()));
        }
    }
}
