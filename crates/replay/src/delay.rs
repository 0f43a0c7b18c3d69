//! The delays that a state allows.
//!
//! Invariant: the allowed delays are an interval that begins with zero (or empty, if an invariant is already violated).
//! Time passes as long as all invariants hold, in no urgent or committed location, and at most until the first instant
//! at which a synchronisation on an urgent channel becomes possible. Guards and target invariants decide whether it is
//! possible; priorities do not.

use std::ops::ControlFlow;

use tempora_evidence::{Rational, RuntimeError, RuntimeErrorKind, Transition};
use tempora_model::{Id, LocationKind};

use crate::candidates::{CandidateFilter, CandidateSearch};
use crate::delay_set::{Cut, DelaySet};
use crate::evaluate::{Evaluated, Evaluator, at};
use crate::interpreter::{Fuel, Interpreter};
use crate::obstacle::Obstacle;
use crate::rational;
use crate::state::ConcreteState;
use crate::step::StepOutcome;

impl Interpreter<'_> {
    /// Returns the delays that a state allows.
    pub fn allowed_delays(&self, state: &ConcreteState) -> Result<DelaySet, RuntimeError> {
        self.allowed_delays_with(state, &self.fuel())
    }

    /// Returns the state after a delay, if the delay is allowed.
    pub fn attempt_delay(&self, state: &ConcreteState, delay: Rational) -> StepOutcome {
        let fuel = self.fuel();
        match self.obstacle_to_delay(state, delay, &fuel) {
            Err(error) => StepOutcome::Error(error),
            Ok(Some(obstacle)) => StepOutcome::Impossible(obstacle),
            Ok(None) => match self.after(state, delay, &fuel) {
                Ok(state) => StepOutcome::Possible(state),
                Err(error) => StepOutcome::Error(error),
            },
        }
    }

    pub(crate) fn allowed_delays_with(&self, state: &ConcreteState, fuel: &Fuel) -> Evaluated<DelaySet> {
        let invariants = self.delays_within_invariants(state, fuel)?;
        if self.time_stands_still(state).is_some() {
            return Ok(invariants.intersection(&DelaySet::now()));
        }
        Ok(match self.first_urgent(state, &invariants, fuel)? {
            Some((from, _)) => {
                let until = DelaySet::between(Cut::before(Rational::from_integer(0)), Cut::after(from));
                invariants.intersection(&until)
            }
            None => invariants,
        })
    }

    /// Returns the delays after which a candidate is possible, among those after which its guards hold: those with
    /// which the target invariants hold. A candidate whose updates fail is possible (and fails).
    pub(crate) fn possible_delays(
        &self,
        state: &ConcreteState,
        slopes: &[Rational],
        transition: &Transition,
        guards_hold: &DelaySet,
        fuel: &Fuel,
    ) -> Evaluated<DelaySet> {
        match self.delays_with_successor(state, slopes, transition, guards_hold, fuel) {
            Err(error) if !is_own_limit(&error.kind) => Ok(guards_hold.clone()),
            delays => delays,
        }
    }

    fn delays_with_successor(
        &self,
        state: &ConcreteState,
        slopes: &[Rational],
        transition: &Transition,
        guards_hold: &DelaySet,
        fuel: &Fuel,
    ) -> Evaluated<DelaySet> {
        let (successor, slopes) = self.apply_moving(state, Some(slopes.to_vec()), transition, fuel)?;
        let slopes = slopes.unwrap_or_default();
        let mut delays = guards_hold.clone();
        for (process, automaton) in self.network.processes.iter() {
            let invariant = &automaton.locations[successor.locations[process.index()]].invariant;
            let mut evaluator = Evaluator::reading(self, &successor, fuel).moving(slopes.clone());
            delays = evaluator.condition_delays(invariant, &delays)?;
        }
        Ok(delays)
    }

    /// Returns the state after a delay, whether it is allowed or not.
    pub(crate) fn after(
        &self,
        state: &ConcreteState,
        delay: Rational,
        fuel: &Fuel,
    ) -> Evaluated<ConcreteState> {
        let mut later = state.clone();
        if delay == Rational::from_integer(0) {
            return Ok(later);
        }
        let rates = self.rates(state, fuel)?;
        for (cell, rate) in rates.into_iter().enumerate() {
            let grown = rational::multiply(rate, delay)
                .and_then(|growth| rational::add(later.clocks[cell], growth))
                .map_err(at(self.network.variables[self.layout.owner(cell)].origin))?;
            later.clocks[cell] = grown;
        }
        Ok(later)
    }

    fn obstacle_to_delay(
        &self,
        state: &ConcreteState,
        delay: Rational,
        fuel: &Fuel,
    ) -> Evaluated<Option<Obstacle>> {
        let zero = Rational::from_integer(0);
        if delay < zero {
            return Ok(Some(Obstacle::NegativeDelay));
        }
        if delay == zero {
            return Ok(None);
        }
        if let Some(obstacle) = self.time_stands_still(state) {
            return Ok(Some(obstacle));
        }
        let rates = self.rates(state, fuel)?;
        for (process, automaton) in self.network.processes.iter() {
            let location = state.locations[process.index()];
            let invariant = &automaton.locations[location].invariant;
            let mut evaluator = Evaluator::reading(self, state, fuel).moving(rates.clone());
            let allowed = evaluator.condition_delays(invariant, &DelaySet::all())?.from_now();
            if !allowed.contains(delay) {
                return Ok(Some(Obstacle::DelayViolatesInvariant { process, location, allowed }));
            }
        }
        let until = DelaySet::between(Cut::before(zero), Cut::after(delay));
        Ok(match self.first_urgent(state, &until, fuel)? {
            Some((from, transition)) if from < delay => {
                Some(Obstacle::UrgentSynchronisation { transition: Box::new(transition), from })
            }
            _ => None,
        })
    }

    /// Returns the longest interval of delays from zero during which all invariants hold.
    fn delays_within_invariants(&self, state: &ConcreteState, fuel: &Fuel) -> Evaluated<DelaySet> {
        let rates = self.rates(state, fuel)?;
        let mut delays = DelaySet::all();
        for (process, automaton) in self.network.processes.iter() {
            let invariant = &automaton.locations[state.locations[process.index()]].invariant;
            let mut evaluator = Evaluator::reading(self, state, fuel).moving(rates.clone());
            delays = evaluator.condition_delays(invariant, &delays)?;
        }
        Ok(delays.from_now())
    }

    /// Returns an urgent or committed location, if there is one.
    fn time_stands_still(&self, state: &ConcreteState) -> Option<Obstacle> {
        self.network.processes.iter().find_map(|(process, automaton)| {
            let location = state.locations[process.index()];
            let is_urgent = automaton.locations[location].kind != LocationKind::Ordinary;
            is_urgent.then_some(Obstacle::UrgentLocation { process, location })
        })
    }

    /// Returns the infimum of the delays after which a synchronisation on an urgent channel is possible.
    fn first_urgent(
        &self,
        state: &ConcreteState,
        horizon: &DelaySet,
        fuel: &Fuel,
    ) -> Evaluated<Option<(Rational, Transition)>> {
        let slopes = self.rates(state, fuel)?;
        let search = CandidateSearch {
            interpreter: self,
            state,
            horizon: horizon.clone(),
            slopes: Some(slopes.clone()),
            fuel,
        };
        let mut first: Option<(Rational, Transition)> = None;
        let _ = search.visit(CandidateFilter::Urgent, &mut |transition, guards_hold| {
            let possible = self.possible_delays(state, &slopes, &transition, guards_hold, fuel)?;
            if let Some(from) = possible.start().and_then(Cut::value)
                && first.as_ref().is_none_or(|(known, _)| from < *known)
            {
                first = Some((from, transition));
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(first)
    }
}

/// Returns whether an error concerns a limit of this program rather than the model.
pub(crate) fn is_own_limit(kind: &RuntimeErrorKind) -> bool {
    matches!(
        kind,
        RuntimeErrorKind::Unsupported(_)
            | RuntimeErrorKind::IllFormed(_)
            | RuntimeErrorKind::StepLimit
            | RuntimeErrorKind::TimeOver
            | RuntimeErrorKind::Stopped(_)
            | RuntimeErrorKind::NestingLimit
            | RuntimeErrorKind::TimeOverflow
    )
}
