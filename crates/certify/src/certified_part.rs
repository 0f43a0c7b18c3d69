//! Checks the certified states of one component or conjunction, and the states that are removed from it.
//!
//! Invariant: a part is accepted only if
//! - each removed state is bad because of earlier ones in the list: whatever the specification does, the environment
//!   reaches one of them by an input, or the state has neither an unbounded delay nor an output that leads elsewhere.
//!   The list is a least fixpoint, step by step, so everything in it is bad, and its order cannot make it unsound;
//! - its states contain the initial one and are closed under moves and delays, and moves on one action have one effect;
//! - from states that are kept, no input leads to a removed one, and an unbounded delay avoids the removed ones, or an
//!   output leads to none. So they satisfy the definition of the greatest consistent part and belong to it.
//!
//! Together these conditions determine the reachable states of the greatest consistent part, which may then be used on
//! either side of a refinement. The rule for bad states is that of Cassez, David, Fleury, Larsen and Lime, "Efficient
//! on-the-fly algorithms for the analysis of timed games" (2005); at equal times the environment moves first.

use tempora_evidence::{BudgetWatch, CertifiedLeaves, CertifiedPart, LeafState};
use tempora_replay::ClockFormula;

use crate::avoiding_delays::{common_of_all, predecessors, without_all};
use crate::disjoint::divide;
use crate::refusal::{Reason, Refusal};
use crate::removed::{Removed, before_move};
use crate::side_by_side::{Extent, SideBySide, TreeMove, stuck};
use crate::transitions::spend;
use crate::tree::Tree;
use crate::zone::Zone;

/// An accepted part.
pub(crate) struct AcceptedPart {
    pub(crate) transitions: u64,
    pub(crate) removed: Removed,
    /// Whether it has an implementation.
    pub(crate) is_consistent: bool,
}

/// Checks a part; `states` has it as its only expression, with its certified states.
pub(crate) fn check_part(
    states: &SideBySide<'_>,
    claimed: &CertifiedPart,
    watch: &mut BudgetWatch<'_>,
) -> Result<AcceptedPart, Refusal> {
    let [tree] = states.trees.as_slice() else {
        return Err(Refusal::whole(Reason::IllFormed("a part must be a single expression".to_owned())));
    };
    let mut check = PartCheck { states, tree, removed: Removed::default() };
    check.check_removed(&claimed.removed, watch)?;
    let (mut transitions, mut is_consistent) = (0, false);
    if states.has_start(tree, Extent::Raw).map_err(Refusal::whole)? {
        states.start_is_covered()?;
        let removed = check.removed_at(&states.initial());
        let start = vec![Zone::zero(states.clock_count)];
        is_consistent = divide(start, &removed, true).map_err(Refusal::whole)?.is_empty();
        for (number, node) in states.nodes.iter().enumerate() {
            transitions += check.check_node(node, watch).map_err(|reason| Refusal::at(number, reason))?;
        }
    }
    Ok(AcceptedPart { transitions, removed: check.removed, is_consistent })
}

struct PartCheck<'part> {
    states: &'part SideBySide<'part>,
    tree: &'part Tree,
    /// The states shown to be bad so far.
    removed: Removed,
}

