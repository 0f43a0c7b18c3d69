//! The actions of a component of a specification: what its edges may synchronise on.
//!
//! Invariant: an action is a channel, or one of those inside a variable, counted from the first. Guards do not count: a
//! component has an action if one of its edges is written with it. An index that is a constant is that one, an index that is
//! a select any value of it; every other index may be any.

use std::collections::BTreeSet;

use crate::VariableId;
use crate::channel_path::{ChannelPath, ChannelStep};
use crate::evaluate::evaluate_constant;
use crate::expression::{Expression, ExpressionKind};
use crate::network::{Edge, Network, Process, SynchronisationRole};
use crate::types::{Type, Value};

/// A channel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChannelPosition {
    /// The variable that it is, or is inside of.
    pub variable: VariableId,
    /// How many channels of the variable come before it.
    pub offset: usize,
}

/// The actions of a component.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ComponentActions {
    /// What the environment decides.
    pub inputs: BTreeSet<ChannelPosition>,
    /// What the component decides.
    pub outputs: BTreeSet<ChannelPosition>,
    /// Whether an edge has no channel: an output without a name.
    pub has_unnamed: bool,
}

/// The actions that the edges of a process may have.
pub fn component_actions(network: &Network, process: &Process) -> ComponentActions {
    let mut actions = ComponentActions::default();
    for edge in process.edges.values() {
        let Some(synchronisation) = &edge.synchronisation else {
            actions.has_unnamed = true;
            continue;
        };
        let found = match synchronisation.role {
            SynchronisationRole::Send => &mut actions.outputs,
            SynchronisationRole::Receive => &mut actions.inputs,
        };
        if let Some((variable, offsets)) = offsets(network, &synchronisation.channel, edge) {
            found.extend(offsets.into_iter().map(|offset| ChannelPosition { variable, offset }));
        }
    }
    actions
}

/// How many channels a variable of a type has.
fn channels_in(value_type: &Type) -> usize {
    match value_type {
        Type::Channel(_) => 1,
        Type::Array(array) => channels_in(&array.element) * array.index.size() as usize,
        Type::Record(record) => record.fields.iter().map(|field| channels_in(&field.field_type)).sum(),
        _ => 0,
    }
}

/// How many channels come before the one at a path of positions inside a type.
pub fn channel_offset(value_type: &Type, path: &[usize]) -> usize {
    match (value_type, path) {
        (Type::Array(array), [position, rest @ ..]) => {
            position * channels_in(&array.element) + channel_offset(&array.element, rest)
        }
        (Type::Record(record), [position, rest @ ..]) => {
            let before = record.fields.iter().take(*position).map(|field| channels_in(&field.field_type));
            let inside = record.fields.get(*position);
            before.sum::<usize>() + inside.map_or(0, |field| channel_offset(&field.field_type, rest))
        }
        _ => 0,
    }
}

/// What a channel is called, such as `go` or `go[1]`.
pub fn channel_name(network: &Network, channel: ChannelPosition) -> String {
    channel_path(network, channel).to_string()
}

/// The name of a channel, taken apart; that of a channel of another network is empty.
pub fn channel_path(network: &Network, channel: ChannelPosition) -> ChannelPath {
    let mut path = ChannelPath { variable: String::new(), steps: Vec::new() };
    let Some(variable) = network.variables.get(channel.variable) else { return path };
    path.variable = variable.name.clone();
    let (mut offset, mut inside) = (channel.offset, &variable.value_type);
    loop {
        match inside {
            Type::Array(array) => {
                let size = channels_in(&array.element).max(1);
                let index = i64::from(*array.index.values().start()) + (offset / size) as i64;
                path.steps.push(ChannelStep::Element(i32::try_from(index).unwrap_or(i32::MAX)));
                (offset, inside) = (offset % size, &array.element);
            }
            Type::Record(record) => {
                let mut fields = record.fields.iter();
                let found = fields.find(|field| {
                    let size = channels_in(&field.field_type);
                    let is_here = offset < size;
                    if !is_here {
                        offset -= size;
                    }
                    is_here
                });
                let Some(field) = found else { return path };
                path.steps.push(ChannelStep::Field(field.name.clone()));
                inside = &field.field_type;
            }
            _ => return path,
        }
    }
}

/// Which channels of which variable an expression may stand for, counted from the first of the variable.
fn offsets(network: &Network, channel: &Expression, edge: &Edge) -> Option<(VariableId, Vec<usize>)> {
    match &channel.kind {
        ExpressionKind::Variable(variable) => Some((*variable, vec![0])),
        ExpressionKind::Element { array, index } => {
            let (variable, outer) = offsets(network, array, edge)?;
            let Type::Array(array_type) = &array.value_type else { return None };
            let size = channels_in(&array_type.element);
            let (least, greatest) = (*array_type.index.values().start(), *array_type.index.values().end());
            let values: Vec<i32> = match (&index.kind, constant(network, index)) {
                (_, Some(value)) => vec![value],
                (ExpressionKind::Local(local), None) => {
                    let select = edge.selects.iter().find(|select| select.local == *local)?;
                    select.domain.values().collect()
                }
                _ => (least..=greatest).collect(),
            };
            let inner = values.into_iter().filter(|value| (least..=greatest).contains(value));
            let positions: Vec<usize> = inner.map(|value| (value - least) as usize * size).collect();
            let all = outer.iter().flat_map(|first| positions.iter().map(move |offset| first + offset));
            Some((variable, all.collect()))
        }
        ExpressionKind::Conditional { then, otherwise, .. } => {
            let (variable, mut all) = offsets(network, then, edge)?;
            let (other, more) = offsets(network, otherwise, edge)?;
            all.extend(more);
            (variable == other).then_some((variable, all))
        }
        _ => None,
    }
}

fn constant(network: &Network, expression: &Expression) -> Option<i32> {
    match evaluate_constant(&network.variables, &network.functions, expression) {
        Ok(Value::Integer(value)) => Some(value),
        _ => None,
    }
}
