//! The abstract reachability graph.
//!
//! Invariant: a node that is neither expanded, covered nor a target is waiting. A node covers another only at the same
//! control location, and only while it is not covered itself.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tempora_evidence::{RefinementStatistics, UnknownReason};
use tempora_model::Id;
use tempora_smt::{TermId, print_term};
use tempora_transition::ControlLocationId;

use super::GraphSearch;
use super::blocks::BlockId;
use super::context::Context;
use super::domain::{AbstractState, Precision};
use super::image::{initial_states, may_violate, successors};
use super::snapshot::{AbstractGraph, AbstractNode};
use crate::solving::note_solver;

/// A node, by position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct NodeId(usize);

struct Node {
    location: ControlLocationId,
    state: AbstractState,
    parent: Option<(NodeId, BlockId)>,
    depth: u64,
    children: Vec<NodeId>,
    covered_by: Option<NodeId>,
    /// The nodes that it covers.
    covers: Vec<NodeId>,
    is_target: bool,
    is_expanded: bool,
    is_removed: bool,
}

pub(super) struct Graph {
    nodes: Vec<Node>,
    roots: Vec<NodeId>,
    is_begun: bool,
    /// The waiting nodes in the order of expansion.
    waiting: BinaryHeap<Reverse<(u64, NodeId)>>,
}

impl Graph {
    pub(super) fn new() -> Graph {
        Graph { nodes: Vec::new(), roots: Vec::new(), is_begun: false, waiting: BinaryHeap::new() }
    }

    /// Reports the size of the abstraction.
    fn note(&self, context: &Context<'_>, precision: &Precision, iteration: usize) {
        context.progress.note_refinement(RefinementStatistics {
            iterations: iteration as u64,
            nodes: self.nodes.len() as u64,
            precision: (precision.variables.len() + precision.predicates.len()) as u64,
        });
        note_solver(context.progress, &context.meter);
    }

    /// Expands nodes until there is a target, which it returns, or no waiting node.
    pub(super) fn build(
        &mut self,
        context: &mut Context<'_>,
        precision: &Precision,
        iteration: usize,
    ) -> Result<Option<NodeId>, UnknownReason> {
        self.note(context, precision, iteration);
        if !self.is_begun {
            self.is_begun = true;
            let location = context.system.initial_location;
            for state in initial_states(context, precision)? {
                let root = self.add(context, location, state, None)?;
                self.roots.push(root);
            }
        }
        // Targets remaining from before the last refinement.
        if let Some(target) = self.ids().find(|id| self.nodes[id.0].is_target && !self.nodes[id.0].is_removed)
        {
            return Ok(Some(target));
        }
        while let Some(Reverse((_, id))) = self.waiting.pop() {
            let node = &self.nodes[id.0];
            if node.is_removed || node.is_expanded || node.covered_by.is_some() {
                continue;
            }
            context.may_go_on(self.nodes.len())?;
            self.note(context, precision, iteration);
            if let Some(cover) = self.cover_of(id) {
                self.nodes[id.0].covered_by = Some(cover);
                self.nodes[cover.0].covers.push(id);
                continue;
            }
            let (location, state) = (self.nodes[id.0].location, self.nodes[id.0].state.clone());
            self.nodes[id.0].is_expanded = true;
            context.progress.add_explored(1);
            let mut target = None;
            for (number, block) in context.blocks.iter().enumerate() {
                if block.source != location {
                    continue;
                }
                let number = BlockId(number);
                for successor in successors(context, precision, &state, number)? {
                    context.progress.add_transitions(1);
                    let child = self.add(context, block.target, successor, Some((id, number)))?;
                    if self.nodes[child.0].is_target {
                        target = target.or(Some(child));
                    }
                }
            }
            if target.is_some() {
                return Ok(target);
            }
        }
        let is_open = |node: &Node| !node.is_removed && !node.is_expanded && node.covered_by.is_none();
        if self.nodes.iter().any(is_open) {
            let why = "a node of the abstraction was neither expanded nor covered";
            return Err(UnknownReason::EngineBug(why.to_owned()));
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
        parent: Option<(NodeId, BlockId)>,
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

    /// Returns, for each control location, the disjunction of the states of its nodes.
    pub(super) fn formulas(&self, context: &mut Context<'_>) -> Vec<TermId> {
        let mut parts: Vec<Vec<TermId>> = vec![Vec::new(); context.system.locations.len()];
        // The cover of a covered node implies its state.
        for node in self.nodes.iter().filter(|node| !node.is_removed && node.covered_by.is_none()) {
            parts[node.location.index()].push(node.state.formula(context));
        }
        parts.into_iter().map(|states| context.store.or(&states)).collect()
    }

    /// Returns the graph as data for observers.
    pub(super) fn snapshot(
        &self,
        context: &mut Context<'_>,
        precision: &Precision,
        iteration: usize,
    ) -> AbstractGraph {
        let mut position_of = vec![0; self.nodes.len()];
        let mut count = 0;
        for (id, _) in self.nodes.iter().enumerate().filter(|(_, node)| !node.is_removed) {
            position_of[id] = count;
            count += 1;
        }
        let mut nodes = Vec::with_capacity(count);
        for node in self.nodes.iter().filter(|node| !node.is_removed) {
            let formula = node.state.formula(context);
            let conjuncts = context.store.conjuncts(formula);
            nodes.push(AbstractNode {
                location: context.system.locations[node.location].name.clone(),
                state: conjuncts.iter().map(|part| print_term(&context.store, *part)).collect(),
                parent: node.parent.map(|(parent, block)| {
                    let block = &context.blocks[block.0];
                    (position_of[parent.0], context.system.edges[block.edges[0]].kind)
                }),
                covered_by: node.covered_by.map(|cover| position_of[cover.0]),
                is_target: node.is_target,
                is_expanded: node.is_expanded,
            });
        }
        let variables = precision.variables.iter().map(|id| context.system.variables[*id].name.clone());
        let predicates = precision.predicates.iter().map(|term| print_term(&context.store, *term));
        AbstractGraph { iteration, precision: variables.chain(predicates).collect(), nodes }
    }

    /// Returns a node that covers this one.
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

    /// Returns the blocks on the path to a node.
    pub(super) fn path_to(&self, target: NodeId) -> Vec<BlockId> {
        let mut path = Vec::new();
        let mut current = target;
        while let Some((parent, edge)) = self.nodes[current.0].parent {
            path.push(edge);
            current = parent;
        }
        path.reverse();
        path
    }

    /// Removes the descendants of the node before the given position on the path to a target, which a refinement shows
    /// to be too coarse.
    pub(super) fn prune(&mut self, target: NodeId, position: usize) {
        let mut path = vec![target];
        let mut current = target;
        while let Some((parent, _)) = self.nodes[current.0].parent {
            path.push(parent);
            current = parent;
        }
        path.reverse();
        if position == 0 || position >= path.len() {
            *self = Graph::new();
            return;
        }
        let above = path[position - 1];
        let mut open = std::mem::take(&mut self.nodes[above.0].children);
        self.nodes[above.0].is_expanded = false;
        let mut uncovered = vec![above];
        while let Some(id) = open.pop() {
            let node = &mut self.nodes[id.0];
            node.is_removed = true;
            open.append(&mut node.children);
            // The nodes that it covered must be processed again.
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
                // Ordered by age: nodes that must be processed again come first.
                self.waiting.push(Reverse((0, id)));
            }
        }
    }
}
