//! `A[] (p imply E<> q)`: whether a goal always remains reachable.
//!
//! Invariant: for each node, the part of its zone from which the goal is reachable is computed exactly, as a set of
//! clock values. That a node has a path to another means only that some of its values have one, so nodes alone are not
//! enough. The computation is a backward fixpoint: a value is good if it reaches, by delay, a value of the goal or one
//! with a transition to a good value.
//!
//! The zones are those of a search in which a node represents everything that it covers, with bounds whose relation is
//! a bisimulation. A covered successor is not necessarily included in the zone that covers it, only bisimilar to a
//! part. So the good values of a node are extended to all bisimilar values before they are propagated.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use tempora_evidence::{Ending, UnknownReason};
use tempora_machine::{Enabled, Predicate};
use tempora_model::{Expression, LocationId, Network};
use tempora_zones::{BoundOverflow, Clock, Constraint, Federation, Zone};

use crate::graph::arrivals::{Arrival, Arrivals};
use crate::graph::bounds::{NONE as NO_BOUND, Profile, WantedPredicate};
use crate::graph::explorer::too_large;
use crate::graph::pieces::minus_all;
use crate::graph::store::{NONE, NodeId};
use crate::liveness::branching::{FormulaOutcome, Prepared, SearchParameters, prepare};
use crate::liveness::components::Adjacency;
use crate::liveness::observer::IDLE;
use crate::liveness::restricted::{Halt, Halted, Restricted, Restriction};
use crate::runs::trace::{PathEnd, concrete_trace};

/// Compiles the search for the formula, or returns why it is declined.
pub(crate) fn prepared(
    network: &Network,
    premise: Option<&Expression>,
    goal: &Expression,
) -> Result<Prepared, String> {
    let predicates: Vec<WantedPredicate<'_>> =
        [goal].into_iter().chain(premise).map(|part| (part, true)).collect();
    prepare(network, IDLE, &predicates, Profile::Branching)
}

/// Answers the formula with its compiled search.
pub(crate) fn answer(mut prepared: Prepared, parameters: SearchParameters<'_>) -> FormulaOutcome {
    let mut predicates = std::mem::take(&mut prepared.predicates).into_iter();
    let (goal, premise) = (predicates.next(), predicates.next());
    let Some(goal) = goal else {
        return FormulaOutcome::unknown(UnknownReason::EngineBug("a goal is missing".to_owned()));
    };
    let explorer = prepared.explorer(parameters);
    let explorer = match explorer {
        Ok(explorer) => explorer,
        Err(overflow) => return FormulaOutcome::unknown(UnknownReason::Unsupported(overflow.to_string())),
    };
    let mut search = Restricted::new(explorer, Restriction::none());
    let found = find_stuck(&mut search, &goal, premise.as_ref());
    search.explorer.report_progress();
    let stored = search.explorer.store.live();
    let mut outcome = match found {
        Err(halt) => FormulaOutcome::halted(&halt),
        Ok(None) => FormulaOutcome::of(true),
        Ok(Some((node, part))) => {
            let trace = trace_to(&mut search, node, &part, prepared.process_count).unwrap_or(None);
            FormulaOutcome { has_run: true, trace, ..FormulaOutcome::of(false) }
        }
    };
    outcome.stored = stored;
    outcome
}

/// Computes a run to a value of a node. Edges of the graph have their own numbers, so the ordinals of successors are
/// looked up.
pub(crate) fn trace_to(
    search: &mut Restricted<'_>,
    node: NodeId,
    part: &Zone,
    process_count: usize,
) -> Halted<Option<tempora_evidence::Trace>> {
    let mut ordinals = Vec::new();
    let mut at = node;
    while search.explorer.store.node(at).parent != NONE {
        let edge = search.edges[search.explorer.store.node(at).ordinal as usize];
        ordinals.push(edge.step.ordinal);
        at = NodeId(search.explorer.store.node(at).parent);
    }
    let explorer = &mut search.explorer;
    let (mut initial, mut recorded): (Vec<LocationId>, _) = explorer.repeat_start(at)?;
    initial.truncate(process_count);
    let mut enabled = Enabled::new(explorer.machine);
    let mut path = Vec::new();
    for ordinal in ordinals.into_iter().rev() {
        let Some(zone) = recorded.zone.take() else { return Ok(None) };
        recorded = explorer.repeat_step(&mut enabled, &recorded.cells, &zone, recorded.may_delay, ordinal)?;
        path.push(recorded.step.clone());
    }
    explorer.target.set(explorer.bounds, &recorded.cells);
    let end = PathEnd {
        goal: explorer.target.constraints_of(part),
        may_delay: recorded.may_delay,
        ending: Ending::Goal,
    };
    Ok(concrete_trace(initial, path, end, explorer.machine.layout().clock_count()))
}

