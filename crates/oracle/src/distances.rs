//! The number of transitions to reach a state.
//!
//! Invariant: delays cost nothing and a transition costs one, so the distance of a region is the smallest number of
//! transitions of a run that leads into it. Nodes are visited in the order of their distances.

use std::collections::VecDeque;

use tempora_model::Expression;

use crate::failure::ExplorationFailure;
use crate::graph::RegionDelay;
use crate::region_graph::RegionGraph;

impl RegionGraph {
    /// Returns the smallest number of transitions of a run to a state with this truth value of a predicate; `None` if
    /// there is none.
    pub fn fewest_transitions(
        &self,
        predicate: &Expression,
        wanted: bool,
    ) -> Result<Option<usize>, ExplorationFailure> {
        let satisfying = self.satisfying(predicate)?;
        let mut distances: Vec<Option<usize>> = vec![None; self.len()];
        let mut waiting: VecDeque<(usize, usize)> =
            self.graph.starts.iter().map(|&start| (start, 0)).collect();
        while let Some((node, distance)) = waiting.pop_front() {
            if distances[node].is_some() {
                continue;
            }
            distances[node] = Some(distance);
            if satisfying[node] == wanted {
                return Ok(Some(distance));
            }
            if let RegionDelay::To(later) = self.graph.delays[node] {
                waiting.push_front((later, distance));
            }
            waiting.extend(self.graph.actions[node].iter().map(|&target| (target, distance + 1)));
        }
        Ok(None)
    }
}
