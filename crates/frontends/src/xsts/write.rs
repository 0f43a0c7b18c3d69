//! Writes a symbolic system as an XSTS model.
//!
//! A system whose edges take turns like those of an XSTS model is written directly. For any other system, a control
//! variable holds the location, and the edges become transitions.
//!
//! Invariant: the output for a model that was read is read back as the same system, except for names that hide others.
//! For any other system, the output violates its property exactly if the system does.

use std::collections::BTreeSet;
use std::fmt::Write;

use tempora_smt::{Operator, SymbolId, Term, TermId};
use tempora_source::{Diagnostics, Origins};
use tempora_transition::{
    ControlEdge, EdgeKind, Observation, SafetyProperty, StateVariableId, StatementKind, SymbolicStatement,
    SymbolicSystem, VariableRole,
};

use super::parse::WORDS;
use crate::symbolic::write::{Dialect, FirstUse, Names, TermWriter, first_use};

static DIALECT: Dialect = Dialect {
    boolean: "boolean",
    integer: "integer",
    and: "&&",
    or: "||",
    not: "!",
    equal: "==",
    different: "!=",
    modulo: "%",
    dots_in_names: true,
    has_enumerations: true,
    is_reserved: |word| {
        let digits = word.strip_prefix("temp").filter(|rest| !rest.is_empty());
        WORDS.contains(&word)
            || word == "ort"
            || digits.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
    },
};

/// Writes a system; fails with all constructs that XSTS cannot express.
pub(crate) fn write(system: &SymbolicSystem, origins: &Origins) -> Result<String, Diagnostics> {
    let (terms, names) = TermWriter::new(system, &DIALECT);
    let mut obstacles = terms.obstacles(origins);
    let writer = ModelWriter { system, terms, counters: counters(system) };
    writer.used_counters(origins, &mut obstacles);
    if !obstacles.is_empty() {
        return Err(obstacles);
    }
    let initial = Initial::of(system);
    Ok(if initial.rest.is_empty() && takes_turns(system) {
        writer.turns(&initial)
    } else {
        writer.located(&initial, names)
    })
}

/// The initial condition, divided into declarations and a rest.
struct Initial {
    /// The initial values of declarations, in the order of variables.
    values: Vec<Option<TermId>>,
    /// The remaining conjuncts.
    rest: Vec<TermId>,
}

impl Initial {
    fn of(system: &SymbolicSystem) -> Initial {
        let store = &system.store;
        let mut rest = store.conjuncts(system.initial);
        rest.retain(|conjunct| store.as_boolean(*conjunct) != Some(true));
        let mut declared: BTreeSet<SymbolId> = BTreeSet::new();
        let mut values = Vec::new();
        for (id, variable) in system.variables.iter() {
            let own = system.term_of(id);
            let value_in = |conjunct: TermId| match store.term(conjunct) {
                Term::Apply(Operator::Equal, sides) => {
                    let other = if sides[0] == own { sides[1] } else { sides[0] };
                    let is_own = sides.contains(&own);
                    (is_own && store.symbols_of(&[other]).is_subset(&declared)).then_some(other)
                }
                _ => None,
            };
            // A Boolean variable or its negation is an initial value too.
            let found = rest.iter().position(|conjunct| match store.term(*conjunct) {
                Term::Apply(Operator::Not, inner) => inner[0] == own,
                _ => *conjunct == own || value_in(*conjunct).is_some(),
            });
            values.push(
                found.map(|found| rest.remove(found)).map(|conjunct| value_in(conjunct).unwrap_or(conjunct)),
            );
            declared.insert(variable.symbol);
        }
        Initial { values, rest }
    }
}

/// Returns whether the edges form an XSTS model: an initialisation, then environment and system in turns.
fn takes_turns(system: &SymbolicSystem) -> bool {
    let mut places = system.locations.ids();
    let (Some(start), Some(settled), Some(informed), None) =
        (places.next(), places.next(), places.next(), places.next())
    else {
        return false;
    };
    let turns = [
        (EdgeKind::Initialisation, start, settled),
        (EdgeKind::Environment, settled, informed),
        (EdgeKind::Step, informed, settled),
    ];
    let turn_of = |edge: &ControlEdge| turns.contains(&(edge.kind, edge.source, edge.target));
    let has_edge = |kind: EdgeKind| system.edges.values().any(|edge| edge.kind == kind);
    system.initial_location == start
        && system.edges.values().all(turn_of)
        && turns.iter().all(|(kind, ..)| has_edge(*kind))
        && system.properties.iter().all(|property| property.observation == Observation::Everywhere)
}

