//! A refinement relation in the nested form that JECDAR writes.

use serde::Serialize;

/// A pair of states. The keys are JECDAR's.
#[derive(Clone, Debug, Serialize)]
pub struct RelationPair {
    /// The state of the left side.
    pub left: String,
    /// The state of the right side.
    pub right: String,
    /// The clock values for which they are related.
    pub zone: String,
    /// The moves from here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub transitions: Vec<RelationMove>,
    /// The number of the pair, at the initial one.
    #[serde(rename = "initial sp id", skip_serializing_if = "Option::is_none")]
    pub initial: Option<String>,
    /// The number of the pair, at the others.
    #[serde(rename = "state pair id", skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
}

/// A move from one pair to another.
#[derive(Clone, Debug, Serialize)]
pub struct RelationMove {
    /// The number of the pair that it leaves.
    #[serde(rename = "source sp id")]
    pub source: String,
    /// The action.
    pub channel: String,
    /// The number of the pair that it leads to.
    #[serde(rename = "target sp id")]
    pub target: String,
    /// The edges of the left side.
    #[serde(rename = "left edge ids")]
    pub left_edges: Vec<String>,
    /// The edges of the right side.
    #[serde(rename = "right edge ids")]
    pub right_edges: Vec<String>,
    /// The pair that it leads to, where that is met first.
    #[serde(rename = "target sp", skip_serializing_if = "Option::is_none")]
    pub target_pair: Option<RelationPair>,
}
