//! Converts runs of symbolic systems to [`ShownRun`].
//!
//! Invariant: the states are those of the replayed run. The system is the only participant, and its control locations
//! are the locations of the participant.

use tempora_evidence::SymbolicTrace;
use tempora_model::Id;
use tempora_replay::SymbolicRun;
use tempora_smt::Value;
use tempora_transition::{ControlLocationId, SymbolicSystem};

use crate::documents::SourcePlace;
use crate::located::Source;
use crate::shown_run::{
    EdgeRef, Participant, ParticipantIndex, ShownEnding, ShownLocation, ShownMove, ShownRun, ShownState,
    ShownStep, ShownVariable, StepEffect, StepKind,
};
use crate::shown_value::ShownValue;
use crate::words::ParticipantWord;

/// The name of the participant.
const SYSTEM: &str = "system";

/// Returns the run of a trace; `None` if it belongs to another system.
pub(crate) fn show_symbolic_run(
    source: Source<'_>,
    system: &SymbolicSystem,
    trace: &SymbolicTrace,
    run: &SymbolicRun,
) -> Option<ShownRun> {
    let variables = system.variables.values().filter(|variable| variable.role.is_state());
    let variables = variables.map(|variable| ShownVariable { name: variable.name.clone(), is_meta: false });
    let initial = ShownState {
        locations: vec![shown_location(system, system.initial_location)],
        values: shown_values(system, &run.initial),
        clocks: Vec::new(),
    };
    let mut last = initial.clone();
    let mut steps = Vec::with_capacity(run.steps.len());
    for (taken, reached) in trace.steps.iter().zip(&run.steps) {
        let edge = system.edges.get(taken.edge)?;
        let values = shown_values(system, &reached.values);
        let effect = StepEffect::of_values(&last.values, &values);
        let step = ShownStep {
            timing: None,
            kind: StepKind::Control(edge.kind.into()),
            moves: vec![ShownMove {
                edge: EdgeRef { participant: ParticipantIndex(0), edge: taken.edge.index(), branch: 0 },
                from: shown_location(system, edge.source),
                to: shown_location(system, edge.target),
                synchronisation: None,
                selects: Vec::new(),
                is_branching: false,
                place: SourcePlace::of(source, edge.origin),
            }],
            message: None,
            effect: None,
        };
        last.take_step(&step, &effect);
        steps.push(ShownStep { effect: Some(effect), ..step });
    }
    Some(ShownRun {
        participants: vec![Participant { kind: ParticipantWord::System, name: SYSTEM.to_owned() }],
        variables: variables.collect(),
        clocks: Vec::new(),
        initial,
        steps,
        final_delay: None,
        ending: ShownEnding::Goal,
        last,
    })
}

fn shown_location(system: &SymbolicSystem, location: ControlLocationId) -> ShownLocation {
    ShownLocation { index: location.index(), name: system.locations[location].name.clone() }
}

/// Returns the values of the variables that are part of the state.
fn shown_values(system: &SymbolicSystem, values: &[Value]) -> Vec<ShownValue> {
    let variables = system.variables.values().zip(values).filter(|(variable, _)| variable.role.is_state());
    variables.map(|(_, value)| ShownValue::of_symbolic(&system.store, value)).collect()
}
