//! Abstract reachability graphs (`docs/schemas/abstract-graph.json`).

use serde::Serialize;

/// The graph after an iteration of a refinement.
#[derive(Clone, Debug, Serialize)]
pub struct AbstractGraphDocument {
    /// The version of the document.
    pub version: u32,
    /// The iteration.
    pub iteration: usize,
    /// The precision that the graph was built with.
    pub precision: Vec<String>,
    /// The nodes.
    pub nodes: Vec<AbstractNodeRecord>,
}

/// A node of the graph.
#[derive(Clone, Debug, Serialize)]
pub struct AbstractNodeRecord {
    /// Its control location.
    pub location: String,
    /// Its abstract state.
    pub state: Vec<String>,
    /// The position of its parent.
    pub parent: Option<usize>,
    /// The kind of the edge from its parent.
    pub edge: Option<String>,
    /// The position of the node that covers it.
    pub covered_by: Option<usize>,
    /// Whether it may violate the property.
    pub is_target: bool,
    /// Whether its successors are in the graph.
    pub is_expanded: bool,
}