/// Returns the counters of loops, which need no declaration.
fn counters(system: &SymbolicSystem) -> BTreeSet<StateVariableId> {
    let mut counters = BTreeSet::new();
    let mut open: Vec<&SymbolicStatement> = system.edges.values().map(|edge| &edge.statement).collect();
    while let Some(statement) = open.pop() {
        open.extend(statement.parts());
        if let StatementKind::Loop { counter, .. } = &statement.kind {
            counters.insert(*counter);
        }
    }
    counters
}

struct ModelWriter<'system> {
    system: &'system SymbolicSystem,
    terms: TermWriter<'system>,
    counters: BTreeSet<StateVariableId>,
}

impl ModelWriter<'_> {
    /// Refuses counters that are used outside their loop.
    fn used_counters(&self, origins: &Origins, obstacles: &mut Diagnostics) {
        for edge in self.system.edges.values() {
            for counter in &self.counters {
                if self.is_used_outside(&edge.statement, *counter) {
                    let what =
                        format!("the counter `{}` outside of its loop", self.system.variables[*counter].name);
                    obstacles.push(self.terms.obstacle(
                        &what,
                        edge.origin,
                        origins,
                        "assign it to another variable in the loop",
                    ));
                }
            }
        }
    }

    fn is_used_outside(&self, statement: &SymbolicStatement, counter: StateVariableId) -> bool {
        match &statement.kind {
            StatementKind::Loop { counter: own, from, to, .. } if *own == counter => {
                let symbols = self.system.store.symbols_of(&[*from, *to]);
                symbols.contains(&self.system.variables[counter].symbol)
            }
            _ if !statement.parts().is_empty() => {
                let is_bound = match &statement.kind {
                    StatementKind::Loop { from, to, .. } => {
                        let symbols = self.system.store.symbols_of(&[*from, *to]);
                        symbols.contains(&self.system.variables[counter].symbol)
                    }
                    _ => false,
                };
                is_bound || statement.parts().iter().any(|part| self.is_used_outside(part, counter))
            }
            _ => first_use(self.system, statement, counter) != FirstUse::None,
        }
    }

    fn turns(&self, initial: &Initial) -> String {
        let mut text = self.declarations(initial);
        let sections =
            [("trans", EdgeKind::Step), ("init", EdgeKind::Initialisation), ("env", EdgeKind::Environment)];
        for (word, kind) in sections {
            let mut word = word;
            let mut edges = self.system.edges.values().filter(|edge| edge.kind == kind).peekable();
            while let Some(edge) = edges.next() {
                let _ = write!(text, "{word} ");
                match edge.statement.kind {
                    // The next alternative would be read as a part of the choice.
                    StatementKind::Choice(_) | StatementKind::Loop { .. } if edges.peek().is_some() => {
                        let block = StatementKind::Sequence(vec![edge.statement.clone()]);
                        let block = SymbolicStatement { kind: block, origin: edge.statement.origin };
                        self.edge(&mut text, &block, &[], &[]);
                    }
                    _ => self.edge(&mut text, &edge.statement, &[], &[]),
                }
                text.push('\n');
                word = "or";
            }
        }
        for property in &self.system.properties {
            let _ = writeln!(text, "prop {{ {} }}", self.terms.term(property.condition));
        }
        text
    }

    fn located(&self, initial: &Initial, mut names: Names<'static>) -> String {
        let mut types =
            Names::new(&DIALECT, self.terms.enumerations.iter().map(|(name, _)| name.clone()).collect());
        let kind = types.choose("Location");
        let location = names.choose("location");
        let mut literals = Names::of_literals(&DIALECT);
        let mut choose = |wanted: &str| {
            // The language refuses a variable with the name of a literal.
            let mut chosen = literals.choose(wanted);
            while self.terms.symbols.contains(&chosen) || chosen == location {
                chosen = literals.choose(&format!("{wanted}_at"));
            }
            chosen
        };
        let places: Vec<String> = self.system.locations.values().map(|place| choose(&place.name)).collect();
        let at = |place: tempora_transition::ControlLocationId| {
            format!("{kind}.{}", places[tempora_model::Id::index(place)])
        };
        // The property is not observed before the initial condition has been assumed.
        let before = (!initial.rest.is_empty()).then(|| choose("before"));
        let mut listed = places.clone();
        listed.extend(before.clone());
        let first = match &before {
            Some(before) => format!("{kind}.{before}"),
            None => at(self.system.initial_location),
        };
        let mut text = format!("type {kind} : {{ {} }}\n", listed.join(", "));
        text.push_str(&self.declarations(initial));
        let _ = writeln!(text, "ctrl var {location} : {kind} = {first}");
        let mut word = "trans";
        for edge in self.system.edges.values() {
            let _ = write!(text, "{word} ");
            let assume = format!("assume {location} == {};", at(edge.source));
            let assign = format!("{location} := {};", at(edge.target));
            self.edge(&mut text, &edge.statement, &[assume], &[assign]);
            text.push('\n');
            word = "or";
        }
        if self.system.edges.values().next().is_none() {
            text.push_str("trans {}\n");
        }
        text.push_str("init {\n");
        if before.is_some() {
            for formula in &initial.rest {
                let _ = writeln!(text, "  assume {};", self.terms.term(*formula));
            }
            let _ = writeln!(text, "  {location} := {};", at(self.system.initial_location));
        }
        text.push_str("}\nenv {}\n");
        for property in &self.system.properties {
            let SafetyProperty { condition, observation, .. } = property;
            let unseen: Vec<String> = match observation {
                Observation::Everywhere => {
                    before.iter().map(|before| format!("{location} == {kind}.{before}")).collect()
                }
                Observation::At(seen) => {
                    vec![format!(
                        "!({})",
                        seen.iter()
                            .map(|place| format!("{location} == {}", at(*place)))
                            .collect::<Vec<_>>()
                            .join(" || ")
                    )]
                }
            };
            let mut parts = unseen;
            parts.push(format!("({})", self.terms.term(*condition)));
            let _ = writeln!(text, "prop {{ {} }}", parts.join(" || "));
        }
        text
    }

    fn declarations(&self, initial: &Initial) -> String {
        let mut text = String::new();
        for (name, literals) in &self.terms.enumerations {
            let _ = writeln!(text, "type {name} : {{ {} }}", literals.join(", "));
        }
        for ((id, variable), value) in self.system.variables.iter().zip(&initial.values) {
            if !variable.role.is_state() {
                continue;
            }
            let control = if variable.role == VariableRole::Control { "ctrl " } else { "" };
            let sort = self.terms.sort(self.system.sort_of(id));
            let _ = write!(text, "{control}var {} : {sort}", self.terms.name(id));
            let own = self.system.term_of(id);
            let _ = match value {
                // The value is the variable itself, which means true, or a formula about it, which means false.
                Some(value) if *value == own => write!(text, " = true"),
                Some(value) if self.system.store.symbols_of(&[*value]).contains(&variable.symbol) => {
                    write!(text, " = false")
                }
                Some(value) => write!(text, " = {}", self.terms.term(*value)),
                None => Ok(()),
            };
            text.push('\n');
        }
        text
    }

    /// Writes a statement as an alternative, with lines before and after it.
    fn edge(&self, text: &mut String, statement: &SymbolicStatement, before: &[String], after: &[String]) {
        let locals: Vec<StateVariableId> = self
            .system
            .variables
            .iter()
            .filter(|(id, variable)| !variable.role.is_state() && !self.counters.contains(id))
            .map(|(id, _)| id)
            .filter(|id| first_use(self.system, statement, *id) != FirstUse::None)
            .collect();
        match &statement.kind {
            StatementKind::Sequence(parts) => self.block(text, parts, &locals, 0, before, after),
            // Declarations need a block.
            _ if !locals.is_empty() || !before.is_empty() => {
                self.block(text, std::slice::from_ref(statement), &locals, 0, before, after);
            }
            _ => self.statement(text, statement, &locals, 0),
        }
    }

    /// Writes a sequence of statements, and declares the undeclared variables that cannot be declared in an inner
    /// block.
    fn block(
        &self,
        text: &mut String,
        parts: &[SymbolicStatement],
        undeclared: &[StateVariableId],
        depth: usize,
        before: &[String],
        after: &[String],
    ) {
        if parts.is_empty() && before.is_empty() && after.is_empty() {
            text.push_str("{}");
            return;
        }
        let indent = "  ".repeat((depth + 1).min(40));
        text.push_str("{\n");
        for line in before {
            let _ = writeln!(text, "{indent}{line}");
        }
        let mut open = undeclared.to_vec();
        for (position, part) in parts.iter().enumerate() {
            let mut inside = Vec::new();
            let mut declared_by_itself = None;
            for variable in std::mem::take(&mut open) {
                let found = first_use(self.system, part, variable);
                let is_used_later = || {
                    parts[position + 1..]
                        .iter()
                        .any(|later| first_use(self.system, later, variable) != FirstUse::None)
                };
                match found {
                    FirstUse::None => open.push(variable),
                    FirstUse::Assigned if part.parts().is_empty() => declared_by_itself = Some(variable),
                    FirstUse::Assigned if !is_used_later() => inside.push(variable),
                    FirstUse::Assigned | FirstUse::Read => {
                        let sort = self.terms.sort(self.system.sort_of(variable));
                        let _ = writeln!(text, "{indent}local var {} : {sort};", self.terms.name(variable));
                    }
                }
            }
            text.push_str(&indent);
            match (declared_by_itself, &part.kind) {
                (Some(variable), kind) => {
                    let sort = self.terms.sort(self.system.sort_of(variable));
                    let _ = write!(text, "local var {} : {sort}", self.terms.name(variable));
                    if let StatementKind::Assign(_, value) = kind {
                        let _ = write!(text, " = {}", self.terms.term(*value));
                    }
                    text.push(';');
                }
                (None, _) => self.statement(text, part, &inside, depth + 1),
            }
            text.push('\n');
        }
        for line in after {
            let _ = writeln!(text, "{indent}{line}");
        }
        let _ = write!(text, "{}}}", "  ".repeat(depth.min(40)));
    }

    fn statement(
        &self,
        text: &mut String,
        statement: &SymbolicStatement,
        undeclared: &[StateVariableId],
        depth: usize,
    ) {
        let _ = match &statement.kind {
            StatementKind::Assign(variable, value) => {
                write!(text, "{} := {};", self.terms.name(*variable), self.terms.term(*value))
            }
            StatementKind::Assume(condition) => write!(text, "assume {};", self.terms.term(*condition)),
            StatementKind::Havoc(variable) => write!(text, "havoc {};", self.terms.name(*variable)),
            StatementKind::Sequence(parts) => {
                self.block(text, parts, undeclared, depth, &[], &[]);
                Ok(())
            }
            StatementKind::Choice(parts) => {
                let mut word = "choice";
                for part in parts {
                    let _ = write!(text, "{word} ");
                    self.branch(text, part, undeclared, depth);
                    word = " or";
                }
                Ok(())
            }
            StatementKind::Loop { counter, from, to, body } => {
                let (from, to) = (self.terms.term(*from), self.terms.term(*to));
                let _ = write!(text, "for {} from {from} to {to} do ", self.terms.name(*counter));
                self.branch(text, body, undeclared, depth);
                Ok(())
            }
        };
    }

    /// Writes a statement inside a choice or a loop; an inner choice needs a block, to separate its branches.
    fn branch(
        &self,
        text: &mut String,
        statement: &SymbolicStatement,
        undeclared: &[StateVariableId],
        depth: usize,
    ) {
        let declares =
            undeclared.iter().any(|variable| first_use(self.system, statement, *variable) != FirstUse::None);
        match &statement.kind {
            StatementKind::Sequence(_) => self.statement(text, statement, undeclared, depth),
            StatementKind::Choice(_) | StatementKind::Loop { .. } => {
                self.block(text, std::slice::from_ref(statement), undeclared, depth, &[], &[]);
            }
            _ if declares => self.block(text, std::slice::from_ref(statement), undeclared, depth, &[], &[]),
            _ => self.statement(text, statement, undeclared, depth),
        }
    }
}
