//! Places that hold values: a variable or local variable, and a path to a part of it.
//!
//! Invariant: a place was made by evaluating an expression that may be assigned to, so its path fits the type of its
//! root. Parameters by reference are not places of their own: they are resolved to what they refer to.

use tempora_model::{LocalId, Value, VariableId};

/// What holds a value.
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
pub(crate) struct Place {
    pub(crate) root: Root,
    pub(crate) path: Vec<usize>,
}

impl Place {
    pub(crate) fn of(root: Root) -> Place {
        Place { root, path: Vec::new() }
    }

    pub(crate) fn part(mut self, position: usize) -> Place {
        self.path.push(position);
        self
    }
}

/// The part of a value at a path.
pub(crate) fn part_of<'value>(value: &'value Value, path: &[usize]) -> Option<&'value Value> {
    path.iter().try_fold(value, |value, &position| match value {
        Value::Parts(parts) => parts.get(position),
        _ => None,
    })
}

/// The part of a value at a path, to be changed.
pub(crate) fn part_of_mut<'value>(value: &'value mut Value, path: &[usize]) -> Option<&'value mut Value> {
    path.iter().try_fold(value, |value, &position| match value {
        Value::Parts(parts) => parts.get_mut(position),
        _ => None,
    })
}
