//! What a search meets on its way: the observer of a survey.
//!
//! Invariant: the search does what it would do without it, but for errors of the model: they are noted down, and the failing
//! transition leads nowhere. What is met for the first time costs something; what has been met before costs one comparison,
//! and nothing is allocated for it.
//!
//! That a state can go on is first tried cheaply: a transition that all clock values of the zone can take, now or later, and
//! whose target's invariants cut nothing off, shows it. Only if there is none, the deadlocked values are worked out exactly.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use tempora_machine::{
    ClockConstraint, Enabled, Execution, Failure, FailureKind, InstanceId, Machine, Predicate,
};
use tempora_model::{Id, Network};
use tempora_zones::{Bound, Zone};

use crate::arrivals::Arrivals;
use crate::clocks::{ClockIndex, Resolved, ZonePool};
use crate::deadlock::deadlocked_parts;
use crate::explorer::{ErrorPlace, Explorer, Flow, ModelError, Stop};
use crate::pieces::minus_all;
use crate::placing::Placed;
use crate::store::{NONE, NodeId};

/// The stages of an edge, as in [`tempora_evidence::EdgeStage`].
pub(crate) const IN_SOURCE: u8 = 1;
pub(crate) const DATA_HOLDS: u8 = 2;
pub(crate) const GUARD_HOLDS: u8 = 3;
pub(crate) const HAS_PARTNERS: u8 = 4;
pub(crate) const ALL_GUARDS_HOLD: u8 = 5;
pub(crate) const UPDATED: u8 = 6;
pub(crate) const TAKEN: u8 = 7;

/// So many facts of one kind are kept, each with a run.
const MOST_FACTS: usize = 100;

/// What was met so far.
pub(crate) struct Surveyor {
    /// Where the locations of each process begin among all.
    first_location: Vec<u32>,
    /// Whether each location was met.
    pub(crate) locations: Vec<bool>,
    /// How far each edge of the machine got.
    pub(crate) stages: Vec<u8>,
    /// Where each edge got as far as it did.
    pub(crate) nearest: Vec<u32>,
    /// How many edges have not been taken.
    untaken: usize,
    /// The edges of each location, as long as that it is reached is new for them.
    edges_of_location: Vec<Vec<u32>>,
    /// The edges of the present transition.
    members: Vec<u32>,
    process_mask: u64,
    /// The zone whose successors are computed, and whether time may pass there.
    source: Option<Zone>,
    source_may_delay: bool,
    /// Whether all values of the source can take some transition.
    is_alive: bool,
    /// The values of the source that can take the present transition, now or later, if not all can.
    past: Option<Zone>,
    /// The same of the transitions before it.
    pasts: Vec<Zone>,
    /// Whether all values of the source can take the present transition, and whether invariants cut something off.
    is_for_all: bool,
    is_cut: bool,
    /// The least and the greatest value of each cell.
    pub(crate) least: Vec<i32>,
    pub(crate) greatest: Vec<i32>,
    /// Deadlocked values, for each vector of locations that has not been seen with any.
    pub(crate) deadlocks: Vec<(NodeId, Vec<i32>, Vec<ClockConstraint>)>,
    deadlocked_locations: BTreeSet<Vec<i32>>,
    pub(crate) violations: Vec<Violation>,
    pub(crate) errors: Vec<ModelError>,
    /// Why something was not looked at.
    pub(crate) passed_over: Option<String>,
    pub(crate) guards: Vec<WatchedGuard>,
    /// For each location, the guards that still have something to be met.
    guards_of_location: Vec<Vec<u32>>,
    /// Transitions that all values of their source can take, now or later, if they are asked for.
    pub(crate) sure_moves: Option<Vec<SureMove>>,
    /// How many locations have not been met.
    unmet: usize,
    pub(crate) invariants: Vec<WatchedInvariant>,
    /// For each location, the invariants that have not restricted anything yet.
    invariants_of_location: Vec<Vec<u32>>,
    /// For each edge the first of its selects, and for each select its least value and which of the next 64 have been taken.
    first_select: Vec<u32>,
    pub(crate) selects: Vec<WatchedSelect>,
    /// The values of selects in the present transition.
    select_values: Vec<(u32, i32)>,
    pub(crate) until: Until,
}

