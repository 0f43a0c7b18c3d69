//! Refinement as a reachability problem on pairs of states.
//!
//! Both sides are deterministic, so the relation between them is the set of pairs that are reachable together, and
//! refinement fails if and only if a pair is reachable in which one side refuses a move of the other. The refused
//! valuations of a discrete pair are computed once; the search only intersects each zone with them.
//!
//! A zone may be dropped if another zone has, for each of its valuations, one that simulates it. The right side also
//! counts for the moves that it refuses, so its clocks must be equal up to the maximal constants. A clock of the left
//! side that has upper bounds only may be smaller: more time never removes a move. This is the simulation of Behrmann,
//! Bouyer, Larsen and Pelánek, "Lower and upper bounds in zone-based abstractions of timed automata" (2006). It does
//! not preserve refused inputs of the left side, so if any input is refused, the search is repeated without it.

use std::collections::{HashMap, HashSet, VecDeque};

use tempora_zones::{Constraint, Dimension, Federation, Zone};

use crate::frame::Frame;
use crate::pair::{Pair, Refused, Sides};
use crate::search::is_covered;
use crate::search_abort::SearchAbort;
use crate::state::{StateId, after};
use crate::theory::{SpecificationId, Theory};

/// A pair in which a move is refused.
pub(crate) struct Violation {
    pub(crate) refused: Refused,
    /// The node with the violation.
    pub(crate) node: usize,
    /// The violating valuations.
    pub(crate) valuations: Federation,
}

/// A zone of a pair, closed under delay.
pub(crate) struct Node {
    pub(crate) pair: usize,
    /// The zone before the delay.
    pub(crate) entry: Zone,
    pub(crate) zone: Zone,
    /// The parent node, and the position of the move in its pair; `None` for a switch.
    pub(crate) parent: Option<(usize, Option<usize>)>,
    /// Whether a later zone covers this one.
    is_dropped: bool,
}

/// The search for violations.
pub(crate) struct Refinement {
    pub(crate) left: SpecificationId,
    pub(crate) right: SpecificationId,
    frame: Frame,
    pub(crate) dimension: Dimension,
    diagonals: Vec<Constraint>,
    /// For each clock, whether it has upper bounds only, so that a smaller value simulates a larger one.
    is_slack: Vec<bool>,
    /// Whether some input is refused, so that smaller values may not simulate larger ones.
    has_refused_inputs: bool,
    pub(crate) pairs: Vec<Pair>,
    index: HashMap<(StateId, StateId), usize>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) violations: Vec<Violation>,
    /// The violated pairs and their refused moves.
    violated: HashSet<(usize, Refused)>,
    /// Whether the budget ran out after the first violations.
    pub(crate) is_cut_short: bool,
    pub(crate) transitions: u64,
}

/// A successor that waits to be explored.
struct Arrival {
    states: (StateId, StateId),
    entry: Zone,
    parent: Option<(usize, Option<usize>)>,
}

impl Refinement {
    /// Searches all pairs until the given number of violations is found; different refused moves of a pair count
    /// separately.
    pub(crate) fn search(
        theory: &mut Theory<'_>,
        left: SpecificationId,
        right: SpecificationId,
        most_violations: usize,
    ) -> Result<Refinement, SearchAbort> {
        Refinement::search_with(theory, left, right, most_violations, true)
    }

    /// Searches with covering by bisimulation instead of simulation.
    pub(crate) fn search_exactly(
        theory: &mut Theory<'_>,
        left: SpecificationId,
        right: SpecificationId,
        most_violations: usize,
    ) -> Result<Refinement, SearchAbort> {
        Refinement::search_with(theory, left, right, most_violations, false)
    }

    fn search_with(
        theory: &mut Theory<'_>,
        left: SpecificationId,
        right: SpecificationId,
        most_violations: usize,
        may_use_slack: bool,
    ) -> Result<Refinement, SearchAbort> {
        let clocks = theory[left].dimension.size() + theory[right].dimension.size() - 2;
        let dimension = Dimension::for_clocks(clocks)?;
        let frame = Frame::new(theory, left, right, dimension);
        let diagonals = Refinement::diagonals_of(theory, left, right);
        let mut is_slack = theory.slack_clocks(left);
        is_slack.resize(clocks, false);
        let is_exact = !may_use_slack || !is_slack.contains(&true) || !diagonals.is_empty();
        if is_exact {
            is_slack.fill(false);
        }
        let mut refinement = Refinement {
            left,
            right,
            frame,
            dimension,
            diagonals,
            is_slack,
            has_refused_inputs: false,
            pairs: Vec::new(),
            index: HashMap::new(),
            nodes: Vec::new(),
            violations: Vec::new(),
            violated: HashSet::new(),
            is_cut_short: false,
            transitions: 0,
        };
        refinement.run(theory, most_violations)?;
        if !is_exact && refinement.has_refused_inputs {
            refinement.forget();
            refinement.run(theory, most_violations)?;
        }
        Ok(refinement)
    }

