//! `(S : A[] p)`: the restriction of a specification to states that satisfy a predicate.
//!
//! Invariant: a state allows the valuations of the specification that satisfy the predicate. Outputs that leave them
//! are removed; inputs that leave them lead to an error, since the environment is free to send them. Delays end where
//! the predicate ends.

use tempora_model::StatePredicate;
use tempora_zones::Federation;

use crate::search_abort::SearchAbort;
use crate::state::{Move, State, StateId, StateKind, Switch, before};
use crate::theory::{Construction, SpecificationId, Theory};

impl Theory<'_> {
    /// Returns the restriction of a specification to a predicate.
    pub(crate) fn restricted(
        &mut self,
        inner: SpecificationId,
        predicate: &StatePredicate,
    ) -> Result<SpecificationId, SearchAbort> {
        let position = self.predicates.iter().position(|known| known == predicate);
        let position = position.unwrap_or_else(|| {
            self.predicates.push(predicate.clone());
            self.predicates.len() - 1
        });
        let mut compared = Vec::new();
        self.compared_in(inner, predicate, &mut compared)?;
        let whole = &self[inner];
        let (dimension, alphabet, leaves) = (whole.dimension, whole.alphabet.clone(), whole.leaves);
        let mut diagonals = whole.diagonals.clone();
        for constraint in compared.into_iter().filter(|constraint| constraint.is_diagonal()) {
            diagonals.push(constraint);
            diagonals.extend(constraint.negated());
        }
        let construction = Construction::Restricted(inner, position as u32);
        Ok(self.add(construction, dimension, alphabet, diagonals, leaves))
    }

    /// Unfolds a state of a restriction.
    pub(crate) fn restricted_state(
        &mut self,
        id: SpecificationId,
        (inner_id, predicate): (SpecificationId, u32),
        state: StateId,
    ) -> Result<State, SearchAbort> {
        let inner = self.state(inner_id, state)?;
        let dimension = self[id].dimension;
        if inner.kind == StateKind::Error {
            return Ok(State::error(dimension));
        }
        let predicate = self.predicates[predicate as usize].clone();
        let mut good = inner.good.clone();
        good.intersect(&self.satisfying(inner_id, state, &predicate)?)?;
        good.reduce()?;
        let mut moves = Vec::with_capacity(inner.moves.len());
        for one in &inner.moves {
            let kept = before(&one.updates, self.kept_in(inner_id, one.target, &predicate)?)?;
            let mut guard = one.guard.clone();
            guard.intersect(&good)?;
            if self[id].alphabet.inputs.contains(&one.action) {
                let mut lost = guard.clone();
                lost.subtract(&kept)?;
                lost.reduce()?;
                if !lost.is_empty() {
                    moves.push(Move { guard: lost, target: StateId::ERROR, ..one.clone() });
                }
            }
            guard.intersect(&kept)?;
            guard.reduce()?;
            if !guard.is_empty() {
                moves.push(Move { guard, ..one.clone() });
            }
        }
        let mut switches: Vec<Switch> = Vec::with_capacity(inner.switches.len());
        for switch in &inner.switches {
            let mut region = switch.region.clone();
            region.intersect(&self.kept_in(inner_id, switch.target, &predicate)?)?;
            if !region.is_empty() {
                switches.push(Switch { region, target: switch.target });
            }
        }
        let mut maxima = inner.maxima.clone();
        let mut compared = Vec::new();
        self.compared_in(inner_id, &predicate, &mut compared)?;
        for constraint in compared {
            let constant = constraint.bound.constant().unwrap_or(0).saturating_abs();
            for clock in [constraint.left, constraint.right].into_iter().filter(|clock| clock.0 != 0) {
                let most = &mut maxima[usize::from(clock.0) - 1];
                *most = Some(most.map_or(constant, |most| most.max(constant)));
            }
        }
        State::new(StateKind::Ordinary, good, moves, maxima, switches, dimension)
    }

    /// Returns the valuations of a target state that satisfy the predicate.
    fn kept_in(
        &self,
        inner: SpecificationId,
        state: StateId,
        predicate: &StatePredicate,
    ) -> Result<Federation, SearchAbort> {
        let kept = self.satisfying(inner, state, predicate)?;
        if state == StateId::UNIVERSAL && !kept.complement()?.is_empty() {
            // The predicate is undefined in the universal state, which has no component states.
            return Err(SearchAbort::Unsupported(
                "`A[]` restrictions of quotients that can accept anything".to_owned(),
            ));
        }
        Ok(kept)
    }
}
