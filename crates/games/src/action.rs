//! Actions, and the inputs and outputs of a specification.
//!
//! Invariant: an action is a channel or an element of an array of channels; inputs and outputs of one specification are
//! disjoint.

use std::collections::BTreeSet;

use tempora_model::{ChannelPosition, Network, Process, Type, VariableId, component_actions};

/// An action of the network, numbered like the channels of the machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ActionId(pub(crate) u32);

/// The inputs and outputs of a specification.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Alphabet {
    /// Controlled by the environment.
    pub(crate) inputs: BTreeSet<ActionId>,
    /// Controlled by the specification.
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
    /// The first action of each variable.
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

    /// Returns the output of edges without a channel, which no other specification shares.
    pub(crate) fn unnamed(&self) -> ActionId {
        ActionId(self.names.len() as u32)
    }

    /// Returns the channel of an action; `None` for the unnamed output.
    pub(crate) fn position(&self, action: ActionId) -> Option<ChannelPosition> {
        let number = action.0 as usize;
        if number >= self.names.len() {
            return None;
        }
        let variable = self.first.partition_point(|&first| first <= number) - 1;
        let offset = number - self.first[variable];
        Some(ChannelPosition { variable: VariableId(variable as u32), offset })
    }

    /// Lists the names of several actions for a message.
    pub(crate) fn list(&self, actions: impl IntoIterator<Item = ActionId>) -> String {
        let names: Vec<String> =
            actions.into_iter().map(|action| format!("`{}`", self.name(action))).collect();
        names.join(", ")
    }
}

/// Returns the actions on the edges of a component, whether or not their guards can hold.
pub(crate) fn alphabet_of(network: &Network, names: &ActionNames, process: &Process) -> Alphabet {
    let actions = component_actions(network, process);
    let number = |position: ChannelPosition| {
        ActionId((names.first[tempora_model::Id::index(position.variable)] + position.offset) as u32)
    };
    let mut alphabet = Alphabet {
        inputs: actions.inputs.into_iter().map(number).collect(),
        outputs: actions.outputs.into_iter().map(number).collect(),
    };
    if actions.has_unnamed {
        alphabet.outputs.insert(names.unnamed());
    }
    alphabet
}
