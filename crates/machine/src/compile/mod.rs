//! Compilation of networks to machines.
//!
//! Invariant: unsupported constructs are declined by name and never dropped silently. Constructs for statistics only
//! are not compiled; engines that need them read the network.

mod addresses;
mod assignments;
mod conditions;
mod constants;
mod doubles;
mod predicates;
mod routine;
mod statements;

use std::collections::BTreeMap;

use tempora_interrupt::{checkpoint, checkpoint_before};
use tempora_model::{
    ChannelKind, EventId, Expression, ExpressionKind, Id, LocationKind, Network, PriorityItem, ProcessId,
    Type,
};

use crate::code::Instruction;
use crate::failure::Declined;
use crate::layout::{Layout, PartKind, size_in};
use crate::machine::{
    Action, Branch, CellTest, ChannelNumber, CompiledLocation, Edge, EdgeChannel, EdgeSynchronisation,
    Machine, Vector,
};
use conditions::constant_number;
pub(crate) use constants::constant_value as constant;
pub use predicates::{compile_bound_predicate, compile_predicate};
use routine::{Builder, Compiled};

/// Compiles a network.
pub fn compile(network: &Network) -> Result<Machine, Declined> {
    let cells = network.variables.values().map(|variable| variable.value_type.cells());
    // Each cell has an initial value, a range, and a value in the first states.
    checkpoint_before(cells.fold(0, u64::saturating_add).saturating_mul(24));
    let layout = Layout::new(network);
    if layout.clock_count() >= usize::from(u16::MAX) {
        let origin = network.variables[layout.clock_owner(0)].origin;
        return Err(Declined::new("a network with too many clocks", origin));
    }
    let mut tables = Tables {
        builder: Builder::new(network, &layout),
        locations: Vec::new(),
        first_location: Vec::new(),
        edges: Vec::new(),
        branches: Vec::new(),
        tests: Vec::new(),
        actions: Vec::new(),
        constraints: Vec::new(),
        vectors_of_locations: Vec::new(),
        events_of_locations: Vec::new(),
    };
    let vectors: Vec<Vector> = network
        .vectors
        .iter()
        .map(|vector| Vector {
            participants: vector
                .participants
                .iter()
                .map(|participant| (participant.process, participant.event, participant.is_weak))
                .collect(),
        })
        .collect();
    // Vectors are indexed by the location of their first strong participant.
    let mut by_pivot: BTreeMap<(ProcessId, EventId), Vec<u32>> = BTreeMap::new();
    let mut weak_vectors = Vec::new();
    let mut together: BTreeMap<(ProcessId, EventId), ()> = BTreeMap::new();
    for (position, vector) in vectors.iter().enumerate() {
        match vector.participants.iter().find(|(_, _, is_weak)| !is_weak) {
            Some(&(process, event, _)) => {
                by_pivot.entry((process, event)).or_default().push(position as u32);
            }
            None => weak_vectors.push(position as u32),
        }
        if vector.participants.len() > 1 {
            for &(process, event, _) in &vector.participants {
                together.insert((process, event), ());
            }
        }
    }
    let has_rates =
        network.processes.values().flat_map(|process| process.locations.values()).any(|location| {
            location.clock_rates.iter().any(|rate| !conditions::is_always_one(network, rate))
        });
    for (process, automaton) in network.processes.iter() {
        tables.first_location.push(tables.locations.len() as u32);
        let mut by_source: Vec<Vec<tempora_model::EdgeId>> = vec![Vec::new(); automaton.locations.len()];
        for (id, edge) in automaton.edges.iter() {
            by_source[edge.source.index()].push(id);
        }
        for (id, location) in automaton.locations.iter() {
            checkpoint();
            let first_edge = tables.edges.len() as u32;
            let mut events: Vec<EventId> = Vec::new();
            let mut has_urgent_edge = false;
            for &edge_id in &by_source[id.index()] {
                let edge = &automaton.edges[edge_id];
                let synchronisation = match &edge.synchronisation {
                    None => None,
                    Some(synchronisation) => {
                        let channel = tables.channel(&synchronisation.channel, edge)?;
                        has_urgent_edge |= channel_kind(&synchronisation.channel).is_urgent;
                        Some(EdgeSynchronisation { role: synchronisation.role, channel })
                    }
                };
                if let (None, Some(event)) = (&synchronisation, edge.event) {
                    events.push(event);
                }
                let fires_alone = edge.event.is_none_or(|event| !together.contains_key(&(process, event)));
                let guard_data = tables.data_condition(&edge.guard, &edge.selects)?;
                let guard_clocks = tables.clock_condition(&edge.guard, &edge.selects)?;
                let mut branches = Vec::new();
                for branch in &edge.branches {
                    let actions = tables.actions(&branch.updates, &edge.selects)?;
                    branches.push(Branch { target: branch.target.0, actions });
                }
                let first_branch = tables.branches.len() as u32;
                tables.branches.extend(branches);
                tables.edges.push(Edge {
                    process,
                    edge: edge_id,
                    origin: edge.origin,
                    guard_data,
                    guard_clocks,
                    selects: edge
                        .selects
                        .iter()
                        .map(|binder| {
                            let values = binder.domain.values();
                            (*values.start(), *values.end())
                        })
                        .collect(),
                    synchronisation,
                    event: edge.event,
                    fires_alone,
                    is_urgent: edge
                        .synchronisation
                        .as_ref()
                        .is_some_and(|synchronisation| channel_kind(&synchronisation.channel).is_urgent),
                    branches: first_branch..tables.branches.len() as u32,
                });
            }
            events.sort_unstable();
            events.dedup();
            let first_vector = tables.vectors_of_locations.len() as u32;
            for &event in &events {
                let own = by_pivot.get(&(process, event)).into_iter().flatten().copied();
                tables.vectors_of_locations.extend(own);
            }
            let first_event = tables.events_of_locations.len() as u32;
            tables.events_of_locations.extend(events);
            let invariant_data = tables.data_condition(&location.invariant, &[])?;
            let invariant_clocks = tables.clock_condition(&location.invariant, &[])?;
            // If a location has a rate other than 1, its rates of 1 count too: they must not contradict it.
            let rates = tables.rates(if has_rates { &location.clock_rates } else { &[] })?;
            tables.locations.push(CompiledLocation {
                kind: location.kind,
                edges: first_edge..tables.edges.len() as u32,
                events: first_event..tables.events_of_locations.len() as u32,
                vectors: first_vector..tables.vectors_of_locations.len() as u32,
                invariant_data,
                invariant_clocks,
                rates,
                has_urgent_edge: has_urgent_edge && location.kind == LocationKind::Ordinary,
            });
        }
    }
    let before_update = tables.actions(&network.before_update, &[])?;
    let after_update = tables.actions(&network.after_update, &[])?;
    let Tables {
        builder,
        locations,
        first_location,
        edges,
        branches,
        tests,
        actions,
        constraints,
        vectors_of_locations,
        events_of_locations,
    } = tables;
    let Builder { instructions, sites, routines, mathematics, .. } = builder;
    let (channel_levels, default_level) = channel_levels(network, &layout)?;
    let process_priorities: Vec<u32> = network.processes.values().map(|process| process.priority).collect();
    let has_priorities =
        network.channel_priorities.is_some() || process_priorities.windows(2).any(|pair| pair[0] != pair[1]);
    Ok(Machine {
        has_urgent_edges: locations.iter().any(|location| location.has_urgent_edge),
        has_rates,
        has_meta: network
            .variables
            .values()
            .any(|variable| variable.kind == tempora_model::VariableKind::Meta),
        has_updates_around: !before_update.is_empty() || !after_update.is_empty(),
        most_selects: edges.iter().map(|edge| edge.selects.len()).max().unwrap_or(0),
        initial_locations: network
            .processes
            .values()
            .map(|process| process.initial.iter().map(|location| location.0).collect())
            .collect(),
        layout,
        locations,
        first_location,
        edges,
        branches,
        tests,
        actions,
        constraints,
        vectors,
        vectors_of_locations,
        weak_vectors,
        events_of_locations,
        before_update,
        after_update,
        instructions,
        sites,
        routines,
        mathematics,
        labels: Vec::new(),
        channel_levels,
        default_level,
        process_priorities,
        has_priorities,
    })
}

