//! Runs of specifications, executed component by component.
//!
//! Invariant: what a specification does is computed from the definitions, at concrete clock values, as the run goes
//! ([`system`]); what of it can be implemented is found by playing a game over clock regions ([`consistency`]). None of it is
//! shared with an engine.

mod clock_constants;
mod consistency;
mod refusal;
mod run;
mod system;

use tempora_model::{Location, LocationId, LocationKind, Network, ProcessId, Table};

pub(crate) use refusal::replay_refusal;
pub(crate) use run::replay_runs;

/// What comes of the execution of a run.
pub(crate) enum Replayed {
    /// It shows what it should.
    Shown,
    /// It would show it, if what this says is true.
    Executed(String),
    /// It is not executed, for this reason.
    NotTried(String),
    /// It is no such run, for this reason.
    Refuted(String),
}

/// The network in which all other processes have nothing to do and nothing to say about time.
pub fn component_alone(network: &Network, process: ProcessId) -> Network {
    let mut alone = network.clone();
    alone.vectors.clear();
    for (id, other) in network.processes.iter() {
        if id == process {
            continue;
        }
        let silent = &mut alone.processes[id];
        silent.edges = Table::new();
        silent.locations = other
            .locations
            .values()
            .take(1)
            .map(|location| Location {
                invariant: tempora_model::Condition::default(),
                clock_rates: Vec::new(),
                kind: LocationKind::Ordinary,
                ..location.clone()
            })
            .collect();
        silent.initial = vec![LocationId(0)];
    }
    alone
}