    /// Returns the clock differences that either side compares, and their opposites.
    pub(crate) fn diagonals_of(
        theory: &Theory<'_>,
        left: SpecificationId,
        right: SpecificationId,
    ) -> Vec<Constraint> {
        let offset = theory[left].dimension.size() as u16 - 1;
        let mut diagonals = theory[left].diagonals.clone();
        diagonals.extend(theory[right].diagonals.iter().map(|diagonal| {
            let up = |clock: tempora_zones::Clock| match clock.0 {
                0 => clock,
                number => tempora_zones::Clock(number + offset),
            };
            Constraint { left: up(diagonal.left), right: up(diagonal.right), ..*diagonal }
        }));
        diagonals
    }

    /// Returns whether no other node covers this one.
    pub(crate) fn is_kept(&self, node: usize) -> bool {
        !self.nodes[node].is_dropped
    }

    /// Returns the states of a node.
    pub(crate) fn states(&self, node: usize) -> (StateId, StateId) {
        self.pairs[self.nodes[node].pair].states
    }

    /// Returns the nodes that cover the delay successors of a zone of a pair.
    pub(crate) fn covering(
        &self,
        states: (StateId, StateId),
        entry: &Zone,
    ) -> Result<Vec<usize>, SearchAbort> {
        let Some(&pair) = self.index.get(&states) else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        if self.pairs[pair].is_settled {
            return Ok(found);
        }
        for zone in self.delayed(pair, entry)? {
            for &node in &self.pairs[pair].kept {
                if is_covered(&zone, &self.nodes[node].zone, &self.pairs[pair].bounds, &self.diagonals)? {
                    found.push(node);
                    break;
                }
            }
        }
        Ok(found)
    }

    /// Collects the successors of a node by switches.
    pub(crate) fn switched_from(
        &self,
        node: usize,
        found: &mut VecDeque<((StateId, StateId), Zone)>,
    ) -> Result<(), SearchAbort> {
        let node = &self.nodes[node];
        let arrival =
            Arrival { states: self.pairs[node.pair].states, entry: node.entry.clone(), parent: None };
        let mut arrivals = VecDeque::new();
        self.switched(node.pair, &arrival, &mut arrivals)?;
        found.extend(arrivals.into_iter().map(|arrival| (arrival.states, arrival.entry)));
        Ok(())
    }

    /// Resets the search, without slack clocks.
    fn forget(&mut self) {
        self.is_slack.fill(false);
        self.pairs.clear();
        self.index.clear();
        self.nodes.clear();
        self.violations.clear();
        self.violated.clear();
        self.is_cut_short = false;
        self.transitions = 0;
    }

    /// Violations found before the budget ran out are kept.
    fn run(&mut self, theory: &mut Theory<'_>, most_violations: usize) -> Result<(), SearchAbort> {
        match self.explore(theory, most_violations) {
            Err(SearchAbort::Exhausted(_)) if !self.violations.is_empty() => self.is_cut_short = true,
            other => other?,
        }
        Ok(())
    }

    fn explore(&mut self, theory: &mut Theory<'_>, most_violations: usize) -> Result<(), SearchAbort> {
        let states = (theory.initial(self.left)?, theory.initial(self.right)?);
        let mut waiting = VecDeque::new();
        let start = Arrival { states, entry: Zone::zero(self.dimension), parent: None };
        let mut arrivals = VecDeque::from([start]);
        loop {
            while let Some(arrival) = arrivals.pop_front() {
                let pair = self.pair(theory, arrival.states)?;
                let is_new = self.arrive(theory, pair, &arrival, &mut waiting)?;
                if self.violated.len() >= most_violations {
                    return Ok(());
                }
                // The switches of a covered zone are covered, unless it is entered in a switch region.
                if is_new || self.pairs[pair].switches_at_once(&arrival.entry)? {
                    self.switched(pair, &arrival, &mut arrivals)?;
                }
            }
            let Some(node) = waiting.pop_front() else { return Ok(()) };
            // A node that covers this one explores all of its successors.
            if !self.nodes[node].is_dropped {
                self.successors(node, &mut arrivals)?;
            }
        }
    }

    /// Stores the new zones of an arrival, and returns whether there are any.
    fn arrive(
        &mut self,
        theory: &mut Theory<'_>,
        pair: usize,
        arrival: &Arrival,
        waiting: &mut VecDeque<usize>,
    ) -> Result<bool, SearchAbort> {
        if self.pairs[pair].is_settled {
            return Ok(false);
        }
        let mut is_new = false;
        for zone in self.delayed(pair, &arrival.entry)? {
            let bounds = &self.pairs[pair].bounds;
            let mut is_known = false;
            for &node in &self.pairs[pair].kept {
                if is_covered(&zone, &self.nodes[node].zone, bounds, &self.diagonals)? {
                    is_known = true;
                    break;
                }
            }
            if is_known {
                continue;
            }
            let mut kept = std::mem::take(&mut self.pairs[pair].kept);
            let mut rest = Vec::with_capacity(kept.len() + 1);
            for old in kept.drain(..) {
                let bounds = &self.pairs[pair].bounds;
                if is_covered(&self.nodes[old].zone, &zone, bounds, &self.diagonals)? {
                    self.nodes[old].is_dropped = true;
                } else {
                    rest.push(old);
                }
            }
            let node = self.nodes.len();
            rest.push(node);
            self.pairs[pair].kept = rest;
            let entry = arrival.entry.clone();
            self.nodes.push(Node { pair, entry, zone, parent: arrival.parent, is_dropped: false });
            theory.watch.check(self.nodes.len() as u64)?;
            self.look_for_refusals(node)?;
            waiting.push_back(node);
            is_new = true;
        }
        Ok(is_new)
    }