/// When the search may end before all states have been explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Until {
    /// Never.
    #[default]
    AllStates,
    /// When all locations have been met, or all edges taken, or both.
    AllMet {
        /// Whether locations count.
        locations: bool,
        /// Whether edges count.
        edges: bool,
    },
    /// When something was met that a run shows: a deadlock, a violation of an invariant, an error of the model.
    FirstRun {
        /// Whether deadlocks count.
        deadlocks: bool,
        /// Whether violations of invariants count.
        violations: bool,
        /// Whether errors of the model count.
        errors: bool,
    },
}

/// A transition that all values of a node can take, now or later.
#[derive(Clone, Copy)]
pub(crate) struct SureMove {
    pub(crate) source: u32,
    pub(crate) target: u32,
    /// Which of the first 64 processes take part.
    pub(crate) processes: u64,
}

/// A transition that would enter a state outside of its invariants.
pub(crate) struct Violation {
    /// The node that it leaves, [`NONE`] for an initial state, and which successor it is.
    pub(crate) node: u32,
    pub(crate) ordinal: u32,
    pub(crate) members: Vec<u32>,
    /// The locations after it.
    pub(crate) locations: Vec<i32>,
    /// The process whose invariant it is, if that is known.
    pub(crate) process: Option<usize>,
    /// What does not hold of the clocks; `None` if data decides.
    pub(crate) constraint: Option<ClockConstraint>,
}

/// A guard whose conjuncts are watched.
pub(crate) struct WatchedGuard {
    /// The edge of the network that it is the guard of.
    pub(crate) process: usize,
    pub(crate) edge: usize,
    pub(crate) conjuncts: Vec<WatchedConjunct>,
}

/// A part of an invariant on clocks.
pub(crate) struct WatchedInvariant {
    pub(crate) process: usize,
    pub(crate) location: usize,
    /// Which of the conjuncts on clocks it is.
    pub(crate) conjunct: usize,
    pub(crate) predicate: Predicate,
    /// Whether it has kept time from passing, or a transition from happening.
    pub(crate) restricts: bool,
}

/// The values of a select with which an edge was taken.
pub(crate) struct WatchedSelect {
    pub(crate) process: usize,
    pub(crate) edge: usize,
    /// Which of the selects of the edge it is.
    pub(crate) select: usize,
    pub(crate) least: i32,
    pub(crate) taken: u64,
}

