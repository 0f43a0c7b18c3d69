//! What a symbolic system is.
//!
//! A state is a control location and a value for every variable. A run begins at the initial location, with values that
//! satisfy the initial formula; each step takes an edge from the location and executes its statement as a whole: it is
//! possible if all assumptions hold along the branches that are chosen.
//!
//! Invariant: all terms are of the system's own store; those of initial formula, statements and properties speak about
//! the symbols of variables only.

use tempora_smt::{Sort, SymbolId, TermId, TermStore};
use tempora_source::Origin;

use crate::{ControlEdgeId, ControlLocationId, StateVariableId, Table};

/// A system over unbounded data.
#[derive(Clone, Debug)]
pub struct SymbolicSystem {
    /// The terms, and the enumerations.
    pub store: TermStore,
    /// The variables.
    pub variables: Table<StateVariableId, StateVariable>,
    /// The control locations.
    pub locations: Table<ControlLocationId, ControlLocation>,
    /// Where runs begin.
    pub initial_location: ControlLocationId,
    /// What holds of the values with which runs begin.
    pub initial: TermId,
    /// The edges.
    pub edges: Table<ControlEdgeId, ControlEdge>,
    /// What is claimed.
    pub properties: Vec<SafetyProperty>,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateVariable {
    /// Its name, which no other variable has.
    pub name: String,
    /// The symbol that stands for it in terms.
    pub symbol: SymbolId,
    /// What it is for.
    pub role: VariableRole,
    /// Where it comes from.
    pub origin: Origin,
}

/// What a variable is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum VariableRole {
    /// It is part of the state.
    State,
    /// It is part of the state, and says where the system is rather than what it computes with.
    Control,
    /// It is part of the state, and what others see of it.
    Output,
    /// It is part of the state, a real number that grows while time passes and is set otherwise.
    Clock,
    /// It is part of the state, and says something about the last step.
    Flag,
    /// It is part of the state, but nothing depends on it but other ghosts and properties.
    Ghost,
    /// It is chosen anew in each step, by a havoc at its beginning; it is no part of the state.
    Input,
    /// It has a meaning only inside of a step; initial formula and properties do not speak about it.
    Local,
}

impl VariableRole {
    /// All roles, the one that goes without saying first.
    pub const ALL: [VariableRole; 8] = [
        VariableRole::State,
        VariableRole::Control,
        VariableRole::Output,
        VariableRole::Clock,
        VariableRole::Flag,
        VariableRole::Ghost,
        VariableRole::Input,
        VariableRole::Local,
    ];

    /// Whether variables of this role have values between steps.
    pub fn is_state(self) -> bool {
        !matches!(self, VariableRole::Input | VariableRole::Local)
    }

    /// Its name in text forms.
    pub fn name(self) -> &'static str {
        match self {
            VariableRole::State => "data",
            VariableRole::Control => "control",
            VariableRole::Output => "output",
            VariableRole::Clock => "clock",
            VariableRole::Flag => "flag",
            VariableRole::Ghost => "ghost",
            VariableRole::Input => "input",
            VariableRole::Local => "local",
        }
    }
}

/// A control location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ControlLocation {
    /// Its name, which no other location has.
    pub name: String,
    /// Where it comes from.
    pub origin: Origin,
}

/// An edge between control locations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ControlEdge {
    /// Where it begins.
    pub source: ControlLocationId,
    /// Where it leads.
    pub target: ControlLocationId,
    /// Whose step it is.
    pub kind: EdgeKind,
    /// What is done.
    pub statement: SymbolicStatement,
    /// Where it comes from.
    pub origin: Origin,
}

/// Whose step an edge is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EdgeKind {
    /// Part of the initialisation.
    Initialisation,
    /// Of the environment.
    Environment,
    /// Of the system itself.
    Step,
    /// Of time: all clocks grow by the same number, and nothing else changes.
    Delay,
    /// Of nobody: nothing changes.
    Stutter,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolicStatement {
    /// What is done.
    pub kind: StatementKind,
    /// Where it comes from.
    pub origin: Origin,
}

/// What a statement does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StatementKind {
    /// The variable gets the value of the term.
    Assign(StateVariableId, TermId),
    /// Nothing, but it is only possible if the formula holds.
    Assume(TermId),
    /// The variable gets any value.
    Havoc(StateVariableId),
    /// One after the other.
    Sequence(Vec<SymbolicStatement>),
    /// One of them; it is possible if one of them is.
    Choice(Vec<SymbolicStatement>),
    /// The body for each value of the counter from the first to before the second; both are worked out at the start, and
    /// the body does not change the counter.
    Loop {
        /// The counter, a local variable.
        counter: StateVariableId,
        /// Its first value.
        from: TermId,
        /// The value that it does not reach.
        to: TermId,
        /// What is repeated.
        body: Box<SymbolicStatement>,
    },
}

/// Something that is claimed about all states that can be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SafetyProperty {
    /// How it was asked.
    pub text: String,
    /// What has to hold.
    pub condition: TermId,
    /// Where it has to hold.
    pub observation: Observation,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a property has to hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Observation {
    /// In every state.
    Everywhere,
    /// In states at these locations.
    At(Vec<ControlLocationId>),
}

impl SymbolicSystem {
    /// The sort of a variable.
    pub fn sort_of(&self, variable: StateVariableId) -> &Sort {
        self.store.symbol_sort(self.variables[variable].symbol)
    }

    /// The term that is a variable.
    pub fn term_of(&self, variable: StateVariableId) -> TermId {
        self.store.symbol(self.variables[variable].symbol)
    }

    /// The edges that begin at a location, in order.
    pub fn edges_from(
        &self,
        location: ControlLocationId,
    ) -> impl Iterator<Item = (ControlEdgeId, &ControlEdge)> {
        self.edges.iter().filter(move |(_, edge)| edge.source == location)
    }
}

impl SafetyProperty {
    /// Whether it says something about states at a location.
    pub fn is_observed_at(&self, location: ControlLocationId) -> bool {
        match &self.observation {
            Observation::Everywhere => true,
            Observation::At(locations) => locations.contains(&location),
        }
    }
}

impl SymbolicStatement {
    /// The statements that it is made of.
    pub fn parts(&self) -> &[SymbolicStatement] {
        match &self.kind {
            StatementKind::Sequence(parts) | StatementKind::Choice(parts) => parts,
            StatementKind::Loop { body, .. } => std::slice::from_ref(body),
            StatementKind::Assign(..) | StatementKind::Assume(_) | StatementKind::Havoc(_) => &[],
        }
    }
}

impl EdgeKind {
    /// All kinds.
    pub const ALL: [EdgeKind; 5] =
        [EdgeKind::Initialisation, EdgeKind::Environment, EdgeKind::Step, EdgeKind::Delay, EdgeKind::Stutter];

    /// Its name in text forms.
    pub fn name(self) -> &'static str {
        match self {
            EdgeKind::Initialisation => "init",
            EdgeKind::Environment => "env",
            EdgeKind::Step => "step",
            EdgeKind::Delay => "delay",
            EdgeKind::Stutter => "stutter",
        }
    }
}
