//! Actions, and who decides on them.
//!
//! Invariant: an action is a channel or an element of an array of channels; inputs and outputs of one specification have
//! no action in common.

use std::collections::BTreeSet;

use tempora_model::{ChannelPosition, Network, Process, Type, VariableId, component_actions};

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

    /// The channel that an action is; `None` for the output without a name.
    pub(crate) fn position(&self, action: ActionId) -> Option<ChannelPosition> {
        let number = action.0 as usize;
        if number >= self.names.len() {
            return None;
        }
        let variable = self.first.partition_point(|&first| first <= number) - 1;
        let offset = number - self.first[variable];
        Some(ChannelPosition { variable: VariableId(variable as u32), offset })
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
