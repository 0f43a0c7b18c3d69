//! Stopwatches: clocks with rate 0 in some states.
//!
//! Invariant: the zones over-approximate the reachable clock values, because a zone cannot express the difference to a
//! stopped clock. So a goal in no zone is unreachable; a goal in a zone counts only once the delays of a run along the
//! path to it satisfy linear inequalities.

use std::ops::ControlFlow;

use tempora_evidence::{Ending, Rational, Step, Trace};
use tempora_machine::{ClockConstraint, ClockEffect, Enabled};
use tempora_zones::{Clock, Constraint, Zone};

use crate::graph::explorer::{ErrorPlace, Explorer, Flow, SearchStop, too_large};
use crate::graph::store::{NONE, NodeId};
use crate::runs::linear::{Inequality, Solution, solve};
use crate::runs::paths::{Recorded, repetition_failed};
use crate::runs::trace::PathStep;
use crate::search::goals::GoalOutcome;

/// The reason for over-approximation, for users.
pub(crate) const STOPWATCHES: &str = "zones of models with stopwatches may contain unreachable clock values";

/// For how many states of a goal a run is searched.
const MOST_ATTEMPTS: usize = 100;

/// Data of a search with stopwatches.
pub(crate) struct Stopwatches {
    /// The clocks of the network, from 1, that are stopped in the last state that was entered.
    stopped: Vec<u16>,
    rates: Vec<ClockConstraint>,
    zone_clocks: Vec<Clock>,
    /// Possible goal states without a run yet.
    suspects: Vec<Suspect>,
    /// For each goal, the number of possible goal states, and the run that was found.
    attempts: Vec<usize>,
    runs: Vec<Option<Trace>>,
}

struct Suspect {
    goal: usize,
    node: NodeId,
    constraints: Vec<ClockConstraint>,
}

impl Stopwatches {
    pub(crate) fn new(goal_count: usize) -> Stopwatches {
        Stopwatches {
            stopped: Vec::new(),
            rates: Vec::new(),
            zone_clocks: Vec::new(),
            suspects: Vec::new(),
            attempts: vec![0; goal_count],
            runs: vec![None; goal_count],
        }
    }

    /// Records that a node may contain a goal state.
    pub(crate) fn suspect(&mut self, goal: usize, node: NodeId, constraints: Vec<ClockConstraint>) {
        self.attempts[goal] += 1;
        if self.attempts[goal] <= MOST_ATTEMPTS {
            self.suspects.push(Suspect { goal, node, constraints });
        }
    }

    /// Takes the runs that were found, for each goal.
    pub(crate) fn take_runs(&mut self) -> Vec<Option<Trace>> {
        let nothing = vec![None; self.runs.len()];
        std::mem::replace(&mut self.runs, nothing)
    }
}

/// Returns the reason why a goal is undecided.
pub(crate) fn doubtful_goal_reason() -> String {
    format!("{STOPWATCHES}; a zone contains the goal, but no run to it was found")
}