/// The tables under construction.
struct Tables<'network> {
    builder: Builder<'network>,
    locations: Vec<CompiledLocation>,
    first_location: Vec<u32>,
    edges: Vec<Edge>,
    branches: Vec<Branch>,
    tests: Vec<CellTest>,
    actions: Vec<Action>,
    constraints: Vec<crate::code::ClockConstraint>,
    vectors_of_locations: Vec<u32>,
    events_of_locations: Vec<EventId>,
}

impl Tables<'_> {
    fn channel(&mut self, channel: &Expression, edge: &tempora_model::Edge) -> Compiled<EdgeChannel> {
        let constant = constant_number(self.builder.network, self.builder.layout, channel, PartKind::Channel);
        if let Some(number) = constant {
            return Ok(EdgeChannel::Constant(ChannelNumber(number)));
        }
        let code = self.builder.routine(&edge.selects, false, |compiler| {
            let place = compiler.locate(channel, PartKind::Channel)?;
            let number = compiler.address(place, channel.origin)?;
            compiler.emit(Instruction::Move { target: 0, source: number });
            Ok(())
        })?;
        Ok(EdgeChannel::Computed(code))
    }
}

fn channel_kind(channel: &Expression) -> ChannelKind {
    match channel.value_type {
        Type::Channel(kind) => kind,
        _ => ChannelKind::default(),
    }
}

