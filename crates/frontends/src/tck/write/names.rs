//! Chooses the names in the output.
//!
//! Invariant: within each name space of the language (variables, processes, events, the locations of a process) names
//! are unique and not reserved. A valid name is kept.

use std::collections::{BTreeMap, BTreeSet};

use tempora_model::{Id, LocationId, Network, ProcessId, VariableId};

use super::super::{document, tokens};

/// The names of a network.
pub(super) struct Names {
    variables: Vec<String>,
    processes: Vec<String>,
    locations: BTreeMap<(ProcessId, LocationId), String>,
    events: Vec<String>,
    taken_variables: BTreeSet<String>,
    taken_events: BTreeSet<String>,
}

impl Names {
    pub(super) fn new(network: &Network) -> Names {
        let mut taken_processes = BTreeSet::new();
        let processes: Vec<String> = network
            .processes
            .values()
            .map(|process| fresh(&identifier(&process.name, true), &mut taken_processes))
            .collect();
        let mut taken_variables = BTreeSet::new();
        let variables = network.variables.values().map(|variable| {
            let wanted = match variable.owner {
                Some(owner) => format!("{}_{}", processes[owner.index()], variable.name),
                None => variable.name.clone(),
            };
            fresh(&identifier(&wanted, false), &mut taken_variables)
        });
        let variables = variables.collect();
        let mut taken_events = BTreeSet::new();
        let events =
            network.events.values().map(|event| fresh(&identifier(event, true), &mut taken_events)).collect();
        let mut locations = BTreeMap::new();
        for (process_id, process) in network.processes.iter() {
            let mut taken = BTreeSet::new();
            for (id, location) in process.locations.iter().filter(|(_, location)| location.name.is_some()) {
                let wanted = location.name.as_deref().unwrap_or("");
                locations.insert((process_id, id), fresh(&identifier(wanted, true), &mut taken));
            }
            for (id, _) in process.locations.iter().filter(|(_, location)| location.name.is_none()) {
                locations.insert((process_id, id), fresh(&format!("unnamed{}", id.index()), &mut taken));
            }
        }
        Names { variables, processes, locations, events, taken_variables, taken_events }
    }

    pub(super) fn variable(&self, id: VariableId) -> &str {
        self.variables.get(id.index()).map_or("", String::as_str)
    }

    pub(super) fn process(&self, id: ProcessId) -> &str {
        self.processes.get(id.index()).map_or("", String::as_str)
    }

    pub(super) fn location(&self, process: ProcessId, location: LocationId) -> &str {
        self.locations.get(&(process, location)).map_or("", String::as_str)
    }

    pub(super) fn event(&self, id: tempora_model::EventId) -> &str {
        self.events.get(id.index()).map_or("", String::as_str)
    }

    /// Returns a new name for an event.
    pub(super) fn new_event(&mut self, wanted: &str) -> String {
        fresh(&identifier(wanted, true), &mut self.taken_events)
    }

    /// Returns a name for a local variable that differs from all variables and from the names in use.
    pub(super) fn new_local(&self, wanted: &str, in_use: &mut BTreeSet<String>) -> String {
        let wanted = identifier(wanted, false);
        let mut name = wanted.clone();
        let mut number = 1;
        while self.taken_variables.contains(&name) || !in_use.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        name
    }
}

/// Returns a valid name that is similar to the given one; names in conditions have no dots and are not reserved words.
fn identifier(name: &str, is_declared_only: bool) -> String {
    let is_part = |character: char| {
        character.is_ascii_alphanumeric() || character == '_' || is_declared_only && character == '.'
    };
    let replaced: String =
        name.chars().map(|character| if is_part(character) { character } else { '_' }).collect();
    // `Train(1)` is better called `Train_1` than `Train_1_`.
    let replaced = if name.ends_with(')') { replaced.trim_end_matches('_') } else { &replaced };
    let is_plain = replaced.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && !document::WORDS.contains(&replaced)
        && (is_declared_only || !tokens::WORDS.contains(&replaced))
        // Names with this prefix are reserved.
        && !replaced.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("tck"));
    if is_plain { replaced.to_owned() } else { format!("_{replaced}") }
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

#[cfg(test)]
mod tests {
    use super::identifier;

    #[test]
    fn names_become_valid() {
        for (name, with_dots, without) in [
            ("x", "x", "x"),
            ("P.x", "P.x", "P_x"),
            ("Train(1)", "Train_1", "Train_1"),
            ("a(0,1)", "a_0_1", "a_0_1"),
            ("clock", "_clock", "_clock"),
            ("end", "end", "_end"),
            ("TCKx", "_TCKx", "_TCKx"),
            ("1", "_1", "_1"),
            ("", "_", "_"),
        ] {
            assert_eq!(identifier(name, true), with_dots);
            assert_eq!(identifier(name, false), without);
        }
    }
}
