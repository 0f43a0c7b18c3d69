//! Records of a certificate file (`docs/schemas/certificate.json`).
//!
//! A file may have millions of nodes. They are written one by one, so there is no record of the whole file.
//!
//! Invariant: fields are declared in alphabetical order, because a node is written in the order of its fields and keys
//! in documents are sorted.

use serde::Serialize;
use tempora_evidence::{CertifiedLeaves, ClockBound, LeafState};
use tempora_model::Value;

use crate::words::ComparisonWord;

/// The part of the model that the nodes cover, if not all: their locations and values are those of these processes and
/// variables; the rest of the model is unconstrained.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PartRecord {
    /// The processes, by name.
    pub(crate) processes: Vec<String>,
    /// The variables that may change, including clocks.
    pub(crate) variables: Vec<String>,
}

/// A discrete state with a convex set of clock values.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct NodeRecord {
    /// Bounds on the clocks; in addition, no clock is negative.
    pub(crate) bounds: Vec<BoundRecord>,
    /// The location of each process, from 0 in the order of declaration.
    pub(crate) locations: Vec<u32>,
    /// The value of each variable; arrays and records are lists, in which clocks and channels are null.
    pub(crate) values: Vec<ValueRecord>,
}

/// A discrete state of several components with a convex set of clock values.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LeavesRecord {
    /// Bounds on the clocks of all components, numbered from 1 from the left; in addition, no clock is negative.
    pub(crate) bounds: Vec<BoundRecord>,
    /// The location and the own variables of each component, from the left.
    pub(crate) leaves: Vec<LeafRecord>,
}

/// The location of a component and the values of its own variables.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LeafRecord(pub(crate) u32, pub(crate) Vec<ValueRecord>);

/// An upper bound on the first clock minus the second: two clocks, where 0 stands for the number zero, then `<` or
/// `<=`, then the constant.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct BoundRecord(pub(crate) u64, pub(crate) u64, pub(crate) ComparisonWord, pub(crate) i64);

/// The value of a variable: a number, a list for an array or record, or null for a clock or a channel.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum ValueRecord {
    /// An integer, a Boolean or a scalar.
    Integer(i32),
    /// A floating-point number. The reader of certificates does not support any, so schemas do not allow it.
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
