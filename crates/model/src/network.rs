//! Networks of timed automata with data: the one form in which every timed engine gets its model.
//!
//! Invariant (checked by `validate`): ids refer to entries of this network; guards and invariants have no side
//! effects; templates are instantiated, parameters are replaced by values, so that each process stands alone.

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
    /// Which edges with events happen together.
    pub vectors: Vec<SyncVector>,
    /// Groups of channels from the lowest to the highest priority; `None` if the model has no priorities.
    pub channel_priorities: Option<Vec<Vec<PriorityItem>>>,
    /// Evaluated before the updates of every transition.
    pub before_update: Vec<Expression>,
    /// Evaluated after the updates of every transition.
    pub after_update: Vec<Expression>,
    /// What the model says besides and this network does not; while there is any, no verdict would be about the model.
    pub omissions: Vec<Omission>,
}

/// A construct that was read and understood, and whose meaning a network cannot hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Omission {
    /// What it is, as a message names it.
    pub construct: String,
    /// Where it comes from.
    pub origin: Origin,
}

/// A set of values that are only compared with each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScalarSet {
    /// How the user calls it, if it has a name.
    pub name: Option<String>,
    /// How many elements it has.
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
    /// Its value at the start.
    pub initial: Value,
    /// How long it keeps its value.
    pub kind: VariableKind,
    /// Where it comes from.
    pub origin: Origin,
}

/// How long a variable keeps its value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VariableKind {
    /// Part of the state.
    State,
    /// Never changes.
    Constant,
    /// Not part of the state: its value is only to be relied on within one transition.
    Meta,
    /// A clock that only statistics may look at.
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
    /// Where it may start; one, but for languages that allow several.
    pub initial: Vec<LocationId>,
    /// Its edges.
    pub edges: Table<EdgeId, Edge>,
    /// Higher goes first.
    pub priority: u32,
    /// For specifications: which channels are inputs and which are outputs.
    pub interface: Option<Interface>,
    /// Where it comes from.
    pub origin: Origin,
}

/// The actions of a specification; names of channels.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Interface {
    /// What the environment decides.
    pub inputs: Vec<String>,
    /// What the specification decides.
    pub outputs: Vec<String>,
}

/// A location of a process.
#[derive(Clone, PartialEq, Debug)]
pub struct Location {
    /// Its name; locations without one cannot be spoken of in queries.
    pub name: Option<String>,
    /// Whether time may pass in it.
    pub kind: LocationKind,
    /// What must hold while the process is in it, as a conjunction.
    pub invariant: Condition,
    /// Rates of clocks other than one: [`crate::expression::ExpressionKind::RateIs`], possibly for all of a range.
    pub clock_rates: Vec<Expression>,
    /// The rate of leaving it, as numerator and denominator, for statistics.
    pub exponential_rate: Option<(Expression, Option<Expression>)>,
    /// Labels that queries may ask for.
    pub labels: Vec<String>,
    /// Where it comes from.
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

/// A conjunction, split into what depends on clocks and what does not.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Condition {
    /// Conditions without clocks.
    pub data: Vec<Expression>,
    /// Conditions on clocks: comparisons, `data || comparison`, and `forall` of such.
    pub clocks: Vec<Expression>,
}

impl Condition {
    /// Whether nothing is demanded.
    pub fn is_trivial(&self) -> bool {
        self.data.is_empty() && self.clocks.is_empty()
    }
}

/// An edge of a process.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// The location that it leaves.
    pub source: LocationId,
    /// Names that stand for each value of a range; the edge exists once for each combination.
    pub selects: Vec<Binder>,
    /// When it is enabled.
    pub guard: Condition,
    /// The channel that it synchronises on.
    pub synchronisation: Option<Synchronisation>,
    /// The event for synchronisation vectors.
    pub event: Option<EventId>,
    /// Where it leads; one branch is chosen after the guard. Never empty.
    pub branches: Vec<Branch>,
    /// Whether the controller decides on it, in a game.
    pub is_controllable: bool,
    /// Its position in the template, the same for all instances.
    pub template_position: u32,
    /// Where it comes from.
    pub origin: Origin,
}

/// A synchronisation on a channel.
#[derive(Clone, PartialEq, Debug)]
pub struct Synchronisation {
    /// An expression for a channel, evaluated before the transition.
    pub channel: Expression,
    /// Which side.
    pub role: SynchronisationRole,
}

/// Which side of a synchronisation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SynchronisationRole {
    /// `c!`.
    Send,
    /// `c?`.
    Receive,
}

/// One way that an edge may lead.
#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    /// How likely it is relative to the others, for statistics; `None` is 1.
    pub weight: Option<Expression>,
    /// Evaluated one after the other; those of the edge before the branching are part of each branch.
    pub updates: Vec<Expression>,
    /// The location that it leads to.
    pub target: LocationId,
    /// Where it comes from.
    pub origin: Origin,
}

/// Edges of several processes that happen together, in the order of their updates.
#[derive(Clone, PartialEq, Debug)]
pub struct SyncVector {
    /// Who takes part.
    pub participants: Vec<Participant>,
    /// Where it comes from.
    pub origin: Origin,
}

/// A participant of a synchronisation vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Participant {
    /// The process.
    pub process: ProcessId,
    /// The event of the edge that it takes.
    pub event: EventId,
    /// Whether it takes part only if its location has an edge with the event.
    pub is_weak: bool,
}

/// A member of a group of channels with the same priority.
#[derive(Clone, PartialEq, Debug)]
pub enum PriorityItem {
    /// A channel, or an element or all elements of an array of channels.
    Channel(Expression),
    /// All that is not listed, and edges without a channel.
    Default,
}

impl Network {
    /// Whether only statistics may look at a clock.
    pub fn is_hybrid(&self, clock: &Expression) -> bool {
        let is_in_record = clock.any(&mut |part| part.value_type.is_hybrid());
        is_in_record
            || clock
                .root()
                .and_then(|variable| self.variables.get(variable))
                .is_some_and(|variable| variable.kind == VariableKind::Hybrid)
    }

    /// The process with this name.
    pub fn process_named(&self, name: &str) -> Option<ProcessId> {
        self.processes.iter().find(|(_, process)| process.name == name).map(|(id, _)| id)
    }

    /// The name of a variable as a user would write it in a query: with its process, if it belongs to one.
    pub fn qualified_name(&self, variable: VariableId) -> String {
        let variable = &self.variables[variable];
        match variable.owner {
            Some(owner) => format!("{}.{}", self.processes[owner].name, variable.name),
            None => variable.name.clone(),
        }
    }

    /// The name of a location, or a stand-in that says which one is meant.
    pub fn location_name(&self, process: ProcessId, location: LocationId) -> String {
        match &self.processes[process].locations[location].name {
            Some(name) => name.clone(),
            None => format!("#{}", location.0),
        }
    }
}
