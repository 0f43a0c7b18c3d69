//! Runs in documents: of networks (`trace`) and of symbolic systems (`run`).
//!
//! Invariant: a record is a view of a [`ShownRun`] of its kind of system.

use serde::Serialize;
use tempora_source::Origin;

use crate::exact_time::ExactTime;
use crate::located::Source;
use crate::shown_run::{ShownEnding, ShownMove, ShownRun, ShownState, ShownStep, StepKind};
use crate::words::{ControlEdgeWord, EndingWord, ParticipantWord, TransitionWord};

/// A run of a network. Times are exact: an integer, or a fraction such as `7/2`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TraceRecord<'run> {
    /// The initial state.
    pub initial: StateRecord<'run>,
    /// The steps, in order.
    pub steps: Vec<StepRecord<'run>>,
    /// The delay after the last step.
    pub final_delay: ExactTime,
    /// The reason why the run ends.
    pub ending: EndingWord,
    /// The first step of the cycle, from 0, if the run is a lasso.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle_start: Option<usize>,
    /// The error that ends the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorRecord<'run>>,
    /// The final state.
    pub last: StateRecord<'run>,
}

/// A state of a network.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StateRecord<'run> {
    /// Each process with its location.
    pub locations: Vec<(&'run str, &'run str)>,
    /// Each variable with its value.
    pub variables: Vec<(&'run str, String)>,
    /// Each clock with its value.
    pub clocks: Vec<(&'run str, ExactTime)>,
}

/// A delay and a transition.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StepRecord<'run> {
    /// The delay before the transition.
    pub delay: ExactTime,
    /// The time of the transition, since the start.
    pub time: ExactTime,
    /// The kind of synchronisation.
    pub kind: TransitionWord,
    /// The synchronisation vector, from 0 in the order of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vector: Option<usize>,
    /// The moves of the processes, in the order of the updates.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub moves: Vec<MoveRecord<'run>>,
    /// Variables and clocks that the transition changes.
    pub changes: Vec<ChangeRecord<'run>>,
}

/// The move of a process.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MoveRecord<'run> {
    /// The process.
    pub process: &'run str,
    /// The edge of the process, from 0 in the order of the model.
    pub edge: usize,
    /// The branch of the edge, from 0 in the order of the model.
    pub branch: usize,
    /// The source location.
    pub from: &'run str,
    /// The target location.
    pub to: &'run str,
    /// The synchronisation label, such as `go[0]!`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub synchronisation: Option<String>,
    /// The names and values of selects, such as `e` and 2.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub selects: &'run [(String, i32)],
    /// The place of the edge in the source.
    pub place: Option<&'run SourcePlace>,
}

/// A variable or clock that a step changes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ChangeRecord<'run> {
    /// Its name.
    pub name: &'run str,
    /// Its value before.
    pub before: String,
    /// Its value after.
    pub after: String,
}

/// An error of the model.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ErrorRecord<'run> {
    /// The message.
    pub message: &'run str,
    /// Its place in the source.
    pub place: Option<&'run SourcePlace>,
}

/// A run of a symbolic system; `tempora check --save-trace PREFIX` writes it to a file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SymbolicRunRecord<'run> {
    /// The initial control location.
    pub start: &'run str,
    /// Each variable with its initial value.
    pub initial: Vec<(&'run str, String)>,
    /// The steps, in order.
    pub steps: Vec<SymbolicStepRecord<'run>>,
    /// Each variable with its final value.
    pub last: Vec<(&'run str, String)>,
}

/// A step of a symbolic system.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SymbolicStepRecord<'run> {
    /// The kind of the step.
    pub kind: ControlEdgeWord,
    /// The source control location.
    pub from: &'run str,
    /// The target control location.
    pub to: &'run str,
    /// The place of the edge in the source.
    pub place: Option<&'run SourcePlace>,
    /// Variables that the step changes.
    pub changes: Vec<ChangeRecord<'run>>,
}

/// A place in a source file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SourcePlace {
    /// The file.
    pub file: String,
    /// The line, from 1.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub line: u32,
    /// The column, from 1.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub column: u32,
}