    /// Returns the delay successors of a zone on the left side.
    fn delayed(&self, pair: usize, entry: &Zone) -> Result<Vec<Zone>, SearchAbort> {
        let pair = &self.pairs[pair];
        match &pair.stops {
            None => {
                let mut zone = entry.clone();
                // A valuation that enters in a switch region cannot delay.
                if !pair.switches.is_empty() {
                    zone.intersect(&pair.allowed.zones()[0])?;
                }
                zone.up();
                zone.intersect(&pair.allowed.zones()[0])?;
                Ok(if zone.is_empty() { Vec::new() } else { vec![zone] })
            }
            Some(stops) => Ok(Federation::from(entry.clone()).timed_successors(stops)?.zones().to_vec()),
        }
    }

    fn switched(
        &self,
        pair: usize,
        arrival: &Arrival,
        arrivals: &mut VecDeque<Arrival>,
    ) -> Result<(), SearchAbort> {
        let pair = &self.pairs[pair];
        if pair.switches.is_empty() {
            return Ok(());
        }
        let entry = Federation::from(arrival.entry.clone());
        let mut reached = [None, None];
        for (is_left, region, left, right) in &pair.switches {
            let side = usize::from(!is_left);
            if reached[side].is_none() {
                reached[side] = Some(entry.timed_successors(&pair.barriers[side])?);
            }
            let Some(reached) = &reached[side] else { continue };
            let mut inside = reached.clone();
            inside.intersect(region)?;
            for zone in inside.zones() {
                let states = (*left, *right);
                arrivals.push_back(Arrival { states, entry: zone.clone(), parent: arrival.parent });
            }
        }
        Ok(())
    }

    /// Collects the refused moves of a node.
    fn look_for_refusals(&mut self, node: usize) -> Result<(), SearchAbort> {
        let pair = &self.pairs[self.nodes[node].pair];
        let zone = &self.nodes[node].zone;
        let late = std::iter::once((Refused::Delay, &pair.late));
        let refusals = pair.refusals.iter().map(|(refused, set)| (*refused, set));
        let mut found = Vec::new();
        for (refused, set) in late.chain(refusals) {
            let mut valuations = Vec::new();
            for part in set.zones() {
                let mut both = zone.clone();
                if both.intersect(part)? {
                    valuations.push(both);
                }
            }
            if !valuations.is_empty() {
                let valuations = Federation::from_zones(self.dimension, valuations);
                found.push(Violation { refused, node, valuations });
            }
        }
        let number = self.nodes[node].pair;
        self.violated.extend(found.iter().map(|violation| (number, violation.refused)));
        self.violations.extend(found);
        Ok(())
    }

    fn successors(&mut self, node: usize, arrivals: &mut VecDeque<Arrival>) -> Result<(), SearchAbort> {
        let pair = &self.pairs[self.nodes[node].pair];
        for (position, one) in pair.moves.iter().enumerate() {
            for part in one.guard.zones() {
                let mut taken = self.nodes[node].zone.clone();
                if taken.intersect(part)? {
                    self.transitions += 1;
                    let entry = after(&one.updates, taken)?;
                    let parent = Some((node, Some(position)));
                    arrivals.push_back(Arrival { states: one.target, entry, parent });
                }
            }
        }
        Ok(())
    }

    fn pair(&mut self, theory: &mut Theory<'_>, states: (StateId, StateId)) -> Result<usize, SearchAbort> {
        if let Some(&known) = self.index.get(&states) {
            return Ok(known);
        }
        let one = theory.state(self.left, states.0)?;
        let other = theory.state(self.right, states.1)?;
        let alphabets = (&theory[self.left].alphabet, &theory[self.right].alphabet);
        let sides =
            Sides { frame: &self.frame, dimension: self.dimension, alphabets, is_slack: &self.is_slack };
        let pair = Pair::unfold(&sides, states, (&one, &other))?;
        self.has_refused_inputs |=
            pair.refusals.iter().any(|(refused, _)| matches!(refused, Refused::Input(_)));
        self.pairs.push(pair);
        self.index.insert(states, self.pairs.len() - 1);
        Ok(self.pairs.len() - 1)
    }
}
