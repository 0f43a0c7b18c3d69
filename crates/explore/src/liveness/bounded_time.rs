//! Removal of components in which no run stays for ever because time is bounded there and cycles take time.
//!
//! Invariant: every infinite run that stays in a component stays in one of its remaining parts. Only the guards,
//! invariants and assignments of the network count, which hold for all values that a node represents.
//!
//! If a clock has an upper bound in all nodes and is never set, a run stays only for bounded time. Then it does not
//! both set a clock to zero and demand that it is at least one infinitely often: from some moment on it does one of
//! them never again. The component without one of them, and without the other, may decompose into smaller components,
//! to which the same applies. That cycles with positive duration cannot be repeated for ever in bounded time is due to
//! Tripakis, "Verifying progress in timed systems" (1999); the decomposition is that of the emptiness check for Streett
//! automata.

use std::collections::BTreeMap;

use tempora_machine::{ClockConstraint, ClockEffect, Enabled, InstanceId};

use crate::graph::explorer::Explorer;
use crate::graph::store::NodeId;
use crate::liveness::components::Adjacency;
use crate::liveness::restricted::{Halted, Restricted, START, or_halt};

/// The effect of a transition on clocks: one bit each, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ClockUse {
    /// Clocks that are set.
    set: u64,
    /// Clocks that are set to a value other than zero.
    set_higher: u64,
    /// Clocks that must be at least one.
    at_least_one: u64,
}

/// The limit on clocks that are distinguished.
const MOST_CLOCKS: usize = 64;

/// An edge within a component, between positions in the list of its nodes.
#[derive(Clone, Copy)]
struct InnerEdge {
    source: u32,
    target: u32,
    clocks: ClockUse,
}

impl Explorer<'_> {
    /// Returns the effect on clocks of the transition that was just applied.
    pub(crate) fn clock_use(&self, enabled: &Enabled, members: &[InstanceId]) -> ClockUse {
        let mut clocks = ClockUse::default();
        for effect in &self.execution.effects {
            match *effect {
                ClockEffect::Reset { clock, value } => {
                    clocks.set |= bit(clock);
                    if value > 0 {
                        clocks.set_higher |= bit(clock);
                    }
                }
                ClockEffect::Copy { clock, .. } => {
                    clocks.set |= bit(clock);
                    clocks.set_higher |= bit(clock);
                }
            }
        }
        for &member in members {
            let range = enabled.instance(member).constant_guard.clone();
            let constants = &self.machine.constraints()[range.start as usize..range.end as usize];
            for constraint in constants.iter().chain(enabled.computed_guard(member)) {
                if constraint.left == 0 && constraint.constant <= -1 {
                    clocks.at_least_one |= bit(constraint.right);
                }
            }
        }
        clocks
    }

    /// Returns the clocks that have upper bounds in a discrete state, one bit each.
    fn bounded_clocks(&mut self, cells: &[i32]) -> u64 {
        let machine = self.machine;
        let mut constraints: Vec<ClockConstraint> = Vec::new();
        for (process, &cell) in cells[..machine.layout().process_count()].iter().enumerate() {
            let location = machine.location(process, cell);
            let range = location.invariant_clocks().constant.clone();
            constraints.extend(&machine.constraints()[range.start as usize..range.end as usize]);
        }
        self.execution.cells_mut().copy_from_slice(cells);
        if self.execution.computed_invariants(machine, &mut constraints).is_err() {
            return 0;
        }
        let is_upper = |constraint: &&ClockConstraint| constraint.left != 0 && constraint.right == 0;
        constraints.iter().filter(is_upper).fold(0, |bits, constraint| bits | bit(constraint.left))
    }
}

fn bit(clock: u16) -> u64 {
    1 << (u32::from(clock.wrapping_sub(1)) % u64::BITS)
}