pub(crate) struct WatchedConjunct {
    pub(crate) predicate: Predicate,
    pub(crate) was_true: bool,
    pub(crate) was_false: bool,
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
            passed_over: None,
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
        }
    }

    /// Whether all that is looked for has been met.
    #[inline]
    pub(crate) fn has_met_all(&self) -> bool {
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

    /// Whether a location of a process was met.
    pub(crate) fn reaches(&self, process: usize, location: usize) -> bool {
        self.locations[self.first_location[process] as usize + location]
    }

    fn begin(&mut self, zone: &Zone, may_delay: bool, pool: &mut ZonePool) {
        // Zones of another dimension are given back, so that nothing is allocated for them again and again.
        for before in self.source.take().into_iter().chain(self.past.take()).chain(self.pasts.drain(..)) {
            pool.give_back(before);
        }
        let mut source = pool.take(zone.dimension());
        source.clone_from(zone);
        self.source = Some(source);
        self.source_may_delay = may_delay;
        self.is_alive = false;
    }

    /// An edge got this far, in this node.
    #[inline]
    fn advance(&mut self, edge: u32, stage: u8, node: u32) {
        if self.stages[edge as usize] < stage {
            self.stages[edge as usize] = stage;
            self.nearest[edge as usize] = node;
            if stage == TAKEN {
                self.untaken -= 1;
            }
        }
    }

    /// The present transition is taken with these values of the source.
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

    /// The model fails.
    pub(crate) fn fail(&mut self, failure: Failure, place: ErrorPlace) {
        // What happens, and fails, is no deadlock.
        self.is_alive = true;
        let kind = std::mem::discriminant::<FailureKind>(&failure.kind);
        let is_known = self.errors.iter().any(|error| {
            error.failure.origin == failure.origin && std::mem::discriminant(&error.failure.kind) == kind
        });
        if !is_known && self.errors.len() < MOST_FACTS {
            self.errors.push(ModelError { failure, place });
        }
        if matches!(place, ErrorPlace::Node(_) | ErrorPlace::Start) {
            self.passed_over.get_or_insert_with(|| {
                "the model fails, so that what would come then is not known".to_owned()
            });
        }
    }

    /// A state is stored.
    fn meet(&mut self, cells: &[i32]) {
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

    fn violate(&mut self, violation: impl FnOnce(Vec<u32>) -> Violation, process: Option<usize>) {
        // Most of the time it is known already, and then nothing is to be allocated; there are few of them.
        let is_known =
            self.violations.iter().any(|known| known.process == process && known.members == self.members);
        if !is_known && self.violations.len() < MOST_FACTS {
            self.violations.push(violation(self.members.clone()));
        }
    }
}

/// What the search tells the observer. Each does nothing if there is none.
impl Explorer<'_> {
    /// The successors of a node are going to be computed.
    #[inline]
    pub(crate) fn begin_surveying(&mut self, node: NodeId, zone: &Zone) {
        if let Some(surveyor) = &mut self.surveyor {
            surveyor.begin(zone, self.store.node(node).may_delay, &mut self.pool);
        }
    }

    /// The instances of the present state have been found.
    #[inline]
    pub(crate) fn survey_instances(&mut self, enabled: &Enabled, zone: &Zone) -> Flow {
        let Some(surveyor) = self.surveyor.take() else { return ControlFlow::Continue(()) };
        let mut surveyor = surveyor;
        let flow = self.survey_guards(&mut surveyor, enabled, zone);
        self.surveyor = Some(surveyor);
        flow
    }

    fn survey_guards(&mut self, surveyor: &mut Surveyor, enabled: &Enabled, zone: &Zone) -> Flow {
        for process in 0..surveyor.first_location.len() {
            let location = surveyor.first_location[process] as usize + self.source_cells[process] as usize;
            if !surveyor.edges_of_location[location].is_empty() {
                let edges = std::mem::take(&mut surveyor.edges_of_location[location]);
                edges.iter().for_each(|&edge| surveyor.advance(edge, IN_SOURCE, self.node));
            }
            if !surveyor.guards_of_location[location].is_empty() {
                let mut open = std::mem::take(&mut surveyor.guards_of_location[location]);
                open.retain(|&guard| {
                    let conjuncts = &mut surveyor.guards[guard as usize].conjuncts;
                    self.watch(conjuncts, zone);
                    conjuncts.iter().any(|conjunct| !(conjunct.was_true && conjunct.was_false))
                });
                surveyor.guards_of_location[location] = open;
            }
        }
        if surveyor.untaken == 0 {
            return ControlFlow::Continue(());
        }
        for number in 0..enabled.instance_count() {
            let member = InstanceId(number);
            let edge = enabled.instance(member).edge.0;
            if surveyor.stages[edge as usize] >= GUARD_HOLDS {
                continue;
            }
            surveyor.advance(edge, DATA_HOLDS, self.node);
            let mut part = self.pool.take(zone.dimension());
            part.clone_from(zone);
            let holds = self.constrain_by_guards(enabled, &[member], &mut part)?;
            self.pool.give_back(part);
            if holds {
                surveyor.advance(edge, GUARD_HOLDS, self.node);
            }
        }
        ControlFlow::Continue(())
    }

    /// Looks which truth values the conjuncts of a guard have, in order: a later one counts where those without clocks before
    /// it hold.
    fn watch(&mut self, conjuncts: &mut [WatchedConjunct], zone: &Zone) {
        for conjunct in conjuncts {
            let met = match &conjunct.predicate {
                Predicate::Data(code) => match self.execution.truth(self.machine, *code, &[]) {
                    Ok(holds) => (holds, !holds),
                    // The guard fails, which is noted down where it does.
                    Err(_) => (true, true),
                },
                Predicate::Clocks(code) => {
                    let met = atom_values(&mut self.execution, self.machine, &self.source, *code, zone);
                    met.unwrap_or((true, true))
                }
                other => {
                    let other = other.clone();
                    let mut is_met = |wanted| match self.parts(&other, wanted, zone, false, &[]) {
                        ControlFlow::Continue(Ok(parts)) => !parts.is_empty(),
                        _ => true,
                    };
                    (is_met(true), is_met(false))
                }
            };
            conjunct.was_true |= met.0;
            conjunct.was_false |= met.1;
            if !met.0 {
                return;
            }
        }
    }

    /// Members come together, as far as data decides.
    #[inline]
    pub(crate) fn survey_partners(&mut self, enabled: &Enabled, members: &[InstanceId]) {
        let Some(surveyor) = &mut self.surveyor else { return };
        if surveyor.untaken > 0 {
            for &member in members {
                surveyor.advance(enabled.instance(member).edge.0, HAS_PARTNERS, self.node);
            }
        }
    }

    /// The guards of members hold together; they are about to be taken.
    #[inline]
    pub(crate) fn survey_transition(&mut self, enabled: &Enabled, members: &[InstanceId]) {
        let Some(surveyor) = &mut self.surveyor else { return };
        surveyor.members.clear();
        surveyor.select_values.clear();
        surveyor.process_mask = 0;
        for &member in members {
            let instance = enabled.instance(member);
            surveyor.members.push(instance.edge.0);
            let first = surveyor.first_select[instance.edge.0 as usize];
            for (&value, select) in enabled.select_values(member).iter().zip(first..) {
                surveyor.select_values.push((select, value));
            }
            if instance.process.index() < 64 {
                surveyor.process_mask |= 1 << instance.process.index();
            }
        }
        for position in 0..surveyor.members.len() {
            surveyor.advance(surveyor.members[position], ALL_GUARDS_HOLD, self.node);
        }
    }

    /// An invariant without clocks does not hold in the target, or in an initial state.
    pub(crate) fn survey_broken_data_invariant(&mut self, ordinal: u32) {
        if self.surveyor.is_none() {
            return;
        }
        let process = self.execution.broken_data_invariant(self.machine);
        self.survey_violation(process, None, ordinal);
    }

    /// An invariant of the target is about to be demanded of a zone.
    #[inline]
    pub(crate) fn survey_invariant(
        &mut self,
        zone: &Zone,
        resolved: Resolved,
        constraint: ClockConstraint,
        process: Option<usize>,
        ordinal: u32,
    ) {
        let Some(surveyor) = &mut self.surveyor else { return };
        let is_cut = match resolved {
            Resolved::Constraint(resolved) => !zone.satisfies_everywhere(resolved),
            Resolved::False => true,
            Resolved::True | Resolved::Forgotten => false,
        };
        if is_cut {
            surveyor.is_cut = true;
            if let Some(process) = process {
                // Which of several parts it was does not matter: a part that forbids a transition is not without effect.
                let location = self.execution.cells()[process] as usize;
                let position = surveyor.first_location[process] as usize + location;
                for number in std::mem::take(&mut surveyor.invariants_of_location[position]) {
                    surveyor.invariants[number as usize].restricts = true;
                }
            }
            self.survey_violation(process, Some(constraint), ordinal);
        }
    }

    fn survey_violation(
        &mut self,
        process: Option<usize>,
        constraint: Option<ClockConstraint>,
        ordinal: u32,
    ) {
        let Some(surveyor) = &mut self.surveyor else { return };
        let node = self.node;
        if node == NONE {
            surveyor.members.clear();
        }
        for position in 0..surveyor.members.len() {
            surveyor.advance(surveyor.members[position], UPDATED, node);
        }
        let count = surveyor.first_location.len();
        let cells = self.execution.cells();
        surveyor.violate(
            |members| Violation {
                node,
                ordinal,
                members,
                locations: cells[..count].to_vec(),
                process,
                constraint,
            },
            process,
        );
    }

    /// The target is entered, with values that its invariants allow.
    #[inline]
    pub(crate) fn survey_arrival(&mut self, zone: &Zone, may_delay: bool) {
        if self.surveyor.is_none() {
            return;
        }
        self.survey_what_invariants_restrict(zone, may_delay);
        let Some(surveyor) = &mut self.surveyor else { return };
        if self.node == NONE {
            return;
        }
        for &(select, value) in &surveyor.select_values {
            let select = &mut surveyor.selects[select as usize];
            let position = i64::from(value) - i64::from(select.least);
            if (0..64).contains(&position) {
                select.taken |= 1 << position;
            }
        }
        surveyor.is_for_all &= !surveyor.is_cut;
        surveyor.is_alive |= surveyor.is_for_all;
        if !surveyor.is_alive && !surveyor.is_cut {
            surveyor.pasts.extend(surveyor.past.take());
        }
        if surveyor.untaken > 0 {
            for position in 0..surveyor.members.len() {
                surveyor.advance(surveyor.members[position], TAKEN, self.node);
            }
        }
    }

    /// Looks which invariants of the target keep time from passing that have not done so before.
    ///
    /// Such an invariant is one without which more time could pass than the others allow.
    fn survey_what_invariants_restrict(&mut self, zone: &Zone, may_delay: bool) {
        let Some(mut surveyor) = self.surveyor.take() else { return };
        for process in 0..surveyor.first_location.len() {
            let location = self.execution.cells()[process];
            let position = surveyor.first_location[process] as usize + location as usize;
            if surveyor.invariants_of_location[position].is_empty() {
                continue;
            }
            let mut open = std::mem::take(&mut surveyor.invariants_of_location[position]);
            open.retain(|&number| {
                let invariant = &mut surveyor.invariants[number as usize];
                invariant.restricts |= self.restricts(&invariant.predicate, zone, may_delay);
                !invariant.restricts
            });
            surveyor.invariants_of_location[position] = open;
        }
        self.surveyor = Some(surveyor);
    }

    /// Whether more time could pass without a part of an invariant; also if that is not known.
    fn restricts(&mut self, predicate: &Predicate, entry: &Zone, may_delay: bool) -> bool {
        let Predicate::Clocks(code) = predicate else { return true };
        let Ok(Some(atom)) = self.execution.atom(self.machine, *code, &[]) else { return true };
        let Some((constraint, None)) = atom.constraints() else { return true };
        let Ok(bound) = Bound::finite(constraint.constant, !constraint.is_strict) else { return true };
        let Resolved::Constraint(own) = self.target.resolve(&constraint, bound) else { return true };
        if !may_delay {
            return !entry.satisfies_everywhere(own);
        }
        // Another part that is stricter makes this one superfluous. Of equal ones each counts, lest both are reported.
        if self.uppers.iter().any(|(clock, other)| *clock == own.left && *other < own.bound) {
            return false;
        }
        let mut later = entry.clone();
        let mut others = self.uppers.clone();
        others.retain(|&other| other != (own.left, own.bound));
        if later.up_within(&others).is_err() {
            return true;
        }
        !later.satisfies_everywhere(own)
    }

    /// A state is stored, or covered by one.
    #[inline]
    pub(crate) fn survey_placed(&mut self, placed: &Placed) {
        let Some(surveyor) = &mut self.surveyor else { return };
        let target = match placed {
            Placed::New(node) => {
                surveyor.meet(self.execution.cells());
                node.0
            }
            Placed::Covered(node) => node.0,
        };
        if self.node != NONE
            && surveyor.is_for_all
            && let Some(moves) = &mut surveyor.sure_moves
        {
            moves.push(SureMove { source: self.node, target, processes: surveyor.process_mask });
        }
    }

    /// Works out which values of a node are deadlocked, unless it is known that none is.
    pub(crate) fn survey_deadlocks(
        &mut self,
        node: NodeId,
        zone: &Zone,
        enabled: &mut Enabled,
        cells: &mut Vec<i32>,
    ) -> Flow {
        if self.surveyor.as_ref().is_none_or(|surveyor| surveyor.is_alive) {
            return self.end_if_all_is_met();
        }
        let Some(mut surveyor) = self.surveyor.take() else { return ControlFlow::Continue(()) };
        // Together the transitions that no invariant cuts may show what none of them shows alone.
        if let Ok(rest) = minus_all(vec![zone.clone()], &surveyor.pasts)
            && rest.is_empty()
        {
            self.surveyor = Some(surveyor);
            return self.end_if_all_is_met();
        }
        let count = surveyor.first_location.len();
        let is_known = surveyor.deadlocked_locations.contains(&self.source_cells[..count]);
        if !is_known && surveyor.deadlocks.len() < MOST_FACTS {
            match self.deadlocked_values(node, zone, enabled, cells) {
                ControlFlow::Continue(Some(constraints)) => {
                    let locations = self.source_cells[..count].to_vec();
                    surveyor.deadlocked_locations.insert(locations.clone());
                    surveyor.deadlocks.push((node, locations, constraints));
                }
                ControlFlow::Continue(None) => {}
                ControlFlow::Break(Stop::Unsupported(what)) => {
                    surveyor.passed_over.get_or_insert(what);
                }
                ControlFlow::Break(stop) => {
                    self.surveyor = Some(surveyor);
                    return ControlFlow::Break(stop);
                }
            }
        }
        self.surveyor = Some(surveyor);
        self.end_if_all_is_met()
    }

    #[inline]
    fn end_if_all_is_met(&self) -> Flow {
        match &self.surveyor {
            Some(surveyor) if surveyor.has_met_all() => ControlFlow::Break(Stop::Decided),
            _ => ControlFlow::Continue(()),
        }
    }

    /// What holds of the clocks in some deadlocked values of a node.
    fn deadlocked_values(
        &mut self,
        node: NodeId,
        zone: &Zone,
        enabled: &mut Enabled,
        cells: &mut Vec<i32>,
    ) -> ControlFlow<Stop, Option<Vec<ClockConstraint>>> {
        let may_delay = self.store.node(node).may_delay;
        self.arrivals = Some(Arrivals::default());
        self.only_arrivals = true;
        let flow = self.expand(enabled, cells, zone);
        self.only_arrivals = false;
        let arrivals = self.arrivals.take().unwrap_or_default();
        if let ControlFlow::Break(stop) = flow {
            return ControlFlow::Break(stop);
        }
        let parts = deadlocked_parts(zone, may_delay, arrivals.as_slice(), usize::MAX)?;
        ControlFlow::Continue(parts.first().map(|part| self.source.constraints_of(part)))
    }
}

/// Whether a comparison of clocks is true for some values of a zone, and false for some; `None` if that is not known.
fn atom_values(
    execution: &mut Execution,
    machine: &Machine,
    clocks: &ClockIndex,
    code: tempora_machine::CodeId,
    zone: &Zone,
) -> Option<(bool, bool)> {
    let atom = execution.atom(machine, code, &[]).ok()??;
    let (one, other) = atom.constraints()?;
    let (mut is_somewhere, mut is_everywhere) = (true, true);
    for constraint in [Some(one), other].into_iter().flatten() {
        let bound = Bound::finite(constraint.constant, !constraint.is_strict).ok()?;
        match clocks.resolve(&constraint, bound) {
            Resolved::Constraint(resolved) => {
                is_somewhere &= zone.satisfies_somewhere(resolved);
                is_everywhere &= zone.satisfies_everywhere(resolved);
            }
            Resolved::True => {}
            Resolved::False => (is_somewhere, is_everywhere) = (false, false),
            Resolved::Forgotten => return None,
        }
    }
    Some((is_somewhere, !is_everywhere))
}