/// Returns the level of each channel and of transitions without one. Groups count from one, with zero below all of
/// them; the most precise item that includes a channel counts, and the last of equally precise ones.
fn channel_levels(network: &Network, layout: &Layout) -> Compiled<(Vec<u32>, u32)> {
    let Some(groups) = &network.channel_priorities else { return Ok((Vec::new(), 0)) };
    let default = groups
        .iter()
        .position(|group| group.contains(&PriorityItem::Default))
        .map_or(0, |position| position as u32 + 1);
    let mut levels = vec![(0usize, default); layout.channel_count()];
    for (position, group) in groups.iter().enumerate() {
        for item in group {
            let PriorityItem::Channel(listed) = item else { continue };
            let Some(first) = constant_number(network, layout, listed, PartKind::Channel) else {
                return Err(Declined::new("the priority of a computed channel", listed.origin));
            };
            let precision = 1 + depth(listed);
            let size = size_in(&listed.value_type, PartKind::Channel);
            for level in levels.iter_mut().skip(first as usize).take(size as usize) {
                if level.0 <= precision {
                    *level = (precision, position as u32 + 1);
                }
            }
        }
    }
    Ok((levels.into_iter().map(|(_, level)| level).collect(), default))
}

fn depth(expression: &Expression) -> usize {
    match &expression.kind {
        ExpressionKind::Element { array: whole, .. } | ExpressionKind::Field { record: whole, .. } => {
            1 + depth(whole)
        }
        _ => 0,
    }
}

/// Returns the clock that an expression obviously denotes in all states, from 0; `None` otherwise, and for hybrid
/// clocks.
pub fn constant_clock(network: &Network, layout: &Layout, expression: &Expression) -> Option<usize> {
    if expression.value_type != Type::Clock {
        return None;
    }
    constant_number(network, layout, expression, PartKind::Clock).map(|number| number as usize)
}

/// Returns the clock in a sum of a clock and numbers.
pub fn clock_in_sum(value: &Expression) -> &Expression {
    match &value.kind {
        ExpressionKind::Binary { left, right, .. } => {
            clock_in_sum(if left.value_type == Type::Clock { left } else { right })
        }
        _ => value,
    }
}
