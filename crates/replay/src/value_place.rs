//! Places: a variable or local variable, and a path to a part of its value.
//!
//! Invariant: a place results from evaluating an assignable expression, so its path fits the type of its root.
//! Parameters by reference are resolved to the places they refer to.

use tempora_model::{LocalId, Value, VariableId};

/// The variable of a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Root {
    /// A variable of the network.
    Variable(VariableId),
    /// A local variable of the call at this depth.
    Local {
        /// The depth.
        frame: usize,
        /// The variable.
        local: LocalId,
    },
}

/// A root and a path of element and field positions.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ValuePlace {
    pub(crate) root: Root,
    pub(crate) path: Vec<usize>,
}

impl ValuePlace {
    pub(crate) fn of(root: Root) -> ValuePlace {
        ValuePlace { root, path: Vec::new() }
    }

    pub(crate) fn part(mut self, position: usize) -> ValuePlace {
        self.path.push(position);
        self
    }
}

/// Returns the part of a value at a path.
pub(crate) fn part_of<'value>(value: &'value Value, path: &[usize]) -> Option<&'value Value> {
    path.iter().try_fold(value, |value, &position| match value {
        Value::Parts(parts) => parts.get(position),
        _ => None,
    })
}

/// Returns the part of a value at a path, for modification.
pub(crate) fn part_of_mut<'value>(value: &'value mut Value, path: &[usize]) -> Option<&'value mut Value> {
    path.iter().try_fold(value, |value, &position| match value {
        Value::Parts(parts) => parts.get_mut(position),
        _ => None,
    })
}
