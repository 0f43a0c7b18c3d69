//! Determines the actions of a component: the channels on which its edges may synchronise.
//!
//! An action is a channel, or the channel with a given number inside a variable. The analysis is syntactic: guards are
//! ignored, a constant index counts as itself, a select as each of its values, and any other index as every index of
//! the array.

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
    /// The variable that is or contains the channel.
    pub variable: VariableId,
    /// The number of channels of the variable before it.
    pub offset: usize,
}

/// The actions of a component.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ComponentActions {
    /// The actions that the environment controls.
    pub inputs: BTreeSet<ChannelPosition>,
    /// The actions that the component controls.
    pub outputs: BTreeSet<ChannelPosition>,
    /// Whether an edge has no channel: an unnamed output.
    pub has_unnamed: bool,
}

/// Returns the actions that the edges of a process may have.
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

/// Returns the number of channels in a variable of a type.
fn channels_in(value_type: &Type) -> usize {
    match value_type {
        Type::Channel(_) => 1,
        Type::Array(array) => channels_in(&array.element) * array.index.size() as usize,
        Type::Record(record) => record.fields.iter().map(|field| channels_in(&field.field_type)).sum(),
        _ => 0,
    }
}

/// Returns the number of channels in a type before the one at a path of positions.
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

/// Returns the name of a channel, such as `go` or `go[1]`.
pub fn channel_name(network: &Network, channel: ChannelPosition) -> String {
    channel_path(network, channel).to_string()
}

/// Returns the name of a channel as a path; it is empty if the channel is not in the network.
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

/// Returns the variable and the offsets of the channels that an expression may denote.
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