impl Explorer<'_> {
    /// Lets time pass in the state that is entered, within its invariants.
    pub(crate) fn let_time_pass_with_stopwatches(&mut self, zone: &mut Zone) -> Flow {
        let Some(mut stopwatches) = self.stopwatches.take() else { return ControlFlow::Continue(()) };
        let flow = self.find_stopped(&mut stopwatches);
        stopwatches.zone_clocks.clear();
        let zone_clocks = stopwatches.stopped.iter().filter_map(|&clock| self.target.zone_clock(clock));
        stopwatches.zone_clocks.extend(zone_clocks);
        zone.up_except(&stopwatches.zone_clocks);
        self.stopwatches = Some(stopwatches);
        flow?;
        for &(clock, bound) in &self.uppers {
            if let Err(overflow) = zone.constrain(Constraint::difference(clock, Clock::REFERENCE, bound)) {
                return ControlFlow::Break(too_large(overflow));
            }
        }
        ControlFlow::Continue(())
    }

    fn find_stopped(&mut self, stopwatches: &mut Stopwatches) -> Flow {
        stopwatches.stopped.clear();
        stopwatches.rates.clear();
        if let Err(failure) = self.execution.clock_rates(self.machine, &mut stopwatches.rates) {
            let place = match self.node {
                NONE => ErrorPlace::Start,
                node => ErrorPlace::After(NodeId(node), self.ordinal),
            };
            return self.model_error(failure, place);
        }
        let unsupported = |what: &str| ControlFlow::Break(SearchStop::Unsupported(what.to_owned()));
        for rate in &stopwatches.rates {
            match rate.constant {
                0 => stopwatches.stopped.push(rate.left),
                1 => {}
                _ => return unsupported("a clock rate other than 0 and 1"),
            }
        }
        let runs_too =
            |rate: &ClockConstraint| rate.constant == 1 && stopwatches.stopped.contains(&rate.left);
        if stopwatches.rates.iter().any(runs_too) {
            return unsupported("a clock with two rates in one state");
        }
        ControlFlow::Continue(())
    }

    /// Marks goals as doubtful at the end of the search if a zone contains them but no run was found.
    pub(crate) fn mark_doubtful_goals(&mut self) {
        let Some(stopwatches) = &self.stopwatches else { return };
        for (goal, &attempts) in self.goals.iter_mut().zip(&stopwatches.attempts) {
            if attempts > 0 && goal.outcome.is_none() {
                goal.outcome = Some(GoalOutcome::Doubtful);
                self.undecided -= 1;
            }
        }
    }

    /// Searches for runs to the goal states found since the last call.
    pub(crate) fn find_goal_runs(&mut self) -> Flow {
        let suspects = match &mut self.stopwatches {
            Some(stopwatches) => std::mem::take(&mut stopwatches.suspects),
            None => return ControlFlow::Continue(()),
        };
        for Suspect { goal, node, constraints } in suspects {
            if self.goals[goal].outcome.is_some() {
                continue;
            }
            let run = match self.run_with_stopwatches(node, None, &constraints, Ending::Goal) {
                Ok(run) => run,
                Err(stop) => return ControlFlow::Break(stop),
            };
            if let (Some(run), Some(stopwatches)) = (run, &mut self.stopwatches) {
                stopwatches.runs[goal] = Some(run);
                self.goals[goal].outcome = Some(GoalOutcome::Found { node, constraints });
                self.undecided -= 1;
            }
        }
        if self.undecided == 0 { ControlFlow::Break(SearchStop::Decided) } else { ControlFlow::Continue(()) }
    }

    /// Computes a run along the path to a node, or to one of its successors, whose clocks satisfy constraints at the
    /// end.
    pub(crate) fn run_with_stopwatches(
        &mut self,
        node: NodeId,
        more: Option<u32>,
        goal: &[ClockConstraint],
        ending: Ending,
    ) -> Result<Option<Trace>, SearchStop> {
        let mut ordinals: Vec<u32> = more.into_iter().collect();
        let mut at = node.0;
        while self.store.node(NodeId(at)).parent != NONE {
            ordinals.push(self.store.node(NodeId(at)).ordinal);
            at = self.store.node(NodeId(at)).parent;
        }
        let (initial, mut recorded) = self.repeat_start(NodeId(at))?;
        let mut enabled = Enabled::new(self.machine);
        let mut delays = Delays::new(self.machine.layout().clock_count());
        delays.demand(&recorded.step.entry);
        let mut transitions = Vec::with_capacity(ordinals.len());
        for ordinal in ordinals.into_iter().rev() {
            let Recorded { cells, zone: Some(zone), may_delay, .. } = &recorded else {
                return Err(repetition_failed());
            };
            let (cells, zone, may_delay) = (cells.clone(), zone.clone(), *may_delay);
            delays.pass(may_delay, &self.stopped());
            recorded = self.repeat_step(&mut enabled, &cells, &zone, may_delay, ordinal)?;
            delays.step(&recorded.step);
            transitions.push(recorded.step.transition.clone());
        }
        delays.pass(recorded.may_delay && ending == Ending::Goal, &self.stopped());
        delays.demand(goal);
        Ok(delays.solved().map(|mut values| {
            let final_delay = values.pop().unwrap_or_default();
            let steps = values.into_iter().zip(transitions);
            let steps = steps.map(|(delay, transition)| Step { delay, transition }).collect();
            Trace { initial, steps, final_delay, ending }
        }))
    }

    /// Returns the clocks that are stopped in the state that was entered last.
    fn stopped(&self) -> Vec<u16> {
        self.stopwatches.as_ref().map_or_else(Vec::new, |stopwatches| stopwatches.stopped.clone())
    }
}

/// The delays of a run as unknowns, with inequalities from clock constraints.
struct Delays {
    count: usize,
    /// For each clock, the delays since it was last set, and the value it was set to.
    clocks: Vec<(Vec<usize>, i64)>,
    inequalities: Vec<Inequality>,
}

impl Delays {
    fn new(clock_count: usize) -> Delays {
        Delays { count: 0, clocks: vec![(Vec::new(), 0); clock_count + 1], inequalities: Vec::new() }
    }

    /// Appends a delay, arbitrary if time may pass, during which some clocks are stopped.
    fn pass(&mut self, may_delay: bool, stopped: &[u16]) {
        let delay = self.count;
        self.count += 1;
        if !may_delay {
            self.inequalities.push(Inequality { terms: vec![(delay, 1)], bound: 0, is_strict: false });
            return;
        }
        for (clock, (seen, _)) in self.clocks.iter_mut().enumerate().skip(1) {
            if !stopped.contains(&(clock as u16)) {
                seen.push(delay);
            }
        }
    }

    fn step(&mut self, step: &PathStep) {
        self.demand(&step.guard);
        for effect in &step.effects {
            match *effect {
                ClockEffect::Reset { clock, value } => {
                    self.clocks[usize::from(clock)] = (Vec::new(), i64::from(value));
                }
                ClockEffect::Copy { clock, from, plus } => {
                    let (seen, value) = self.clocks[usize::from(from)].clone();
                    self.clocks[usize::from(clock)] = (seen, value + i64::from(plus));
                }
            }
        }
        self.demand(&step.entry);
    }

    fn demand(&mut self, constraints: &[ClockConstraint]) {
        for constraint in constraints {
            let (left, right) =
                (&self.clocks[usize::from(constraint.left)], &self.clocks[usize::from(constraint.right)]);
            let mut terms: Vec<(usize, i64)> = left.0.iter().map(|&delay| (delay, 1)).collect();
            terms.extend(right.0.iter().map(|&delay| (delay, -1)));
            let bound = constraint.constant - left.1 + right.1;
            let says_nothing = !constraint.is_strict && bound >= 0 && left.0.is_empty();
            if !says_nothing {
                self.inequalities.push(Inequality { terms, bound, is_strict: constraint.is_strict });
            }
        }
    }

    fn solved(&self) -> Option<Vec<Rational>> {
        match solve(self.count, &self.inequalities) {
            Solution::Values(values) => Some(values),
            Solution::None | Solution::NotKnown => None,
        }
    }
}