fn overflow(overflow: BoundOverflow) -> Halt {
    Halt::Stop(too_large(overflow))
}

fn or_halt<T>(flow: ControlFlow<crate::graph::explorer::SearchStop, T>) -> Halted<T> {
    match flow {
        ControlFlow::Continue(value) => Ok(value),
        ControlFlow::Break(stop) => Err(Halt::Stop(stop)),
    }
}

/// Finds a node and a part of its zone where the premise holds and the goal is unreachable.
fn find_stuck(
    search: &mut Restricted<'_>,
    goal: &Predicate,
    premise: Option<&Predicate>,
) -> Halted<Option<(NodeId, Zone)>> {
    search.add_initial()?;
    while let Some(node) = search.next() {
        search.expand(node)?;
    }
    let good = BackwardAnalysis::new(search).run(search, goal)?;
    for node in 0..search.explorer.store.node_count() {
        let Some(good) = &good[node as usize] else { continue };
        let (cells, zone, _) = search.state_of(NodeId(node));
        search.set_target(&cells);
        let asked = match premise {
            None => vec![zone],
            Some(premise) => search.parts(premise, true, &zone)?,
        };
        let stuck = minus_all(asked, good.zones()).map_err(overflow)?;
        if let Some(part) = stuck.into_iter().next() {
            return Ok(Some((NodeId(node), part)));
        }
    }
    Ok(None)
}

/// Propagates backwards the values from which the goal is reachable.
struct BackwardAnalysis {
    /// For each live node, its outgoing edges in the order of its successors.
    adjacency: Adjacency,
    /// For each live node, its predecessors.
    before: Vec<Vec<u32>>,
}

impl BackwardAnalysis {
    fn new(search: &Restricted<'_>) -> BackwardAnalysis {
        let store = &search.explorer.store;
        let alive = |node: u32| store.representative(NodeId(node)).0 == node;
        let sources = search.edges.iter().map(|edge| alive(edge.source).then_some(edge.source));
        let adjacency = Adjacency::new(store.node_count() as usize, sources);
        let mut before = vec![Vec::new(); store.node_count() as usize];
        for edge in &search.edges {
            if alive(edge.source) {
                let target = store.representative(NodeId(edge.target)).0;
                let list: &mut Vec<u32> = &mut before[target as usize];
                // The edges of a node are adjacent, so this removes most duplicates.
                if list.last() != Some(&edge.source) {
                    list.push(edge.source);
                }
            }
        }
        BackwardAnalysis { adjacency, before }
    }

    /// Computes for each live node the values from which the goal is reachable.
    fn run(&self, search: &mut Restricted<'_>, goal: &Predicate) -> Halted<Vec<Option<Federation>>> {
        let count = search.explorer.store.node_count();
        let mut good: Vec<Option<Federation>> = vec![None; count as usize];
        let mut waiting: VecDeque<u32> = VecDeque::new();
        let mut waits = vec![false; count as usize];
        let wake = |waiting: &mut VecDeque<u32>, waits: &mut Vec<bool>, node: u32| {
            for &before in &self.before[node as usize] {
                if !std::mem::replace(&mut waits[before as usize], true) {
                    waiting.push_back(before);
                }
            }
        };
        for node in 0..count {
            if search.explorer.store.representative(NodeId(node)).0 != node {
                continue;
            }
            or_halt(search.explorer.spend())?;
            let (cells, zone, may_delay) = search.state_of(NodeId(node));
            search.set_target(&cells);
            let parts = search.parts(goal, true, &zone)?;
            let mut own = Federation::empty(zone.dimension());
            for mut part in parts {
                if may_delay {
                    part.down();
                    part.intersect(&zone).map_err(overflow)?;
                }
                own.add(part);
            }
            if !own.is_empty() {
                wake(&mut waiting, &mut waits, node);
            }
            good[node as usize] = Some(own);
        }
        while let Some(node) = waiting.pop_front() {
            waits[node as usize] = false;
            if self.improve(search, node, &mut good)? {
                wake(&mut waiting, &mut waits, node);
            }
        }
        Ok(good)
    }

