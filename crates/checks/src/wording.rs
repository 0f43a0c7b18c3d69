//! How things are called in messages.
//!
//! Invariant: a name is one that the user can write or find in the model.

use tempora_model::{EdgeId, Network, ProcessId};

/// An edge by the locations that it connects, such as `Appr -> Cross`.
pub(crate) fn edge(network: &Network, process: ProcessId, edge: EdgeId) -> String {
    let written = &network.processes[process].edges[edge];
    let targets: Vec<String> =
        written.branches.iter().map(|branch| network.location_name(process, branch.target)).collect();
    format!("{} -> {}", network.location_name(process, written.source), targets.join(" or "))
}

/// Names, separated by commas; many of them are cut off.
pub(crate) fn listed(names: &[String]) -> String {
    const MOST: usize = 5;
    if names.len() <= MOST {
        return names.join(", ");
    }
    format!("{} and {} more", names[..MOST].join(", "), names.len() - MOST)
}

/// Where all processes are, such as `Train(0).Safe, Gate.Free`.
pub(crate) fn vector(network: &Network, locations: &[tempora_model::LocationId]) -> String {
    let names: Vec<String> = network
        .processes
        .iter()
        .zip(locations)
        .map(|((id, process), &location)| format!("{}.{}", process.name, network.location_name(id, location)))
        .collect();
    const MOST: usize = 12;
    if names.len() <= MOST {
        return names.join(", ");
    }
    format!("{} and {} more processes", names[..MOST].join(", "), names.len() - MOST)
}
