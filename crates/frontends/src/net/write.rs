//! Networks written as `.net` files.
//!
//! Invariant: names that other languages allow and this one does not, such as those with dots, are replaced by others
//! that nothing else has; everything else is as [`print_network`] prints it.

use std::collections::BTreeSet;

use tempora_model::syntax::is_name;
use tempora_model::{
    Expression, ExpressionKind, Formula, Network, Query, QueryKind, Statement, print_network, print_query,
};
use tempora_source::{Diagnostics, Origins};

use crate::Writer;

/// The writer, for the registry.
pub(crate) const WRITER: Writer = Writer { name: "net", extension: "net", write };

#[expect(clippy::unnecessary_wraps, reason = "other languages cannot say everything")]
fn write(network: &Network, queries: &[Query], _: &Origins) -> Result<String, Diagnostics> {
    let mut network = network.clone();
    let mut queries = queries.to_vec();
    rename(&mut network, &mut queries);
    let mut text = print_network(&network);
    if !queries.is_empty() {
        text.push('\n');
    }
    for query in &queries {
        text.push_str(&format!("query {};\n", print_query(&network, query)));
    }
    Ok(text)
}

/// Gives other names to what cannot be named so in this language.
fn rename(network: &mut Network, queries: &mut [Query]) {
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
            writable(&mut process.template, &mut taken);
        }
        process.name = name + arguments;
        let mut locations: BTreeSet<String> =
            process.locations.values().filter_map(|location| location.name.clone()).collect();
        for location in process.locations.ids().collect::<Vec<_>>() {
            if let Some(name) = &mut process.locations[location].name {
                writable(name, &mut locations);
            }
        }
    }
    let mut events: BTreeSet<String> = network.events.values().cloned().collect();
    for id in network.events.ids() {
        writable(&mut network.events[id], &mut events);
    }
    rename_labels(network, queries);
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

fn rename_labels(network: &mut Network, queries: &mut [Query]) {
    let mut taken: BTreeSet<String> = network
        .processes
        .values()
        .flat_map(|process| process.locations.values())
        .flat_map(|location| location.labels.iter().cloned())
        .collect();
    let odd: Vec<String> = taken.iter().filter(|label| !is_name(label)).cloned().collect();
    for label in odd {
        let mut name = label.clone();
        writable(&mut name, &mut taken);
        for process in network.processes.ids() {
            let process = &mut network.processes[process];
            for location in process.locations.ids().collect::<Vec<_>>() {
                for other in process.locations[location].labels.iter_mut().filter(|other| **other == label) {
                    other.clone_from(&name);
                }
            }
        }
        for query in queries.iter_mut() {
            if let QueryKind::Formula(formula) = &mut query.kind {
                rename_in_formula(formula, &label, &name);
            }
        }
    }
}

fn rename_in_formula(formula: &mut Formula, label: &str, name: &str) {
    match formula {
        Formula::Possibly(predicate) => rename_in_predicate(predicate, label, name),
        Formula::InfinitelyOften(predicates) => {
            predicates.iter_mut().for_each(|predicate| rename_in_predicate(predicate, label, name));
        }
        Formula::Not(inner) => rename_in_formula(inner, label, name),
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter_mut().for_each(|part| rename_in_formula(part, label, name));
        }
        // Labels stand in the two forms of queries about them only.
        Formula::Always(_)
        | Formula::PotentiallyAlways(_)
        | Formula::Eventually(_)
        | Formula::LeadsTo { .. }
        | Formula::AlwaysPossibly { .. } => {}
    }
}

fn rename_in_predicate(predicate: &mut Expression, label: &str, name: &str) {
    match &mut predicate.kind {
        ExpressionKind::HasLabel(other) if other == label => name.clone_into(other),
        ExpressionKind::Binary { left, right, .. } => {
            rename_in_predicate(left, label, name);
            rename_in_predicate(right, label, name);
        }
        _ => {}
    }
}

/// Words that are names in most places, but not in all where a name is written.
const WORDS_OF_PLACES: [&str; 6] = ["branchpoint", "committed", "event", "location", "query", "vector"];

/// Replaces a name that cannot be written by one that can and that is not taken.
fn writable(name: &mut String, taken: &mut BTreeSet<String>) {
    if is_name(name) && !WORDS_OF_PLACES.contains(&name.as_str()) {
        return;
    }
    let mut wanted: String = name
        .chars()
        .map(|character| if character.is_ascii_alphanumeric() { character } else { '_' })
        .collect();
    if !is_name(&wanted) || WORDS_OF_PLACES.contains(&wanted.as_str()) {
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
