//! The search: a queue, a list of stored states, and a covering test.
//!
//! Invariant: each stored state has an exact zone and, except for initial states, its incoming step.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};

use tempora_evidence::{
    Answer, Budget, Caveat, Ending, Evidence, Phase, Progress, RuntimeError, RuntimeErrorKind, Transition,
    UnknownReason, Verdict,
};
use tempora_model::{EvaluationFailure, Evaluator, Expression, FailureKind, LocationId, Network, Value};
use tempora_zones::{Constraint, LuBounds, Zone};

use super::bounds::largest_constants;
use super::layout::ClockLayout;
use super::predicate::parts_where;
use super::state::{DiscreteState, StepFailure};
use super::step::{Combinations, Stepper};
use super::trace::{PathStep, concrete_trace};

/// The goal of a search: a state in which the predicate has the wanted truth value.
pub(super) struct Goal<'query> {
    pub(super) predicate: &'query Expression,
    pub(super) wanted: bool,
}

/// A stored state.
struct Node {
    state: DiscreteState,
    zone: Zone,
    may_delay: bool,
    parent: Option<(usize, PathStep)>,
    /// The constraints when the state is entered.
    entry: Vec<Constraint>,
}

struct Search<'search> {
    stepper: Stepper<'search>,
    bounds: LuBounds,
    nodes: Vec<Node>,
    by_key: HashMap<Vec<i32>, Vec<usize>>,
    waiting: VecDeque<usize>,
}

/// Why a search ends before all states are explored.
enum SearchStop {
    /// The goal is reached in this state, for clock values that satisfy the constraints.
    Goal(usize, Vec<Constraint>),
    /// The model fails in this state, or on this transition from it.
    Error(usize, Option<(Transition, Zone)>, EvaluationFailure),
    Unknown(UnknownReason),
}

pub(super) fn search(network: &Network, goal: &Goal<'_>, budget: &Budget, progress: &Progress) -> Answer {
    let layout = ClockLayout::new(network);
    let bounds = match largest_constants(network, goal.predicate) {
        Ok(bounds) => bounds,
        Err(why) => return Answer::unsupported("simple", why, Some(goal.predicate.origin)),
    };
    let mut search = Search {
        stepper: Stepper { network, layout: &layout, watch: RefCell::new(budget.watch()) },
        bounds,
        nodes: Vec::new(),
        by_key: HashMap::new(),
        waiting: VecDeque::new(),
    };
    progress.enter(Phase::Exploring);
    let stop = search.run(goal, budget, progress);
    progress.enter(Phase::Concretising);
    let has_run = matches!(stop, Some(SearchStop::Goal(..) | SearchStop::Error(..)));
    let (verdict, trace) = match stop {
        // No goal state is reachable.
        None => (if goal.wanted { Verdict::Fails } else { Verdict::Holds }, None),
        Some(SearchStop::Unknown(reason)) => (Verdict::Unknown(reason), None),
        Some(SearchStop::Goal(node, constraints)) => {
            let (initial, path) = search.path_to(node);
            let trace =
                concrete_trace(initial, &path, &constraints, search.nodes[node].may_delay, Ending::Goal);
            (if goal.wanted { Verdict::Holds } else { Verdict::Fails }, trace)
        }
        Some(SearchStop::Error(node, transition, failure)) => {
            let error = runtime_error(&failure);
            let (initial, mut path) = search.path_to(node);
            if let Some((transition, piece)) = transition {
                path.push(PathStep {
                    transition,
                    guard: piece.minimal_constraints(),
                    may_delay_before: search.nodes[node].may_delay,
                    clock_updates: Vec::new(),
                    entry: Vec::new(),
                });
            }
            let trace = concrete_trace(initial, &path, &[], false, Ending::RuntimeError(error.clone()));
            (Verdict::Unknown(UnknownReason::ModelError(error)), trace)
        }
    };
    if let Some(bytes) = Budget::peak_bytes() {
        progress.note_bytes(bytes);
    }
    let mut statistics = progress.snapshot();
    statistics.elapsed = budget.elapsed();
    let too_long = has_run && trace.is_none();
    Answer {
        verdict,
        evidence: trace.map(Evidence::Trace).into_iter().collect(),
        caveats: too_long
            .then(|| Caveat::Remark("the run is too long to compute its delays".to_owned()))
            .into_iter()
            .collect(),
        statistics,
        engine: "simple".to_owned(),
    }
}

