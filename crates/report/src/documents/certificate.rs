//! The parts of a file of certificates (`docs/schemas/certificate.json`).
//!
//! A file may have millions of nodes. They are written one by one, so there is no record of a whole file.
//!
//! Invariant: fields are declared in the order of their names, because a node is written in the order of its fields and all keys
//! in documents are sorted.

use serde::Serialize;
use tempora_evidence::{CertifiedLeaves, ClockBound, LeafState};
use tempora_model::Value;

use crate::words::ComparisonWord;

/// What the nodes are about, if that is not the whole model: their locations and values are those of these processes and variables,
/// and for all else anything is possible.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PartRecord {
    /// The processes, by name.
    pub(crate) processes: Vec<String>,
    /// Variables that may change, clocks among them.
    pub(crate) variables: Vec<String>,
}

/// A discrete state with a convex set of clock values.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct NodeRecord {
    /// What holds of the clocks, beside that none is negative.
    pub(crate) bounds: Vec<BoundRecord>,
    /// For each process its location, counted from 0 in the order in which the model declares them.
    pub(crate) locations: Vec<u32>,
    /// For each variable its value; the parts of arrays and records are lists, and clocks and channels in them null.
    pub(crate) values: Vec<ValueRecord>,
}

/// A discrete state of several components with a convex set of clock values.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LeavesRecord {
    /// What holds of the clocks of all components, counted from 1 from the left, beside that none is negative.
    pub(crate) bounds: Vec<BoundRecord>,
    /// For each component, from the left, its location and the values of its own variables.
    pub(crate) leaves: Vec<LeafRecord>,
}

/// The location of a component and the values of its own variables.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LeafRecord(pub(crate) u32, pub(crate) Vec<ValueRecord>);

/// The first clock minus the second is below the constant: two clocks, of which 0 is the number zero, then `<` or `<=`, then the
/// constant.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct BoundRecord(pub(crate) u64, pub(crate) u64, pub(crate) ComparisonWord, pub(crate) i64);

/// The value of a variable: a number, a list of the values of its parts, or null for a clock or a channel.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum ValueRecord {
    /// An integer, a truth value or a scalar.
    Integer(i32),
    /// A floating point number. The reader of certificates does not take any, so schemas do not allow it.
    #[cfg_attr(test, schemars(skip))]
    Double(f64),
    /// The elements of an array, or the fields of a record.
    Parts(Vec<ValueRecord>),
    /// A clock or a channel.
    Nothing,
}

impl From<&ClockBound> for BoundRecord {
    fn from(bound: &ClockBound) -> BoundRecord {
        let number = |clock: Option<u32>| clock.map_or(0, |clock| u64::from(clock) + 1);
        let comparison = if bound.is_strict { ComparisonWord::Less } else { ComparisonWord::AtMost };
        BoundRecord(number(bound.left), number(bound.right), comparison, bound.constant)
    }
}

impl From<&Value> for ValueRecord {
    fn from(value: &Value) -> ValueRecord {
        match value {
            Value::Integer(number) => ValueRecord::Integer(*number),
            Value::Double(number) => ValueRecord::Double(*number),
            Value::Parts(parts) => ValueRecord::Parts(parts.iter().map(ValueRecord::from).collect()),
            Value::None => ValueRecord::Nothing,
        }
    }
}

impl From<&LeafState> for LeafRecord {
    fn from(leaf: &LeafState) -> LeafRecord {
        LeafRecord(leaf.location.0, leaf.values.iter().map(ValueRecord::from).collect())
    }
}

impl From<&CertifiedLeaves> for LeavesRecord {
    fn from(node: &CertifiedLeaves) -> LeavesRecord {
        LeavesRecord {
            bounds: node.bounds.iter().map(BoundRecord::from).collect(),
            leaves: node.leaves.iter().map(LeafRecord::from).collect(),
        }
    }
}
