//! Runs of symbolic systems as plain data in terms of what the user wrote.
//!
//! Invariant: as for other answers, everything is text and numbers, and the states are those of the run that was executed when the
//! answer was checked.

use serde::Serialize;
use tempora_certify::CheckedAnswer;
use tempora_evidence::SymbolicTrace;
use tempora_model::Query;
use tempora_replay::SymbolicRun;
use tempora_smt::Value;
use tempora_transition::SymbolicSystem;

use crate::located::{Change, EvidenceRecord, LocatedAnswer, Place, Source, locate_verdict, place};
use crate::words::ControlEdgeWord;

/// A run of a symbolic system; `tempora check --save-trace PREFIX` writes it to a file.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LocatedRun {
    /// Where it begins.
    pub start: String,
    /// The values at the start.
    pub initial: Vec<(String, String)>,
    /// What happens.
    pub steps: Vec<LocatedRunStep>,
    /// The values at the end.
    pub last: Vec<(String, String)>,
}

/// A step of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LocatedRunStep {
    /// Which part of the system takes it.
    pub kind: ControlEdgeWord,
    /// The control location that it leaves.
    pub from: String,
    /// The control location that it enters.
    pub to: String,
    /// Where it is written.
    pub place: Option<Place>,
    /// What is different afterwards.
    pub changes: Vec<Change>,
}

/// An answer about a property of a symbolic system, in terms of what the user wrote.
pub(crate) fn locate_about_symbolic(
    source: Source<'_>,
    system: &SymbolicSystem,
    query: &Query,
    checked: &CheckedAnswer,
) -> LocatedAnswer {
    let run = checked.symbolic_run().and_then(|(trace, run)| located_run(source, system, trace, run));
    let evidence = EvidenceRecord { run, ..EvidenceRecord::default() };
    locate_verdict(source, query.text.clone(), checked, evidence)
}

/// Returns a run with its states; `None` if it is one of another system.
fn located_run(
    source: Source<'_>,
    system: &SymbolicSystem,
    trace: &SymbolicTrace,
    run: &SymbolicRun,
) -> Option<LocatedRun> {
    let mut before = &run.initial;
    let mut steps = Vec::with_capacity(run.steps.len());
    for (taken, reached) in trace.steps.iter().zip(&run.steps) {
        let edge = system.edges.get(taken.edge)?;
        let changes = values(system, before)
            .into_iter()
            .zip(values(system, &reached.values))
            .filter(|((_, before), (_, after))| before != after)
            .map(|((name, before), (_, after))| Change { name, before, after })
            .collect();
        steps.push(LocatedRunStep {
            kind: edge.kind.into(),
            from: system.locations[edge.source].name.clone(),
            to: system.locations[edge.target].name.clone(),
            place: place(source, edge.origin),
            changes,
        });
        before = &reached.values;
    }
    Some(LocatedRun {
        start: system.locations[system.initial_location].name.clone(),
        initial: values(system, &run.initial),
        steps,
        last: values(system, before),
    })
}

/// Names and values of what is part of the state.
fn values(system: &SymbolicSystem, values: &[Value]) -> Vec<(String, String)> {
    system
        .variables
        .values()
        .zip(values)
        .filter(|(variable, _)| variable.role.is_state())
        .map(|(variable, value)| (variable.name.clone(), value.describe(&system.store)))
        .collect()
}
