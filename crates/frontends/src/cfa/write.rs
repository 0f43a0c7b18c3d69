//! Writes a symbolic system as a control flow automaton.
//!
//! Choices and loops become edges between additional locations, which the property does not observe.
//!
//! Invariant: the output for an automaton that was read is read back as the same system. For any other system, the
//! output reaches its error location exactly if the system violates its property.

use std::collections::BTreeSet;
use std::fmt::Write;

use tempora_model::Id;
use tempora_smt::Sort;
use tempora_source::{Diagnostics, Origins};
use tempora_transition::{Observation, StatementKind, SymbolicStatement, SymbolicSystem};

use crate::symbolic::theta::is_reserved;
use crate::symbolic::write::{Dialect, FirstUse, Names, TermWriter, first_use};

static DIALECT: Dialect = Dialect {
    boolean: "bool",
    integer: "int",
    and: "and",
    or: "or",
    not: "not ",
    equal: "=",
    different: "/=",
    modulo: "mod",
    dots_in_names: false,
    has_enumerations: false,
    is_reserved: |word| {
        const OWN: [&str; 12] = [
            "main", "process", "var", "loc", "init", "final", "error", "return", "call", "bool", "int", "rat",
        ];
        OWN.contains(&word) || matches!(word, "bv" | "fp") || is_reserved(word)
    },
};

/// Writes a system; fails with all constructs that control flow automata cannot express.
pub(crate) fn write(system: &SymbolicSystem, origins: &Origins) -> Result<String, Diagnostics> {
    let (terms, names) = TermWriter::new(system, &DIALECT);
    let obstacles = terms.obstacles(origins);
    if !obstacles.is_empty() {
        return Err(obstacles);
    }
    let mut location_names = Names::new(&DIALECT, BTreeSet::new());
    let locations = system.locations.values().map(|location| location_names.choose(&location.name)).collect();
    let mut writer = AutomatonWriter {
        system,
        terms,
        names,
        location_names,
        locations,
        counters: Vec::new(),
        edges: Vec::new(),
    };
    Ok(writer.automaton())
}

struct AutomatonWriter<'system> {
    system: &'system SymbolicSystem,
    terms: TermWriter<'system>,
    names: Names<'static>,
    location_names: Names<'static>,
    /// The names of locations: first those of the system, then those inside its edges.
    locations: Vec<String>,
    /// The additional integer variables of loops.
    counters: Vec<String>,
    /// The edges with their statements.
    edges: Vec<(usize, usize, Vec<String>)>,
}

/// A position inside a statement: the last location, and the statements executed since.
struct EdgePosition {
    location: usize,
    since: Vec<String>,
}