impl PartCheck<'_> {
    /// Returns the clock condition under which a state is known to be bad.
    fn removed_at(&self, states: &[LeafState]) -> ClockFormula {
        // A conjunction has no moves into inconsistent locations of its components.
        if self.tree.sides.is_none() && self.states.is_inconsistent(0, states) {
            return ClockFormula::Constant(true);
        }
        self.removed.at(states, 0)
    }

    /// Returns the clock condition under which a move leads to a state that is known to be bad.
    fn leads_to_removed(&self, one: &TreeMove<'_>) -> ClockFormula {
        before_move(&self.removed_at(&one.target), &one.sources)
    }

    fn check_removed(
        &mut self,
        claimed: &[CertifiedLeaves],
        watch: &mut BudgetWatch<'_>,
    ) -> Result<(), Refusal> {
        for (number, node) in claimed.iter().enumerate() {
            if let Some(why) = self.states.fault(node) {
                return Err(Refusal::at(number, Reason::IllFormed(why)));
            }
            if let Some(zone) = self.states.zone(node) {
                let rest = self.not_shown_bad(&node.leaves, zone, watch);
                if !rest.map_err(|reason| Refusal::at(number, reason))?.is_empty() {
                    let what = self.states.describe(&node.leaves);
                    return Err(Refusal::at(number, Reason::NotShownBad(what)));
                }
            }
            self.removed.add(node);
        }
        Ok(())
    }

    /// Returns the values of a zone that are not bad because of the states known so far.
    fn not_shown_bad(
        &self,
        states: &[LeafState],
        zone: Zone,
        watch: &mut BudgetWatch<'_>,
    ) -> Result<Vec<Zone>, Reason> {
        spend(watch)?;
        let (check, tree) = (self.states, self.tree);
        if tree.sides.is_none() && check.is_inconsistent(0, states) {
            return Ok(Vec::new());
        }
        let allowed = check.allowed(tree, Extent::Raw, states)?;
        let is_urgent = check.is_urgent(states, tree);
        let claimed = divide(vec![zone.clone()], &allowed, true)?;
        let all = if is_urgent { zone } else { zone.up() };
        let future = divide(vec![all.clone()], &allowed, true)?;
        let of_leaves = check.leaf_moves(states)?;
        let mut safe = Vec::new();
        let mut lost = divide(future.clone(), &self.removed_at(states), true)?;
        for action in tree.actions.all() {
            for one in check.moves(tree, Extent::Raw, states, action, &of_leaves)? {
                spend(watch)?;
                let (zones, bad) =
                    (divide(future.clone(), &one.condition, true)?, self.leads_to_removed(&one));
                if tree.actions.outputs.contains(&action) {
                    safe.extend(divide(zones, &bad, false)?);
                } else {
                    lost.extend(divide(zones, &bad, true)?);
                }
            }
        }
        if is_urgent {
            return common_of_all(&without_all(claimed, &lost)?, &safe);
        }
        let mut avoided = divide(vec![all], &allowed, false)?;
        lost.extend(stuck(future, false, &avoided, &safe)?);
        avoided.extend(without_all(safe, &lost)?);
        without_all(claimed, &predecessors(&lost, &avoided)?)
    }

    /// Checks one certified state, and returns its number of moves.
    fn check_node(&self, node: &CertifiedLeaves, watch: &mut BudgetWatch<'_>) -> Result<u64, Reason> {
        let (check, tree, states) = (self.states, self.tree, node.leaves.as_slice());
        let Some(zone) = check.zone(node) else { return Ok(0) };
        if tree.sides.is_none() && check.is_inconsistent(0, states) {
            // The state is removed, so its moves do not matter.
            return Ok(0);
        }
        let allowed = check.allowed(tree, Extent::Raw, states)?;
        check.check_allowed(states, &zone, &allowed)?;
        check.check_delays(states, &zone, tree, &allowed, watch)?;
        let is_urgent = check.is_urgent(states, tree);
        let removed = self.removed_at(states);
        let kept = divide(vec![zone.clone()], &removed, false)?;
        let all = if is_urgent { zone.clone() } else { zone.clone().up() };
        let later = divide(divide(vec![all.clone()], &allowed, true)?, &removed, false)?;
        let of_leaves = check.leaf_moves(states)?;
        let (mut count, mut going_on) = (0, Vec::new());
        for action in tree.actions.all() {
            let moves = check.moves(tree, Extent::Raw, states, action, &of_leaves)?;
            for (position, one) in moves.iter().enumerate() {
                spend(watch)?;
                let zones = divide(vec![zone.clone()], &one.condition, true)?;
                for other in &moves[position + 1..] {
                    let lead_apart = one.target != other.target || one.sources != other.sources;
                    if lead_apart && !divide(zones.clone(), &other.condition, true)?.is_empty() {
                        return Err(Reason::NotDeterministic(check.describe(states)));
                    }
                }
                count += u64::from(!zones.is_empty());
                let into_bad = self.leads_to_removed(one);
                if tree.actions.outputs.contains(&action) {
                    let possible = divide(later.clone(), &one.condition, true)?;
                    going_on.extend(divide(possible, &into_bad, false)?);
                } else {
                    let taken = divide(kept.clone(), &one.condition, true)?;
                    if !divide(taken, &into_bad, true)?.is_empty() {
                        return Err(Reason::LeadsToRemoved(check.describe(states)));
                    }
                }
                if !matches!(into_bad, ClockFormula::Constant(true)) {
                    check.check_targets(states, (&one.target, &one.sources), &zones)?;
                }
            }
        }
        let mut ends = divide(vec![all.clone()], &allowed, false)?;
        ends.extend(divide(vec![all], &removed, true)?);
        if !stuck(kept, is_urgent, &ends, &going_on)?.is_empty() {
            return Err(Reason::Stuck(check.describe(states)));
        }
        Ok(count)
    }
}
