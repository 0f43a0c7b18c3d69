//! Converts runs of networks to [`ShownRun`].
//!
//! Invariant: the states are those of the replayed run.

use tempora_evidence::{Ending, Participation, Rational, Step, Trace, TransitionKind};
use tempora_model::{Id, LocationId, Network, ProcessId, SynchronisationRole, Type, Value, VariableKind};
use tempora_replay::{ClockLayout, ConcreteState, Run, RunStep};
use tempora_smt::Integer;
use tempora_source::Origin;

use crate::documents::SourcePlace;
use crate::exact_time::ExactTime;
use crate::located::Source;
use crate::shown_run::{
    ClockChange, ClockIndex, EdgeRef, Participant, ParticipantIndex, ShownEnding, ShownLocation,
    ShownMessage, ShownMove, ShownRun, ShownState, ShownStep, ShownSynchronisation, ShownVariable,
    StepEffect, StepKind, StepTiming, VariableChange, VariableIndex,
};
use crate::shown_value::ShownValue;
use crate::words::ParticipantWord;

/// Returns the run of a trace.
pub(crate) fn show_network_run(source: Source<'_>, network: &Network, trace: &Trace, run: &Run) -> ShownRun {
    let cells = VariableCells::new(network);
    let mut time = Rational::from_integer(0);
    let mut steps = Vec::with_capacity(trace.steps.len());
    for (number, step) in trace.steps.iter().enumerate() {
        time += step.delay;
        let before = run.state_before(number);
        let moves: Vec<ShownMove> = step
            .transition
            .participants
            .iter()
            .map(|participation| shown_move(source, network, before, participation))
            .collect();
        steps.push(ShownStep {
            timing: Some(StepTiming { delay: ExactTime(step.delay), time: ExactTime(time) }),
            kind: StepKind::Transition {
                kind: step.transition.kind.into(),
                vector: match step.transition.kind {
                    TransitionKind::Vector(position) => Some(position),
                    _ => None,
                },
            },
            message: message(step, &moves),
            moves,
            effect: run.steps.get(number).map(|states| cells.effect(network, before, states)),
        });
    }
    ShownRun {
        participants: participants(network),
        initial: cells.state(network, &run.initial),
        last: cells.state(network, &run.last),
        variables: cells.variables,
        clocks: ClockLayout::new(network).names(network),
        steps,
        final_delay: Some(ExactTime(trace.final_delay)),
        ending: match &trace.ending {
            Ending::Goal => ShownEnding::Goal,
            Ending::Deadlock => ShownEnding::Deadlock,
            Ending::DelayForever => ShownEnding::DelayForever,
            Ending::Lasso { start } => ShownEnding::Lasso { start: *start },
            Ending::RefusedMove => ShownEnding::RefusedMove,
            Ending::InvariantViolation => ShownEnding::InvariantViolation,
            Ending::RuntimeError(error) => ShownEnding::Error {
                message: error.to_string(),
                place: SourcePlace::of(source, error.origin),
            },
        },
    }
}

fn participants(network: &Network) -> Vec<Participant> {
    let processes = network.processes.values();
    processes
        .map(|process| Participant { kind: ParticipantWord::Process, name: process.name.clone() })
        .collect()
}

/// The variables of a network, with arrays and records flattened.
struct VariableCells {
    variables: Vec<ShownVariable>,
    /// The position of the first cell of each variable; `None` for a variable that is not shown.
    first_cells: Vec<Option<usize>>,
}

impl VariableCells {
    fn new(network: &Network) -> VariableCells {
        let mut cells = VariableCells { variables: Vec::new(), first_cells: Vec::new() };
        for (id, variable) in network.variables.iter() {
            let is_meta = variable.kind == VariableKind::Meta;
            let is_shown = is_meta || variable.kind == VariableKind::State;
            cells.first_cells.push(is_shown.then_some(cells.variables.len()));
            if is_shown {
                let name = network.qualified_name(id);
                add_names(name, &variable.value_type, &variable.initial, is_meta, &mut cells.variables);
            }
        }
        cells
    }

    fn state(&self, network: &Network, state: &ConcreteState) -> ShownState {
        let mut values = Vec::with_capacity(self.variables.len());
        for ((id, variable), first) in network.variables.iter().zip(&self.first_cells) {
            if first.is_some() {
                add_values(&variable.value_type, state.variable(id), &mut values);
            }
        }
        let locations = network.processes.ids().zip(&state.locations);
        ShownState {
            locations: locations.map(|(process, &place)| shown_location(network, process, place)).collect(),
            values,
            clocks: state.clocks.iter().copied().map(ExactTime).collect(),
        }
    }