    /// Recomputes the good values of a node; returns whether they have grown.
    fn improve(
        &self,
        search: &mut Restricted<'_>,
        node: u32,
        good: &mut [Option<Federation>],
    ) -> Halted<bool> {
        let (cells, zone, may_delay) = search.state_of(NodeId(node));
        let Some(mut own) = good[node as usize].take() else { return Ok(false) };
        if minus_all(vec![zone.clone()], own.zones()).map_err(overflow)?.is_empty() {
            good[node as usize] = Some(Federation::from(zone));
            return Ok(false);
        }
        let arrivals: Arrivals = search.successors(&cells, &zone, may_delay, node)?;
        let mut has_more = false;
        let leaving = self.adjacency.leaving(node);
        for (arrival, &edge) in arrivals.as_slice().iter().zip(leaving) {
            or_halt(search.explorer.spend())?;
            let target = search.explorer.store.representative(NodeId(search.edges[edge as usize].target)).0;
            let there = if target == node { Some(&own) } else { good[target as usize].as_ref() };
            let Some(there) = there.filter(|there| !there.is_empty()) else { continue };
            for part in reachable_parts(search, arrival, target, there)? {
                let mut before = or_halt(arrival.predecessor(&part))?;
                if may_delay {
                    before.down();
                    before.intersect(&zone).map_err(overflow)?;
                }
                if !minus_all(vec![before.clone()], own.zones()).map_err(overflow)?.is_empty() {
                    own.add(before);
                    has_more = true;
                }
            }
        }
        good[node as usize] = Some(own);
        search.give_back(arrivals);
        Ok(has_more)
    }
}

/// Returns the good parts of an arrival before delay, given the good part of the node that represents it.
///
/// A value that is good after a delay is good before it, and the good part contains its past within the node's zone. So
/// it suffices to consider the values right after the transition.
fn reachable_parts(
    search: &mut Restricted<'_>,
    arrival: &Arrival,
    target: u32,
    good: &Federation,
) -> Halted<Vec<Zone>> {
    let (_, stored, _) = search.state_of(NodeId(target));
    let good = if arrival.later.is_subset_of(&stored) {
        good.zones().to_vec()
    } else {
        search.set_target(&arrival.cells);
        bisimilar(search, &arrival.cells, good.zones()).map_err(overflow)?
    };
    let mut parts = Vec::new();
    for mut part in good {
        if part.intersect(&arrival.entry).map_err(overflow)? {
            parts.push(part);
        }
    }
    Ok(parts)
}

/// Returns all clock values that are bisimilar to some of the zones in the state of the target: each clock is equal or
/// beyond its greatest constant in both, and all compared differences are on the same side.
fn bisimilar(search: &Restricted<'_>, cells: &[i32], zones: &[Zone]) -> Result<Vec<Zone>, BoundOverflow> {
    let explorer = &search.explorer;
    let mut cuts = Vec::new();
    for diagonal in &explorer.bounds.diagonals {
        let clocks = (explorer.target.zone_clock(diagonal.left), explorer.target.zone_clock(diagonal.right));
        if let (Some(left), Some(right)) = clocks {
            let bound = tempora_zones::Bound::finite(diagonal.constant, !diagonal.is_strict)?;
            cuts.push(Constraint::difference(left, right, bound));
        }
    }
    let mut all = Vec::new();
    for zone in zones {
        // For each cell of the differences: its bisimilar values, and the cell itself.
        let mut cells_of_differences = vec![(zone.clone(), Zone::universe(zone.dimension()))];
        for &cut in &cuts {
            let mut next = Vec::new();
            for (part, cell) in cells_of_differences {
                for side in [Some(cut), cut.negated()].into_iter().flatten() {
                    let (mut part, mut cell) = (part.clone(), cell.clone());
                    if part.constrain(side)? && cell.constrain(side)? {
                        next.push((part, cell));
                    }
                }
            }
            cells_of_differences = next;
        }
        for (part, cell) in cells_of_differences {
            let mut parts = vec![part];
            for (position, &clock) in explorer.target.active().iter().enumerate() {
                let own = Clock(position as u16 + 1);
                let pair = explorer.bounds.pair(usize::from(clock), cells);
                let greatest = pair.lower.max(pair.upper);
                let mut next = Vec::new();
                for part in parts {
                    let mut within = part.clone();
                    let mut beyond = part;
                    if greatest == NO_BOUND {
                        beyond.free(own);
                        next.push(beyond);
                        continue;
                    }
                    if within.constrain(Constraint::at_most(own, greatest)?)? {
                        next.push(within);
                    }
                    let far = Constraint::greater_than(own, greatest)?;
                    if beyond.constrain(far)? {
                        beyond.free(own);
                        beyond.constrain(far)?;
                        next.push(beyond);
                    }
                }
                parts = next;
            }
            for mut part in parts {
                if part.intersect(&cell)? {
                    all.push(part);
                }
            }
        }
    }
    Ok(all)
}
