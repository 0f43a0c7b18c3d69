//! Answers to sanity checks: reachable locations and edges, processes that stop moving, and invariants that block
//! transitions.
//!
//! Invariant: every answer follows from the transitions of the representatives, by the reference interpreter.

use std::collections::BTreeSet;

use tempora_model::{EdgeId, Id, LocationId, ProcessId};
use tempora_replay::Obstacle;

use crate::failure::ExplorationFailure;
use crate::fixpoints;
use crate::region_graph::RegionGraph;

/// The reachable parts of a network.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReachableParts {
    /// Reachable locations.
    pub locations: BTreeSet<(ProcessId, LocationId)>,
    /// Edges that some run takes.
    pub edges: BTreeSet<(ProcessId, EdgeId)>,
    /// Locations whose invariant blocks some transition.
    pub violated: BTreeSet<(ProcessId, LocationId)>,
    /// Pairs of edges between which a process can choose.
    pub choices: BTreeSet<(ProcessId, [EdgeId; 2])>,
}

impl RegionGraph {
    /// Returns the reachable parts of the network.
    pub fn reachable_parts(&self) -> Result<ReachableParts, ExplorationFailure> {
        let interpreter = self.interpreter();
        let mut met = ReachableParts::default();
        for state in self.representatives() {
            for (process, &location) in self.network.processes.ids().zip(&state.locations) {
                met.locations.insert((process, location));
            }
            for enabled in interpreter.enabled_transitions(state)? {
                for part in &enabled.transition.participants {
                    met.edges.insert((part.process, part.edge));
                }
            }
            met.choices.extend(interpreter.choices(state)?);
            for (_, obstacle) in interpreter.transitions_into_violations(state)? {
                if let Obstacle::InvariantFalse { process, location, .. } = obstacle {
                    met.violated.insert((process, location));
                }
            }
        }
        Ok(met)
    }

    /// Returns for each process whether, from some region on, it never moves again, although an edge leaves its
    /// location.
    pub fn stuck(&self) -> Result<Vec<bool>, ExplorationFailure> {
        let interpreter = self.interpreter();
        let mut moves = vec![vec![false; self.len()]; self.network.processes.len()];
        for (node, state) in self.representatives().iter().enumerate() {
            for enabled in interpreter.enabled_transitions(state)? {
                for part in &enabled.transition.participants {
                    moves[part.process.index()][node] = true;
                }
            }
        }
        let mut stuck = Vec::new();
        for (id, process) in self.network.processes.iter() {
            let can_move = fixpoints::possibly(&self.graph, &moves[id.index()]);
            stuck.push(self.representatives().iter().zip(&can_move).any(|(state, can_move)| {
                let location = state.locations[id.index()];
                !can_move && process.edges.values().any(|edge| edge.source == location)
            }));
        }
        Ok(stuck)
    }
}
