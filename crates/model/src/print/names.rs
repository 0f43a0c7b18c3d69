//! Chooses the printed names of variables, functions, processes and bound names.
//!
//! Invariant: a printed name refers to the same definition when it is read back: no bound name and no name of a process
//! hides a variable or function, because all of them differ from all names of the network.

use std::collections::{BTreeMap, BTreeSet};

use crate::expression::LocalId;
use crate::network::Network;
use crate::{FunctionId, Id, LocationId, ProcessId, ScalarSetId, VariableId};

pub(super) struct Names {
    variables: Vec<String>,
    functions: Vec<String>,
    scalar_sets: Vec<String>,
    locations: BTreeMap<(ProcessId, LocationId), String>,
    /// All names of variables, functions and sets, which bound names avoid.
    taken: BTreeSet<String>,
    /// The bound names by their number, one list for each enclosing function or edge.
    bound: Vec<Vec<String>>,
}

impl Names {
    pub(super) fn new(network: &Network) -> Names {
        let mut taken = BTreeSet::new();
        let scalar_sets = network
            .scalar_sets
            .iter()
            .map(|(id, set)| {
                let wanted = set.name.clone().unwrap_or_else(|| format!("scalars{}", id.index()));
                fresh(&wanted, &mut taken)
            })
            .collect();
        let mut variables = vec![String::new(); network.variables.len()];
        let mut functions = vec![String::new(); network.functions.len()];
        for (id, variable) in network.variables.iter().filter(|(_, variable)| variable.owner.is_none()) {
            variables[id.index()] = fresh(&variable.name, &mut taken);
        }
        for (id, function) in network.functions.iter().filter(|(_, function)| function.owner.is_none()) {
            functions[id.index()] = fresh(&function.name, &mut taken);
        }
        // Names of a process may equal those of another process, but not global ones.
        let global = taken.clone();
        for process in network.processes.ids() {
            let mut local = global.clone();
            for (id, variable) in
                network.variables.iter().filter(|(_, variable)| variable.owner == Some(process))
            {
                variables[id.index()] = fresh(&variable.name, &mut local);
            }
            for (id, function) in
                network.functions.iter().filter(|(_, function)| function.owner == Some(process))
            {
                functions[id.index()] = fresh(&function.name, &mut local);
            }
            taken.extend(local);
        }
        let mut locations = BTreeMap::new();
        for (process_id, process) in network.processes.iter() {
            let mut used: BTreeSet<String> =
                process.locations.values().filter_map(|location| location.name.clone()).collect();
            for (id, location) in process.locations.iter() {
                let name = match &location.name {
                    Some(name) => name.clone(),
                    None => fresh(&format!("unnamed{}", id.index()), &mut used),
                };
                locations.insert((process_id, id), name);
            }
        }
        Names { variables, functions, scalar_sets, locations, taken, bound: Vec::new() }
    }

    pub(super) fn variable(&self, id: VariableId) -> &str {
        self.variables.get(id.index()).map_or("", String::as_str)
    }

    pub(super) fn function(&self, id: FunctionId) -> &str {
        self.functions.get(id.index()).map_or("", String::as_str)
    }

    pub(super) fn scalar_set(&self, id: ScalarSetId) -> &str {
        self.scalar_sets.get(id.index()).map_or("", String::as_str)
    }

    pub(super) fn location(&self, process: ProcessId, location: LocationId) -> &str {
        self.locations.get(&(process, location)).map_or("", String::as_str)
    }

    /// Enters a function, an edge or another construct that numbers its bound names from zero.
    pub(super) fn enter(&mut self) {
        self.bound.push(Vec::new());
    }

    pub(super) fn leave(&mut self) {
        self.bound.pop();
    }

    /// Chooses a name for a local, as similar to the wanted one as possible.
    pub(super) fn bind(&mut self, local: LocalId, wanted: &str) -> String {
        if self.bound.is_empty() {
            self.enter();
        }
        let Some(bound) = self.bound.last_mut() else { return wanted.to_owned() };
        // Locals with higher numbers are out of scope; outer names must not be hidden.
        bound.truncate(local.0 as usize);
        let mut name = wanted.to_owned();
        let mut number = 1;
        while self.taken.contains(&name) || bound.contains(&name) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        bound.resize(local.0 as usize, String::new());
        bound.push(name.clone());
        name
    }

    pub(super) fn local(&self, local: LocalId) -> &str {
        self.bound.last().and_then(|bound| bound.get(local.0 as usize)).map_or("", String::as_str)
    }
}

fn fresh(wanted: &str, taken: &mut BTreeSet<String>) -> String {
    let mut name = wanted.to_owned();
    let mut number = 1;
    while !taken.insert(name.clone()) {
        name = format!("{wanted}_{number}");
        number += 1;
    }
    name
}
