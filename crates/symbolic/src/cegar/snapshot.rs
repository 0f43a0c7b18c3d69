//! The abstract reachability graph as plain data, for those who want to watch it grow.
//!
//! Invariant: nodes are named by position; what was removed is not there any more.

use std::fmt;
use std::sync::Arc;

use tempora_transition::EdgeKind;

/// The graph after an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractGraph {
    /// Which iteration it was, from one on.
    pub iteration: usize,
    /// The variables and predicates that states may speak about.
    pub precision: Vec<String>,
    /// The nodes, parents before their children.
    pub nodes: Vec<AbstractNode>,
}

/// A node of the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractNode {
    /// The control location.
    pub location: String,
    /// What is known there, one fact each.
    pub state: Vec<String>,
    /// From which node it was reached, and by what kind of edge.
    pub parent: Option<(usize, EdgeKind)>,
    /// The node that covers it.
    pub covered_by: Option<usize>,
    /// Whether it may violate the property.
    pub is_target: bool,
    /// Whether its successors are there.
    pub is_expanded: bool,
}

/// Somebody who is shown graphs.
#[derive(Clone)]
pub struct GraphObserver(Arc<dyn Fn(&AbstractGraph) + Send + Sync>);

impl GraphObserver {
    /// Shows graphs to a function.
    pub fn new(see: impl Fn(&AbstractGraph) + Send + Sync + 'static) -> GraphObserver {
        GraphObserver(Arc::new(see))
    }

    pub(super) fn see(&self, graph: &AbstractGraph) {
        (self.0)(graph);
    }
}

impl fmt::Debug for GraphObserver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("GraphObserver")
    }
}