impl Search<'_> {
    fn run(&mut self, goal: &Goal<'_>, budget: &Budget, progress: &Progress) -> Option<SearchStop> {
        let mut watch = budget.watch();
        let network = self.stepper.network;
        let choices = network.processes.values().map(|process| 0..=process.initial.len() as i32 - 1);
        for choice in Combinations::new(choices) {
            if let Err(exhausted) = watch.check(self.nodes.len() as u64) {
                return Some(SearchStop::Unknown(exhausted.into()));
            }
            let processes = network.processes.values().zip(choice);
            let locations = processes.map(|(process, choice)| process.initial[choice as usize]).collect();
            if let Err(stop) = self.add_initial(locations, goal, progress) {
                return Some(stop);
            }
        }
        while let Some(node) = self.waiting.pop_front() {
            if let Err(exhausted) = watch.check(self.nodes.len() as u64) {
                return Some(SearchStop::Unknown(exhausted.into()));
            }
            progress.add_explored(1);
            let (state, zone) = (self.nodes[node].state.clone(), self.nodes[node].zone.clone());
            let candidates = match self.stepper.candidates(&state, &zone) {
                Ok(candidates) => candidates,
                Err(failure) => return Some(stop_for(node, None, failure)),
            };
            for candidate in candidates {
                progress.add_transitions(1);
                let (transition, piece) = (candidate.transition, candidate.piece);
                if let Err(stop) = self.follow(node, &state, transition, piece, goal, progress) {
                    return Some(stop);
                }
                if let Err(exhausted) = watch.check(self.nodes.len() as u64) {
                    return Some(SearchStop::Unknown(exhausted.into()));
                }
            }
        }
        None
    }

    fn add_initial(
        &mut self,
        locations: Vec<LocationId>,
        goal: &Goal<'_>,
        progress: &Progress,
    ) -> Result<(), SearchStop> {
        let state = DiscreteState::initial(self.stepper.network, locations);
        let mut memory = self.stepper.memory(&state);
        let unknown = |failure| match failure {
            StepFailure::Evaluation(failure) => {
                SearchStop::Unknown(UnknownReason::ModelError(runtime_error(&failure)))
            }
            failure => stop_for(0, None, failure),
        };
        if !memory.data_invariant_holds().map_err(|failure| unknown(failure.into()))? {
            return Ok(());
        }
        let invariant = memory.clock_invariant().map_err(unknown)?;
        let entry = Zone::zero(self.bounds.dimension());
        self.add(state, entry, &invariant, None, goal, progress)
    }

    fn follow(
        &mut self,
        node: usize,
        state: &DiscreteState,
        transition: Transition,
        piece: Zone,
        goal: &Goal<'_>,
        progress: &Progress,
    ) -> Result<(), SearchStop> {
        let successor = match self.stepper.successor(state, &transition) {
            Ok(Some(successor)) => successor,
            Ok(None) => return Ok(()),
            Err(failure) => return Err(stop_for(node, Some((transition, piece)), failure)),
        };
        let guard = piece.minimal_constraints();
        let mut entry = piece;
        if let Err(overflow) = entry.update_all(&successor.clock_updates) {
            return Err(stop_for(node, None, overflow.into()));
        }
        let step = PathStep {
            transition,
            guard,
            may_delay_before: self.nodes[node].may_delay,
            clock_updates: successor.clock_updates,
            entry: Vec::new(),
        };
        self.add(successor.state, entry, &successor.invariant, Some((node, step)), goal, progress)
    }

    /// Stores a state that is entered with the clock values of a zone, unless a stored one covers it.
    fn add(
        &mut self,
        state: DiscreteState,
        mut entry: Zone,
        invariant: &[Constraint],
        parent: Option<(usize, PathStep)>,
        goal: &Goal<'_>,
        progress: &Progress,
    ) -> Result<(), SearchStop> {
        let from = parent.as_ref().map_or(0, |(node, _)| *node);
        let fail = |failure: StepFailure| stop_for(from, None, failure);
        if !entry.constrain_all(invariant).map_err(|overflow| fail(overflow.into()))? {
            return Ok(());
        }
        let mut future = entry.clone();
        future.up();
        future.constrain_all(invariant).map_err(|overflow| fail(overflow.into()))?;
        let may_delay = match self.stepper.may_delay(&state, &entry, &future) {
            Ok(may_delay) => may_delay,
            Err(failure) => {
                // The failure belongs to this state, not to the one before it, so the run has to lead here.
                let node = self.nodes.len();
                let constraints = entry.minimal_constraints();
                self.nodes.push(Node { state, zone: entry, may_delay: false, parent, entry: constraints });
                return Err(stop_for(node, None, failure));
            }
        };
        let zone = if may_delay { future } else { entry.clone() };
        let key = state.key(self.stepper.network);
        let kept = self.by_key.entry(key).or_default();
        if kept.iter().any(|&other| zone.is_covered_by(&self.nodes[other].zone, &self.bounds)) {
            return Ok(());
        }
        let node = self.nodes.len();
        kept.push(node);
        let entry = entry.minimal_constraints();
        self.nodes.push(Node { state, zone, may_delay, parent, entry });
        progress.add_stored(1);
        self.waiting.push_back(node);
        self.check_goal(node, goal)
    }

    fn check_goal(&self, node: usize, goal: &Goal<'_>) -> Result<(), SearchStop> {
        let Node { state, zone, .. } = &self.nodes[node];
        let (network, layout) = (self.stepper.network, self.stepper.layout);
        let mut memory = self.stepper.memory(state);
        let mut evaluator = Evaluator::new(&network.functions, &mut memory);
        match parts_where(&mut evaluator, network, layout, goal.predicate, goal.wanted, zone) {
            Ok(parts) => match parts.first() {
                Some(part) => Err(SearchStop::Goal(node, part.minimal_constraints())),
                None => Ok(()),
            },
            // The query fails, not the model, so no run ends with the failure.
            Err(StepFailure::Evaluation(failure)) if failure.kind.is_error() => {
                Err(SearchStop::Unknown(UnknownReason::ModelError(runtime_error(&failure))))
            }
            Err(failure) => Err(stop_for(node, None, failure)),
        }
    }

    /// Returns the initial locations and the steps to a state.
    fn path_to(&self, node: usize) -> (Vec<LocationId>, Vec<PathStep>) {
        let mut path = Vec::new();
        let mut at = node;
        while let Some((parent, step)) = &self.nodes[at].parent {
            let mut step = step.clone();
            step.entry.clone_from(&self.nodes[at].entry);
            path.push(step);
            at = *parent;
        }
        path.reverse();
        (self.nodes[at].state.locations.clone(), path)
    }
}

