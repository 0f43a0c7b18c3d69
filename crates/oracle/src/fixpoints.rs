//! The operators of branching time, each as a fixpoint of its own.
//!
//! Invariant: no operator is computed from another one. `possibly` and `always` are dual, and so are `eventually` and
//! `potentially_always`; tests check the duality.
//!
//! Maximal runs are those of UPPAAL: infinite, even if time converges; or ending where time may pass forever, a loop in
//! the graph; or ending in a state from which neither a transition nor a delay leads on. A state with a delay is not an
//! end. Infinitely many ever shorter delays within one region are not a run: if a transition stays possible up to an
//! open end of time, it is taken.

use crate::graph::Graph;

/// `EF`: the nodes from which a goal is reachable.
pub(crate) fn possibly(graph: &Graph, goal: &[bool]) -> Vec<bool> {
    let predecessors = predecessors(graph);
    let mut result = goal.to_vec();
    let mut waiting: Vec<usize> = nodes_of(goal);
    while let Some(node) = waiting.pop() {
        for &before in &predecessors[node] {
            if !result[before] {
                result[before] = true;
                waiting.push(before);
            }
        }
    }
    result
}

/// `AG`: the nodes from which only nodes of the set are reachable.
pub(crate) fn always(graph: &Graph, set: &[bool]) -> Vec<bool> {
    shrunk(graph, set, |result, node| graph.successors(node).all(|successor| result[successor]))
}

/// `AF`: the nodes from which every maximal run reaches a goal.
pub(crate) fn eventually(graph: &Graph, goal: &[bool]) -> Vec<bool> {
    let predecessors = predecessors(graph);
    let mut result = goal.to_vec();
    // The number of successors that are not known to reach a goal.
    let mut open: Vec<usize> = (0..graph.len()).map(|node| graph.successors(node).count()).collect();
    let mut waiting: Vec<usize> = nodes_of(goal);
    while let Some(node) = waiting.pop() {
        for &before in &predecessors[node] {
            open[before] -= 1;
            if open[before] == 0 && !result[before] {
                result[before] = true;
                waiting.push(before);
            }
        }
    }
    result
}

/// `EG`: the nodes from which some maximal run stays in the set.
pub(crate) fn potentially_always(graph: &Graph, set: &[bool]) -> Vec<bool> {
    shrunk(graph, set, |result, node| {
        let is_end = graph.successors(node).next().is_none();
        is_end || graph.successors(node).any(|successor| result[successor])
    })
}

/// Returns the greatest subset in which every node satisfies `stays`.
fn shrunk(graph: &Graph, set: &[bool], stays: impl Fn(&[bool], usize) -> bool) -> Vec<bool> {
    let mut result = set.to_vec();
    loop {
        let mut has_changed = false;
        // Successors tend to have greater numbers, so removals propagate far in one round.
        for node in (0..graph.len()).rev() {
            if result[node] && !stays(&result, node) {
                result[node] = false;
                has_changed = true;
            }
        }
        if !has_changed {
            return result;
        }
    }
}

fn nodes_of(set: &[bool]) -> Vec<usize> {
    (0..set.len()).filter(|&node| set[node]).collect()
}

/// May contain duplicates, if a transition and a delay lead to the same node.
fn predecessors(graph: &Graph) -> Vec<Vec<usize>> {
    let mut predecessors = vec![Vec::new(); graph.len()];
    for node in 0..graph.len() {
        for successor in graph.successors(node) {
            predecessors[successor].push(node);
        }
    }
    predecessors
}
