//! The search: nodes are taken out, their successors computed and put in, until nothing is left or all is decided.
//!
//! Invariant: a stored zone is exact: the values of the active clocks with which runs are in the discrete state, after
//! any delay that is allowed there. Abstraction is only in the test whether a stored zone covers a new one. A node's
//! successors are numbered in the order in which they are computed, which is the same each time.

use std::ops::ControlFlow;

use tempora_evidence::{Budget, BudgetWatch, Exhausted, Progress};
use tempora_machine::{
    ClockConstraint, ClockEffect, CombinationKind, Enabled, Execution, Failure, InstanceId, Machine,
};
use tempora_model::LocationKind;
use tempora_zones::{
    ArenaCandidate, Bound, BoundOverflow, Clock, ClockSource, Dimension, LuBounds, TooManyClocks, Zone,
};

use crate::arrivals::Arrivals;
use crate::bounded_time::ClockUse;
use crate::bounds::{ClockBounds, NONE as NO_BOUND};
use crate::certificate::{Enlargement, Inclusion};
use crate::clocks::{ClockIndex, Resolved, ZonePool};
use crate::diagonals::DiagonalCovering;
use crate::fastest::Fastest;
use crate::goals::{Goal, GoalOutcome};
use crate::hidden::DeadlockTable;
use crate::pack::Packer;
use crate::paths::Recorded;
use crate::stopwatches::Stopwatches;
use crate::store::{
    Arrived, Covering, DiscreteId, Inserted, LuCovering, NONE, NodeId, Status, Store, StoreFull,
};
use crate::successors::Choice;
use crate::surveyor::Surveyor;
use crate::waiting::{SearchOrder, Waiting};

/// Why a search ends before all states have been seen.
#[derive(Debug)]
pub(crate) enum Stop {
    /// All goals are decided.
    Decided,
    /// The model fails.
    Error(ModelError),
    Exhausted(Exhausted),
    /// So many nodes have been explored as were asked for; the search can be taken up again.
    Paused,
    /// Something that is not supported was met.
    Unsupported(String),
    /// A state that a stored one stands for may be deadlocked: the values of these clocks, counted from 0, have to be kept
    /// apart.
    Hidden(Vec<usize>),
    /// This engine contradicts itself.
    Bug(String),
}

/// Where the model fails.
#[derive(Clone, Debug)]
pub(crate) struct ModelError {
    pub(crate) failure: Failure,
    pub(crate) place: ErrorPlace,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ErrorPlace {
    /// Before there is a state.
    Start,
    /// In a node: when its transitions are looked for.
    Node(NodeId),
    /// On a transition from a node, the successor with this number.
    Transition(NodeId, u32),
    /// Right after that transition.
    After(NodeId, u32),
}

impl Stop {
    /// Whether a state that was looked for, or an error of the model, was met.
    pub(crate) fn is_about_the_model(&self) -> bool {
        matches!(self, Stop::Decided | Stop::Error(_))
    }
}

pub(crate) type Flow = ControlFlow<Stop>;

/// A search.
pub(crate) struct Explorer<'task> {
    pub(crate) machine: &'task Machine,
    pub(crate) bounds: &'task ClockBounds,
    /// The bounds of [`Machine::constraints`].
    constant_bounds: Vec<Bound>,
    pub(crate) store: Store,
    pub(crate) packer: Packer,
    pub(crate) waiting: Waiting,
    pub(crate) goals: &'task mut [Goal],
    pub(crate) undecided: usize,
    pub(crate) pool: ZonePool,
    pub(crate) execution: Execution,
    /// The clocks of the state whose successors are computed, and of the successor.
    pub(crate) source: ClockIndex,
    pub(crate) target: ClockIndex,
    pub(crate) source_cells: Vec<i32>,
    /// The node whose successors are computed; [`NONE`] for initial states.
    pub(crate) node: u32,
    pub(crate) ordinal: u32,
    /// If set, only this successor is computed, and not stored.
    pub(crate) wanted: Option<u32>,
    /// Whether the successors behind the wanted one are not even counted.
    pub(crate) ends_with_wanted: bool,
    pub(crate) recorded: Option<Recorded>,
    pub(crate) source_may_delay: bool,
    /// If set, the successors are noted down here.
    pub(crate) arrivals: Option<Arrivals>,
    /// Whether successors are only noted down, and not stored.
    pub(crate) only_arrivals: bool,
    /// For each clock, counted from 1, where it gets its value from in the present transition.
    pub(crate) origins: Vec<(u16, u32)>,
    sources: Vec<ClockSource>,
    pub(crate) lu: Vec<Option<LuBounds>>,
    candidate: ArenaCandidate,
    key: Vec<u8>,
    pub(crate) computed: Vec<ClockConstraint>,
    pub(crate) uppers: Vec<(Clock, Bound)>,
    branches: Vec<u32>,
    pub(crate) choice: Choice,
    pub(crate) urgent: Option<Enabled>,
    /// Only in a search for the fastest runs.
    pub(crate) fastest: Option<Fastest>,
    pub(crate) watch: BudgetWatch<'task>,
    progress: &'task Progress,
    /// How many states were stored and explored, and how many transitions there were, since that was last told.
    pub(crate) unreported: (u64, u64, u64),
    stored_bytes: usize,
    /// How many nodes have been explored, and after how many there is a pause.
    explored: u64,
    pub(crate) pause_after: u64,
    /// Why a state was left out, if any was.
    left_out: Option<String>,
    /// What is known of deadlocks, if they are looked for and covering may hide them.
    pub(crate) deadlocks: Option<DeadlockTable>,
    /// Whether it is noted down what transitions do with clocks.
    pub(crate) notes_clock_use: bool,
    /// Whether transitions that fail are left out.
    pub(crate) ignores_failures: bool,
    /// Only where there are clocks that stand still at times.
    pub(crate) stopwatches: Option<Stopwatches>,
    /// Set in a search for a certificate: how zones are enlarged before they are stored, if they are.
    pub(crate) certifying: Option<Enlargement>,
    /// Set in a survey: what was met so far.
    pub(crate) surveyor: Option<Box<Surveyor>>,
}

