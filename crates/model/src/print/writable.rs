//! Replaces names that are invalid in the `.net` language.
//!
//! Invariant: a network with valid names is not changed; otherwise the new names are valid, and distinct names stay
//! distinct. Renaming is deterministic.

use std::collections::{BTreeMap, BTreeSet};

use crate::expression::Statement;
use crate::network::Network;
use tempora_syntax::is_name;

/// Renames everything with an invalid name, and returns the new names of labels, which queries repeat.
pub(super) fn rename(network: &mut Network) -> BTreeMap<String, String> {
    let mut taken: BTreeSet<String> =
        network.variables.values().map(|variable| variable.name.clone()).collect();
    taken.extend(network.functions.values().map(|function| function.name.clone()));
    taken.extend(network.processes.values().map(|process| process.name.clone()));
    for id in network.variables.ids() {
        writable(&mut network.variables[id].name, &mut taken);
    }
    for id in network.functions.ids() {
        let function = &mut network.functions[id];
        writable(&mut function.name, &mut taken);
        // The printer makes bound names distinct.
        for parameter in &mut function.parameters {
            writable(&mut parameter.name, &mut BTreeSet::new());
        }
        for statement in &mut function.body {
            rename_locals(statement);
        }
    }
    let mut templates: BTreeMap<String, String> = BTreeMap::new();
    for id in network.processes.ids() {
        let process = &mut network.processes[id];
        // The arguments in the name of a process are kept.
        let (plain, arguments) = match process.name.find('(') {
            Some(open) => process.name.split_at(open),
            None => (process.name.as_str(), ""),
        };
        let mut name = plain.to_owned();
        let is_own_template = process.template == name;
        writable(&mut name, &mut taken);
        if is_own_template {
            process.template.clone_from(&name);
        } else {
            // The processes of one template keep a common template.
            let renamed = templates.entry(process.template.clone()).or_insert_with(|| {
                let mut template = process.template.clone();
                writable(&mut template, &mut taken);
                template
            });
            process.template.clone_from(renamed);
        }
        process.name = name + arguments;
        let mut locations: BTreeSet<String> =
            process.locations.values().filter_map(|location| location.name.clone()).collect();
        for location in process.locations.ids() {
            if let Some(name) = &mut process.locations[location].name {
                writable(name, &mut locations);
            }
        }
    }
    let mut events: BTreeSet<String> = network.events.values().cloned().collect();
    for id in network.events.ids() {
        writable(&mut network.events[id], &mut events);
    }
    rename_labels(network)
}

fn rename_locals(statement: &mut Statement) {
    match statement {
        Statement::Declare { name, .. } => writable(name, &mut BTreeSet::new()),
        Statement::Block(statements) => statements.iter_mut().for_each(rename_locals),
        Statement::If { then, otherwise, .. } => {
            rename_locals(then);
            if let Some(otherwise) = otherwise {
                rename_locals(otherwise);
            }
        }
        Statement::While { body, .. } | Statement::DoWhile { body, .. } | Statement::ForEach { body, .. } => {
            rename_locals(body);
        }
        Statement::Evaluate(_) | Statement::Return(..) | Statement::Assert(_) => {}
    }
}

/// Renames labels; returns the new name of each renamed one.
fn rename_labels(network: &mut Network) -> BTreeMap<String, String> {
    let mut taken: BTreeSet<String> = network
        .processes
        .values()
        .flat_map(|process| process.locations.values())
        .flat_map(|location| location.labels.iter().cloned())
        .collect();
    let mut renamed = BTreeMap::new();
    for label in taken.clone() {
        let mut name = label.clone();
        writable(&mut name, &mut taken);
        if name != label {
            renamed.insert(label, name);
        }
    }
    for process in network.processes.ids() {
        let process = &mut network.processes[process];
        for location in process.locations.ids() {
            for label in &mut process.locations[location].labels {
                if let Some(name) = renamed.get(label) {
                    label.clone_from(name);
                }
            }
        }
    }
    renamed
}

/// Replaces an invalid name by a valid one that is not taken.
fn writable(name: &mut String, taken: &mut BTreeSet<String>) {
    if is_name(name) {
        return;
    }
    let mut wanted: String = name
        .chars()
        .map(|character| if character.is_ascii_alphanumeric() { character } else { '_' })
        .collect();
    if !is_name(&wanted) {
        // Empty, a digit in front, or a keyword.
        wanted.insert(0, '_');
    }
    let mut new = wanted.clone();
    let mut number = 1;
    while !taken.insert(new.clone()) {
        new = format!("{wanted}_{number}");
        number += 1;
    }
    *name = new;
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::writable;

    #[test]
    fn invalid_names_become_valid_and_stay_distinct() {
        let mut taken = BTreeSet::from(["a_b".to_owned()]);
        for (name, expected) in
            [("ok", "ok"), ("a.b", "a_b_1"), ("a-b", "a_b_2"), ("init", "_init"), ("1", "_1"), ("", "_")]
        {
            let mut name = name.to_owned();
            writable(&mut name, &mut taken);
            assert_eq!(name, expected);
        }
    }
}
