//! The abstract reachability graph.
//!
//! Invariant: a node that is neither expanded, covered nor a target waits to be expanded. A node covers another only at
//! the same control location, and only while it is itself not covered.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tempora_evidence::UnknownReason;
use tempora_model::{ControlEdgeId, ControlLocationId, Id};

use super::GraphSearch;
use super::context::Context;
use super::domain::{AbstractState, Precision, initial_states, may_violate, successors};

/// A node, by position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct NodeId(usize);

struct Node {
    location: ControlLocationId,
    state: AbstractState,
    parent: Option<(NodeId, ControlEdgeId)>,
    depth: u64,
    children: Vec<NodeId>,
    covered_by: Option<NodeId>,
    /// Those that it covers.
    covers: Vec<NodeId>,
    is_target: bool,
    is_expanded: bool,
    is_removed: bool,
}

pub(super) struct Graph {
    nodes: Vec<Node>,
    roots: Vec<NodeId>,
    is_begun: bool,
    /// Those that wait, the next one first.
    waiting: BinaryHeap<Reverse<(u64, NodeId)>>,
}

impl Graph {
    pub(super) fn new() -> Graph {
        Graph { nodes: Vec::new(), roots: Vec::new(), is_begun: false, waiting: BinaryHeap::new() }
    }

    /// Goes on until there is a target, which it says, or nothing more to expand.
    pub(super) fn build(
        &mut self,
        context: &mut Context<'_>,
        precision: &Precision,
    ) -> Result<Option<NodeId>, UnknownReason> {
        if !self.is_begun {
            self.is_begun = true;
            let location = context.system.initial_location;
            for state in initial_states(context, precision)? {
                let root = self.add(context, location, state, None)?;
                self.roots.push(root);
            }
        }
        // Targets that are left from before the last refinement.
        if let Some(target) = self.ids().find(|id| self.nodes[id.0].is_target && !self.nodes[id.0].is_removed)
        {
            return Ok(Some(target));
        }
        while let Some(Reverse((_, id))) = self.waiting.pop() {
            let node = &self.nodes[id.0];
            if node.is_removed || node.is_expanded || node.covered_by.is_some() {
                continue;
            }
            context.watch.check(self.nodes.len() as u64)?;
            if let Some(cover) = self.cover_of(id) {
                self.nodes[id.0].covered_by = Some(cover);
                self.nodes[cover.0].covers.push(id);
                continue;
            }
            let (location, state) = (self.nodes[id.0].location, self.nodes[id.0].state.clone());
            self.nodes[id.0].is_expanded = true;
            context.progress.add_explored(1);
            let edges: Vec<(ControlEdgeId, ControlLocationId)> =
                context.system.edges_from(location).map(|(id, edge)| (id, edge.target)).collect();
            let mut target = None;
            for (edge, reached) in edges {
                for successor in successors(context, precision, &state, edge)? {
                    context.progress.add_transitions(1);
                    let child = self.add(context, reached, successor, Some((id, edge)))?;
                    if self.nodes[child.0].is_target {
                        target = target.or(Some(child));
                    }
                }
            }
            if target.is_some() {
                return Ok(target);
            }
        }
        Ok(None)
    }

    fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId)
    }

    fn add(
        &mut self,
        context: &mut Context<'_>,
        location: ControlLocationId,
        state: AbstractState,
        parent: Option<(NodeId, ControlEdgeId)>,
    ) -> Result<NodeId, UnknownReason> {
        let is_target = context.claim.is_observed_at(location) && may_violate(context, &state)?;
        let id = NodeId(self.nodes.len());
        let depth = match parent {
            Some((parent, _)) => {
                self.nodes[parent.0].children.push(id);
                self.nodes[parent.0].depth + 1
            }
            None => 0,
        };
        self.nodes.push(Node {
            location,
            state,
            parent,
            depth,
            children: Vec::new(),
            covered_by: None,
            covers: Vec::new(),
            is_target,
            is_expanded: false,
            is_removed: false,
        });
        context.progress.add_stored(1);
        let rank = match context.options.search {
            GraphSearch::BreadthFirst => depth,
            GraphSearch::DepthFirst => u64::MAX - depth,
            GraphSearch::NearestToError => context.distances[location.index()],
        };
        self.waiting.push(Reverse((rank, id)));
        Ok(id)
    }

    /// A node that covers this one.
    fn cover_of(&self, id: NodeId) -> Option<NodeId> {
        let node = &self.nodes[id.0];
        self.ids().find(|other| {
            let candidate = &self.nodes[other.0];
            *other != id
                && candidate.location == node.location
                && !candidate.is_removed
                && candidate.covered_by.is_none()
                && candidate.state.covers(&node.state)
        })
    }

    /// The edges on the way to a node.
    pub(super) fn path_to(&self, target: NodeId) -> Vec<ControlEdgeId> {
        let mut path = Vec::new();
        let mut current = target;
        while let Some((parent, edge)) = self.nodes[current.0].parent {
            path.push(edge);
            current = parent;
        }
        path.reverse();
        path
    }

    /// Removes what a refinement shows to be too coarse: everything from the given position on the way to a target.
    pub(super) fn prune(&mut self, target: NodeId, position: usize) {
        let mut way = vec![target];
        let mut current = target;
        while let Some((parent, _)) = self.nodes[current.0].parent {
            way.push(parent);
            current = parent;
        }
        way.reverse();
        if position == 0 || position >= way.len() {
            *self = Graph::new();
            return;
        }
        let above = way[position - 1];
        let mut open = std::mem::take(&mut self.nodes[above.0].children);
        self.nodes[above.0].is_expanded = false;
        let mut uncovered = vec![above];
        while let Some(id) = open.pop() {
            let node = &mut self.nodes[id.0];
            node.is_removed = true;
            open.append(&mut node.children);
            // Those that it covered have to be looked at again.
            for covered in std::mem::take(&mut node.covers) {
                self.nodes[covered.0].covered_by = None;
                uncovered.push(covered);
            }
            if let Some(cover) = self.nodes[id.0].covered_by.take() {
                self.nodes[cover.0].covers.retain(|covered| *covered != id);
            }
        }
        for id in uncovered {
            if !self.nodes[id.0].is_removed {
                // The order is that of age: nodes that are looked at again come first.
                self.waiting.push(Reverse((0, id)));
            }
        }
    }
}
