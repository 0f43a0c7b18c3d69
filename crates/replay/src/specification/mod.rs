//! Runs of specifications, executed component by component.
//!
//! Invariant: what a specification does is computed from the definitions, at concrete clock values, as the run goes
//! ([`system`]); what of it can be implemented is found by playing a game over clock regions ([`consistency`]). None of it is
//! shared with an engine.

mod clock_constants;
mod consistency;
mod refusal;
mod run;
mod soundness;
mod system;

use tempora_model::{Location, LocationId, LocationKind, Network, Process, ProcessId, Table};

pub(crate) use refusal::replay_refusal;
pub(crate) use run::replay_runs;
pub use soundness::operand_fault;

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
///
/// The engine of specifications has such a function too. This is one of its own on purpose: what checks shares nothing with what is
/// checked.
pub fn component_alone(network: &Network, process: ProcessId) -> Network {
    let processes = network.processes.iter().map(|(id, other)| match id == process {
        true => other.clone(),
        false => silent(other),
    });
    Network {
        scalar_sets: network.scalar_sets.clone(),
        variables: network.variables.clone(),
        functions: network.functions.clone(),
        processes: processes.collect(),
        events: network.events.clone(),
        vectors: Vec::new(),
        channel_priorities: network.channel_priorities.clone(),
        before_update: network.before_update.clone(),
        after_update: network.after_update.clone(),
        omissions: network.omissions.clone(),
    }
}

/// A process that stays where it is.
fn silent(process: &Process) -> Process {
    let location = process.locations.values().next().map(|location| Location {
        invariant: tempora_model::Condition::default(),
        clock_rates: Vec::new(),
        kind: LocationKind::Ordinary,
        ..location.clone()
    });
    Process {
        name: process.name.clone(),
        template: process.template.clone(),
        arguments: process.arguments.clone(),
        locations: location.into_iter().collect(),
        initial: vec![LocationId(0)],
        edges: Table::new(),
        priority: process.priority,
        interface: process.interface.clone(),
        origin: process.origin,
    }
}
