//! The states of the quotient `T \\ S` that a relation of `S || X <= T` describes, and their consistency.
//!
//! Invariant: the states of the whole and of the parts in the relation, beside any state of `X`, form a consistent set.
//! An input of the quotient leads from them into the relation, since `X` accepts it or does not have it. This file
//! checks the rest: an unbounded delay stays among them, or an output of the quotient leads to one of them, or a part
//! cannot delay any longer and the quotient becomes universal. So they belong to the greatest consistent part of the
//! quotient, which is its meaning.
//!
//! The consistency of `X` does not suffice: `X` may have outputs that the quotient lacks, and progress by these alone
//! in no time. The rules of the quotient are those of Goorden, Larsen, Legay, Lorber, Nyman and Wąsowski, "Timed I/O
//! automata: it is never too late to complete your timed specification theory" (2023). An output of a nested quotient
//! moves the whole and all parts that have it.

use std::collections::BTreeMap;

use tempora_evidence::{BudgetWatch, LeafState};
use tempora_replay::ClockFormula;

use crate::avoiding_delays::{common_of_all, without_all};
use crate::component::LeafMove;
use crate::disjoint::divide;
use crate::nodes::Key;
use crate::refusal::Reason;
use crate::removed::{before_move, key};
use crate::side_by_side::{Extent, SideBySide, stuck};
use crate::transitions::spend;
use crate::tree::{Actions, Tree, unfit};
use crate::zone::Zone;

/// A quotient, with its parts and the specification compared with it.
pub(crate) struct CertifiedQuotient<'relation> {
    states: &'relation SideBySide<'relation>,
    whole: &'relation Tree,
    parts: Vec<&'relation Tree>,
    /// The specification compared with the quotient.
    pub(crate) rest: &'relation Tree,
    pub(crate) actions: Actions,
    /// The clock values of the whole and the parts in the relation, by discrete state.
    occurring: BTreeMap<Key, Vec<Zone>>,
}

impl<'relation> CertifiedQuotient<'relation> {
    /// Returns the nested quotients of the whole by the first operands of a composition; the last operand is compared
    /// with the last quotient.
    pub(crate) fn all(
        states: &'relation SideBySide<'relation>,
        (composition, whole): (&'relation Tree, &'relation Tree),
        count: usize,
    ) -> Result<Vec<CertifiedQuotient<'relation>>, Reason> {
        let mut found: Vec<CertifiedQuotient<'relation>> = Vec::with_capacity(count);
        let (mut rest, mut actions, mut parts) = (composition, whole.actions.clone(), Vec::new());
        for _ in 0..count {
            let Some(sides) = &rest.sides else { return Err(unfit("an operand of a quotient is missing")) };
            actions = actions.divided_by(&sides.0.actions)?;
            parts.push(&sides.0);
            rest = &sides.1;
            let mut quotient = CertifiedQuotient {
                states,
                whole,
                parts: parts.clone(),
                rest,
                actions: actions.clone(),
                occurring: BTreeMap::new(),
            };
            for node in states.nodes {
                if let Some(zone) = states.zone(node) {
                    let zone = quotient.without_rest(&zone)?;
                    let zones = quotient.occurring.entry(quotient.key(&node.leaves)).or_default();
                    if !zones.iter().any(|known| zone.is_part_of(known)) {
                        zones.push(zone);
                    }
                }
            }
            found.push(quotient);
        }
        Ok(found)
    }

    /// Checks that a state of the quotient has an unbounded delay or an output.
    pub(crate) fn check_progress(
        &self,
        states: &[LeafState],
        zone: &Zone,
        of_leaves: &[Vec<LeafMove>],
        watch: &mut BudgetWatch<'_>,
    ) -> Result<(), Reason> {
        let check = self.states;
        // If a part forbids delays, the quotient becomes universal after any delay.
        if self.parts.iter().any(|part| check.is_urgent(states, part)) {
            return Ok(());
        }
        let is_urgent = check.is_urgent(states, self.whole);
        let zone = self.without_rest(zone)?;
        let all = vec![if is_urgent { zone.clone() } else { zone.clone().up() }];
        let parts_can_wait = self.parts.iter().map(|part| check.allowed(part, Extent::Meaning, states));
        let parts_can_wait = ClockFormula::And(parts_can_wait.collect::<Result<_, Reason>>()?);
        let empty = Vec::new();
        let occurring = self.occurring.get(&self.key(states)).unwrap_or(&empty);
        let ends = without_all(divide(all.clone(), &parts_can_wait, true)?, occurring)?;
        let mut going_on = divide(all.clone(), &parts_can_wait, false)?;
        let later = common_of_all(&all, occurring)?;
        for action in self.actions.outputs.iter().copied() {
            let mut joint = vec![(Vec::new(), Vec::new())];
            for tree in self.parts.iter().copied().chain([self.whole]) {
                if !tree.actions.contain(action) {
                    continue;
                }
                let moves = check.moves(tree, Extent::Meaning, states, action, of_leaves)?;
                joint = joint
                    .iter()
                    .flat_map(|(conditions, leaves)| {
                        moves.iter().map(move |one| {
                            let own = std::slice::from_ref(&one.condition);
                            let conditions = [conditions.as_slice(), own].concat();
                            (conditions, [leaves, one.leaves.as_slice()].concat())
                        })
                    })
                    .collect();
            }
            for (mut conditions, leaves) in joint.into_iter().filter(|(_, leaves)| !leaves.is_empty()) {
                spend(watch)?;
                let (target, sources) = check.effect(states, &leaves);
                if !check.is_universal(&target, self.whole) {
                    let known = self.occurring.get(&self.key(&target)).into_iter().flatten();
                    let known = ClockFormula::Or(known.map(Zone::formula).collect());
                    conditions.push(before_move(&known, &sources));
                }
                going_on.extend(divide(later.clone(), &ClockFormula::And(conditions), true)?);
            }
        }
        if stuck(vec![zone], is_urgent, &ends, &going_on)?.is_empty() {
            return Ok(());
        }
        Err(Reason::Stuck(check.describe(states)))
    }

    /// Returns the discrete states of the whole and the parts.
    fn key(&self, states: &[LeafState]) -> Key {
        let rest = &self.rest.leaves;
        key(&[&states[..rest.start], &states[rest.end..]].concat())
    }

    /// Returns the zone with the clocks of the compared specification unconstrained.
    fn without_rest(&self, zone: &Zone) -> Result<Zone, Reason> {
        let leaves = &self.states.leaves;
        let clocks_before = |leaf: usize| match leaves.get(leaf) {
            Some(leaf) => leaf.clocks_before(),
            None => self.states.clock_count,
        };
        let freed = clocks_before(self.rest.leaves.start)..clocks_before(self.rest.leaves.end);
        let ClockFormula::And(mut bounds) = zone.formula() else { return Ok(zone.clone()) };
        // The bounds of a zone are tight, so those on the other clocks describe their projection.
        bounds.retain(|bound| match bound {
            ClockFormula::Compare(compared) => {
                let is_freed = |clock: Option<usize>| clock.is_some_and(|clock| freed.contains(&clock));
                !is_freed(compared.left) && !is_freed(compared.right)
            }
            _ => true,
        });
        let everything = Zone::universe(self.states.clock_count);
        let found = divide(vec![everything], &ClockFormula::And(bounds), true)?;
        Ok(found.into_iter().next().unwrap_or_else(|| zone.clone()))
    }
}
