//! Depth-first search for any cycle of equal nodes.
//!
//! Invariant: no cycle is reachable from a finished node, nor from anything that it covers, because the node simulates
//! the covered values. So a node that a finished one covers is skipped, although covering must not close a cycle
//! (Laarman, Olesen, Dalsgaard, Larsen and van de Pol, "Multi-core emptiness checking of timed Büchi automata using
//! inclusion abstraction", 2013, prune finished states of their second search in the same way). An explored node that
//! is not finished is on the path from the root to the current node.

use crate::graph::store::{NodeId, Status};
use crate::liveness::restricted::{Halted, Move, Restricted, START};

/// A cycle, and the path to it.
pub(crate) struct Cycle {
    /// The number of the root.
    pub(crate) root: u32,
    pub(crate) path: Vec<Move>,
    pub(crate) cycle: Vec<Move>,
}

/// A node on the path, and its next edge; the edge before that is the one on the path.
struct Frame {
    node: NodeId,
    next: usize,
    end: usize,
}

impl Restricted<'_> {
    /// Returns a cycle that is reachable from the waiting nodes.
    pub(crate) fn cycle_in_depth(&mut self) -> Halted<Option<Cycle>> {
        while let Some(root) = self.next() {
            if let Some(found) = self.cycle_from(root)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn cycle_from(&mut self, root: NodeId) -> Halted<Option<Cycle>> {
        let mut way = Vec::new();
        self.visit(root, &mut way)?;
        while let Some(frame) = way.last_mut() {
            if frame.next == frame.end {
                let node = frame.node;
                self.explorer.finish(node);
                way.pop();
                continue;
            }
            let edge = self.edges[frame.next];
            frame.next += 1;
            let target = NodeId(edge.target);
            match self.explorer.store.node(target).status {
                Status::Waiting => self.visit(target, &mut way)?,
                Status::Explored => return Ok(Some(self.cycle_to(target, &way))),
                Status::Finished | Status::Covered => {}
            }
        }
        Ok(None)
    }

    fn visit(&mut self, node: NodeId, way: &mut Vec<Frame>) -> Halted<()> {
        if self.explorer.is_covered_by_finished(node) {
            self.explorer.store.set_status(node, Status::Finished);
            return Ok(());
        }
        let next = self.edges.len();
        self.expand(node)?;
        way.push(Frame { node, next, end: self.edges.len() });
        Ok(())
    }

    /// Returns the path, split where the cycle begins.
    fn cycle_to(&self, begin: NodeId, way: &[Frame]) -> Cycle {
        let followed = |frame: &Frame| self.edges[frame.next - 1].step;
        let position = way.iter().position(|frame| frame.node == begin).unwrap_or(0);
        let root = self.explorer.store.node(way[0].node).ordinal;
        let cycle: Vec<Move> = way[position..].iter().map(followed).collect();
        debug_assert!(cycle.iter().all(|step| step.ordinal < START), "a watch starts only once");
        Cycle { root, path: way[..position].iter().map(followed).collect(), cycle }
    }
}
