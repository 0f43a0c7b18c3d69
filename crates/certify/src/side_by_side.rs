//! Expressions of specifications side by side, with their certified states.
//!
//! Invariant: allowed states and moves are exact for all reachable states, provided that the removed states are. For
//! unreachable states nothing is guaranteed: a closed set of states, restricted to the reachable ones, is still closed.

use std::collections::BTreeMap;

use tempora_evidence::{BudgetWatch, CertifiedLeaves, LeafState};
use tempora_model::{Network, ProcessId, SpecExpression};
use tempora_replay::ClockFormula;

use crate::avoiding_delays::{common_of_all, predecessors, successors, without_all};
use crate::component::{Action, Leaf, LeafMove, unknown_component};
use crate::disjoint::divide;
use crate::formula::is_within;
use crate::nodes::Key;
use crate::refusal::{Reason, Refusal};
use crate::removed::{Removed, before_move, key};
use crate::transitions::spend;
use crate::tree::{Moves, Tree};
use crate::zone::{From, LARGEST_CONSTANT, MOST_CLOCKS, Zone};

/// Some expressions, and nodes with the states of all their components.
pub(crate) struct SideBySide<'check> {
    pub(crate) leaves: Vec<Leaf<'check>>,
    pub(crate) trees: Vec<Tree>,
    pub(crate) nodes: &'check [CertifiedLeaves],
    by_discrete_state: BTreeMap<Key, Vec<usize>>,
    pub(crate) clock_count: usize,
    /// The removed states of each part of the certificate.
    removed: &'check [Removed],
}

/// A move of an expression.
pub(crate) struct TreeMove<'moves> {
    pub(crate) leaves: Moves<'moves>,
    /// The clock condition of the move.
    pub(crate) condition: ClockFormula,
    pub(crate) target: Vec<LeafState>,
    pub(crate) sources: Vec<From>,
}

/// The pruned subexpressions of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All subexpressions and the expression itself: its meaning.
    Meaning,
    /// All proper subexpressions: the expression before pruning.
    Raw,
}

