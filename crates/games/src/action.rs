//! Actions, and who decides on them.
//!
//! Invariant: an action is a channel or an element of an array of channels; inputs and outputs of one specification have
//! no action in common.

use std::collections::BTreeSet;

use tempora_model::{
    Expression, ExpressionKind, Network, Process, SynchronisationRole, Type, Value, VariableId,
    evaluate_constant,
};

/// An action of the network, as the machine counts channels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ActionId(pub(crate) u32);

/// Which actions a specification has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Alphabet {
    /// What the environment decides.
    pub(crate) inputs: BTreeSet<ActionId>,
    /// What the specification decides.
    pub(crate) outputs: BTreeSet<ActionId>,
}

impl Alphabet {
    pub(crate) fn contains(&self, action: ActionId) -> bool {
        self.inputs.contains(&action) || self.outputs.contains(&action)
    }

    pub(crate) fn all(&self) -> BTreeSet<ActionId> {
        self.inputs.union(&self.outputs).copied().collect()
    }
}

/// The names of all actions, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct ActionNames {
    names: Vec<String>,
    /// Where the actions of each variable begin.
    first: Vec<usize>,
}

impl ActionNames {
    pub(crate) fn new(network: &Network) -> ActionNames {
        let mut names = ActionNames::default();
        for variable in network.variables.values() {
            names.first.push(names.names.len());
            names.add(&variable.value_type, &variable.name);
        }
        names
    }

    fn add(&mut self, value_type: &Type, name: &str) {
        match value_type {
            Type::Channel(_) => self.names.push(name.to_owned()),
            Type::Array(array) if array.element.has_channels() => {
                for index in array.index.values() {
                    self.add(&array.element, &format!("{name}[{index}]"));
                }
            }
            Type::Record(record) => {
                for field in &record.fields {
                    self.add(&field.field_type, &format!("{name}.{}", field.name));
                }
            }
            _ => {}
        }
    }

    pub(crate) fn name(&self, action: ActionId) -> &str {
        self.names.get(action.0 as usize).map_or("(none)", String::as_str)
    }

    /// The output of an edge that has no channel: nobody else can see it, so nobody else has it.
    pub(crate) fn unnamed(&self) -> ActionId {
        ActionId(self.names.len() as u32)
    }

    /// The names of several actions, for messages.
    pub(crate) fn list(&self, actions: impl IntoIterator<Item = ActionId>) -> String {
        let names: Vec<String> =
            actions.into_iter().map(|action| format!("`{}`", self.name(action))).collect();
        names.join(", ")
    }
}

/// The actions of a component: those that its edges may have, whatever their guards say.
pub(crate) fn alphabet_of(network: &Network, names: &ActionNames, process: &Process) -> Alphabet {
    let mut alphabet = Alphabet::default();
    for edge in process.edges.values() {
        let Some(synchronisation) = &edge.synchronisation else {
            alphabet.outputs.insert(names.unnamed());
            continue;
        };
        let mut found = Vec::new();
        if let Some((variable, offsets)) = offsets(network, &synchronisation.channel, edge) {
            let first = names.first[tempora_model::Id::index(variable)];
            found.extend(offsets.into_iter().map(|offset| ActionId((first + offset) as u32)));
        }
        let actions = match synchronisation.role {
            SynchronisationRole::Send => &mut alphabet.outputs,
            SynchronisationRole::Receive => &mut alphabet.inputs,
        };
        actions.extend(found);
    }
    alphabet
}

/// Which channels of which variable an expression may stand for, counted from the first of the variable.
fn offsets(
    network: &Network,
    channel: &Expression,
    edge: &tempora_model::Edge,
) -> Option<(VariableId, Vec<usize>)> {
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

fn channels_in(value_type: &Type) -> usize {
    match value_type {
        Type::Channel(_) => 1,
        Type::Array(array) => channels_in(&array.element) * array.index.size() as usize,
        Type::Record(record) => record.fields.iter().map(|field| channels_in(&field.field_type)).sum(),
        _ => 0,
    }
}
