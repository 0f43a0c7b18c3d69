//! Networks of timed automata with data: the input of every timed engine.
//!
//! Invariant (checked by `validate`): ids refer to entries of this network; guards and invariants have no side
//! effects; templates are instantiated and their parameters replaced by values.

use tempora_source::Origin;

use crate::expression::{Binder, Expression, Function};
use crate::types::{Type, Value};
use crate::{EdgeId, EventId, FunctionId, LocationId, ProcessId, ScalarSetId, Table, VariableId};

/// A network of timed automata.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Network {
    /// Sets of scalars.
    pub scalar_sets: Table<ScalarSetId, ScalarSet>,
    /// Variables, constants, clocks and channels, those of processes included.
    pub variables: Table<VariableId, Variable>,
    /// Functions, those of processes included.
    pub functions: Table<FunctionId, Function>,
    /// The processes in the order of the system line, which is the order of updates of broadcast receivers.
    pub processes: Table<ProcessId, Process>,
    /// Named events that edges carry and synchronisation vectors combine.
    pub events: Table<EventId, String>,
    /// The vectors of events that synchronise.
    pub vectors: Vec<SyncVector>,
    /// Groups of channels from the lowest to the highest priority; `None` if the model has no priorities.
    pub channel_priorities: Option<Vec<Vec<PriorityItem>>>,
    /// Evaluated before the updates of every transition.
    pub before_update: Vec<Expression>,
    /// Evaluated after the updates of every transition.
    pub after_update: Vec<Expression>,
    /// Constructs of the model that this network does not represent; if there are any, every verdict is unknown.
    pub omissions: Vec<Omission>,
}

/// A construct of the model that a network cannot represent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Omission {
    /// Its name in messages.
    pub construct: String,
    /// Its origin in the text.
    pub origin: Origin,
}

/// A set of values that are only compared with each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScalarSet {
    /// Its name in the model, if any.
    pub name: Option<String>,
    /// The number of elements.
    pub size: u32,
}

/// A variable, constant, clock or channel, or an array or record of such.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// Its name, without that of its process.
    pub name: String,
    /// The process that it belongs to.
    pub owner: Option<ProcessId>,
    /// Its type.
    pub value_type: Type,
    /// Its initial value.
    pub initial: Value,
    /// Its lifetime.
    pub kind: VariableKind,
    /// Its origin in the text.
    pub origin: Origin,
}

/// The lifetime of a variable's value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VariableKind {
    /// Part of the state.
    State,
    /// Never changes.
    Constant,
    /// Not part of the state: its value is only defined within one transition.
    Meta,
    /// A clock that only statistical queries may observe.
    Hybrid,
}

/// One timed automaton: an instance of a template.
#[derive(Clone, PartialEq, Debug)]
pub struct Process {
    /// Its name, such as `Train(1)`.
    pub name: String,
    /// The template that it is an instance of; its own name if it is the only one.
    pub template: String,
    /// The values of the template's parameters, by name.
    pub arguments: Vec<(String, Value)>,
    /// Its locations.
    pub locations: Table<LocationId, Location>,
    /// The initial locations; usually one, but some languages allow several.
    pub initial: Vec<LocationId>,
    /// Its edges.
    pub edges: Table<EdgeId, Edge>,
    /// Its priority; processes with a higher one move first.
    pub priority: u32,
    /// For specifications: the input and output channels.
    pub interface: Option<Interface>,
    /// Its origin in the text.
    pub origin: Origin,
}

/// The actions of a specification, as names of channels.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Interface {
    /// The actions that the environment controls.
    pub inputs: Vec<String>,
    /// The actions that the specification controls.
    pub outputs: Vec<String>,
}

/// A location of a process.
#[derive(Clone, PartialEq, Debug)]
pub struct Location {
    /// Its name; queries cannot refer to a location without one.
    pub name: Option<String>,
    /// Whether time may pass in it.
    pub kind: LocationKind,
    /// Its invariant, without clock rates.
    pub invariant: Condition,
    /// Clock rates other than one: [`crate::expression::ExpressionKind::RateIs`], possibly under `forall`.
    pub clock_rates: Vec<Expression>,
    /// The exponential rate of leaving it, as numerator and denominator, for statistical queries.
    pub exponential_rate: Option<(Expression, Option<Expression>)>,
    /// Labels that queries may refer to.
    pub labels: Vec<String>,
    /// Its origin in the text.
    pub origin: Origin,
}