impl<'run> TraceRecord<'run> {
    /// Returns the record of a run of a network; `None` for other runs.
    pub fn new(run: &'run ShownRun) -> Option<TraceRecord<'run>> {
        Some(TraceRecord {
            final_delay: run.final_delay?,
            initial: StateRecord::new(run, &run.initial),
            steps: run.steps.iter().map(|step| StepRecord::new(run, step)).collect::<Option<_>>()?,
            ending: run.ending.word(),
            cycle_start: run.ending.cycle_start(),
            error: match &run.ending {
                ShownEnding::Error { message, place } => Some(ErrorRecord { message, place: place.as_ref() }),
                _ => None,
            },
            last: StateRecord::new(run, &run.last),
        })
    }
}

impl<'run> StateRecord<'run> {
    /// Returns the record of a state of a run.
    pub fn new(run: &'run ShownRun, state: &'run ShownState) -> StateRecord<'run> {
        StateRecord {
            locations: run.named_locations(state).collect(),
            variables: named_texts(run, state),
            clocks: run.named_clocks(state).collect(),
        }
    }
}

impl<'run> StepRecord<'run> {
    fn new(run: &'run ShownRun, step: &'run ShownStep) -> Option<StepRecord<'run>> {
        let StepKind::Transition { kind, vector } = step.kind else { return None };
        let timing = step.timing?;
        Some(StepRecord {
            delay: timing.delay,
            time: timing.time,
            kind,
            vector,
            moves: step.moves.iter().map(|one| MoveRecord::new(run, one)).collect(),
            changes: changes(run, step),
        })
    }
}

impl<'run> MoveRecord<'run> {
    fn new(run: &'run ShownRun, one: &'run ShownMove) -> MoveRecord<'run> {
        MoveRecord {
            process: run.participant_name(one.edge.participant),
            edge: one.edge.edge,
            branch: one.edge.branch,
            from: &one.from.name,
            to: &one.to.name,
            synchronisation: one.synchronisation.as_ref().map(ToString::to_string),
            selects: &one.selects,
            place: one.place.as_ref(),
        }
    }
}

impl<'run> SymbolicRunRecord<'run> {
    /// Returns the record of a run of a symbolic system; `None` for other runs.
    pub fn new(run: &'run ShownRun) -> Option<SymbolicRunRecord<'run>> {
        let ([participant], [start]) = (run.participants.as_slice(), run.initial.locations.as_slice()) else {
            return None;
        };
        let steps = run.steps.iter().map(|step| SymbolicStepRecord::new(run, step));
        match participant.kind {
            ParticipantWord::Process => None,
            ParticipantWord::System | ParticipantWord::Region => Some(SymbolicRunRecord {
                start: &start.name,
                initial: named_texts(run, &run.initial),
                steps: steps.collect::<Option<_>>()?,
                last: named_texts(run, &run.last),
            }),
        }
    }
}

impl<'run> SymbolicStepRecord<'run> {
    fn new(run: &'run ShownRun, step: &'run ShownStep) -> Option<SymbolicStepRecord<'run>> {
        let (StepKind::Control(kind), [one]) = (step.kind, step.moves.as_slice()) else { return None };
        Some(SymbolicStepRecord {
            kind,
            from: &one.from.name,
            to: &one.to.name,
            place: one.place.as_ref(),
            changes: changes(run, step),
        })
    }
}

impl SourcePlace {
    /// Returns the place of an origin; `None` if it is not in a source file.
    pub fn of(source: Source<'_>, origin: Origin) -> Option<SourcePlace> {
        let location = source.files.locate(source.origins.primary_span(origin)?);
        Some(SourcePlace { file: location.file.clone(), line: location.line, column: location.column })
    }
}

fn named_texts<'run>(run: &'run ShownRun, state: &'run ShownState) -> Vec<(&'run str, String)> {
    run.named_values(state).map(|(name, value)| (name, value.to_string())).collect()
}

fn changes<'run>(run: &'run ShownRun, step: &'run ShownStep) -> Vec<ChangeRecord<'run>> {
    let changes = run.named_changes(step).into_iter();
    changes
        .map(|change| ChangeRecord { name: change.name, before: change.before, after: change.after })
        .collect()
}
