//! Steps of the abstraction: one edge, or a chain of edges without choices or observations in between.
//!
//! See D. Beyer, A. Cimatti, A. Griggio, M. E. Keremoglu, R. Sebastiani: Software model checking via large-block
//! encoding, FMCAD 2009; only its rule for sequences is used, so that no block grows beyond the sum of its edges.
//!
//! Invariant: every run of the system that ends at a location where a block ends is a sequence of blocks; every
//! violation is at such a location.

use tempora_model::Id;
use tempora_transition::{
    ControlEdgeId, ControlLocationId, SafetyProperty, StatementKind, SymbolicStatement, SymbolicSystem,
};

use super::BlockEncoding;

/// A block, by position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct BlockId(pub(super) usize);

/// A step of the abstraction.
pub(super) struct Block {
    pub(super) source: ControlLocationId,
    pub(super) target: ControlLocationId,
    /// At least one.
    pub(super) edges: Vec<ControlEdgeId>,
    pub(super) statement: SymbolicStatement,
}

/// Returns the blocks of a system; that of a chain has the position of its first edge.
pub(super) fn blocks(system: &SymbolicSystem, claim: &SafetyProperty, encoding: BlockEncoding) -> Vec<Block> {
    let is_inner = inner_locations(system, claim, encoding);
    let mut blocks = Vec::new();
    for (id, edge) in system.edges.iter() {
        if is_inner[edge.source.index()] {
            continue;
        }
        let (mut edges, mut target) = (vec![id], edge.target);
        let mut statements = vec![edge.statement.clone()];
        // A chain has no cycle: each location inside of it has one incoming edge, and the first location is not such a
        // location.
        while is_inner[target.index()] {
            let Some((next, edge)) = system.edges_from(target).next() else { break };
            edges.push(next);
            statements.push(edge.statement.clone());
            target = edge.target;
        }
        let statement = if statements.len() == 1 {
            edge.statement.clone()
        } else {
            SymbolicStatement { kind: StatementKind::Sequence(statements), origin: edge.origin }
        };
        blocks.push(Block { source: edge.source, target, edges, statement });
    }
    blocks
}

/// Returns the locations with one incoming and one outgoing edge at which no run begins and the property is not
/// observed.
fn inner_locations(system: &SymbolicSystem, claim: &SafetyProperty, encoding: BlockEncoding) -> Vec<bool> {
    let mut into = vec![0usize; system.locations.len()];
    let mut out_of = vec![0usize; system.locations.len()];
    for edge in system.edges.values() {
        into[edge.target.index()] += 1;
        out_of[edge.source.index()] += 1;
    }
    system
        .locations
        .ids()
        .map(|location| {
            encoding == BlockEncoding::Large
                && location != system.initial_location
                && !claim.is_observed_at(location)
                && into[location.index()] == 1
                && out_of[location.index()] == 1
        })
        .collect()
}
