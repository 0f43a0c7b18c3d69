//! How many transitions it takes to get somewhere.
//!
//! Invariant: time costs nothing and a transition costs one, so the distance of a region is the fewest transitions of any
//! run that leads into it. Nodes are looked at in the order of their distances.

use std::collections::VecDeque;

use tempora_model::Expression;

use crate::failure::ExplorationFailure;
use crate::graph::Passing;
use crate::region_graph::RegionGraph;

impl RegionGraph {
    /// The fewest transitions of a run to a state of which a predicate has this truth value; `None` if there is none.
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
            if let Passing::To(later) = self.graph.passing[node] {
                waiting.push_front((later, distance));
            }
            waiting.extend(self.graph.actions[node].iter().map(|&target| (target, distance + 1)));
        }
        Ok(None)
    }
}
