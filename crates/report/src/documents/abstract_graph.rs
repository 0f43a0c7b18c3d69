//! Abstract reachability graphs (`docs/schemas/abstract-graph.json`).

use serde::Serialize;

use super::DocumentVersion;
use crate::words::ControlEdgeWord;

/// An abstract reachability graph in a file, written by `tempora check --save-arg PREFIX` for each iteration.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AbstractGraphDocument {
    /// The version of the document.
    pub version: DocumentVersion,
    /// The number of the CEGAR iteration for a property, from 1.
    pub iteration: usize,
    /// The variables and predicates that abstract states track.
    pub precision: Vec<String>,
    /// The nodes; other members refer to them by position, from 0.
    pub nodes: Vec<AbstractNodeRecord>,
}

/// A node of the graph.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AbstractNodeRecord {
    /// Its control location.
    pub location: String,
    /// Its abstract state.
    pub state: Vec<String>,
    /// The position of its parent.
    pub parent: Option<usize>,
    /// The kind of the edge from its parent.
    pub edge: Option<ControlEdgeWord>,
    /// The position of the node that covers it.
    pub covered_by: Option<usize>,
    /// Whether it may violate the property.
    pub is_target: bool,
    /// Whether the graph has its successors.
    pub is_expanded: bool,
}