    fn effect(&self, network: &Network, before: &ConcreteState, states: &RunStep) -> StepEffect {
        let RunStep { after_delay, after_transition } = states;
        let mut variables = Vec::new();
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for ((id, variable), first) in network.variables.iter().zip(&self.first_cells) {
            let Some(first) = *first else { continue };
            let (was, is) = (before.variable(id), after_transition.variable(id));
            if was == is {
                continue;
            }
            old.clear();
            new.clear();
            add_values(&variable.value_type, was, &mut old);
            add_values(&variable.value_type, is, &mut new);
            let cells =
                old.drain(..).zip(new.drain(..)).enumerate().filter(|(_, (was, is))| !was.is_same(is));
            variables.extend(cells.map(|(position, (before, after))| VariableChange {
                variable: VariableIndex(first + position),
                before,
                after,
            }));
        }
        let clocks = after_delay.clocks.iter().zip(&after_transition.clocks).enumerate();
        let clocks = clocks.filter(|(_, (was, is))| was != is).map(|(position, (was, is))| ClockChange {
            clock: ClockIndex(position),
            before: ExactTime(*was),
            after: ExactTime(*is),
        });
        StepEffect {
            clocks_before: after_delay.clocks.iter().copied().map(ExactTime).collect(),
            variables,
            clocks: clocks.collect(),
        }
    }
}

/// Adds the names of a variable and its parts.
fn add_names(
    name: String,
    value_type: &Type,
    value: &Value,
    is_meta: bool,
    variables: &mut Vec<ShownVariable>,
) {
    match (value, value_type) {
        (Value::Parts(values), Type::Array(array)) => {
            for (index, value) in array.index.values().zip(values) {
                add_names(format!("{name}[{index}]"), &array.element, value, is_meta, variables);
            }
        }
        (Value::Parts(values), Type::Record(record)) => {
            for (field, value) in record.fields.iter().zip(values) {
                add_names(format!("{name}.{}", field.name), &field.field_type, value, is_meta, variables);
            }
        }
        (Value::None, _) => {}
        _ => variables.push(ShownVariable { name, is_meta }),
    }
}

/// Adds the values of a variable and its parts, in the order of their names.
fn add_values(value_type: &Type, value: &Value, values: &mut Vec<ShownValue>) {
    match (value, value_type) {
        (Value::Parts(parts), Type::Array(array)) => {
            parts.iter().for_each(|part| add_values(&array.element, part, values));
        }
        (Value::Parts(parts), Type::Record(record)) => {
            for (field, part) in record.fields.iter().zip(parts) {
                add_values(&field.field_type, part, values);
            }
        }
        (Value::None, _) => {}
        (Value::Integer(value), Type::Boolean) => values.push(ShownValue::Boolean(*value != 0)),
        (Value::Integer(value), _) => values.push(ShownValue::Integer(Integer::from(i64::from(*value)))),
        (Value::Double(value), _) => values.push(ShownValue::Double(*value)),
        // Elaboration never creates parts for a scalar type.
        (Value::Parts(_), _) => values.push(ShownValue::Literal(value.to_string())),
    }
}

fn shown_move(
    source: Source<'_>,
    network: &Network,
    before: &ConcreteState,
    participation: &Participation,
) -> ShownMove {
    let process = &network.processes[participation.process];
    let edge = &process.edges[participation.edge];
    let selects = edge.selects.iter().map(|binder| binder.name.clone());
    let located = |location: LocationId| shown_location(network, participation.process, location);
    ShownMove {
        edge: EdgeRef {
            participant: ParticipantIndex(participation.process.index()),
            edge: participation.edge.index(),
            branch: participation.branch,
        },
        from: located(before.locations[participation.process.index()]),
        to: located(edge.branches[participation.branch].target),
        synchronisation: edge.synchronisation.as_ref().map(|synchronisation| ShownSynchronisation {
            channel: written(source, synchronisation.channel.origin),
            is_sender: synchronisation.role == SynchronisationRole::Send,
        }),
        selects: selects.zip(participation.select_values.iter().copied()).collect(),
        is_branching: edge.branches.len() != 1,
        place: SourcePlace::of(source, edge.origin),
    }
}

/// Returns the message of a step; `None` for a synchronisation vector or a single edge.
fn message(step: &Step, moves: &[ShownMove]) -> Option<ShownMessage> {
    match step.transition.kind {
        TransitionKind::Internal | TransitionKind::Vector(_) => return None,
        TransitionKind::Binary | TransitionKind::Broadcast => {}
    }
    let is_sender = |one: &&ShownMove| {
        one.synchronisation.as_ref().is_some_and(|synchronisation| synchronisation.is_sender)
    };
    let sender = moves.iter().find(is_sender);
    // In a run of a specification the environment may be the sender.
    let synchronised = sender.or(moves.first())?;
    let sender = sender.map(|one| one.edge.participant);
    let others = moves.iter().map(|one| one.edge.participant).filter(|one| Some(*one) != sender);
    Some(ShownMessage {
        channel: synchronised.synchronisation.as_ref().map_or_else(String::new, |one| one.channel.clone()),
        sender,
        receivers: others.collect(),
    })
}

fn shown_location(network: &Network, process: ProcessId, location: LocationId) -> ShownLocation {
    ShownLocation { index: location.index(), name: network.location_name(process, location) }
}

/// Returns the text at an origin, on one line.
fn written(source: Source<'_>, origin: Origin) -> String {
    match source.origins.primary_span(origin) {
        Some(span) => source.files.text_at(span).split_whitespace().collect::<Vec<_>>().join(" "),
        None => String::new(),
    }
}
