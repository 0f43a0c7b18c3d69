//! Strategies of the environment against inconsistent specifications, which force an error.
//!
//! Invariant: the rules are in the order in which their valuations become bad, so every play moves up the list: the
//! input of a rule leads to a valuation of an earlier rule, and so does each output that is possible while the
//! environment waits; a delay leads to an earlier rule, to an input, or to its end. At equal times the environment
//! moves first. So each play is finite and ends in an error, or in a state with neither an unbounded delay nor an
//! output.

use std::collections::BTreeSet;

use tempora_evidence::{Budget, LeafState, Rational, UnknownReason};
use tempora_model::{ChannelPosition, Network, SpecExpression};
use tempora_zones::Federation;

use crate::component::InputCompletion;
use crate::emptiness::unimplementable;
use crate::preconditions::state_text;
use crate::prune::{Increment, bad_valuations_in_order};
use crate::search_abort::SearchAbort;
use crate::state::{StateId, StateKind};
use crate::theory::{Obstacle, SpecificationId, Theory};

/// A strategy of the environment against a specification.
pub struct EnvironmentStrategy {
    /// The first rule that applies counts.
    rules: Vec<StrategyRule>,
}

struct StrategyRule {
    /// The states of the components; `None` for a component that has become universal.
    leaves: Vec<Option<LeafState>>,
    valuations: Federation,
    advice: EnvironmentMove,
    text: String,
}

/// A move of the environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnvironmentMove {
    /// Send an input immediately.
    Send(ChannelPosition),
    /// Wait for the specification to move.
    Wait,
    /// The specification is in an error state.
    Won,
}

impl EnvironmentStrategy {
    /// Returns the move for the given states of the components, from the left, and the values of all clocks; `None` in
    /// states outside the strategy.
    pub fn advice(&self, leaves: &[LeafState], clocks: &[Rational]) -> Option<EnvironmentMove> {
        let is_state = |rule: &&StrategyRule| {
            rule.leaves.len() == leaves.len()
                && rule.leaves.iter().zip(leaves).all(|(known, leaf)| known.as_ref() == Some(leaf))
        };
        let mut rules = self.rules.iter().filter(is_state);
        rules.find(|rule| rule.valuations.contains_point(clocks)).map(|rule| rule.advice)
    }

    /// Renders the first rules as lines, those of the initial state first.
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

/// Returns a strategy of the environment against an inconsistent expression; `None` if it is consistent, or if one of
/// its operands is inconsistent itself.
pub fn environment_strategy(
    network: &Network,
    expression: &SpecExpression,
    completion: InputCompletion,
    budget: &Budget,
) -> Result<Option<EnvironmentStrategy>, UnknownReason> {
    let mut theory = Theory::new(network, completion, budget);
    match strategy_against(&mut theory, expression) {
        Ok(Some((strategy, culprit))) if culprit.is_copy_of(expression) => Ok(Some(strategy)),
        Ok(_) | Err(Obstacle::Actions(_)) => Ok(None),
        Err(Obstacle::Abort(stop)) => Err(stop.into()),
    }
}

/// Returns a strategy against the smallest inconsistent subexpression, with that subexpression.
pub(crate) fn strategy_against<'expression>(
    theory: &mut Theory<'_>,
    expression: &'expression SpecExpression,
) -> Result<Option<(EnvironmentStrategy, &'expression SpecExpression)>, Obstacle> {
    let Some(culprit) = unimplementable(theory, expression)? else { return Ok(None) };
    let raw = match culprit {
        SpecExpression::Component { .. } => theory.unpruned(culprit, true)?,
        SpecExpression::Restricted(system, predicate) => {
            let system = theory.meaning(system)?;
            theory.restricted(system, predicate)?
        }
        SpecExpression::Conjunction(left, right) => {
            let (left, right) = (theory.meaning(left)?, theory.meaning(right)?);
            theory.conjunction(left, right)?
        }
        SpecExpression::Quotient(whole, part) => {
            let (whole, part) = (theory.meaning(whole)?, theory.meaning(part)?);
            theory.quotient(whole, part)?
        }
        // A composition of operands with implementations has one.
        SpecExpression::Composition(..) => return Ok(None),
    };
    Ok(Some((strategy(theory, raw)?, culprit)))
}

fn strategy(theory: &mut Theory<'_>, id: SpecificationId) -> Result<EnvironmentStrategy, SearchAbort> {
    let mut increments = Vec::new();
    bad_valuations_in_order(theory, id, Some(&mut increments))?;
    let needed = needed_states(theory, id, &increments)?;
    let mut rules: Vec<StrategyRule> = Vec::new();
    for Increment { state, valuations, losing_inputs } in increments {
        if !needed.contains(&state) {
            continue;
        }
        let kind = theory.state(id, state)?.kind;
        let mut rest = valuations;
        for (action, _, losing) in losing_inputs {
            let Some(position) = theory.names.position(action) else { continue };
            let mut own = losing;
            own.intersect(&rest)?;
            if own.is_empty() || kind == StateKind::Error {
                continue;
            }
            rest.subtract(&own)?;
            let what = format!("the environment sends `{}?`", theory.names.name(action));
            rules.push(rule(theory, id, state, own, EnvironmentMove::Send(position), &what)?);
        }
        if !rest.is_empty() {
            let (advice, what) = match kind {
                StateKind::Error => (EnvironmentMove::Won, "this state is an error"),
                _ => (EnvironmentMove::Wait, "the environment waits"),
            };
            rules.push(rule(theory, id, state, rest, advice, what)?);
        }
    }
    Ok(EnvironmentStrategy { rules })
}

fn rule(
    theory: &Theory<'_>,
    id: SpecificationId,
    state: StateId,
    valuations: Federation,
    advice: EnvironmentMove,
    what: &str,
) -> Result<StrategyRule, SearchAbort> {
    let (mut found, mut components) = (Vec::new(), Vec::new());
    theory.leaf_states(id, state, &mut found);
    theory.leaves(id, 0, &mut components);
    let leaf = |(state, &(_, number, _)): (&Option<StateId>, &(_, u32, u16))| {
        state.and_then(|state| theory.component_numbered(number).leaf_state(state))
    };
    let leaves = found.iter().zip(&components).map(leaf).collect();
    let text = format!("{}: {what}", state_text(theory, id, state, &valuations));
    Ok(StrategyRule { leaves, valuations, advice, text })
}

/// Returns the discrete states that occur in plays of the strategy.
fn needed_states(
    theory: &mut Theory<'_>,
    id: SpecificationId,
    increments: &[Increment],
) -> Result<BTreeSet<StateId>, SearchAbort> {
    let initial = theory.initial(id)?;
    let mut needed = BTreeSet::from([initial]);
    let mut waiting = vec![initial];
    while let Some(state) = waiting.pop() {
        let own = increments.iter().filter(|increment| increment.state == state);
        let mut targets: Vec<StateId> =
            own.flat_map(|increment| increment.losing_inputs.iter().map(|&(_, target, _)| target)).collect();
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
