//! Predicates of queries in concrete states, and after delays, including `deadlock`.
//!
//! Invariant: a state is deadlocked if no transition is possible now or after any delay that it allows. Priorities do
//! not matter: where some transition is possible, one with the highest priority is.

use std::ops::ControlFlow;

use tempora_evidence::RuntimeError;
use tempora_model::Expression;

use crate::candidates::{CandidateFilter, CandidateSearch};
use crate::delay_set::{Cut, DelaySet};
use crate::evaluate::{Evaluated, Evaluator};
use crate::interpreter::{Fuel, Interpreter};
use crate::state::ConcreteState;

impl Interpreter<'_> {
    /// Returns whether a predicate holds in a state.
    pub fn holds(&self, state: &ConcreteState, predicate: &Expression) -> Result<bool, RuntimeError> {
        let fuel = self.fuel();
        Evaluator::reading(self, state, &fuel).holds(predicate)
    }

    /// Returns the delays after which a predicate holds, whether they are allowed or not.
    pub fn predicate_delays(
        &self,
        state: &ConcreteState,
        predicate: &Expression,
    ) -> Result<DelaySet, RuntimeError> {
        let fuel = self.fuel();
        let rates = self.rates(state, &fuel)?;
        Evaluator::reading(self, state, &fuel).moving(rates).delays(predicate)
    }

    /// Returns whether no transition is possible now or after any delay that the state allows.
    pub fn is_deadlocked(&self, state: &ConcreteState) -> Result<bool, RuntimeError> {
        self.is_deadlocked_with(state, &self.fuel())
    }

    /// Returns the delays that the state allows and after which some transition is possible.
    pub fn action_delays(&self, state: &ConcreteState) -> Result<DelaySet, RuntimeError> {
        let fuel = self.fuel();
        let allowed = self.allowed_delays_with(state, &fuel)?;
        self.action_delays_within(state, &allowed, &fuel)
    }

    pub(crate) fn is_deadlocked_with(&self, state: &ConcreteState, fuel: &Fuel) -> Evaluated<bool> {
        let now = CandidateSearch { interpreter: self, state, horizon: DelaySet::now(), slopes: None, fuel };
        let found = now.visit(CandidateFilter::All, &mut |transition, _| {
            let is_possible = self.outcome_of_updates(state, &transition, fuel)?.is_some();
            Ok(if is_possible { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        if found.is_break() {
            return Ok(false);
        }
        let allowed = self.allowed_delays_with(state, fuel)?;
        if allowed == DelaySet::now() {
            return Ok(true);
        }
        Ok(self.action_delays_within(state, &allowed, fuel)?.is_empty())
    }

    /// Returns the allowed delays after which the state is deadlocked: all those after the last possible transition.
    pub(crate) fn deadlock_delays(&self, state: &ConcreteState, fuel: &Fuel) -> Evaluated<DelaySet> {
        let allowed = self.allowed_delays_with(state, fuel)?;
        let actions = self.action_delays_within(state, &allowed, fuel)?;
        Ok(match actions.end() {
            None => allowed,
            Some(end) => allowed.intersection(&DelaySet::between(end, Cut::Infinity)),
        })
    }

    fn action_delays_within(
        &self,
        state: &ConcreteState,
        allowed: &DelaySet,
        fuel: &Fuel,
    ) -> Evaluated<DelaySet> {
        let slopes = self.rates(state, fuel)?;
        let search = CandidateSearch {
            interpreter: self,
            state,
            horizon: allowed.clone(),
            slopes: Some(slopes.clone()),
            fuel,
        };
        let mut delays = DelaySet::empty();
        let _ = search.visit(CandidateFilter::All, &mut |transition, guards_hold| {
            delays = delays.union(&self.possible_delays(state, &slopes, &transition, guards_hold, fuel)?);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(delays)
    }
}
