//! Predicates along a run: the stretches of it in which time passes.
//!
//! Invariant: a run is a list of stretches. Instants in between are described by delays, so the result does not depend
//! on how a run is divided.

use tempora_evidence::RuntimeError;
use tempora_model::Expression;

use crate::delay_set::{Cut, DelaySet};
use crate::interpreter::Interpreter;
use crate::state::ConcreteState;

/// An evaluator of predicates.
pub(crate) trait Predicates {
    /// The type of states.
    type State;

    /// Returns the delays after which a predicate holds, whether they are allowed or not.
    fn delays_of(&self, state: &Self::State, predicate: &Expression) -> Result<DelaySet, RuntimeError>;
}

impl Predicates for Interpreter<'_> {
    type State = ConcreteState;

    fn delays_of(&self, state: &ConcreteState, predicate: &Expression) -> Result<DelaySet, RuntimeError> {
        self.predicate_delays(state, predicate)
    }
}

/// A state in which time begins to pass, with the delays that pass there.
pub(crate) type Stretch<'run, State> = (&'run State, DelaySet);

/// Returns whether a predicate has this truth value throughout a run.
pub(crate) fn holds_throughout<P: Predicates>(
    predicates: &P,
    stretches: &[Stretch<'_, P::State>],
    predicate: &Expression,
    expected: bool,
) -> Result<bool, RuntimeError> {
    for (state, passing) in stretches {
        let mut good = predicates.delays_of(state, predicate)?;
        if !expected {
            good = good.complement();
        }
        if !passing.is_subset(&good) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns whether each predicate holds somewhere in the cycle of a run, which begins with this stretch.
pub(crate) fn infinitely_often<P: Predicates>(
    predicates: &P,
    stretches: &[Stretch<'_, P::State>],
    cycle_start: usize,
    wanted: &[Expression],
) -> Result<bool, RuntimeError> {
    for predicate in wanted {
        let mut is_met = false;
        for (state, passing) in &stretches[cycle_start.min(stretches.len())..] {
            is_met |= !predicates.delays_of(state, predicate)?.intersection(passing).is_empty();
        }
        if !is_met {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Searches backward for the premise, as far as the conclusion does not hold; if the run ends in a cycle, the
/// conclusion must not hold anywhere in the cycle.
pub(crate) fn premise_without_conclusion<P: Predicates>(
    predicates: &P,
    stretches: &[Stretch<'_, P::State>],
    cycle_start: Option<usize>,
    premise: &Expression,
    conclusion: &Expression,
) -> Result<bool, RuntimeError> {
    let cycle_start = cycle_start.unwrap_or(stretches.len());
    let mut premise_was_seen = false;
    for (number, (state, passing)) in stretches.iter().enumerate().rev() {
        let concluded = predicates.delays_of(state, conclusion)?.intersection(passing);
        let free = match concluded.end() {
            None => passing.clone(),
            Some(end) => passing.intersection(&DelaySet::between(end, Cut::Infinity)),
        };
        let begins = predicates.delays_of(state, premise)?.intersection(&free);
        premise_was_seen |= !begins.is_empty();
        if !concluded.is_empty() {
            return Ok(premise_was_seen && number < cycle_start);
        }
        if premise_was_seen && number <= cycle_start {
            return Ok(true);
        }
    }
    Ok(premise_was_seen)
}
