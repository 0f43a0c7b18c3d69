//! The search loop: takes a node from the waiting list, computes its successors and stores them.
//!
//! Invariant: a stored zone is exact: it contains the values of the active clocks that runs reach in the discrete
//! state, after any allowed delay. Abstraction is only in the test whether a stored zone covers a new one. A node's
//! successors are numbered in the order in which they are computed, which is deterministic.

use std::ops::ControlFlow;

use tempora_evidence::{Budget, BudgetWatch, Exhausted, Progress};
use tempora_machine::{ClockConstraint, Enabled, Execution, Failure, Machine};
use tempora_zones::{
    ArenaCandidate, Bound, BoundOverflow, Clock, ClockSource, Dimension, LuBounds, TooManyClocks, Zone,
};

use crate::graph::arrivals::Arrivals;
use crate::graph::bounds::ClockBounds;
use crate::graph::clocks::{ClockIndex, Resolved, ZonePool};
use crate::graph::pack::Packer;
use crate::graph::stopwatches::Stopwatches;
use crate::graph::store::{NONE, NodeId, Status, Store};
use crate::graph::successors::ReceiverChoice;
use crate::graph::waiting::{SearchOrder, Waiting};
use crate::runs::fastest::Fastest;
use crate::runs::paths::Recorded;
use crate::search::certificate::Enlargement;
use crate::search::goals::{Goal, GoalOutcome};
use crate::search::hidden_deadlocks::DeadlockTable;
use crate::survey::surveyor::Surveyor;

/// Why a search ends before all states are explored.
#[derive(Debug)]
pub(crate) enum SearchStop {
    /// All goals are decided.
    Decided,
    /// A run-time error of the model.
    Error(ModelError),
    Exhausted(Exhausted),
    /// The requested number of nodes has been explored; the search can be resumed.
    Paused,
    /// The model contains an unsupported construct.
    Unsupported(String),
    /// A state that is covered by a stored one may be deadlocked: the values of these clocks, from 0, must be kept
    /// apart.
    Hidden(Vec<usize>),
    /// An internal inconsistency of the engine.
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
    /// Before the initial state exists.
    Start,
    /// In a node, while its transitions are enumerated.
    Node(NodeId),
    /// On the transition from a node to the successor with this number.
    Transition(NodeId, u32),
    /// Right after that transition.
    After(NodeId, u32),
}

impl SearchStop {
    /// Returns whether the search found a goal or a model error.
    pub(crate) fn is_model_result(&self) -> bool {
        matches!(self, SearchStop::Decided | SearchStop::Error(_))
    }
}

pub(crate) type Flow = ControlFlow<SearchStop>;

