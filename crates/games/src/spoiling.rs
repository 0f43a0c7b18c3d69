//! How the environment of a specification that nothing implements brings about an error, whatever the specification does.
//!
//! Invariant: the rules are in the order in which their valuations are found to be bad, so whoever follows them comes to
//! rules further up in the list: an input that a rule says leads to a valuation of one before it, and so does each output that is possible
//! while the environment waits; time alone leads to a rule before it, to an input, or to where it cannot go on. At the same
//! instant the environment is first. So each play is finite, and ends in an error, or where neither time nor an output goes on.

use std::collections::BTreeSet;

use tempora_evidence::{Budget, LeafState, Rational, UnknownReason};
use tempora_model::{ChannelPosition, Network, SpecExpression};
use tempora_zones::Federation;

use crate::component::InputCompletion;
use crate::preconditions::place_text;
use crate::prune::{Increment, bad_valuations_in_order};
use crate::state::{StateId, StateKind};
use crate::stop::Stop;
use crate::theory::{Obstacle, SpecificationId, Theory};

/// What to do against a specification.
pub struct SpoilingStrategy {
    /// The first rule that applies counts.
    rules: Vec<SpoilingRule>,
}

struct SpoilingRule {
    /// The states of the components; `None` for one that has none any more.
    leaves: Vec<Option<LeafState>>,
    valuations: Federation,
    advice: Advice,
    text: String,
}

/// What the environment does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Advice {
    /// It sends an input at once.
    Send(ChannelPosition),
    /// It lets the specification do what it can.
    Wait,
    /// The specification is in an error.
    Won,
}

impl SpoilingStrategy {
    /// What to do with the components in these states, from the left, with these values of all their clocks; `None` where the
    /// strategy does not come to.
    pub fn advice(&self, leaves: &[LeafState], clocks: &[Rational]) -> Option<Advice> {
        let is_state = |rule: &&SpoilingRule| {
            rule.leaves.len() == leaves.len()
                && rule.leaves.iter().zip(leaves).all(|(known, leaf)| known.as_ref() == Some(leaf))
        };
        let mut rules = self.rules.iter().filter(is_state);
        rules.find(|rule| rule.valuations.contains_point(clocks)).map(|rule| rule.advice)
    }

    /// The rules as lines, those at the start first; no more than a reader can take in.
    pub(crate) fn lines(&self) -> Vec<String> {
        if self.rules.is_empty() {
            return vec!["the initial state is inconsistent, so no move is needed".to_owned()];
        }
        let mut lines: Vec<String> =
            self.rules.iter().rev().take(MOST_LINES).map(|rule| rule.text.clone()).collect();
        if self.rules.len() > MOST_LINES {
            lines.push(format!("and {} more rules", self.rules.len() - MOST_LINES));
        }
        lines
    }
}

const MOST_LINES: usize = 30;

/// How the environment spoils an expression that nothing implements; `None` if something does, or if the expression is made of
/// parts of which one has no implementation by itself.
pub fn spoiling_strategy(
    network: &Network,
    expression: &SpecExpression,
    completion: InputCompletion,
    budget: &Budget,
) -> Result<Option<SpoilingStrategy>, UnknownReason> {
    let mut theory = Theory::new(network, completion, budget);
    match strategy_against(&mut theory, expression) {
        Ok(Some((strategy, culprit))) if culprit.is_copy_of(expression) => Ok(Some(strategy)),
        Ok(_) | Err(Obstacle::Actions(_)) => Ok(None),
        Err(Obstacle::Stop(stop)) => Err(stop.into()),
    }
}

