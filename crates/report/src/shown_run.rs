//! The common form of runs of networks and symbolic systems, which all formats write.
//!
//! A run lists its participants, variables and clocks once. It stores the initial state and the changes of each step,
//! so that long runs of large models stay small; [`ShownRun::states`] computes the states.
//!
//! Invariant: a run consists of owned text and numbers of a replayed run. Indices refer to the lists of the same run;
//! edges and locations are numbered in the order of the model.

use serde::Serialize;

use crate::documents::SourcePlace;
use crate::exact_time::ExactTime;
use crate::shown_value::ShownValue;
use crate::words::{ControlEdgeWord, EndingWord, ParticipantWord, TransitionWord};

/// A run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ShownRun {
    /// The participants, which have locations and take edges.
    pub participants: Vec<Participant>,
    /// The variables, with arrays and records flattened.
    pub variables: Vec<ShownVariable>,
    /// The names of the clocks.
    pub clocks: Vec<String>,
    /// The initial state.
    pub initial: ShownState,
    /// The steps, in order.
    pub steps: Vec<ShownStep>,
    /// The delay after the last step; `None` if the run is untimed.
    pub final_delay: Option<ExactTime>,
    /// The reason why the run ends.
    pub ending: ShownEnding,
    /// The final state; if the last step fails, the state before it.
    pub last: ShownState,
}

/// The position of a participant of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct ParticipantIndex(pub usize);

/// The position of a variable of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct VariableIndex(pub usize);

/// The position of a clock of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct ClockIndex(pub usize);

/// A participant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Participant {
    /// Its kind.
    pub kind: ParticipantWord,
    /// Its name.
    pub name: String,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownVariable {
    /// Its name, qualified by its process and its position in an array or record.
    pub name: String,
    /// Whether it is a meta variable, which has no value between transitions and is hidden in text.
    pub is_meta: bool,
}

/// A state.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ShownState {
    /// The location of each participant.
    pub locations: Vec<ShownLocation>,
    /// The value of each variable.
    pub values: Vec<ShownValue>,
    /// The value of each clock.
    pub clocks: Vec<ExactTime>,
}

/// A location of a participant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownLocation {
    /// Its position in the model.
    pub index: usize,
    /// Its name.
    pub name: String,
}

/// A step: a delay, if the run is timed, and a transition.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ShownStep {
    /// The time of the step; `None` if the run is untimed.
    pub timing: Option<StepTiming>,
    /// Its kind.
    pub kind: StepKind,
    /// The moves of the participants, in the order of the updates.
    pub moves: Vec<ShownMove>,
    /// The message between participants, if they synchronise on a channel.
    pub message: Option<ShownMessage>,
    /// Its effect; `None` if it fails.
    pub effect: Option<StepEffect>,
}

/// The time of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct StepTiming {
    /// The delay before the transition.
    pub delay: ExactTime,
    /// The time since the start.
    pub time: ExactTime,
}

/// The kind of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// A transition of a network.
    Transition {
        /// The kind of synchronisation.
        kind: TransitionWord,
        /// The position of the synchronisation vector, if there is one.
        vector: Option<usize>,
    },
    /// An edge of a symbolic system.
    Control(ControlEdgeWord),
}

/// The move of a participant.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ShownMove {
    /// The edge that it takes.
    pub edge: EdgeRef,
    /// The source location.
    pub from: ShownLocation,
    /// The target location.
    pub to: ShownLocation,
    /// Its synchronisation, if any.
    pub synchronisation: Option<ShownSynchronisation>,
    /// The names and values of selects.
    pub selects: Vec<(String, i32)>,
    /// Whether the edge has several branches.
    pub is_branching: bool,
    /// The place of the edge in the source.
    pub place: Option<SourcePlace>,
}

/// An edge of a participant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct EdgeRef {
    /// The participant.
    pub participant: ParticipantIndex,
    /// The position of the edge in the participant.
    pub edge: usize,
    /// The position of the branch in the edge; 0 if edges have no branches.
    pub branch: usize,
}

/// The synchronisation of a participant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownSynchronisation {
    /// The text of the channel.
    pub channel: String,
    /// Whether the participant sends; otherwise it receives.
    pub is_sender: bool,
}

/// A message between participants.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownMessage {
    /// The text of the channel at the sender.
    pub channel: String,
    /// The sender; `None` if the environment sends.
    pub sender: Option<ParticipantIndex>,
    /// The receivers.
    pub receivers: Vec<ParticipantIndex>,
}

/// The effect of a step.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StepEffect {
    /// The values of the clocks after the delay, before the transition.
    pub clocks_before: Vec<ExactTime>,
    /// The variables that the transition changes.
    pub variables: Vec<VariableChange>,
    /// The clocks that the transition changes.
    pub clocks: Vec<ClockChange>,
}

/// A variable that a transition changes.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct VariableChange {
    /// The variable.
    pub variable: VariableIndex,
    /// Its value before.
    pub before: ShownValue,
    /// Its value after.
    pub after: ShownValue,
}

/// A clock that a transition changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ClockChange {
    /// The clock.
    pub clock: ClockIndex,
    /// Its value before.
    pub before: ExactTime,
    /// Its value after.
    pub after: ExactTime,
}