/// A search over the zone graph.
pub(crate) struct Explorer<'task> {
    pub(crate) machine: &'task Machine,
    pub(crate) bounds: &'task ClockBounds,
    /// The bounds of [`Machine::constraints`].
    pub(crate) constant_bounds: Vec<Bound>,
    pub(crate) store: Store,
    pub(crate) packer: Packer,
    pub(crate) waiting: Waiting,
    pub(crate) goals: &'task mut [Goal],
    pub(crate) undecided: usize,
    pub(crate) pool: ZonePool,
    pub(crate) execution: Execution,
    /// The clocks of the state that is expanded, and of its successor.
    pub(crate) source: ClockIndex,
    pub(crate) target: ClockIndex,
    pub(crate) source_cells: Vec<i32>,
    /// The node that is expanded; [`NONE`] for initial states.
    pub(crate) node: u32,
    pub(crate) ordinal: u32,
    /// If set, only this successor is computed, and not stored.
    pub(crate) wanted: Option<u32>,
    /// Whether successors after the wanted one are not even counted.
    pub(crate) ends_with_wanted: bool,
    pub(crate) recorded: Option<Recorded>,
    pub(crate) source_may_delay: bool,
    /// If set, successors are recorded here.
    pub(crate) arrivals: Option<Arrivals>,
    /// Whether successors are only recorded, and not stored.
    pub(crate) only_arrivals: bool,
    /// For each clock, from 1, the source of its value in the current transition.
    pub(crate) origins: Vec<(u16, u32)>,
    pub(crate) sources: Vec<ClockSource>,
    pub(crate) lu: Vec<Option<LuBounds>>,
    pub(crate) candidate: ArenaCandidate,
    pub(crate) key: Vec<u8>,
    pub(crate) computed: Vec<ClockConstraint>,
    pub(crate) uppers: Vec<(Clock, Bound)>,
    pub(crate) branches: Vec<u32>,
    pub(crate) choice: ReceiverChoice,
    pub(crate) urgent: Option<Enabled>,
    /// Only in a search for fastest runs.
    pub(crate) fastest: Option<Fastest>,
    pub(crate) watch: BudgetWatch<'task>,
    progress: &'task Progress,
    /// How many states were stored and explored, and how many transitions taken, since the last progress report.
    pub(crate) unreported: (u64, u64, u64),
    stored_bytes: usize,
    /// The number of explored nodes, and the number after which the search pauses.
    explored: u64,
    pub(crate) pause_after: u64,
    /// Why states were left out, if any.
    pub(crate) left_out: Option<String>,
    /// Deadlocks of discrete states, if the search is for deadlocks and covering may hide them.
    pub(crate) deadlocks: Option<DeadlockTable>,
    /// Whether the effect of transitions on clocks is recorded.
    pub(crate) notes_clock_use: bool,
    /// Whether failing transitions are ignored.
    pub(crate) ignores_failures: bool,
    /// Only for models with stopwatches.
    pub(crate) stopwatches: Option<Stopwatches>,
    /// How zones are enlarged before they are stored, in a search for a certificate.
    pub(crate) certifying: Option<Enlargement>,
    /// The observations so far, in a survey.
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
            choice: ReceiverChoice::default(),
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

    /// Searches until the waiting list is empty; resumes after a pause.
    pub(crate) fn run(&mut self) -> Flow {
        if self.undecided == 0 {
            return ControlFlow::Break(SearchStop::Decided);
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
                self.find_goal_runs()?;
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
                return ControlFlow::Break(SearchStop::Paused);
            }
            self.explored += 1;
            self.explore_node(id, &mut enabled, &mut cells)?;
            if self.stopwatches.is_some() {
                self.find_goal_runs()?;
            }
        }
        self.mark_doubtful_goals();
        match self.left_out.take() {
            None => ControlFlow::Continue(()),
            Some(what) => ControlFlow::Break(SearchStop::Unsupported(what)),
        }
    }

    /// Computes the successors of a waiting node.
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
            self.check_hidden_deadlocks(id, enabled, cells, &zone)?;
        } else {
            self.check_deadlock_goals(id, &zone)?;
        }
        self.pool.give_back(zone);
        ControlFlow::Continue(())
    }

    /// Records that a goal is unreachable.
    pub(crate) fn exclude(&mut self, goal: usize, processes: Vec<String>) {
        if self.goals[goal].outcome.is_none() {
            self.goals[goal].outcome = Some(GoalOutcome::Excluded { processes });
            self.undecided -= 1;
        }
    }

    /// Returns the cells of all stored states, with their clock constraints.
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

    /// Loads a node as the state to expand.
    fn enter(&mut self, id: NodeId) -> Zone {
        let node = *self.store.node(id);
        self.packer.unpack(self.store.key(node.discrete), &mut self.source_cells);
        self.node = id.0;
        self.source.set(self.bounds, &self.source_cells);
        let mut zone = self.pool.take(dimension(&self.source));
        self.store.zone_into(id, &mut zone);
        zone
    }

    /// Computes all successors of the state in `source_cells`, or only the wanted one.
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
                return ControlFlow::Break(SearchStop::Exhausted(exhausted.unwrap_or(Exhausted::Cancelled)));
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

    pub(crate) fn model_error(&mut self, failure: Failure, place: ErrorPlace) -> Flow {
        if self.ignores_failures {
            return ControlFlow::Continue(());
        }
        if let Some(surveyor) = &mut self.surveyor {
            surveyor.fail(failure, place);
            return ControlFlow::Continue(());
        }
        ControlFlow::Break(SearchStop::Error(ModelError { failure, place }))
    }

    /// Stops if the budget is exhausted.
    #[inline]
    pub(crate) fn spend(&mut self) -> Flow {
        match self.watch.check(self.store.live()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(exhausted) => ControlFlow::Break(SearchStop::Exhausted(exhausted)),
        }
    }

    /// Checks the memory limit whenever the table has grown by a few megabytes.
    pub(crate) fn watch_memory(&mut self) -> Flow {
        const STEP: usize = 4 << 20;
        let bytes = self.store.bytes();
        if bytes < self.stored_bytes + STEP {
            return ControlFlow::Continue(());
        }
        self.stored_bytes = bytes;
        self.check_memory()
    }

    /// Stops if the memory limit is reached.
    pub(crate) fn check_memory(&mut self) -> Flow {
        match self.watch.check_memory() {
            Ok(()) => ControlFlow::Continue(()),
            Err(exhausted) => ControlFlow::Break(SearchStop::Exhausted(exhausted)),
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

    /// Checks in debug builds that an evaluated constant is within the bounds.
    #[inline]
    pub(crate) fn audit(&self, constraint: &ClockConstraint, is_target: bool) {
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

pub(crate) const TOO_LARGE: &str = "a clock bound that is too large";

pub(crate) fn too_large(_: BoundOverflow) -> SearchStop {
    SearchStop::Unsupported(TOO_LARGE.to_owned())
}

pub(crate) fn forgotten<T>() -> ControlFlow<SearchStop, T> {
    ControlFlow::Break(SearchStop::Bug("a clock that is still read was dropped from the zone".to_owned()))
}

pub(crate) fn too_many<T>() -> ControlFlow<SearchStop, T> {
    ControlFlow::Break(SearchStop::Unsupported("more states than the engine can index".to_owned()))
}

#[inline]
pub(crate) fn constrain(zone: &mut Zone, resolved: Resolved) -> ControlFlow<SearchStop, bool> {
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

/// Returns the dimension of the zones of a state. The number of clocks is checked at the start.
#[inline]
pub(crate) fn dimension(clocks: &ClockIndex) -> Dimension {
    match Dimension::for_clocks(clocks.active().len()) {
        Ok(dimension) => dimension,
        Err(TooManyClocks { .. }) => {
            unreachable!("the number of clocks is checked when the search is created")
        }
    }
}