impl<'check> SideBySide<'check> {
    pub(crate) fn new(
        networks: &'check [(Network, ProcessId)],
        expressions: &[&SpecExpression],
        parts: &[&SpecExpression],
        removed: &'check [Removed],
        nodes: &'check [CertifiedLeaves],
    ) -> Result<SideBySide<'check>, Refusal> {
        let (mut leaves, mut clock_count) = (Vec::with_capacity(networks.len()), 0);
        for (network, process) in networks {
            if let Some(what) = unknown_component(network, *process) {
                return Err(Refusal::whole(Reason::Unsupported(what)));
            }
            let leaf = Leaf::new(network, *process, clock_count);
            clock_count += leaf.clock_count();
            leaves.push(leaf);
        }
        if clock_count > MOST_CLOCKS {
            return Err(Refusal::whole(Reason::Unsupported(format!("more than {MOST_CLOCKS} clocks"))));
        }
        let (mut trees, mut first) = (Vec::with_capacity(expressions.len()), 0);
        for expression in expressions {
            let tree = Tree::new(expression, parts, &leaves, first).map_err(Refusal::whole)?;
            let mut inner = Vec::new();
            tree.parts(false, &mut inner);
            if inner.iter().any(|(part, _)| *part >= removed.len()) {
                let why = "a part is used before its definition".to_owned();
                return Err(Refusal::whole(Reason::IllFormed(why)));
            }
            first = tree.leaves.end;
            trees.push(tree);
        }
        let by_discrete_state = BTreeMap::new();
        let mut check = SideBySide { leaves, trees, nodes, by_discrete_state, clock_count, removed };
        for (number, node) in nodes.iter().enumerate() {
            if let Some(why) = check.fault(node) {
                return Err(Refusal::at(number, Reason::IllFormed(why)));
            }
            check.by_discrete_state.entry(key(&node.leaves)).or_default().push(number);
        }
        Ok(check)
    }

    /// Returns why a node does not fit these components, if so.
    pub(crate) fn fault(&self, node: &CertifiedLeaves) -> Option<String> {
        let CertifiedLeaves { leaves, bounds } = node;
        if leaves.len() != self.leaves.len() {
            return Some(format!("it has {} states for {} components", leaves.len(), self.leaves.len()));
        }
        let is_clock = |clock: Option<u32>| clock.is_none_or(|clock| (clock as usize) < self.clock_count);
        let wrong = bounds.iter().find(|bound| {
            !is_clock(bound.left)
                || !is_clock(bound.right)
                || bound.constant.unsigned_abs() > LARGEST_CONSTANT as u64
        });
        if let Some(bound) = wrong {
            return Some(format!(
                "it has the bound {}, which is too large or on an unknown clock",
                bound.constant
            ));
        }
        self.leaves.iter().zip(leaves).find_map(|(leaf, state)| leaf.fault(state))
    }

    /// Returns the clock values of a node, if there are any.
    pub(crate) fn zone(&self, node: &CertifiedLeaves) -> Option<Zone> {
        Zone::of_bounds(self.clock_count, &node.bounds)
    }

    /// Returns the initial discrete states.
    pub(crate) fn initial(&self) -> Vec<LeafState> {
        self.leaves.iter().map(Leaf::initial).collect()
    }

    /// Returns whether an expression allows the initial state.
    pub(crate) fn has_start(&self, tree: &Tree, extent: Extent) -> Result<bool, Reason> {
        let allowed = self.allowed(tree, extent, &self.initial())?;
        Ok(divide(vec![Zone::zero(self.clock_count)], &allowed, false)?.is_empty())
    }

    /// Checks that a node covers the initial state.
    pub(crate) fn start_is_covered(&self) -> Result<(), Refusal> {
        let initial = self.initial();
        if self.covers(&initial, &Zone::zero(self.clock_count)).map_err(Refusal::whole)? {
            return Ok(());
        }
        Err(Refusal::whole(Reason::StartIsNotCovered(self.describe(&initial))))
    }

    /// Returns the clock condition under which a state of an expression is removed; with `moved`, only for parts with
    /// one of these components.
    fn removed_at(
        &self,
        tree: &Tree,
        extent: Extent,
        states: &[LeafState],
        moved: Option<&Moves<'_>>,
    ) -> ClockFormula {
        let mut parts = Vec::new();
        tree.parts(extent == Extent::Meaning, &mut parts);
        if let Some(moved) = moved {
            parts.retain(|(_, leaves)| moved.iter().any(|(leaf, _)| leaves.contains(leaf)));
        }
        let mut formulas = Vec::new();
        for (part, leaves) in parts {
            if leaves.len() == 1 && self.is_inconsistent(leaves.start, states) {
                return ClockFormula::Constant(true);
            }
            if let Some(removed) = self.removed.get(part) {
                let formula = removed.at(&states[leaves.clone()], self.leaves[leaves.start].clocks_before());
                if !matches!(&formula, ClockFormula::Or(sets) if sets.is_empty()) {
                    formulas.push(formula);
                }
            }
        }
        ClockFormula::Or(formulas)
    }

    /// Returns whether a component is in an inconsistent location.
    pub(crate) fn is_inconsistent(&self, leaf: usize, states: &[LeafState]) -> bool {
        self.leaves[leaf].has_label(&states[leaf], "inconsistent")
    }

    /// Returns the clock condition under which an expression allows a state.
    pub(crate) fn allowed(
        &self,
        tree: &Tree,
        extent: Extent,
        states: &[LeafState],
    ) -> Result<ClockFormula, Reason> {
        let invariants = tree.leaves.clone().map(|leaf| self.leaves[leaf].invariant(&states[leaf]));
        let mut all = invariants.collect::<Result<Vec<_>, Reason>>()?;
        all.push(ClockFormula::Not(Box::new(self.removed_at(tree, extent, states, None))));
        Ok(ClockFormula::And(all))
    }

    /// Checks that an expression allows all clock values of a node.
    pub(crate) fn check_allowed(
        &self,
        states: &[LeafState],
        zone: &Zone,
        allowed: &ClockFormula,
    ) -> Result<(), Reason> {
        if divide(vec![zone.clone()], allowed, false)?.is_empty() {
            return Ok(());
        }
        Err(Reason::Refused(format!("the clock values of {}", self.describe(states))))
    }

    pub(crate) fn leaf_moves(&self, states: &[LeafState]) -> Result<Vec<Vec<LeafMove>>, Reason> {
        self.leaves.iter().zip(states).map(|(leaf, state)| leaf.moves(state)).collect()
    }

    /// Returns the moves of an expression on one of its actions, in an allowed state.
    pub(crate) fn moves<'moves>(
        &self,
        tree: &Tree,
        extent: Extent,
        states: &[LeafState],
        action: Action,
        of_leaves: &'moves [Vec<LeafMove>],
    ) -> Result<Vec<TreeMove<'moves>>, Reason> {
        let mut found = Vec::new();
        for leaves in tree.moves(action, of_leaves)? {
            let (target, sources) = self.effect(states, &leaves);
            let mut all: Vec<ClockFormula> = leaves.iter().map(|(_, one)| one.condition.clone()).collect();
            let removed = self.removed_at(tree, extent, &target, Some(&leaves));
            all.push(ClockFormula::Not(Box::new(before_move(&removed, &sources))));
            found.push(TreeMove { leaves, condition: ClockFormula::And(all), target, sources });
        }
        Ok(found)
    }

    /// Returns the target states of the components, and the sources of the clocks.
    pub(crate) fn effect(&self, states: &[LeafState], moves: &Moves<'_>) -> (Vec<LeafState>, Vec<From>) {
        let mut target = states.to_vec();
        let mut sources: Vec<From> = (1..=self.clock_count).map(|clock| From { clock, plus: 0 }).collect();
        for (leaf, one) in moves {
            target[*leaf] = one.target.clone();
            if let Some(own) = &one.sources {
                self.leaves[*leaf].place(own, &mut sources);
            }
        }
        (target, sources)
    }

    /// Checks that nodes cover all delays of an expression.
    pub(crate) fn check_delays(
        &self,
        states: &[LeafState],
        zone: &Zone,
        tree: &Tree,
        allowed: &ClockFormula,
        watch: &mut BudgetWatch<'_>,
    ) -> Result<(), Reason> {
        spend(watch)?;
        if self.is_urgent(states, tree) {
            return Ok(());
        }
        let ends = divide(vec![zone.clone().up()], allowed, false)?;
        for later in successors(std::slice::from_ref(zone), &ends)? {
            if !self.covers(states, &later)? {
                let step = format!("a delay in {}", self.describe(states));
                return Err(Reason::SuccessorIsNotCovered(step));
            }
        }
        Ok(())
    }

    /// Checks that nodes cover the targets of a move.
    pub(crate) fn check_targets(
        &self,
        states: &[LeafState],
        (target, sources): (&[LeafState], &[From]),
        zones: &[Zone],
    ) -> Result<(), Reason> {
        for zone in zones {
            if !self.covers(target, &zone.set(sources))? {
                let step = format!("a move from {} to {}", self.describe(states), self.describe(target));
                return Err(Reason::SuccessorIsNotCovered(step));
            }
        }
        Ok(())
    }

    /// Returns whether nodes cover all these values of a discrete state, possibly several together.
    pub(crate) fn covers(&self, states: &[LeafState], zone: &Zone) -> Result<bool, Reason> {
        let Some(candidates) = self.by_discrete_state.get(&key(states)) else { return Ok(false) };
        if candidates.iter().any(|&node| is_within(zone, &self.nodes[node].bounds)) {
            return Ok(true);
        }
        let zones = candidates.iter().filter_map(|&node| self.zone(&self.nodes[node]));
        Ok(without_all(vec![zone.clone()], &zones.collect::<Vec<_>>())?.is_empty())
    }

    /// Returns whether a location of an expression forbids delays.
    pub(crate) fn is_urgent(&self, states: &[LeafState], tree: &Tree) -> bool {
        tree.leaves.clone().any(|leaf| self.leaves[leaf].is_urgent(&states[leaf]))
    }

    /// Returns whether an expression allows everything from here on.
    pub(crate) fn is_universal(&self, states: &[LeafState], tree: &Tree) -> bool {
        tree.leaves.clone().all(|leaf| self.leaves[leaf].has_label(&states[leaf], "universal"))
    }

    pub(crate) fn describe(&self, states: &[LeafState]) -> String {
        let names: Vec<String> =
            self.leaves.iter().zip(states).map(|(leaf, state)| leaf.describe(state)).collect();
        names.join(", ")
    }
}

/// Returns the values of zones with neither an unbounded delay nor an output before delays end.
pub(crate) fn stuck(
    zones: Vec<Zone>,
    is_urgent: bool,
    ends: &[Zone],
    outputs: &[Zone],
) -> Result<Vec<Zone>, Reason> {
    if is_urgent {
        return without_all(zones, outputs);
    }
    let before_ends: Vec<Zone> = ends.iter().cloned().map(Zone::down).collect();
    let ending = common_of_all(&zones, &before_ends)?;
    if ending.is_empty() {
        return Ok(ending);
    }
    without_all(ending, &predecessors(outputs, ends)?)
}
