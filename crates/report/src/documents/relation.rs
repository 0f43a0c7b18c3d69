//! Refinement relations in the nested JSON format of JECDAR.

use serde::Serialize;

/// A pair of states. The keys are JECDAR's.
#[derive(Clone, Debug, Serialize)]
pub struct RelationPair {
    /// The state of the left side.
    pub left: String,
    /// The state of the right side.
    pub right: String,
    /// The zone in which the states are related.
    pub zone: String,
    /// The moves from this pair.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub transitions: Vec<RelationMove>,
    /// The number of the pair, if it is initial.
    #[serde(rename = "initial sp id", skip_serializing_if = "Option::is_none")]
    pub initial: Option<String>,
    /// The number of the pair, if it is not initial.
    #[serde(rename = "state pair id", skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
}

/// A move from one pair to another.
#[derive(Clone, Debug, Serialize)]
pub struct RelationMove {
    /// The number of the source pair.
    #[serde(rename = "source sp id")]
    pub source: String,
    /// The action.
    pub channel: String,
    /// The number of the target pair.
    #[serde(rename = "target sp id")]
    pub target: String,
    /// The edges of the left side.
    #[serde(rename = "left edge ids")]
    pub left_edges: Vec<String>,
    /// The edges of the right side.
    #[serde(rename = "right edge ids")]
    pub right_edges: Vec<String>,
    /// The target pair, at its first occurrence.
    #[serde(rename = "target sp", skip_serializing_if = "Option::is_none")]
    pub target_pair: Option<RelationPair>,
}
