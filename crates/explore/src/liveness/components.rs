//! Strongly connected components of a graph given by a list of edges.
//!
//! Invariant: two nodes are in the same component exactly if each is reachable from the other. Components are in
//! reverse topological order: an edge never leads to a component with a greater number.

/// The outgoing edges of each node.
pub(crate) struct Adjacency {
    first: Vec<u32>,
    /// Edge indices, sorted by source.
    edges: Vec<u32>,
}

impl Adjacency {
    /// Creates the adjacency of a number of nodes from the sources of the edges.
    pub(crate) fn new(nodes: usize, sources: impl Iterator<Item = Option<u32>> + Clone) -> Adjacency {
        let mut first = vec![0u32; nodes + 1];
        for source in sources.clone().flatten() {
            first[source as usize + 1] += 1;
        }
        for node in 0..nodes {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut edges = vec![0; first[nodes] as usize];
        for (position, source) in sources.enumerate() {
            if let Some(source) = source {
                edges[next[source as usize] as usize] = position as u32;
                next[source as usize] += 1;
            }
        }
        Adjacency { first, edges }
    }

    /// Returns the indices of the edges that leave a node.
    pub(crate) fn leaving(&self, node: u32) -> &[u32] {
        &self.edges[self.first[node as usize] as usize..self.first[node as usize + 1] as usize]
    }

    /// Computes the component of each node and the number of components, by Tarjan's algorithm with an explicit stack.
    /// `target` returns the target of an edge.
    pub(crate) fn components(&self, target: impl Fn(u32) -> u32) -> (Vec<u32>, u32) {
        const UNSEEN: u32 = u32::MAX;
        let count = self.first.len() - 1;
        let (mut order, mut lowest) = (vec![UNSEEN; count], vec![UNSEEN; count]);
        let mut component = vec![UNSEEN; count];
        let (mut next_order, mut next_component) = (0, 0);
        let mut open: Vec<u32> = Vec::new();
        let mut path: Vec<(u32, u32)> = Vec::new();
        for root in 0..count as u32 {
            if order[root as usize] != UNSEEN {
                continue;
            }
            path.push((root, 0));
            while let Some((node, position)) = path.last_mut() {
                let own = *node as usize;
                if *position == 0 && order[own] == UNSEEN {
                    order[own] = next_order;
                    lowest[own] = next_order;
                    next_order += 1;
                    open.push(*node);
                }
                if let Some(&edge) = self.leaving(*node).get(*position as usize) {
                    *position += 1;
                    let successor = target(edge);
                    if order[successor as usize] == UNSEEN {
                        path.push((successor, 0));
                    } else if component[successor as usize] == UNSEEN {
                        lowest[own] = lowest[own].min(order[successor as usize]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(before, _)) = path.last() {
                    lowest[before as usize] = lowest[before as usize].min(lowest[own]);
                }
                if lowest[own] == order[own] {
                    while let Some(member) = open.pop() {
                        component[member as usize] = next_component;
                        if member as usize == own {
                            break;
                        }
                    }
                    next_component += 1;
                }
            }
        }
        (component, next_component)
    }
}

#[cfg(test)]
mod tests {
    use super::Adjacency;

    #[test]
    fn components_are_in_reverse_topological_order() {
        // 0 -> 1 <-> 2 -> 3, 3 -> 3, 4 isolated, and an omitted edge.
        let edges = [(0, 1), (1, 2), (2, 1), (2, 3), (3, 3), (3, 0)];
        let sources = edges.iter().map(|&edge| (edge != (3, 0)).then_some(edge.0));
        let adjacency = Adjacency::new(5, sources);
        let (component, count) = adjacency.components(|edge| edges[edge as usize].1);
        assert_eq!(count, 4);
        assert_eq!(component[1], component[2]);
        assert_ne!(component[0], component[1]);
        for (source, target) in &edges[..5] {
            assert!(component[*target as usize] <= component[*source as usize]);
        }
    }
}
