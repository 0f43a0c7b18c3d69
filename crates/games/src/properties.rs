//! Properties of one specification: determinism, progress, urgent outputs, input enabledness.
//!
//! Invariant: only reachable valuations count.

use std::collections::HashMap;
use std::rc::Rc;

use tempora_zones::{Bound, Clock, Federation, OpenMatrix, Zone};

use crate::action::ActionId;
use crate::prune::immediate_errors;
use crate::search_abort::SearchAbort;
use crate::state::{State, StateId};
use crate::theory::{Construction, SpecificationId, Theory};

/// A state that violates a property.
#[derive(Clone, Debug)]
pub(crate) struct FaultyState {
    pub(crate) state: StateId,
    /// The offending action, if any.
    pub(crate) action: Option<ActionId>,
    /// The offending valuations.
    pub(crate) valuations: Federation,
}

impl Theory<'_> {
    /// Returns a state with two moves on one action that have different effects.
    pub(crate) fn nondeterminism(&mut self, id: SpecificationId) -> Result<Option<FaultyState>, SearchAbort> {
        // Compositions of deterministic operands are deterministic.
        if let Construction::Composition(left, right)
        | Construction::Conjunction(left, right)
        | Construction::Quotient(left, right) = self[id].construction
            && self.nondeterminism(left)?.is_none()
            && self.nondeterminism(right)?.is_none()
        {
            return Ok(None);
        }
        if let Construction::Pruned(inner) | Construction::Restricted(inner, _) = self[id].construction
            && self.nondeterminism(inner)?.is_none()
        {
            return Ok(None);
        }
        if self.deterministic.contains(&id) {
            return Ok(None);
        }
        let found = self.find_nondeterminism(id)?;
        if found.is_none() {
            self.deterministic.insert(id);
        }
        Ok(found)
    }

    fn find_nondeterminism(&mut self, id: SpecificationId) -> Result<Option<FaultyState>, SearchAbort> {
        self.first_fault(id, |_, _, state| {
            let mut found = Vec::new();
            for (position, one) in state.moves.iter().enumerate() {
                for other in &state.moves[position + 1..] {
                    if other.action != one.action {
                        break;
                    }
                    if one.target == other.target && one.updates == other.updates {
                        continue;
                    }
                    let mut both = one.guard.clone();
                    both.intersect(&other.guard)?;
                    if !both.is_empty() {
                        found.push((Some(one.action), both));
                    }
                }
            }
            Ok(found)
        })
    }

    /// Returns a state with neither an unbounded delay nor an output.
    pub(crate) fn stuck_state(&mut self, id: SpecificationId) -> Result<Option<FaultyState>, SearchAbort> {
        let mut found = None;
        self.search(id, &mut |theory, state, unfolded, zone| {
            let valuations = immediate_errors(theory, id, unfolded, zone)?;
            if !valuations.is_empty() {
                found = Some(FaultyState { state, action: None, valuations });
            }
            Ok(found.is_none())
        })?;
        Ok(found)
    }

    /// Returns a state with an output that is not urgent.
    pub(crate) fn lazy_output(&mut self, id: SpecificationId) -> Result<Option<FaultyState>, SearchAbort> {
        self.first_fault(id, |theory, id, state| {
            let waiting = may_wait(&state.good)?;
            let mut found = Vec::new();
            for &action in &theory[id].alphabet.outputs {
                let mut lazy = state.enabled(action);
                lazy.intersect(&waiting)?;
                found.push((Some(action), lazy));
            }
            Ok(found)
        })
    }

    /// Returns a state in which an input is not accepted.
    pub(crate) fn missing_input(&mut self, id: SpecificationId) -> Result<Option<FaultyState>, SearchAbort> {
        self.first_fault(id, |theory, id, state| {
            let mut found = Vec::new();
            for &action in &theory[id].alphabet.inputs {
                let mut missing = state.good.clone();
                missing.subtract(&state.enabled(action))?;
                found.push((Some(action), missing));
            }
            Ok(found)
        })
    }

    /// Returns the first reachable valuations that violate a property of states.
    fn first_fault(
        &mut self,
        id: SpecificationId,
        mut wrong: impl FnMut(
            &mut Self,
            SpecificationId,
            &Rc<State>,
        ) -> Result<Vec<(Option<ActionId>, Federation)>, SearchAbort>,
    ) -> Result<Option<FaultyState>, SearchAbort> {
        let mut known: HashMap<StateId, Vec<(Option<ActionId>, Federation)>> = HashMap::new();
        let mut found = None;
        // The search passes the theory on, so violations in a state are computed between its steps.
        let mut pending: Vec<(StateId, Zone)> = Vec::new();
        self.search(id, &mut |_, state, _, zone| {
            pending.push((state, zone.clone()));
            Ok(true)
        })?;
        for (state, zone) in pending {
            if let std::collections::hash_map::Entry::Vacant(entry) = known.entry(state) {
                let unfolded = self.state(id, state)?;
                entry.insert(wrong(self, id, &unfolded)?);
            }
            for (action, set) in &known[&state] {
                let mut valuations = Federation::from(zone.clone());
                valuations.intersect(set)?;
                if !valuations.is_empty() {
                    found = Some(FaultyState { state, action: *action, valuations });
                    break;
                }
            }
            if found.is_some() {
                break;
            }
        }
        Ok(found)
    }

    /// Returns whether the initial state is good.
    pub(crate) fn has_good_start(&mut self, id: SpecificationId) -> Result<bool, SearchAbort> {
        let initial = self.initial(id)?;
        let state = self.state(id, initial)?;
        let start = Zone::zero(self[id].dimension);
        Ok(state.kind != crate::state::StateKind::Error && state.good.includes_zone(&start)?)
    }
}

/// Returns the valuations of a set that allow a positive delay within it.
fn may_wait(good: &Federation) -> Result<Federation, SearchAbort> {
    let dimension = good.dimension();
    let mut zones = Vec::new();
    for zone in good.zones() {
        // A zone allows a delay if no upper bound is attained, while lower bounds may be.
        let mut matrix = OpenMatrix::from_zone(zone);
        for clock in dimension.clocks() {
            let upper = matrix.bound(clock, Clock::REFERENCE);
            if let (Some(constant), true) = (upper.constant(), upper.is_weak()) {
                matrix.set(clock, Clock::REFERENCE, Bound::strict(constant)?);
            }
            let lower = matrix.bound(Clock::REFERENCE, clock);
            if let (Some(constant), false) = (lower.constant(), lower.is_weak()) {
                matrix.set(Clock::REFERENCE, clock, Bound::weak(constant)?);
            }
        }
        let mut soon = Zone::empty(dimension);
        soon.assign_closure(&matrix)?;
        zones.push(soon);
    }
    let mut waiting = Federation::from_zones(dimension, zones);
    waiting.intersect(good)?;
    Ok(waiting)
}
