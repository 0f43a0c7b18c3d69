//! Lifts the operands' sets and moves into their product.
//!
//! Invariant: the clocks and leaves of the left operand come first.

use tempora_zones::{Dimension, Federation};

use crate::search_abort::SearchAbort;
use crate::state::{EdgeUse, Move, StateId, shifted};
use crate::theory::{SpecificationId, Theory};

/// Lifts the operands' sets and moves into their product.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    left_clocks: u16,
    left_leaves: u32,
    dimension: Dimension,
    anything: (Federation, Federation),
}

impl Frame {
    pub(crate) fn new(
        theory: &Theory<'_>,
        left: SpecificationId,
        right: SpecificationId,
        dimension: Dimension,
    ) -> Frame {
        let (one, other) = (theory[left].dimension, theory[right].dimension);
        Frame {
            left_clocks: one.size() as u16 - 1,
            left_leaves: theory[left].leaves,
            dimension,
            anything: (Federation::universe(one), Federation::universe(other)),
        }
    }

    /// Lifts a set of the left operand.
    pub(crate) fn left(&self, set: &Federation) -> Result<Federation, SearchAbort> {
        self.both(set, &self.anything.1)
    }

    /// Lifts a set of the right operand.
    pub(crate) fn right(&self, set: &Federation) -> Result<Federation, SearchAbort> {
        self.both(&self.anything.0, set)
    }

    /// Returns the product of a set of the left operand and one of the right.
    pub(crate) fn both(&self, left: &Federation, right: &Federation) -> Result<Federation, SearchAbort> {
        let mut zones = Vec::with_capacity(left.zones().len() * right.zones().len());
        for mine in left.zones() {
            for theirs in right.zones() {
                zones.push(mine.beside(theirs, self.dimension)?);
            }
        }
        Ok(Federation::from_zones(self.dimension, zones))
    }

    /// Joins two moves on one action; `None` if they are never enabled together.
    pub(crate) fn together(
        &self,
        mine: &Move,
        theirs: &Move,
        target: StateId,
    ) -> Result<Option<Move>, SearchAbort> {
        let guard = self.both(&mine.guard, &theirs.guard)?;
        if guard.is_empty() {
            return Ok(None);
        }
        let mut updates = mine.updates.to_vec();
        updates.extend(shifted(&theirs.updates, self.left_clocks));
        let mut edges = mine.edges.clone();
        edges.extend(self.right_edges(theirs));
        Ok(Some(Move { action: mine.action, guard, updates: updates.into(), target, edges }))
    }

    pub(crate) fn alone_left(&self, mine: &Move, guard: Federation, target: StateId) -> Option<Move> {
        (!guard.is_empty()).then(|| Move {
            action: mine.action,
            guard,
            updates: mine.updates.clone(),
            target,
            edges: mine.edges.clone(),
        })
    }

    pub(crate) fn alone_right(&self, theirs: &Move, guard: Federation, target: StateId) -> Option<Move> {
        (!guard.is_empty()).then(|| Move {
            action: theirs.action,
            guard,
            updates: shifted(&theirs.updates, self.left_clocks).into(),
            target,
            edges: self.right_edges(theirs).collect(),
        })
    }

    fn right_edges<'move_>(&self, theirs: &'move_ Move) -> impl Iterator<Item = EdgeUse> + use<'move_> {
        let offset = self.left_leaves;
        theirs.edges.iter().map(move |used| EdgeUse { leaf: used.leaf + offset, ..used.clone() })
    }
}
