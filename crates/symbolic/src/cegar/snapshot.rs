//! The abstract reachability graph as data, for observers of the refinement.
//!
//! Invariant: nodes are identified by position; removed nodes are not included.

use std::fmt;
use std::sync::Arc;

use tempora_transition::EdgeKind;

/// The graph after an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractGraph {
    /// The iteration, counted from one.
    pub iteration: usize,
    /// The variables and predicates that states may mention.
    pub precision: Vec<String>,
    /// The nodes, parents before their children.
    pub nodes: Vec<AbstractNode>,
}

/// A node of the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractNode {
    /// The control location.
    pub location: String,
    /// The known facts, one each.
    pub state: Vec<String>,
    /// The parent node, and the kind of the edge from it.
    pub parent: Option<(usize, EdgeKind)>,
    /// The node that covers it.
    pub covered_by: Option<usize>,
    /// Whether it may violate the property.
    pub is_target: bool,
    /// Whether its successors have been computed.
    pub is_expanded: bool,
}

/// An observer of graphs.
#[derive(Clone)]
pub struct GraphObserver(Arc<dyn Fn(&AbstractGraph) + Send + Sync>);

impl GraphObserver {
    /// Creates an observer from a function.
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