fn stop_for(node: usize, transition: Option<(Transition, Zone)>, failure: StepFailure) -> SearchStop {
    match failure {
        StepFailure::Evaluation(failure) if failure.kind.is_error() => {
            SearchStop::Error(node, transition, failure)
        }
        StepFailure::Evaluation(failure) => {
            SearchStop::Unknown(UnknownReason::Unsupported(failure.kind.to_string()))
        }
        StepFailure::Overflow => {
            SearchStop::Unknown(UnknownReason::Unsupported("a clock bound that is too large".to_owned()))
        }
        StepFailure::Declined(what) => SearchStop::Unknown(UnknownReason::Unsupported(what)),
        StepFailure::Exhausted(what) => SearchStop::Unknown(what.into()),
    }
}

fn runtime_error(failure: &EvaluationFailure) -> RuntimeError {
    let kind = match &failure.kind {
        FailureKind::OutOfRange { value, range } => {
            RuntimeErrorKind::OutOfRange { value: Value::Integer(*value), range: *range }
        }
        FailureKind::IndexOutOfRange { index, range } => {
            RuntimeErrorKind::IndexOutOfRange { index: *index, range: *range }
        }
        FailureKind::DivisionByZero => RuntimeErrorKind::DivisionByZero,
        FailureKind::NegativeShift => RuntimeErrorKind::NegativeShift,
        FailureKind::NegativeExponent => RuntimeErrorKind::NegativeExponent,
        FailureKind::Overflow => RuntimeErrorKind::Overflow,
        FailureKind::NegativeClock => RuntimeErrorKind::NegativeClock,
        FailureKind::AssertionFailed => RuntimeErrorKind::AssertionFailed,
        FailureKind::StepLimit => RuntimeErrorKind::StepLimit,
        FailureKind::Unknown(what) => RuntimeErrorKind::Unsupported(what.clone()),
    };
    RuntimeError { kind, origin: failure.origin }
}