impl<'task> Explorer<'task> {
    pub(crate) fn new(
        machine: &'task Machine,
        bounds: &'task ClockBounds,
        goals: &'task mut [Goal],
        order: SearchOrder,
        budget: &'task Budget,
        progress: &'task Progress,
    ) -> Result<Explorer<'task>, BoundOverflow> {
        let layout = machine.layout();
        let constant_bounds = machine
            .constraints()
            .iter()
            .map(|constraint| Bound::finite(constraint.constant, !constraint.is_strict))
            .collect::<Result<_, _>>()?;
        let packer = Packer::new(layout.stored_ranges());
        let clock_count = layout.clock_count();
        Ok(Explorer {
            machine,
            bounds,
            constant_bounds,
            store: Store::new(packer.width()),
            packer,
            waiting: Waiting::new(order),
            stopwatches: machine.has_rates().then(|| Stopwatches::new(goals.len())),
            undecided: goals.iter().filter(|goal| goal.outcome.is_none()).count(),
            goals,
            pool: ZonePool::new(),
            execution: Execution::new(layout),
            source: ClockIndex::new(clock_count),
            target: ClockIndex::new(clock_count),
            source_cells: vec![0; layout.stored_cells()],
            node: NONE,
            ordinal: 0,
            wanted: None,
            ends_with_wanted: false,
            recorded: None,
            source_may_delay: true,
            arrivals: None,
            only_arrivals: false,
            origins: (0..=clock_count).map(|clock| (clock as u16, 0)).collect(),
            sources: Vec::new(),
            lu: Vec::new(),
            candidate: ArenaCandidate::new(),
            key: Vec::new(),
            computed: Vec::new(),
            uppers: Vec::new(),
            branches: Vec::new(),
            choice: Choice::default(),
            urgent: machine.has_urgent_edges().then(|| Enabled::new(machine)),
            fastest: None,
            watch: budget.watch(),
            progress,
            unreported: (0, 0, 0),
            stored_bytes: 0,
            explored: 0,
            pause_after: u64::MAX,
            left_out: None,
            deadlocks: None,
            notes_clock_use: false,
            ignores_failures: false,
            certifying: None,
            surveyor: None,
        })
    }

    /// Searches until nothing is left. After a pause, goes on.
    pub(crate) fn run(&mut self) -> Flow {
        if self.undecided == 0 {
            return ControlFlow::Break(Stop::Decided);
        }
        let asks_for_deadlocks = self.goals.iter().any(|goal| goal.predicate.mentions_deadlock());
        self.arrivals = (asks_for_deadlocks && self.deadlocks.is_none()).then(Arrivals::default);
        let flow = self.run_to_end();
        self.arrivals = None;
        self.report_progress();
        flow
    }

    pub(crate) fn run_to_end(&mut self) -> Flow {
        if self.explored == 0 {
            self.add_initial_states()?;
            if self.stopwatches.is_some() {
                self.look_for_runs()?;
            }
        }
        let mut enabled = Enabled::new(self.machine);
        let mut cells = Vec::new();
        while let Some(id) = self.waiting.next() {
            if self.store.node(id).status != Status::Waiting {
                continue;
            }
            if self.explored == self.pause_after {
                self.pause_after = u64::MAX;
                self.waiting.put_back(id);
                return ControlFlow::Break(Stop::Paused);
            }
            self.explored += 1;
            self.explore_node(id, &mut enabled, &mut cells)?;
            if self.stopwatches.is_some() {
                self.look_for_runs()?;
            }
        }
        self.admit_doubts();
        match self.left_out.take() {
            None => ControlFlow::Continue(()),
            Some(what) => ControlFlow::Break(Stop::Unsupported(what)),
        }
    }

    /// Computes the successors of a node that waits.
    #[inline]
    pub(crate) fn explore_node(&mut self, id: NodeId, enabled: &mut Enabled, cells: &mut Vec<i32>) -> Flow {
        self.spend()?;
        self.store.set_status(id, Status::Explored);
        self.unreported.1 += 1;
        if self.unreported.1 >= 256 {
            self.report_progress();
        }
        let zone = self.enter(id);
        self.begin_surveying(id, &zone);
        self.expand(enabled, cells, &zone)?;
        self.survey_deadlocks(id, &zone, enabled, cells)?;
        if self.deadlocks.is_some() {
            self.look_for_hidden_deadlocks(id, enabled, cells, &zone)?;
        } else {
            self.look_for_deadlocks(id, &zone)?;
        }
        self.pool.give_back(zone);
        ControlFlow::Continue(())
    }

    /// Takes note that a goal is nowhere.
    pub(crate) fn exclude(&mut self, goal: usize, processes: Vec<String>) {
        if self.goals[goal].outcome.is_none() {
            self.goals[goal].outcome = Some(GoalOutcome::Excluded { processes });
            self.undecided -= 1;
        }
    }

    /// The cells of all states that are stored, with what holds of their clocks.
    pub(crate) fn stored_states(&self) -> impl Iterator<Item = (Vec<i32>, Vec<ClockConstraint>)> {
        let mut clocks = ClockIndex::new(self.machine.layout().clock_count());
        self.store.live_nodes().map(move |id| {
            let mut cells = vec![0; self.source_cells.len()];
            self.packer.unpack(self.store.key(self.store.node(id).discrete), &mut cells);
            clocks.set(self.bounds, &cells);
            let mut zone = Zone::universe(dimension(&clocks));
            self.store.zone_into(id, &mut zone);
            (cells, clocks.constraints_of(&zone))
        })
    }

    /// Makes a node the one whose successors are computed.
    fn enter(&mut self, id: NodeId) -> Zone {
        let node = *self.store.node(id);
        self.packer.unpack(self.store.key(node.discrete), &mut self.source_cells);
        self.node = id.0;
        self.source.set(self.bounds, &self.source_cells);
        let mut zone = self.pool.take(dimension(&self.source));
        self.store.zone_into(id, &mut zone);
        zone
    }

    /// Computes all successors of the state in `source_cells`, or the wanted one.
    pub(crate) fn expand(&mut self, enabled: &mut Enabled, cells: &mut Vec<i32>, zone: &Zone) -> Flow {
        self.ordinal = 0;
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.clear();
        }
        self.execution.cells_mut().copy_from_slice(&self.source_cells);
        cells.clone_from(&self.source_cells);
        let watch = &mut self.watch;
        let live = self.store.live();
        let mut exhausted = None;
        let mut go_on = || match watch.check(live) {
            Ok(()) => true,
            Err(what) => {
                exhausted = Some(what);
                false
            }
        };
        match enabled.find(self.machine, &mut self.execution, false, &mut go_on) {
            Ok(true) => {}
            Ok(false) => {
                return ControlFlow::Break(Stop::Exhausted(exhausted.unwrap_or(Exhausted::Cancelled)));
            }
            Err(failure) => {
                let place =
                    if self.node == NONE { ErrorPlace::Start } else { ErrorPlace::Node(NodeId(self.node)) };
                return self.model_error(failure, place);
            }
        }
        self.survey_instances(enabled, zone)?;
        self.visit_combinations(enabled, cells, zone)
    }

    pub(crate) fn add_initial_states(&mut self) -> Flow {
        let machine = self.machine;
        let choices = machine.initial_locations();
        if choices.iter().any(Vec::is_empty) {
            return ControlFlow::Continue(());
        }
        let mut positions = vec![0usize; choices.len()];
        let mut ordinal = 0u32;
        loop {
            self.spend()?;
            let locations: Vec<i32> =
                choices.iter().zip(&positions).map(|(choices, &position)| choices[position] as i32).collect();
            self.add_initial_state(&locations, ordinal)?;
            ordinal = ordinal.saturating_add(1);
            let mut at = positions.len();
            while at > 0 && positions[at - 1] + 1 == choices[at - 1].len() {
                positions[at - 1] = 0;
                at -= 1;
            }
            if at == 0 {
                return ControlFlow::Continue(());
            }
            positions[at - 1] += 1;
        }
    }

    pub(crate) fn add_initial_state(&mut self, locations: &[i32], ordinal: u32) -> Flow {
        let layout = self.machine.layout();
        let initial = &layout.initial_cells()[..layout.stored_cells()];
        self.execution.cells_mut().copy_from_slice(initial);
        self.execution.cells_mut()[..locations.len()].copy_from_slice(locations);
        (self.node, self.ordinal) = (NONE, ordinal);
        match self.execution.data_invariants_hold(self.machine) {
            Ok(true) => {}
            Ok(false) => {
                self.survey_broken_data_invariant(ordinal);
                return ControlFlow::Continue(());
            }
            Err(failure) => return self.model_error(failure, ErrorPlace::Start),
        }
        self.target.set(self.bounds, self.execution.cells());
        let zone = Zone::zero(dimension(&self.target));
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.begin(ordinal, &zone, &[]);
        }
        self.arrive(zone, ordinal, None)
    }

    /// Takes a transition for the clock values of a zone that satisfy its guards, each combination of branches.
    ///
    /// `piece` is the zone of the source, or a part of it.
    pub(crate) fn take(
        &mut self,
        enabled: &Enabled,
        kind: CombinationKind,
        members: &[InstanceId],
        piece: &Zone,
    ) -> Flow {
        self.survey_partners(enabled, members);
        let mut cuts = false;
        for &member in members {
            let range = enabled.instance(member).constant_guard.clone();
            for position in range.start as usize..range.end as usize {
                let constraint = &self.machine.constraints()[position];
                match self.source.resolve(constraint, self.constant_bounds[position]) {
                    Resolved::Constraint(resolved) => {
                        self.audit(constraint, false);
                        if !piece.satisfies_somewhere(resolved) {
                            return ControlFlow::Continue(());
                        }
                        cuts |= !piece.satisfies_everywhere(resolved);
                    }
                    Resolved::True => {}
                    Resolved::False => return ControlFlow::Continue(()),
                    Resolved::Forgotten => return forgotten(),
                }
            }
            cuts |= !enabled.computed_guard(member).is_empty();
        }
        if !cuts {
            return self.take_branches(enabled, kind, members, piece);
        }
        let mut guarded = self.pool.take(piece.dimension());
        guarded.clone_from(piece);
        let flow = match self.constrain_by_guards(enabled, members, &mut guarded) {
            ControlFlow::Continue(true) => self.take_branches(enabled, kind, members, &guarded),
            ControlFlow::Continue(false) => ControlFlow::Continue(()),
            ControlFlow::Break(stop) => ControlFlow::Break(stop),
        };
        self.pool.give_back(guarded);
        flow
    }

    /// Restricts a zone of the source to where the guards hold; false if that is nowhere.
    pub(crate) fn constrain_by_guards(
        &mut self,
        enabled: &Enabled,
        members: &[InstanceId],
        zone: &mut Zone,
    ) -> ControlFlow<Stop, bool> {
        for &member in members {
            let range = enabled.instance(member).constant_guard.clone();
            for position in range.start as usize..range.end as usize {
                let resolved = self
                    .source
                    .resolve(&self.machine.constraints()[position], self.constant_bounds[position]);
                if !constrain(zone, resolved)? {
                    return ControlFlow::Continue(false);
                }
            }
            for constraint in enabled.computed_guard(member) {
                self.audit(constraint, false);
                let bound = match Bound::finite(constraint.constant, !constraint.is_strict) {
                    Ok(bound) => bound,
                    Err(overflow) => return ControlFlow::Break(too_large(overflow)),
                };
                if !constrain(zone, self.source.resolve(constraint, bound))? {
                    return ControlFlow::Continue(false);
                }
            }
        }
        ControlFlow::Continue(true)
    }

    fn take_branches(
        &mut self,
        enabled: &Enabled,
        kind: CombinationKind,
        members: &[InstanceId],
        guarded: &Zone,
    ) -> Flow {
        let mut branches = std::mem::take(&mut self.branches);
        branches.clear();
        branches.resize(members.len(), 0);
        let flow = loop {
            let flow = self.take_one(enabled, kind, members, &branches, guarded);
            if flow.is_break() {
                break flow;
            }
            let mut at = members.len();
            while at > 0 {
                let count = self.machine.branch_count(enabled.instance(members[at - 1]).edge);
                if (branches[at - 1] as usize) + 1 < count {
                    break;
                }
                branches[at - 1] = 0;
                at -= 1;
            }
            if at == 0 {
                break ControlFlow::Continue(());
            }
            branches[at - 1] += 1;
        };
        self.branches = branches;
        flow
    }

    fn take_one(
        &mut self,
        enabled: &Enabled,
        kind: CombinationKind,
        members: &[InstanceId],
        branches: &[u32],
        guarded: &Zone,
    ) -> Flow {
        let ordinal = self.ordinal;
        self.ordinal += 1;
        if let Some(wanted) = self.wanted
            && wanted != ordinal
        {
            let is_behind = self.ends_with_wanted && wanted < ordinal;
            return if is_behind { ControlFlow::Break(Stop::Decided) } else { ControlFlow::Continue(()) };
        }
        self.spend()?;
        self.unreported.2 += 1;
        self.survey_transition(enabled, members);
        let applied = match self.execution.apply(self.machine, enabled, members, branches) {
            Ok(()) => self.execution.data_invariants_hold(self.machine),
            Err(failure) => Err(failure),
        };
        if self.wanted.is_some() {
            self.record(enabled, kind, members, branches, guarded);
        }
        let flow = match applied {
            Err(failure) => self.model_error(failure, ErrorPlace::Transition(NodeId(self.node), ordinal)),
            Ok(false) => {
                self.survey_broken_data_invariant(ordinal);
                ControlFlow::Continue(())
            }
            Ok(true) => {
                let clocks = self.notes_clock_use.then(|| self.clock_use(enabled, members));
                self.enter_target(guarded, ordinal, clocks)
            }
        };
        self.execution.cells_mut().copy_from_slice(&self.source_cells);
        flow
    }

    /// The zone with which the target is entered.
    fn enter_target(&mut self, guarded: &Zone, ordinal: u32, clocks: Option<ClockUse>) -> Flow {
        self.target.set(self.bounds, self.execution.cells());
        self.follow_effects();
        self.sources.clear();
        for &clock in self.target.active() {
            let (from, plus) = self.origins[usize::from(clock) + 1];
            let Some(from) = self.source.zone_clock(from) else {
                self.forget_effects();
                return forgotten();
            };
            self.sources.push(ClockSource { from, plus });
        }
        self.forget_effects();
        let mut zone = self.pool.take(dimension(&self.target));
        if let Err(overflow) = zone.assign_from(guarded, &self.sources) {
            return ControlFlow::Break(too_large(overflow));
        }
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.begin(ordinal, guarded, &self.sources);
            if let Some(clocks) = clocks {
                arrivals.note_clock_use(clocks);
            }
        }
        if let Some(surveyor) = &mut self.surveyor {
            surveyor.leave(guarded, &mut self.pool);
        }
        self.arrive(zone, ordinal, Some(ordinal))
    }

    /// Notes down where each clock gets its value from.
    pub(crate) fn follow_effects(&mut self) {
        for effect in &self.execution.effects {
            match *effect {
                ClockEffect::Reset { clock, value } => {
                    self.origins[usize::from(clock)] = (0, value as u32);
                }
                ClockEffect::Copy { clock, from, plus } => {
                    let (origin, before) = self.origins[usize::from(from)];
                    self.origins[usize::from(clock)] = (origin, before.saturating_add(plus as u32));
                }
            }
        }
    }

    /// Every clock keeps its value again.
    pub(crate) fn forget_effects(&mut self) {
        for effect in &self.execution.effects {
            let (ClockEffect::Reset { clock, .. } | ClockEffect::Copy { clock, .. }) = *effect;
            self.origins[usize::from(clock)] = (clock, 0);
        }
    }

    /// A state, in the execution, is entered with the clock values of a zone: invariants, delay, and what comes then.
    pub(crate) fn arrive(&mut self, mut zone: Zone, ordinal: u32, transition: Option<u32>) -> Flow {
        let machine = self.machine;
        self.uppers.clear();
        let mut may_delay = true;
        let mut may_be_urgent = false;
        for process in 0..machine.layout().process_count() {
            let location = machine.location(process, self.execution.cells()[process]);
            may_delay &= location.kind == LocationKind::Ordinary;
            may_be_urgent |= location.has_urgent_edge();
            let range = location.invariant_clocks().constant.clone();
            for position in range.start as usize..range.end as usize {
                let constraint = &machine.constraints()[position];
                self.audit(constraint, true);
                let resolved = self.target.resolve(constraint, self.constant_bounds[position]);
                self.survey_invariant(&zone, resolved, *constraint, Some(process), ordinal);
                if !self.demand(&mut zone, resolved)? {
                    self.pool.give_back(zone);
                    return ControlFlow::Continue(());
                }
            }
        }
        let mut computed = std::mem::take(&mut self.computed);
        computed.clear();
        if let Err(failure) = self.execution.computed_invariants(machine, &mut computed) {
            let place = match transition {
                Some(ordinal) => ErrorPlace::Transition(NodeId(self.node), ordinal),
                None => ErrorPlace::Start,
            };
            return self.model_error(failure, place);
        }
        for constraint in &computed {
            self.audit(constraint, true);
            let bound = match Bound::finite(constraint.constant, !constraint.is_strict) {
                Ok(bound) => bound,
                Err(overflow) => return ControlFlow::Break(too_large(overflow)),
            };
            let resolved = self.target.resolve(constraint, bound);
            self.survey_invariant(&zone, resolved, *constraint, None, ordinal);
            if !self.demand(&mut zone, resolved)? {
                self.computed = computed;
                self.pool.give_back(zone);
                return ControlFlow::Continue(());
            }
        }
        self.computed = computed;
        self.survey_arrival(&zone, may_delay);
        if let Some(recorded) = &mut self.recorded {
            recorded.enter(self.target.constraints_of(&zone), &zone, &self.uppers);
        }
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.enter(&zone, &self.uppers);
        }
        if may_delay {
            let delays = if may_be_urgent {
                self.delay_unless_urgent(&mut zone, ordinal)
            } else {
                self.let_time_pass(&mut zone).map_continue(|()| true)
            };
            match delays {
                ControlFlow::Continue(delays) => may_delay = delays,
                // What is found elsewhere is found all the same; only that something is nowhere cannot be said.
                ControlFlow::Break(Stop::Unsupported(what)) if self.may_leave_out() => {
                    self.left_out.get_or_insert(what);
                    self.pool.give_back(zone);
                    return ControlFlow::Continue(());
                }
                ControlFlow::Break(stop) => return ControlFlow::Break(stop),
            }
        }
        if let Some(recorded) = &mut self.recorded {
            recorded.cells = self.execution.cells().to_vec();
            recorded.zone = Some(zone);
            recorded.may_delay = may_delay;
            return ControlFlow::Continue(());
        }
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.finish(self.execution.cells(), &zone, may_delay);
        }
        let flow =
            if self.only_arrivals { ControlFlow::Continue(()) } else { self.keep(&zone, ordinal, may_delay) };
        self.pool.give_back(zone);
        flow
    }

    /// Whether a state that the search cannot deal with may be left out for now: not where all successors count.
    fn may_leave_out(&self) -> bool {
        self.arrivals.is_none() && self.recorded.is_none() && self.fastest.is_none()
    }

    /// Lets time pass within the invariants.
    #[inline]
    fn let_time_pass(&mut self, zone: &mut Zone) -> Flow {
        if self.stopwatches.is_some() {
            return self.let_time_pass_with_stopwatches(zone);
        }
        match zone.up_within(&self.uppers) {
            Ok(()) => ControlFlow::Continue(()),
            Err(overflow) => ControlFlow::Break(too_large(overflow)),
        }
    }

    /// Lets time pass within the invariants, unless a synchronisation on an urgent channel is possible.
    fn delay_unless_urgent(&mut self, zone: &mut Zone, ordinal: u32) -> ControlFlow<Stop, bool> {
        let mut future = zone.clone();
        self.let_time_pass(&mut future)?;
        if self.is_urgent(zone, &future, ordinal)? {
            return ControlFlow::Continue(false);
        }
        *zone = future;
        ControlFlow::Continue(true)
    }

    /// Restricts a zone of the target by its invariant.
    fn demand(&mut self, zone: &mut Zone, resolved: Resolved) -> ControlFlow<Stop, bool> {
        if let Resolved::Constraint(constraint) = resolved
            && constraint.right == Clock::REFERENCE
            && constraint.left != Clock::REFERENCE
        {
            self.uppers.push((constraint.left, constraint.bound));
        }
        constrain(zone, resolved)
    }

    /// Stores a state unless one that is stored covers it, and looks whether it is a goal.
    fn keep(&mut self, zone: &Zone, ordinal: u32, may_delay: bool) -> Flow {
        let enlarged = match self.certifying {
            Some(how) => Some(self.enlarged(zone, how)?),
            None => None,
        };
        let zone = enlarged.as_ref().unwrap_or(zone);
        let how = Arrived { parent: self.node, ordinal, may_delay };
        let placed = self.place(zone, how, false)?;
        self.survey_placed(&placed);
        match placed {
            Placed::Covered(_) => ControlFlow::Continue(()),
            Placed::New(node) if self.fastest.is_some() => self.keep_earliest(node, zone),
            Placed::New(node) => self.look_for_goals(node, zone),
        }
    }

    /// Stores a state, which is in the execution, unless one that is stored covers it; or is covered by it too, if only
    /// equals are left out.
    pub(crate) fn place(
        &mut self,
        zone: &Zone,
        how: Arrived,
        needs_equality: bool,
    ) -> ControlFlow<Stop, Placed> {
        if !self.packer.pack(self.execution.cells(), &mut self.key) {
            return ControlFlow::Break(Stop::Bug("a variable is outside of its range".to_owned()));
        }
        if let Some(bytes) = self.store.growth_ahead()
            && let Err(exhausted) = self.watch.check_memory_for(bytes)
        {
            return ControlFlow::Break(Stop::Exhausted(exhausted));
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
            let mut covering = Inclusion(zone.clone());
            place_in(store, (discrete, is_first), candidate, dimension, &mut covering, needs_equality, how)
        } else if self.bounds.diagonals.is_empty() {
            place_in(
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
            place_in(store, (discrete, is_first), candidate, dimension, &mut covering, needs_equality, how)
        };
        self.lu[dimension.size()] = Some(lu);
        match place {
            Err(StoreFull) => too_many(),
            Ok(Ok(node)) => ControlFlow::Continue(Placed::Covered(node)),
            Ok(Err(inserted)) => {
                self.unreported.0 += 1;
                if self.fastest.is_none() {
                    let follows = how.parent != NONE && self.store.node(NodeId(how.parent)).is_deep;
                    if self.waiting.add(&inserted, follows) {
                        self.store.mark_deep(inserted.node);
                    }
                }
                self.watch_memory()?;
                ControlFlow::Continue(Placed::New(inserted.node))
            }
        }
    }

    /// Whether a finished node covers one, which becomes the target.
    pub(crate) fn is_covered_by_finished(&mut self, id: NodeId) -> bool {
        self.compare_in_list(id, |store, discrete, candidate, covering| {
            store.finished_node_covers(discrete, candidate, covering)
        })
    }

    /// Marks a node as finished. It becomes the target.
    pub(crate) fn finish(&mut self, id: NodeId) {
        self.compare_in_list(id, |store, _, candidate, covering| {
            store.finish(id, candidate, covering);
            true
        });
    }

    /// Compares a node with others of its discrete state; false where differences of clocks count.
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

    fn look_for_goals(&mut self, node: NodeId, zone: &Zone) -> Flow {
        for position in 0..self.goals.len() {
            if self.goals[position].outcome.is_none() && !self.goals[position].predicate.mentions_deadlock() {
                self.look_for_goal(position, node, zone, true, &[])?;
            }
        }
        if self.undecided == 0 { ControlFlow::Break(Stop::Decided) } else { ControlFlow::Continue(()) }
    }

    /// Looks whether a zone of the target, or of the source, has a state of the goal.
    pub(crate) fn look_for_goal(
        &mut self,
        position: usize,
        node: NodeId,
        zone: &Zone,
        is_target: bool,
        deadlocked: &[Zone],
    ) -> Flow {
        // Taken out for a moment, so that the predicate need not be copied.
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

    pub(crate) fn model_error(&mut self, failure: Failure, place: ErrorPlace) -> Flow {
        if self.ignores_failures {
            return ControlFlow::Continue(());
        }
        if let Some(surveyor) = &mut self.surveyor {
            surveyor.fail(failure, place);
            return ControlFlow::Continue(());
        }
        ControlFlow::Break(Stop::Error(ModelError { failure, place }))
    }

    /// Stops if the budget is used up.
    #[inline]
    pub(crate) fn spend(&mut self) -> Flow {
        match self.watch.check(self.store.live()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(exhausted) => ControlFlow::Break(Stop::Exhausted(exhausted)),
        }
    }

    /// The memory is looked at whenever the table has grown by a few megabytes.
    fn watch_memory(&mut self) -> Flow {
        const STEP: usize = 4 << 20;
        let bytes = self.store.bytes();
        if bytes < self.stored_bytes + STEP {
            return ControlFlow::Continue(());
        }
        self.stored_bytes = bytes;
        self.check_memory()
    }

    /// Stops if the memory of the budget is used up.
    pub(crate) fn check_memory(&mut self) -> Flow {
        match self.watch.check_memory() {
            Ok(()) => ControlFlow::Continue(()),
            Err(exhausted) => ControlFlow::Break(Stop::Exhausted(exhausted)),
        }
    }

    pub(crate) fn report_progress(&mut self) {
        let (stored, explored, transitions) = std::mem::take(&mut self.unreported);
        self.progress.add_stored(stored);
        self.progress.add_explored(explored);
        self.progress.add_transitions(transitions);
        let in_order_of_time = self.fastest.as_ref().map(Fastest::waiting);
        self.progress.set_waiting(in_order_of_time.unwrap_or_else(|| self.waiting.len()) as u64);
    }

    /// In debug builds, that a constant which is met is within the bounds.
    #[inline]
    fn audit(&self, constraint: &ClockConstraint, is_target: bool) {
        if !cfg!(debug_assertions) {
            return;
        }
        let cells = if is_target { self.execution.cells() } else { &self.source_cells };
        let (clock, bound, constant) = match (constraint.left, constraint.right) {
            (0, 0) => return,
            (clock, 0) => (clock, self.bounds.pair(usize::from(clock) - 1, cells).upper, constraint.constant),
            (0, clock) => {
                (clock, self.bounds.pair(usize::from(clock) - 1, cells).lower, -constraint.constant)
            }
            _ => return,
        };
        debug_assert!(
            constant <= i64::from(bound) || constant < 0,
            "clock {clock} is compared with {constant}, beyond its bound {bound}"
        );
    }
}

/// What became of a state that was to be stored.
pub(crate) enum Placed {
    New(NodeId),
    Covered(NodeId),
}

/// The node that covers a candidate, or the one that was made for it.
#[inline]
fn place_in(
    store: &mut Store,
    (discrete, is_first): (DiscreteId, bool),
    candidate: &ArenaCandidate,
    dimension: Dimension,
    covering: &mut impl Covering,
    needs_equality: bool,
    how: Arrived,
) -> Result<Result<NodeId, Inserted>, StoreFull> {
    if !is_first && let Some(node) = store.covering_node(discrete, candidate, covering, needs_equality) {
        return Ok(Ok(node));
    }
    Ok(Err(store.insert(discrete, dimension, candidate, covering, needs_equality, how)?))
}

/// The bounds of the clocks of a state.
#[inline]
fn set_bounds(lu: &mut LuBounds, bounds: &ClockBounds, clocks: &ClockIndex, cells: &[i32]) {
    for (position, &clock) in clocks.active().iter().enumerate() {
        let pair = bounds.pair(usize::from(clock), cells);
        let some = |bound: i32| (bound != NO_BOUND).then_some(bound);
        lu.set_lower(Clock(position as u16 + 1), some(pair.lower));
        lu.set_upper(Clock(position as u16 + 1), some(pair.upper));
    }
}

pub(crate) const TOO_LARGE: &str = "a bound on a clock that is too large";

pub(crate) fn too_large(_: BoundOverflow) -> Stop {
    Stop::Unsupported(TOO_LARGE.to_owned())
}

pub(crate) fn forgotten<T>() -> ControlFlow<Stop, T> {
    ControlFlow::Break(Stop::Bug("a clock was forgotten that is still looked at".to_owned()))
}

fn too_many<T>() -> ControlFlow<Stop, T> {
    ControlFlow::Break(Stop::Unsupported("more states than can be numbered".to_owned()))
}

#[inline]
pub(crate) fn constrain(zone: &mut Zone, resolved: Resolved) -> ControlFlow<Stop, bool> {
    match resolved {
        Resolved::Constraint(constraint) => match zone.constrain(constraint) {
            Ok(is_left) => ControlFlow::Continue(is_left),
            Err(overflow) => ControlFlow::Break(too_large(overflow)),
        },
        Resolved::True => ControlFlow::Continue(true),
        Resolved::False => ControlFlow::Continue(false),
        Resolved::Forgotten => forgotten(),
    }
}

/// The dimension of the zones of a state. That there are not too many clocks was checked at the start.
#[inline]
pub(crate) fn dimension(clocks: &ClockIndex) -> Dimension {
    match Dimension::for_clocks(clocks.active().len()) {
        Ok(dimension) => dimension,
        Err(TooManyClocks { .. }) => {
            unreachable!("the number of clocks was checked when the search was made")
        }
    }
}
