//! Names of edges and location vectors in messages.
//!
//! Invariant: the user can find every name in the model.

use tempora_model::{EdgeId, Network, ProcessId};

/// Names an edge by the locations that it connects, such as `Appr -> Cross`.
pub(crate) fn edge(network: &Network, process: ProcessId, edge: EdgeId) -> String {
    let written = &network.processes[process].edges[edge];
    let targets: Vec<String> =
        written.branches.iter().map(|branch| network.location_name(process, branch.target)).collect();
    format!("{} -> {}", network.location_name(process, written.source), targets.join(" or "))
}

/// Joins names with commas, and replaces all after the fifth by their number.
pub(crate) fn listed(names: &[String]) -> String {
    const MOST: usize = 5;
    if names.len() <= MOST {
        return names.join(", ");
    }
    format!("{} and {} more", names[..MOST].join(", "), names.len() - MOST)
}

/// Lists the locations of all processes, such as `Train(0).Safe, Gate.Free`.
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
