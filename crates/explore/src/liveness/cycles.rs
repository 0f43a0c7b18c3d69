//! A cycle of nodes that are equal, looked for in depth: any cycle will do.
//!
//! Invariant: a node that is finished leads to no cycle. Nothing that it covers does either, for what a covered value does is
//! done by one of the node. So a node that a finished one covers need not be looked at, though covering is not allowed to
//! close a cycle (Laarman, Olesen, Dalsgaard, Larsen and van de Pol, "Multi-core emptiness checking of timed Büchi automata using
//! inclusion abstraction", 2013, prune what their second search has finished in the same way). A node that is explored and not
//! finished is on the way from the root to the present one.

use crate::graph::store::{NodeId, Status};
use crate::liveness::restricted::{Halted, Move, Restricted, START};

/// A cycle, and how to come to it.
pub(crate) struct Cycle {
    /// The number of the root.
    pub(crate) root: u32,
    pub(crate) path: Vec<Move>,
    pub(crate) cycle: Vec<Move>,
}

/// A node on the way, and which of its edges are still to be followed; the one that is followed is before them.
struct Frame {
    node: NodeId,
    next: usize,
    end: usize,
}

impl Restricted<'_> {
    /// A cycle that can be come to from the nodes that wait.
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

    /// The way, of which a node is the beginning of a cycle.
    fn cycle_to(&self, begin: NodeId, way: &[Frame]) -> Cycle {
        let followed = |frame: &Frame| self.edges[frame.next - 1].step;
        let position = way.iter().position(|frame| frame.node == begin).unwrap_or(0);
        let root = self.explorer.store.node(way[0].node).ordinal;
        let cycle: Vec<Move> = way[position..].iter().map(followed).collect();
        debug_assert!(cycle.iter().all(|step| step.ordinal < START), "a watch starts only once");
        Cycle { root, path: way[..position].iter().map(followed).collect(), cycle }
    }
}
