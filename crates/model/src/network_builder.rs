//! Builds networks of computed components directly, without a text.
//!
//! Invariant: a finished network with a process is well formed. It equals the result of elaborating the trees of its
//! components, up to origins.

use std::collections::BTreeMap;

use tempora_source::{Origin, Origins};

use crate::channel_path::ChannelPath;
use crate::computed_component::{ComputedComponent, ComputedCondition, ComputedEdge, ComputedUpdate};
use crate::expression::{BinaryOperator, Comparison, Expression, ExpressionKind};
use crate::network::{
    Branch, Condition, Edge, Location, LocationKind, Network, Process, Synchronisation, SynchronisationRole,
    Variable, VariableKind,
};
use crate::types::{ChannelKind, ConditionCategory, Range, Type, Value};
use crate::validate::validate_network;
use crate::{ComputedClockId, LocationId, ProcessId, Table, VariableId};

/// All channels of built networks are broadcast: a sender never waits for a receiver.
const CHANNEL: Type = Type::Channel(ChannelKind { is_urgent: false, is_broadcast: true });

/// Builds a network, process by process.
pub struct NetworkBuilder {
    network: Network,
    origin: Origin,
    /// The added channels. Their paths may be arbitrary texts, so the network numbers them.
    channels: BTreeMap<ChannelPath, VariableId>,
}

/// The clocks of a component as variables of the network.
type Clocks = Table<ComputedClockId, VariableId>;

impl NetworkBuilder {
    /// Creates an empty network whose parts all get this origin, since computed components have no text.
    pub fn new(origin: Origin) -> NetworkBuilder {
        NetworkBuilder { network: Network::default(), origin, channels: BTreeMap::new() }
    }

    /// Adds a computed component as a process; its edges keep their order.
    pub fn component(&mut self, name: &str, component: &ComputedComponent) -> ProcessId {
        for channel in component.edges.values().filter_map(|edge| edge.channel.as_ref()) {
            self.channel(channel);
        }
        let process = self.process(name);
        let clocks: Clocks = component
            .clocks
            .values()
            .map(|clock| self.variable(clock.clone(), Some(process), Type::Clock))
            .collect();
        for location in component.locations.values() {
            let invariant = self.condition(&location.invariant, &clocks);
            let labels = location.label.map(str::to_owned).into_iter().collect();
            self.location(process, &location.name, invariant, labels);
        }
        for edge in component.edges.values() {
            let edge = self.component_edge(edge, &clocks);
            self.edge(process, edge);
        }
        process
    }

    /// Adds an environment that may send on each of these channels at any time, with one edge for each in this order.
    pub fn environment(&mut self, name: &str, channels: &[&ChannelPath]) -> ProcessId {
        let process = self.process(name);
        let any = self.location(process, "Any", Condition::default(), Vec::new());
        for channel in channels {
            let channel = self.channel(channel);
            let synchronisation = Some(Synchronisation { channel, role: SynchronisationRole::Send });
            let edge = self.plain_edge((any, any), Condition::default(), synchronisation, Vec::new());
            self.edge(process, edge);
        }
        process
    }

    /// Returns the network.
    pub fn finish(self) -> Network {
        // The origins are only used for the places of diagnostics.
        debug_assert!(
            validate_network(&self.network, &Origins::new()).is_empty(),
            "a built network is well formed"
        );
        self.network
    }

    fn process(&mut self, name: &str) -> ProcessId {
        self.network.processes.push(Process {
            name: name.to_owned(),
            template: name.to_owned(),
            arguments: Vec::new(),
            locations: Table::new(),
            initial: Vec::new(),
            edges: Table::new(),
            priority: 0,
            interface: None,
            origin: self.origin,
        })
    }

    /// Adds a location; the first of a process is initial.
    fn location(
        &mut self,
        process: ProcessId,
        name: &str,
        invariant: Condition,
        labels: Vec<String>,
    ) -> LocationId {
        let process = &mut self.network.processes[process];
        let id = process.locations.push(Location {
            name: Some(name.to_owned()),
            kind: LocationKind::Ordinary,
            invariant,
            clock_rates: Vec::new(),
            exponential_rate: None,
            labels,
            origin: self.origin,
        });
        if process.initial.is_empty() {
            process.initial.push(id);
        }
        id
    }

    fn edge(&mut self, process: ProcessId, edge: Edge) {
        let edges = &mut self.network.processes[process].edges;
        let template_position = edges.next_id().0;
        edges.push(Edge { template_position, ..edge });
    }