/// Whether time may pass in a location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum LocationKind {
    /// Time may pass.
    #[default]
    Ordinary,
    /// No time passes.
    Urgent,
    /// No time passes, and the next transition leaves a committed location.
    Committed,
}

/// A conjunction, split into conjuncts with and without clocks.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Condition {
    /// Conditions without clocks.
    pub data: Vec<Expression>,
    /// Clock conditions: comparisons, `data || comparison`, and `forall` over these.
    pub clocks: Vec<Expression>,
}

impl Condition {
    /// Returns whether the conjunction is empty.
    pub fn is_trivial(&self) -> bool {
        self.data.is_empty() && self.clocks.is_empty()
    }
}

/// An edge of a process.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// The location that it leaves.
    pub source: LocationId,
    /// Names bound to each value of a range; the edge exists once for each combination.
    pub selects: Vec<Binder>,
    /// The condition under which it is enabled.
    pub guard: Condition,
    /// The channel that it synchronises on.
    pub synchronisation: Option<Synchronisation>,
    /// The event for synchronisation vectors.
    pub event: Option<EventId>,
    /// Its branches, of which one is chosen when the edge is taken. Never empty.
    pub branches: Vec<Branch>,
    /// Whether the controller chooses it in a game; otherwise the environment does.
    pub is_controllable: bool,
    /// Its position in the template, the same for all instances.
    pub template_position: u32,
    /// Its origin in the text.
    pub origin: Origin,
}

/// A synchronisation on a channel.
#[derive(Clone, PartialEq, Debug)]
pub struct Synchronisation {
    /// An expression for a channel, evaluated before the transition.
    pub channel: Expression,
    /// The side of the edge.
    pub role: SynchronisationRole,
}

/// The side of a synchronisation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SynchronisationRole {
    /// `c!`.
    Send,
    /// `c?`.
    Receive,
}

/// A branch of an edge.
#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    /// Its weight relative to the others, for statistical queries; `None` is 1.
    pub weight: Option<Expression>,
    /// Its updates in order of evaluation; the updates of the edge are part of each branch.
    pub updates: Vec<Expression>,
    /// The target location.
    pub target: LocationId,
    /// Its origin in the text.
    pub origin: Origin,
}

/// A synchronisation vector: events of several processes that are taken together, in the order of their updates.
#[derive(Clone, PartialEq, Debug)]
pub struct SyncVector {
    /// The participants.
    pub participants: Vec<Participant>,
    /// Its origin in the text.
    pub origin: Origin,
}

/// A participant of a synchronisation vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Participant {
    /// The process.
    pub process: ProcessId,
    /// The event of the edge that it takes.
    pub event: EventId,
    /// Whether it participates only if its location has an edge with the event.
    pub is_weak: bool,
}

/// A member of a group of channels with the same priority.
#[derive(Clone, PartialEq, Debug)]
pub enum PriorityItem {
    /// A channel, or an element or all elements of an array of channels.
    Channel(Expression),
    /// All channels that are not listed, and edges without a channel.
    Default,
}

impl Network {
    /// Returns whether only statistical queries may observe the clock.
    pub fn is_hybrid(&self, clock: &Expression) -> bool {
        let is_in_record = clock.any(&mut |part| part.value_type.is_hybrid());
        is_in_record
            || clock
                .root()
                .and_then(|variable| self.variables.get(variable))
                .is_some_and(|variable| variable.kind == VariableKind::Hybrid)
    }

    /// Returns the process with this name.
    pub fn process_named(&self, name: &str) -> Option<ProcessId> {
        self.processes.iter().find(|(_, process)| process.name == name).map(|(id, _)| id)
    }

    /// Returns the name of a variable in queries, with the name of its process if it is local.
    pub fn qualified_name(&self, variable: VariableId) -> String {
        let variable = &self.variables[variable];
        match variable.owner {
            Some(owner) => format!("{}.{}", self.processes[owner].name, variable.name),
            None => variable.name.clone(),
        }
    }

    /// Returns the name of a location, or `#` and its number if it has none.
    pub fn location_name(&self, process: ProcessId, location: LocationId) -> String {
        match &self.processes[process].locations[location].name {
            Some(name) => name.clone(),
            None => format!("#{}", location.0),
        }
    }
}
