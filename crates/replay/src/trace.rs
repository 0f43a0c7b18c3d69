//! Executes traces step by step, and checks that runs end as their traces claim.
//!
//! Invariant: a [`Run`] was executed step by step by the reference semantics, and each of its states satisfies the
//! invariants. The first impossible part of a trace is reported with its position and the reason.

use std::fmt;

use tempora_evidence::{Ending, Rational, RuntimeError, Trace};
use tempora_model::{Expression, Network};

use crate::delay::is_own_limit;
use crate::delay_set::DelaySet;
use crate::interpreter::{Interpreter, QueryDeadline};
use crate::obstacle::Obstacle;
use crate::region::Granularity;
use crate::state::ConcreteState;
use crate::step::StepOutcome;

/// The states of a trace.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// The initial state.
    pub initial: ConcreteState,
    /// The states after the delay and after the transition of each step. If the last step violates an invariant or
    /// fails with an error, it has no states.
    pub steps: Vec<RunStep>,
    /// The state after all steps and the last delay; the last one before the failure of a run that stopped.
    pub last: ConcreteState,
    /// Why the last step failed: an error of the model or a violated invariant. A trace may have such an ending.
    pub stopped: Option<ReplayFailure>,
}

/// The states of one step.
#[derive(Clone, PartialEq, Debug)]
pub struct RunStep {
    /// After the delay.
    pub after_delay: ConcreteState,
    /// After the transition.
    pub after_transition: ConcreteState,
}

/// Why a trace is not a run, or does not end as it claims.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplayFailure {
    /// The part of the trace.
    pub position: Position,
    /// The cause.
    pub cause: FailureCause,
}

/// A part of a trace.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Position {
    /// The initial locations.
    Initial,
    /// The delay of the step with this number, from zero.
    Delay(usize),
    /// The transition of the step with this number, from zero.
    Transition(usize),
    /// The delay after all steps.
    FinalDelay,
    /// The ending that the trace claims.
    Ending,
}

/// Why a part of a trace is wrong.
#[derive(Clone, PartialEq, Debug)]
pub enum FailureCause {
    /// It is impossible.
    Impossible(Obstacle),
    /// The model fails, and the trace does not claim so; or replaying it is not supported.
    Error(RuntimeError),
    /// The run does not end as the trace claims; a phrase without full stop.
    OtherEnding(String),
}

impl Run {
    /// Checks that no step failed.
    pub fn check_complete(&self) -> Result<(), ReplayFailure> {
        match &self.stopped {
            Some(failure) => Err(failure.clone()),
            None => Ok(()),
        }
    }

    /// Returns the state before a step.
    pub fn state_before(&self, step: usize) -> &ConcreteState {
        match step.checked_sub(1).and_then(|before| self.steps.get(before)) {
            Some(before) => &before.after_transition,
            None => &self.initial,
        }
    }
}

impl ReplayFailure {
    /// Returns whether it concerns a limit of this program or its budget, and not the trace.
    pub fn is_own_limit(&self) -> bool {
        matches!(&self.cause, FailureCause::Error(error) if is_own_limit(&error.kind))
    }

    fn is_violated_invariant(&self) -> bool {
        matches!(self.cause, FailureCause::Impossible(Obstacle::InvariantFalse { .. }))
    }

    /// Returns a phrase without full stop.
    pub fn describe(&self, network: &Network) -> String {
        let cause = match &self.cause {
            FailureCause::Impossible(obstacle) => obstacle.describe(network),
            FailureCause::Error(error) => error.to_string(),
            FailureCause::OtherEnding(why) => why.clone(),
        };
        format!("{}: {cause}", self.position)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Initial => formatter.write_str("initial state"),
            Position::Delay(step) => write!(formatter, "delay of step {}", step + 1),
            Position::Transition(step) => write!(formatter, "transition of step {}", step + 1),
            Position::FinalDelay => formatter.write_str("last delay"),
            Position::Ending => formatter.write_str("end"),
        }
    }
}