impl Restricted<'_> {
    /// Returns the parts of a component, given by its nodes, in which a run may stay for ever.
    pub(crate) fn recurrent_parts(
        &mut self,
        nodes: Vec<u32>,
        adjacency: &Adjacency,
    ) -> Halted<Vec<Vec<u32>>> {
        if self.explorer.machine.layout().clock_count() > MOST_CLOCKS {
            return Ok(vec![nodes]);
        }
        let (bounded, edges) = self.inner_edges(&nodes, adjacency)?;
        let mut parts = Vec::new();
        let mut waiting = vec![edges];
        while let Some(edges) = waiting.pop() {
            or_halt(self.explorer.spend())?;
            let adjacency = Adjacency::new(nodes.len(), edges.iter().map(|edge| Some(edge.source)));
            let (component, _) = adjacency.components(|edge| edges[edge as usize].target);
            let mut inside: BTreeMap<u32, Vec<InnerEdge>> = BTreeMap::new();
            for edge in &edges {
                if component[edge.source as usize] == component[edge.target as usize] {
                    inside.entry(component[edge.source as usize]).or_default().push(*edge);
                }
            }
            for edges in inside.into_values() {
                match decompose(&edges, &bounded) {
                    Some(smaller) => waiting.extend(smaller),
                    None => parts.push(sources_of(&edges, &nodes)),
                }
            }
        }
        // Parts that differ only in their edges would be explored twice.
        parts.sort();
        parts.dedup();
        Ok(parts)
    }

    /// Returns the clocks with upper bounds in each node of a component, and its edges.
    fn inner_edges(&mut self, nodes: &[u32], adjacency: &Adjacency) -> Halted<(Vec<u64>, Vec<InnerEdge>)> {
        let mut bounded = Vec::with_capacity(nodes.len());
        let mut clocks: BTreeMap<(u32, u32), ClockUse> = BTreeMap::new();
        self.explorer.notes_clock_use = true;
        for (position, &node) in nodes.iter().enumerate() {
            let (cells, zone, may_delay) = self.state_of(NodeId(node));
            bounded.push(self.explorer.bounded_clocks(&cells));
            let arrivals = self.successors(&cells, &zone, may_delay, node);
            self.explorer.pool.give_back(zone);
            let arrivals = match arrivals {
                Ok(arrivals) => arrivals,
                Err(halt) => {
                    self.explorer.notes_clock_use = false;
                    return Err(halt);
                }
            };
            for arrival in arrivals.as_slice() {
                clocks.insert((position as u32, arrival.ordinal), arrival.clocks);
            }
            self.give_back(arrivals);
        }
        self.explorer.notes_clock_use = false;
        let positions: BTreeMap<u32, u32> =
            nodes.iter().enumerate().map(|(position, &node)| (node, position as u32)).collect();
        let mut edges = Vec::new();
        for (source, &node) in nodes.iter().enumerate() {
            let source = source as u32;
            for &edge in adjacency.leaving(node) {
                let edge = &self.edges[edge as usize];
                let target = self.explorer.store.representative(NodeId(edge.target)).0;
                let Some(&target) = positions.get(&target) else { continue };
                let known = clocks.get(&(source, edge.step.ordinal)).filter(|_| edge.step.ordinal < START);
                edges.push(InnerEdge { source, target, clocks: known.copied().unwrap_or_default() });
            }
        }
        Ok((bounded, edges))
    }
}

/// Returns the source nodes of edges.
fn sources_of(edges: &[InnerEdge], nodes: &[u32]) -> Vec<u32> {
    let mut sources: Vec<u32> = edges.iter().map(|edge| nodes[edge.source as usize]).collect();
    sources.sort_unstable();
    sources.dedup();
    sources
}

/// Decomposes a component into the parts in which a run may stay; `None` if it may stay in all of it.
fn decompose(edges: &[InnerEdge], bounded: &[u64]) -> Option<Vec<Vec<InnerEdge>>> {
    let in_all = edges.iter().fold(u64::MAX, |bits, edge| bits & bounded[edge.source as usize]);
    let any = |of: fn(&ClockUse) -> u64| edges.iter().fold(0, |bits, edge| bits | of(&edge.clocks));
    let (set, set_higher, at_least_one) =
        (any(|clocks| clocks.set), any(|clocks| clocks.set_higher), any(|clocks| clocks.at_least_one));
    if in_all & !set == 0 {
        return None;
    }
    let both = set & at_least_one & !set_higher;
    if both == 0 {
        return None;
    }
    let clock = both & both.wrapping_neg();
    let without = |of: fn(&ClockUse) -> u64| -> Vec<InnerEdge> {
        edges.iter().filter(|edge| of(&edge.clocks) & clock == 0).copied().collect()
    };
    let (never_set, never_tested) = (without(|clocks| clocks.set), without(|clocks| clocks.at_least_one));
    // The part with more edges contains all runs of the other.
    let is_one_enough = edges.iter().all(|edge| edge.clocks.set & clock == edge.clocks.at_least_one & clock);
    Some(if is_one_enough { vec![never_set] } else { vec![never_set, never_tested] })
}