/// A strategy against the smallest part of an expression that nothing implements, with that part.
pub(crate) fn strategy_against<'expression>(
    theory: &mut Theory<'_>,
    expression: &'expression SpecExpression,
) -> Result<Option<(SpoilingStrategy, &'expression SpecExpression)>, Obstacle> {
    let raw = match expression {
        SpecExpression::Component { .. } => theory.unpruned(expression, true)?,
        SpecExpression::Restricted(system, predicate) => {
            if let Some(found) = strategy_against(theory, system)? {
                return Ok(Some(found));
            }
            let system = theory.meaning(system)?;
            theory.restricted(system, predicate)?
        }
        SpecExpression::Composition(left, right)
        | SpecExpression::Conjunction(left, right)
        | SpecExpression::Quotient(left, right) => {
            for part in [left, right] {
                if let Some(found) = strategy_against(theory, part)? {
                    return Ok(Some(found));
                }
            }
            let (left, right) = (theory.meaning(left)?, theory.meaning(right)?);
            match expression {
                SpecExpression::Conjunction(..) => theory.conjunction(left, right)?,
                SpecExpression::Quotient(..) => theory.quotient(left, right)?,
                // Whoever can go on by itself can go on beside others.
                _ => return Ok(None),
            }
        }
    };
    let pruned = theory.consistent_part(raw)?;
    if theory.has_good_start(pruned)? {
        return Ok(None);
    }
    Ok(Some((strategy(theory, raw)?, expression)))
}

fn strategy(theory: &mut Theory<'_>, id: SpecificationId) -> Result<SpoilingStrategy, Stop> {
    let mut increments = Vec::new();
    bad_valuations_in_order(theory, id, Some(&mut increments))?;
    let needed = needed_states(theory, id, &increments)?;
    let mut rules: Vec<SpoilingRule> = Vec::new();
    for Increment { state, valuations, throwing } in increments {
        if !needed.contains(&state) {
            continue;
        }
        let kind = theory.state(id, state)?.kind;
        let mut rest = valuations;
        for (action, _, thrown) in throwing {
            let Some(position) = theory.names.position(action) else { continue };
            let mut own = thrown;
            own.intersect(&rest)?;
            if own.is_empty() || kind == StateKind::Error {
                continue;
            }
            rest.subtract(&own)?;
            let what = format!("the environment sends `{}?`", theory.names.name(action));
            rules.push(rule(theory, id, state, own, Advice::Send(position), &what)?);
        }
        if !rest.is_empty() {
            let (advice, what) = match kind {
                StateKind::Error => (Advice::Won, "this state is an error"),
                _ => (Advice::Wait, "the environment waits"),
            };
            rules.push(rule(theory, id, state, rest, advice, what)?);
        }
    }
    Ok(SpoilingStrategy { rules })
}

fn rule(
    theory: &Theory<'_>,
    id: SpecificationId,
    state: StateId,
    valuations: Federation,
    advice: Advice,
    what: &str,
) -> Result<SpoilingRule, Stop> {
    let (mut found, mut components) = (Vec::new(), Vec::new());
    theory.leaf_states(id, state, &mut found);
    theory.leaves(id, 0, &mut components);
    let leaf = |(state, &(_, number, _)): (&Option<StateId>, &(_, u32, u16))| {
        state.and_then(|state| theory.component_numbered(number).leaf_state(state))
    };
    let leaves = found.iter().zip(&components).map(leaf).collect();
    let text = format!("{}: {what}", place_text(theory, id, state, &valuations));
    Ok(SpoilingRule { leaves, valuations, advice, text })
}

/// The discrete states that may be met when the strategy is followed.
fn needed_states(
    theory: &mut Theory<'_>,
    id: SpecificationId,
    increments: &[Increment],
) -> Result<BTreeSet<StateId>, Stop> {
    let initial = theory.initial(id)?;
    let mut needed = BTreeSet::from([initial]);
    let mut waiting = vec![initial];
    while let Some(state) = waiting.pop() {
        let own = increments.iter().filter(|increment| increment.state == state);
        let mut targets: Vec<StateId> =
            own.flat_map(|increment| increment.throwing.iter().map(|&(_, target, _)| target)).collect();
        let unfolded = theory.state(id, state)?;
        let outputs = &theory[id].alphabet.outputs;
        targets
            .extend(unfolded.moves.iter().filter(|one| outputs.contains(&one.action)).map(|one| one.target));
        targets.extend(unfolded.switches.iter().map(|switch| switch.target));
        for target in targets {
            if needed.insert(target) {
                waiting.push(target);
            }
        }
    }
    Ok(needed)
}
