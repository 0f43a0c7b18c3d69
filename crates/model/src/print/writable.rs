//! Names that the `.net` language cannot write, and other names for them.
//!
//! Invariant: a network whose names can be written is not changed; otherwise the new names are names of the language, and
//! are as different from each other and from the others as the old ones were. The same network gives the same names.

use std::collections::{BTreeMap, BTreeSet};

use crate::expression::Statement;
use crate::network::Network;
use tempora_syntax::is_name;

/// Gives other names to what cannot be named so in this language, and says those of labels, which queries repeat.
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
        // Names of bound things are kept apart where they are printed.
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
        // The arguments in the name of a process are written as they are.
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
            // The processes of a template still have the same one.
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

/// Gives other names to labels; those that have got one, with it.
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

/// Replaces a name that cannot be written by one that can and that is not taken.
fn writable(name: &mut String, taken: &mut BTreeSet<String>) {
    if is_name(name) {
        return;
    }
    let mut wanted: String = name
        .chars()
        .map(|character| if character.is_ascii_alphanumeric() { character } else { '_' })
        .collect();
    if !is_name(&wanted) {
        // Nothing, a digit in front, or a word of the language.
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
    fn names_are_made_writable_and_stay_different() {
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