impl AutomatonWriter<'_> {
    fn automaton(&mut self) -> String {
        let system = self.system;
        for edge in system.edges.values() {
            // A variable without a value between steps has an arbitrary value at the start of a step.
            let mut since = Vec::new();
            for (id, variable) in system.variables.iter() {
                if !variable.role.is_state() && first_use(system, &edge.statement, id) == FirstUse::Read {
                    since.push(format!("havoc {}", self.terms.name(id)));
                }
            }
            let mut place = EdgePosition { location: edge.source.index(), since };
            self.statement(&edge.statement, &mut place);
            self.edges.push((place.location, edge.target.index(), place.since));
        }
        let mut initial = system.initial_location.index();
        let error = self.error();
        let formula = system.initial;
        if error == Some(initial) || system.store.as_boolean(formula) != Some(true) {
            let start = self.new_location("begin");
            let assume = match system.store.as_boolean(formula) {
                Some(true) => Vec::new(),
                _ => vec![format!("assume {}", self.terms.term(formula))],
            };
            self.edges.push((start, initial, assume));
            initial = start;
        }
        self.text(initial, error)
    }

    /// Returns the location that is reached exactly if the property is violated.
    fn error(&mut self) -> Option<usize> {
        let property = self.system.properties.first()?;
        let store = &self.system.store;
        let observed: Vec<usize> = match &property.observation {
            Observation::Everywhere => self.system.locations.ids().map(Id::index).collect(),
            Observation::At(locations) => locations.iter().map(|location| location.index()).collect(),
        };
        if let ([one], Some(false)) = (observed.as_slice(), store.as_boolean(property.condition)) {
            return Some(*one);
        }
        let error = self.new_location("violated");
        let violated = match self.system.store.as_boolean(property.condition) {
            Some(false) => Vec::new(),
            _ => vec![format!("assume not ({})", self.terms.term(property.condition))],
        };
        for location in observed {
            self.edges.push((location, error, violated.clone()));
        }
        Some(error)
    }

    fn new_location(&mut self, name: &str) -> usize {
        let name = self.location_names.choose(name);
        self.locations.push(name);
        self.locations.len() - 1
    }

    /// Adds a location after the pending statements, if any, and returns the current location.
    fn close_segment(&mut self, place: &mut EdgePosition) -> usize {
        if !place.since.is_empty() {
            let location = self.new_location("inside");
            self.edges.push((place.location, location, std::mem::take(&mut place.since)));
            place.location = location;
        }
        place.location
    }

    fn statement(&mut self, statement: &SymbolicStatement, place: &mut EdgePosition) {
        match &statement.kind {
            StatementKind::Assign(variable, value) => {
                place.since.push(format!("{} := {}", self.terms.name(*variable), self.terms.term(*value)));
            }
            StatementKind::Assume(condition) => {
                place.since.push(format!("assume {}", self.terms.term(*condition)));
            }
            StatementKind::Havoc(variable) => {
                place.since.push(format!("havoc {}", self.terms.name(*variable)));
            }
            StatementKind::Sequence(parts) => {
                for part in parts {
                    self.statement(part, place);
                }
            }
            StatementKind::Choice(parts) => {
                let before = self.close_segment(place);
                let after = self.new_location("inside");
                for part in parts {
                    let mut branch = EdgePosition { location: before, since: Vec::new() };
                    self.statement(part, &mut branch);
                    self.edges.push((branch.location, after, branch.since));
                }
                place.location = after;
            }
            // Both bounds are evaluated before the first iteration, and the counter keeps its last value after the
            // loop.
            StatementKind::Loop { counter, from, to, body } => {
                let (next, end) = (self.names.choose("next"), self.names.choose("end"));
                place.since.push(format!("{next} := {}", self.terms.term(*from)));
                place.since.push(format!("{end} := {}", self.terms.term(*to)));
                let turn = self.close_segment(place);
                let counts = format!("{} := {next}", self.terms.name(*counter));
                let mut round =
                    EdgePosition { location: turn, since: vec![format!("assume {next} < {end}"), counts] };
                self.statement(body, &mut round);
                round.since.push(format!("{next} := {next} + 1"));
                self.edges.push((round.location, turn, round.since));
                place.since.push(format!("assume {end} <= {next}"));
                self.counters.extend([next, end]);
            }
        }
    }

    fn text(&self, initial: usize, error: Option<usize>) -> String {
        let mut text = String::from("main process system {\n");
        for (id, _) in self.system.variables.iter() {
            let sort = self.terms.sort(self.system.sort_of(id));
            let _ = writeln!(text, "  var {} : {sort}", self.terms.name(id));
        }
        for counter in &self.counters {
            let _ = writeln!(text, "  var {counter} : {}", self.terms.sort(&Sort::Integer));
        }
        for (position, name) in self.locations.iter().enumerate() {
            let word = match position {
                _ if position == initial => "init ",
                _ if Some(position) == error => "error ",
                _ => "",
            };
            let _ = writeln!(text, "  {word}loc {name}");
        }
        for (source, target, statements) in &self.edges {
            let _ = write!(text, "  {} -> {} {{", self.locations[*source], self.locations[*target]);
            for statement in statements {
                let _ = write!(text, "\n    {statement}");
            }
            text.push_str(if statements.is_empty() { "}\n" } else { "\n  }\n" });
        }
        text.push_str("}\n");
        text
    }
}
