//! Prints the text form of symbolic systems, `.sym`.
//!
//! Invariant: [`super::read_system`] reads the text as a system with the same text.

use std::fmt::Write;

use tempora_smt::{print_sort, print_term};

use super::system::{Observation, StatementKind, SymbolicStatement, SymbolicSystem, VariableRole};

/// Returns a system as text.
pub fn print_system(system: &SymbolicSystem) -> String {
    let mut text = String::new();
    let store = &system.store;
    // Writing to a string does not fail.
    for (_, enumeration) in store.enumerations() {
        let _ = writeln!(text, "(enum {} {})", word(&enumeration.name), words(&enumeration.literals));
    }
    for (id, variable) in system.variables.iter() {
        let role = match variable.role {
            VariableRole::State => String::new(),
            role => format!(" {}", role.name()),
        };
        let sort = print_sort(store, system.sort_of(id));
        let _ = writeln!(text, "(var {} {sort}{role})", word(&variable.name));
    }
    for location in system.locations.values() {
        let _ = writeln!(text, "(location {})", word(&location.name));
    }
    let start = word(&system.locations[system.initial_location].name);
    let _ = writeln!(text, "(initial {start} {})", print_term(store, system.initial));
    for edge in system.edges.values() {
        let ends = [edge.source, edge.target].map(|end| word(&system.locations[end].name));
        let _ = write!(text, "(edge {} {} {}", ends[0], ends[1], edge.kind.name());
        write_statement(&mut text, system, &edge.statement, 1);
        text.push_str(")\n");
    }
    for property in &system.properties {
        let place = match &property.observation {
            Observation::Everywhere => "everywhere".to_owned(),
            Observation::At(locations) => {
                let names: Vec<String> =
                    locations.iter().map(|location| word(&system.locations[*location].name)).collect();
                format!("(at {})", names.join(" "))
            }
        };
        // The text form has no escapes, and this text is only for human readers.
        let asked = property.text.replace('"', "'");
        let asked = asked.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(text, "(property \"{asked}\" {place} {})", print_term(store, property.condition));
    }
    text
}

fn write_statement(text: &mut String, system: &SymbolicSystem, statement: &SymbolicStatement, depth: usize) {
    let store = &system.store;
    let name = |variable: crate::StateVariableId| word(&system.variables[variable].name);
    let _ = write!(text, "\n{}", "  ".repeat(depth.min(40)));
    match &statement.kind {
        StatementKind::Assign(variable, value) => {
            let _ = write!(text, "(set {} {})", name(*variable), print_term(store, *value));
        }
        StatementKind::Assume(condition) => {
            let _ = write!(text, "(assume {})", print_term(store, *condition));
        }
        StatementKind::Havoc(variable) => {
            let _ = write!(text, "(havoc {})", name(*variable));
        }
        StatementKind::Sequence(_) => text.push_str("(do"),
        StatementKind::Choice(_) => text.push_str("(choose"),
        StatementKind::Loop { counter, from, to, .. } => {
            let (from, to) = (print_term(store, *from), print_term(store, *to));
            let _ = write!(text, "(for {} {from} {to}", name(*counter));
        }
    }
    for part in statement.parts() {
        write_statement(text, system, part, depth + 1);
    }
    if !matches!(
        statement.kind,
        StatementKind::Assign(..) | StatementKind::Assume(_) | StatementKind::Havoc(_)
    ) {
        text.push(')');
    }
}

fn words(names: &[String]) -> String {
    names.iter().map(|name| word(name)).collect::<Vec<_>>().join(" ")
}

/// Quotes a name so that it is read back unchanged.
fn word(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.$'".contains(&byte);
    if !name.is_empty() && name.bytes().all(is_plain) && !name.as_bytes()[0].is_ascii_digit() {
        name.to_owned()
    } else {
        format!("|{name}|")
    }
}