    fn component_edge(&mut self, edge: &ComputedEdge, clocks: &Clocks) -> Edge {
        let guard = self.condition(&edge.guard, clocks);
        let role = if edge.is_output { SynchronisationRole::Send } else { SynchronisationRole::Receive };
        let synchronisation =
            edge.channel.as_ref().map(|channel| Synchronisation { channel: self.channel(channel), role });
        let updates = edge.updates.iter().map(|update| self.update(*update, clocks)).collect();
        self.plain_edge((edge.source, edge.target), guard, synchronisation, updates)
    }

    fn plain_edge(
        &self,
        (source, target): (LocationId, LocationId),
        guard: Condition,
        synchronisation: Option<Synchronisation>,
        updates: Vec<Expression>,
    ) -> Edge {
        Edge {
            source,
            selects: Vec::new(),
            guard,
            synchronisation,
            event: None,
            branches: vec![Branch { weight: None, updates, target, origin: self.origin }],
            is_controllable: true,
            template_position: 0,
            origin: self.origin,
        }
    }

    fn condition(&self, conditions: &[ComputedCondition], clocks: &Clocks) -> Condition {
        let mut condition = Condition::default();
        for &conjunct in conditions {
            match conjunct {
                ComputedCondition::Never => {
                    condition.data.push(self.expression(ExpressionKind::Integer(0), Type::Boolean));
                }
                ComputedCondition::Clock { clock, comparison, bound } => {
                    condition.clocks.push(self.comparison((clock, None), comparison, bound, clocks));
                }
                ComputedCondition::Difference { left, right, comparison, bound } => {
                    condition.clocks.push(self.comparison((left, Some(right)), comparison, bound, clocks));
                }
            }
        }
        condition
    }

    fn comparison(
        &self,
        (left, right): (ComputedClockId, Option<ComputedClockId>),
        comparison: Comparison,
        bound: i32,
        clocks: &Clocks,
    ) -> Expression {
        let category = match comparison {
            Comparison::Equal => ConditionCategory::Guard,
            Comparison::NotEqual => ConditionCategory::Constraint,
            _ => ConditionCategory::Invariant,
        };
        let kind = ExpressionKind::CompareClocks {
            left: Some(Box::new(self.clock(left, clocks))),
            right: right.map(|right| Box::new(self.clock(right, clocks))),
            comparison,
            bound: Box::new(self.integer(bound)),
        };
        self.expression(kind, Type::Condition(category))
    }

    fn update(&self, update: ComputedUpdate, clocks: &Clocks) -> Expression {
        let (target, value) = match update {
            ComputedUpdate::Set { clock, value } => (clock, self.integer(value)),
            ComputedUpdate::Copy { target, from } => (target, self.clock(from, clocks)),
            ComputedUpdate::Shift { clock, amount } => {
                let kind = ExpressionKind::Binary {
                    operator: BinaryOperator::Add,
                    left: Box::new(self.clock(clock, clocks)),
                    right: Box::new(self.integer(amount)),
                };
                (clock, self.expression(kind, Type::Clock))
            }
        };
        let kind = ExpressionKind::Assign {
            operator: None,
            target: Box::new(self.clock(target, clocks)),
            value: Box::new(value),
        };
        self.expression(kind, Type::Clock)
    }

    /// Returns a channel as an expression, and adds a variable for a new one.
    fn channel(&mut self, channel: &ChannelPath) -> Expression {
        let variable = match self.channels.get(channel) {
            Some(&known) => known,
            None => {
                let name = format!("action{}", self.channels.len());
                let added = self.variable(name, None, CHANNEL);
                self.channels.insert(channel.clone(), added);
                added
            }
        };
        self.expression(ExpressionKind::Variable(variable), CHANNEL)
    }

    fn variable(&mut self, name: String, owner: Option<ProcessId>, value_type: Type) -> VariableId {
        self.network.variables.push(Variable {
            name,
            owner,
            value_type,
            initial: Value::None,
            kind: VariableKind::State,
            origin: self.origin,
        })
    }

    fn clock(&self, clock: ComputedClockId, clocks: &Clocks) -> Expression {
        self.expression(ExpressionKind::Variable(clocks[clock]), Type::Clock)
    }

    fn integer(&self, value: i32) -> Expression {
        let value_type = Type::Integer(Range { least: value, greatest: value });
        self.expression(ExpressionKind::Integer(value), value_type)
    }

    fn expression(&self, kind: ExpressionKind, value_type: Type) -> Expression {
        Expression { kind, value_type, origin: self.origin }
    }
}
