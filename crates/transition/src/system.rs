//! Defines symbolic systems: transition systems over unbounded data.
//!
//! A state is a control location and a value for every variable. A run begins at the initial location, with values that
//! satisfy the initial formula; each step takes an edge from the location and executes its statement atomically: it is
//! possible if all assumptions hold along the chosen branches.
//!
//! Invariant: all terms belong to the system's store; those of the initial formula, statements and properties contain
//! only symbols of variables.

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
    /// The initial location.
    pub initial_location: ControlLocationId,
    /// The condition on initial values.
    pub initial: TermId,
    /// The edges.
    pub edges: Table<ControlEdgeId, ControlEdge>,
    /// The properties.
    pub properties: Vec<SafetyProperty>,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateVariable {
    /// Its unique name.
    pub name: String,
    /// The symbol that stands for it in terms.
    pub symbol: SymbolId,
    /// Its role.
    pub role: VariableRole,
    /// Its origin.
    pub origin: Origin,
}

/// The role of a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum VariableRole {
    /// A part of the state.
    State,
    /// A part of the state that represents control rather than data.
    Control,
    /// A part of the state that is visible to the outside.
    Output,
    /// A part of the state: a real number that grows while time passes and can be set.
    Clock,
    /// A part of the state with information about the last step.
    Flag,
    /// A part of the state on which only other ghosts and properties depend.
    Ghost,
    /// Chosen anew by a havoc at the beginning of each step; not part of the state.
    Input,
    /// Has a value only inside of a step; not allowed in the initial formula and properties.
    Local,
}

impl VariableRole {
    /// All roles, the default one first.
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

    /// Returns whether variables of this role have values between steps.
    pub fn is_state(self) -> bool {
        !matches!(self, VariableRole::Input | VariableRole::Local)
    }

    /// Returns its name in text forms.
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
    /// Its unique name.
    pub name: String,
    /// Its origin.
    pub origin: Origin,
}

/// An edge between control locations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ControlEdge {
    /// The source.
    pub source: ControlLocationId,
    /// The target.
    pub target: ControlLocationId,
    /// The kind of step.
    pub kind: EdgeKind,
    /// The statement that is executed.
    pub statement: SymbolicStatement,
    /// Its origin.
    pub origin: Origin,
}

/// The kind of step of an edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EdgeKind {
    /// A part of the initialisation.
    Initialisation,
    /// A step of the environment.
    Environment,
    /// A step of the system.
    Step,
    /// A delay: all clocks grow by the same number, and nothing else changes.
    Delay,
    /// A stuttering step: nothing changes.
    Stutter,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolicStatement {
    /// The kind of statement.
    pub kind: StatementKind,
    /// Its origin.
    pub origin: Origin,
}

/// The kinds of statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StatementKind {
    /// Assigns the value of the term to the variable.
    Assign(StateVariableId, TermId),
    /// Is executable only if the formula holds, and changes nothing.
    Assume(TermId),
    /// Assigns an arbitrary value to the variable.
    Havoc(StateVariableId),
    /// Executes the statements in order.
    Sequence(Vec<SymbolicStatement>),
    /// Executes one of the statements that are executable.
    Choice(Vec<SymbolicStatement>),
    /// Executes the body for each value of the counter from the lower bound to before the upper bound. The bounds are
    /// evaluated once, and the body does not change the counter.
    Loop {
        /// The counter, a local variable.
        counter: StateVariableId,
        /// The lower bound.
        from: TermId,
        /// The upper bound, exclusive.
        to: TermId,
        /// The repeated statement.
        body: Box<SymbolicStatement>,
    },
}

/// A property of all reachable states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SafetyProperty {
    /// The text of the query.
    pub text: String,
    /// The condition that must hold.
    pub condition: TermId,
    /// The states in which it must hold.
    pub observation: Observation,
    /// Its origin.
    pub origin: Origin,
}

/// The states in which a property must hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Observation {
    /// In every state.
    Everywhere,
    /// In states at these locations.
    At(Vec<ControlLocationId>),
}

impl SymbolicSystem {
    /// Returns the sort of a variable.
    pub fn sort_of(&self, variable: StateVariableId) -> &Sort {
        self.store.symbol_sort(self.variables[variable].symbol)
    }

    /// Returns the term of a variable.
    pub fn term_of(&self, variable: StateVariableId) -> TermId {
        self.store.symbol(self.variables[variable].symbol)
    }

    /// Returns the edges that leave a location, in order.
    pub fn edges_from(
        &self,
        location: ControlLocationId,
    ) -> impl Iterator<Item = (ControlEdgeId, &ControlEdge)> {
        self.edges.iter().filter(move |(_, edge)| edge.source == location)
    }
}

impl SafetyProperty {
    /// Returns whether it restricts the states at a location.
    pub fn is_observed_at(&self, location: ControlLocationId) -> bool {
        match &self.observation {
            Observation::Everywhere => true,
            Observation::At(locations) => locations.contains(&location),
        }
    }
}

impl SymbolicStatement {
    /// Returns its immediate substatements.
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

    /// Returns its name in text forms.
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
