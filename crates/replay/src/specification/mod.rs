//! Executes runs of specifications, component by component.
//!
//! Invariant: the semantics of a specification is computed from the definitions, at concrete clock values, during the
//! run ([`system`]); its consistent part is computed by a game over clock regions ([`consistency`]). None of it is
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

/// The result of executing a run.
pub(crate) enum Replayed {
    /// It proves the verdict.
    Shown,
    /// It proves the verdict if the condition in the text holds.
    Executed(String),
    /// It is not executed, for this reason.
    NotTried(String),
    /// It is not a run that proves the verdict, for this reason.
    Refuted(String),
}

/// Returns the network in which all other processes have no edges and no invariants.
///
/// The engine of specifications has a similar function. This copy is deliberate: a checker shares no code with the
/// engine it checks.
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

/// Returns a process that stays where it is.
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
