//! Strongly connected components of a graph of successor lists.
//!
//! Invariant: components are numbered against the direction of the edges, so an edge never leads to a component with a
//! greater number.

/// Returns the number of the component of each node.
pub(crate) fn components(successors: &[Vec<usize>]) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let count = successors.len();
    let (mut order, mut lowest) = (vec![UNSEEN; count], vec![UNSEEN; count]);
    let mut component = vec![UNSEEN; count];
    let (mut next_order, mut next_component) = (0, 0);
    let mut open = Vec::new();
    for root in 0..count {
        if order[root] != UNSEEN {
            continue;
        }
        // Tarjan's algorithm with an explicit stack: paths may be longer than the call stack allows.
        let mut path = vec![(root, 0)];
        while let Some(&mut (node, ref mut position)) = path.last_mut() {
            if *position == 0 && order[node] == UNSEEN {
                order[node] = next_order;
                lowest[node] = next_order;
                next_order += 1;
                open.push(node);
            }
            if let Some(&successor) = successors[node].get(*position) {
                *position += 1;
                if order[successor] == UNSEEN {
                    path.push((successor, 0));
                } else if component[successor] == UNSEEN {
                    lowest[node] = lowest[node].min(order[successor]);
                }
                continue;
            }
            path.pop();
            if let Some(&(before, _)) = path.last() {
                lowest[before] = lowest[before].min(lowest[node]);
            }
            if lowest[node] == order[node] {
                while let Some(member) = open.pop() {
                    component[member] = next_component;
                    if member == node {
                        break;
                    }
                }
                next_component += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn cycles_are_components_numbered_against_edges() {
        // 0 -> 1 <-> 2 -> 3, 3 -> 3, and 4 without edges.
        let successors = vec![vec![1], vec![2], vec![1, 3], vec![3], vec![]];
        let component = components(&successors);
        assert_eq!(component[1], component[2]);
        assert_ne!(component[0], component[1]);
        assert_ne!(component[4], component[3]);
        for (node, targets) in successors.iter().enumerate() {
            assert!(targets.iter().all(|&target| component[target] <= component[node]));
        }
    }
}