/// The reason why a run ends.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ShownEnding {
    /// The final state satisfies the goal predicate.
    Goal,
    /// The final state is a deadlock.
    Deadlock,
    /// Time can pass for ever in the final state.
    DelayForever,
    /// The steps from `start` on form a cycle.
    Lasso {
        /// The position of the first step of the cycle.
        start: usize,
    },
    /// The other side of a refinement cannot match the last step.
    RefusedMove,
    /// An invariant is violated after the last step.
    InvariantViolation,
    /// The model fails with an error.
    Error {
        /// The message.
        message: String,
        /// Its place in the source.
        place: Option<SourcePlace>,
    },
}

/// A variable or clock that a step changes, as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedChange<'run> {
    /// Its name.
    pub name: &'run str,
    /// Its value before.
    pub before: String,
    /// Its value after.
    pub after: String,
}

impl ShownRun {
    /// Returns the initial state and the state after each step that does not fail.
    pub fn states(&self) -> impl Iterator<Item = ShownState> + '_ {
        let mut state = self.initial.clone();
        let later = self.steps.iter().map_while(move |step| {
            let effect = step.effect.as_ref()?;
            state.take_step(step, effect);
            Some(state.clone())
        });
        std::iter::once(self.initial.clone()).chain(later)
    }

    /// Returns the name of a participant.
    pub fn participant_name(&self, participant: ParticipantIndex) -> &str {
        self.participants.get(participant.0).map_or("", |participant| &participant.name)
    }

    /// Returns the visible changes of a step: variables, then clocks.
    pub fn named_changes<'run>(&'run self, step: &'run ShownStep) -> Vec<NamedChange<'run>> {
        let Some(effect) = &step.effect else { return Vec::new() };
        let variables = effect.variables.iter().filter_map(|change| {
            let variable = self.variables.get(change.variable.0).filter(|variable| !variable.is_meta)?;
            let (before, after) = (change.before.to_string(), change.after.to_string());
            Some(NamedChange { name: &variable.name, before, after })
        });
        let clocks = effect.clocks.iter().filter_map(|change| {
            let name = self.clocks.get(change.clock.0)?;
            Some(NamedChange { name, before: change.before.to_string(), after: change.after.to_string() })
        });
        variables.chain(clocks).collect()
    }

    /// Returns the visible variables with their values in a state.
    pub fn named_values<'run>(
        &'run self,
        state: &'run ShownState,
    ) -> impl Iterator<Item = (&'run str, &'run ShownValue)> {
        let named = self.variables.iter().zip(&state.values).filter(|(variable, _)| !variable.is_meta);
        named.map(|(variable, value)| (variable.name.as_str(), value))
    }

    /// Returns the participants with their locations in a state.
    pub fn named_locations<'run>(
        &'run self,
        state: &'run ShownState,
    ) -> impl Iterator<Item = (&'run str, &'run str)> {
        let located = self.participants.iter().zip(&state.locations);
        located.map(|(participant, location)| (participant.name.as_str(), location.name.as_str()))
    }

    /// Returns the clocks with their values in a state.
    pub fn named_clocks<'run>(
        &'run self,
        state: &'run ShownState,
    ) -> impl Iterator<Item = (&'run str, ExactTime)> {
        self.clocks.iter().map(String::as_str).zip(state.clocks.iter().copied())
    }
}

impl StepEffect {
    /// Returns the effect of an untimed step: the variables whose values differ.
    pub fn of_values(before: &[ShownValue], after: &[ShownValue]) -> StepEffect {
        let changed = before.iter().zip(after).enumerate().filter(|(_, (was, is))| was != is);
        let changes = changed.map(|(position, (before, after))| VariableChange {
            variable: VariableIndex(position),
            before: before.clone(),
            after: after.clone(),
        });
        StepEffect { clocks_before: Vec::new(), variables: changes.collect(), clocks: Vec::new() }
    }
}

impl ShownState {
    /// Applies the delay of a step.
    pub fn take_delay(&mut self, effect: &StepEffect) {
        self.clocks.clone_from(&effect.clocks_before);
    }

    /// Applies a step: its delay and its transition.
    pub fn take_step(&mut self, step: &ShownStep, effect: &StepEffect) {
        self.take_delay(effect);
        for one in &step.moves {
            if let Some(location) = self.locations.get_mut(one.edge.participant.0) {
                location.clone_from(&one.to);
            }
        }
        for change in &effect.variables {
            if let Some(value) = self.values.get_mut(change.variable.0) {
                value.clone_from(&change.after);
            }
        }
        for change in &effect.clocks {
            if let Some(value) = self.clocks.get_mut(change.clock.0) {
                *value = change.after;
            }
        }
    }
}

impl ShownEnding {
    /// Returns its word in documents and texts.
    pub fn word(&self) -> EndingWord {
        match self {
            ShownEnding::Goal => EndingWord::Goal,
            ShownEnding::Deadlock => EndingWord::Deadlock,
            ShownEnding::DelayForever => EndingWord::DelayForever,
            ShownEnding::Lasso { .. } => EndingWord::Lasso,
            ShownEnding::RefusedMove => EndingWord::RefusedMove,
            ShownEnding::InvariantViolation => EndingWord::InvariantViolation,
            ShownEnding::Error { .. } => EndingWord::Error,
        }
    }

    /// Returns the position of the first step of the cycle, if the run ends in one.
    pub fn cycle_start(&self) -> Option<usize> {
        match self {
            ShownEnding::Lasso { start } => Some(*start),
            _ => None,
        }
    }
}

impl std::fmt::Display for ShownSynchronisation {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}{}", self.channel, if self.is_sender { '!' } else { '?' })
    }
}