impl Interpreter<'_> {
    /// Executes the steps of a trace, whatever its ending claims.
    ///
    /// If the last step violates an invariant or fails with an error, the run stops before it, see [`Run::stopped`].
    pub fn execute(&self, trace: &Trace) -> Result<Run, ReplayFailure> {
        let mut state = match self.initial_state(trace) {
            Ok(state) => state,
            Err(cause) => {
                let failure = ReplayFailure { position: Position::Initial, cause };
                if !failure.is_violated_invariant() || !trace.steps.is_empty() {
                    return Err(failure);
                }
                let initial = self.state_at_start(trace.initial.clone());
                return Ok(Run {
                    initial: initial.clone(),
                    steps: Vec::new(),
                    last: initial,
                    stopped: Some(failure),
                });
            }
        };
        let initial = state.clone();
        let mut steps = Vec::new();
        for (number, step) in trace.steps.iter().enumerate() {
            if let Some(first) = step.transition.participants.first()
                && let Some(kind) = self.deadline.as_ref().and_then(QueryDeadline::reached)
            {
                let origin = self.network.processes[first.process].origin;
                let cause = FailureCause::Error(RuntimeError { kind, origin });
                return Err(ReplayFailure { position: Position::Delay(number), cause });
            }
            let is_last = number + 1 == trace.steps.len() && trace.final_delay == Rational::from_integer(0);
            let after_delay = match self.attempt_delay(&state, step.delay) {
                StepOutcome::Possible(after_delay) => after_delay,
                other => {
                    let failure = failure(Position::Delay(number), other);
                    if is_last && matches!(failure.cause, FailureCause::Error(_)) {
                        return Ok(Run { initial, steps, last: state, stopped: Some(failure) });
                    }
                    return Err(failure);
                }
            };
            let after_transition = match self.attempt(&after_delay, &step.transition) {
                StepOutcome::Possible(next) => next,
                other => {
                    let failure = failure(Position::Transition(number), other);
                    let may_stop =
                        matches!(failure.cause, FailureCause::Error(_)) || failure.is_violated_invariant();
                    if is_last && may_stop {
                        return Ok(Run { initial, steps, last: after_delay, stopped: Some(failure) });
                    }
                    return Err(failure);
                }
            };
            state = after_transition.clone();
            steps.push(RunStep { after_delay, after_transition });
        }
        match self.attempt_delay(&state, trace.final_delay) {
            StepOutcome::Possible(last) => Ok(Run { initial, steps, last, stopped: None }),
            other => Err(failure(Position::FinalDelay, other)),
        }
    }

    /// Checks that an executed run ends as its trace claims.
    ///
    /// `goal` is the predicate for [`Ending::Goal`]. The refusal of [`Ending::RefusedMove`] is not checked: it concerns
    /// another network.
    pub fn check_ending(
        &self,
        trace: &Trace,
        run: &Run,
        goal: Option<&Expression>,
        granularity: &Granularity,
    ) -> Result<(), ReplayFailure> {
        if let Some(failure) = &run.stopped {
            let is_said = match &trace.ending {
                Ending::InvariantViolation => failure.is_violated_invariant(),
                Ending::RuntimeError(expected) => failure.cause == FailureCause::Error(expected.clone()),
                _ => false,
            };
            return if is_said { Ok(()) } else { Err(failure.clone()) };
        }
        match self.why_other_ending(trace, run, goal, granularity) {
            Ok(None) => Ok(()),
            Ok(Some(why)) => Err(other_ending(why)),
            Err(error) => {
                Err(ReplayFailure { position: Position::Ending, cause: FailureCause::Error(error) })
            }
        }
    }

    /// Returns the initial state of a trace.
    fn initial_state(&self, trace: &Trace) -> Result<ConcreteState, FailureCause> {
        let fits = trace.initial.len() == self.network.processes.len()
            && self
                .network
                .processes
                .values()
                .zip(&trace.initial)
                .all(|(process, location)| process.initial.contains(location));
        if !fits {
            let why = "a process starts in a location that is not initial".to_owned();
            return Err(FailureCause::Impossible(Obstacle::NotInNetwork(why)));
        }
        let state = self.state_at_start(trace.initial.clone());
        match self.violated_invariant(&state, &self.fuel()) {
            Ok(None) => Ok(state),
            Ok(Some(obstacle)) => Err(FailureCause::Impossible(obstacle)),
            Err(error) => Err(FailureCause::Error(error)),
        }
    }

    /// Returns why a run that was executed to its end does not end as the trace claims.
    fn why_other_ending(
        &self,
        trace: &Trace,
        run: &Run,
        goal: Option<&Expression>,
        granularity: &Granularity,
    ) -> Result<Option<String>, RuntimeError> {
        let unless = |shown: bool, why: &str| Ok((!shown).then(|| why.to_owned()));
        match &trace.ending {
            Ending::Goal => match goal {
                Some(goal) => {
                    unless(self.holds(&run.last, goal)?, "the goal does not hold in the last state")
                }
                None => Ok(Some("the query has no goal".to_owned())),
            },
            Ending::Deadlock => {
                unless(self.is_deadlocked(&run.last)?, "a transition is possible from the last state")
            }
            Ending::DelayForever => {
                let allowed: DelaySet = self.allowed_delays(&run.last)?;
                unless(allowed.is_unbounded(), "time cannot pass for ever in the last state")
            }
            Ending::Lasso { start } => {
                if *start >= run.steps.len() {
                    return Ok(Some("the cycle has no steps".to_owned()));
                }
                let is_closed = granularity.are_equivalent(run.state_before(*start), &run.last);
                unless(is_closed, "the cycle does not lead back to its start")
            }
            Ending::RefusedMove => Ok(None),
            Ending::InvariantViolation => Ok(Some("the last step violates no invariant".to_owned())),
            Ending::RuntimeError(expected) => {
                let found = [self.enabled_transitions(&run.last).err(), self.allowed_delays(&run.last).err()];
                unless(
                    found.into_iter().flatten().any(|error| error == *expected),
                    "the run does not end with that error",
                )
            }
        }
    }
}

fn failure(position: Position, outcome: StepOutcome) -> ReplayFailure {
    let cause = match outcome {
        StepOutcome::Impossible(obstacle) => FailureCause::Impossible(obstacle),
        StepOutcome::Error(error) => FailureCause::Error(error),
        // Never called with it: a possible step is not a failure.
        StepOutcome::Possible(_) => FailureCause::OtherEnding("the run goes on".to_owned()),
    };
    ReplayFailure { position, cause }
}

fn other_ending(why: String) -> ReplayFailure {
    ReplayFailure { position: Position::Ending, cause: FailureCause::OtherEnding(why) }
}
