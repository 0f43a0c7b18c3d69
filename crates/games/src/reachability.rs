//! Reachability between states of a specification.
//!
//! Invariant: a state predicate is a set of valuations for each tuple of locations. A positive answer is a run that
//! other programs can execute (see [`crate::reaching_run`]).

use tempora_evidence::SpecificationRun;
use tempora_model::{Comparison, LocationId, StatePredicate};
use tempora_zones::{Bound, Clock, Constraint, Federation};

use crate::search_abort::SearchAbort;
use crate::state::StateId;
use crate::theory::{SpecificationId, Theory};

/// A proof that a state is reachable.
pub(crate) struct Reaching {
    /// The run, explained and executable; `None` if a step cannot be rendered.
    pub(crate) explanation: Option<(Vec<String>, SpecificationRun)>,
}

impl Theory<'_> {
    /// Returns how a goal state can be reached from a start state, or from the initial one; `None` if it is
    /// unreachable.
    pub(crate) fn can_reach(
        &mut self,
        id: SpecificationId,
        start: Option<&StatePredicate>,
        goal: &StatePredicate,
    ) -> Result<Option<Reaching>, SearchAbort> {
        let (initial, entries) = match start {
            None => {
                let initial = self.initial(id)?;
                let state = self.state(id, initial)?;
                let mut entry = Federation::from(tempora_zones::Zone::zero(self[id].dimension));
                entry.intersect(&state.good)?;
                (initial, entry)
            }
            Some(start) => {
                let mut locations = vec![LocationId(0); self[id].leaves as usize];
                fixed_locations(start, &mut locations);
                let initial = self.state_at(id, &mut locations.into_iter())?;
                let mut entry = self.satisfying(id, initial, start)?;
                let state = self.state(id, initial)?;
                entry.intersect(&state.good)?;
                (initial, entry)
            }
        };
        let mut found = None;
        let mut history = Vec::new();
        let entries = entries.zones().to_vec();
        self.search_from(id, initial, entries, Some(&mut history), &mut |theory, state, _, zone| {
            // An error is not a state of the components.
            if state == StateId::ERROR {
                return Ok(true);
            }
            let mut here = theory.satisfying(id, state, goal)?;
            here.intersect(&Federation::from(zone.clone()))?;
            if !here.is_empty() {
                found = Some(here);
            }
            Ok(found.is_none())
        })?;
        let Some(valuations) = found else { return Ok(None) };
        let explanation = self.reaching_run(id, &history, valuations, start.is_some())?;
        Ok(Some(Reaching { explanation }))
    }

    /// Returns the valuations of a state that satisfy a predicate.
    pub(crate) fn satisfying(
        &self,
        id: SpecificationId,
        state: StateId,
        predicate: &StatePredicate,
    ) -> Result<Federation, SearchAbort> {
        let dimension = self[id].dimension;
        let of_truth =
            |truth| if truth { Federation::universe(dimension) } else { Federation::empty(dimension) };
        Ok(match predicate {
            StatePredicate::Truth(truth) => of_truth(*truth),
            StatePredicate::At { component, location } => {
                let mut locations = Vec::new();
                self.locations(id, state, &mut locations);
                of_truth(locations.get(*component) == Some(&Some(*location)))
            }
            StatePredicate::Clocks { left, right, comparison, bound } => {
                let (left, right) = self.compared_clocks(id, left, right)?;
                if left == right {
                    return Ok(of_truth(comparison.holds(0.cmp(bound))));
                }
                let below = |weak| Bound::finite(i64::from(*bound), weak);
                let above = |weak| Bound::finite(-i64::from(*bound), weak);
                let mut set = Federation::universe(dimension);
                match comparison {
                    Comparison::Less => set.constrain(Constraint::difference(left, right, below(false)?))?,
                    Comparison::LessOrEqual => {
                        set.constrain(Constraint::difference(left, right, below(true)?))?;
                    }
                    Comparison::Greater => {
                        set.constrain(Constraint::difference(right, left, above(false)?))?;
                    }
                    Comparison::GreaterOrEqual => {
                        set.constrain(Constraint::difference(right, left, above(true)?))?;
                    }
                    Comparison::Equal | Comparison::NotEqual => {
                        set.constrain(Constraint::difference(left, right, below(true)?))?;
                        set.constrain(Constraint::difference(right, left, above(true)?))?;
                        if *comparison == Comparison::NotEqual {
                            set = set.complement()?;
                        }
                    }
                }
                set
            }
            StatePredicate::Not(inner) => self.satisfying(id, state, inner)?.complement()?,
            StatePredicate::And(left, right) => {
                let mut both = self.satisfying(id, state, left)?;
                both.intersect(&self.satisfying(id, state, right)?)?;
                both
            }
            StatePredicate::Or(left, right) => {
                let mut either = self.satisfying(id, state, left)?;
                either.union(self.satisfying(id, state, right)?);
                either
            }
        })
    }
}

impl Theory<'_> {
    /// Collects the clock comparisons of a predicate, and their opposites.
    pub(crate) fn compared_in(
        &self,
        id: SpecificationId,
        predicate: &StatePredicate,
        found: &mut Vec<Constraint>,
    ) -> Result<(), SearchAbort> {
        match predicate {
            StatePredicate::Truth(_) | StatePredicate::At { .. } => {}
            StatePredicate::Clocks { left, right, bound, .. } => {
                let (left, right) = self.compared_clocks(id, left, right)?;
                if left != right {
                    let up = Bound::finite(i64::from(*bound), true)?;
                    let down = Bound::finite(-i64::from(*bound), true)?;
                    found.push(Constraint::difference(left, right, up));
                    found.push(Constraint::difference(right, left, down));
                }
            }
            StatePredicate::Not(inner) => self.compared_in(id, inner, found)?,
            StatePredicate::And(one, other) | StatePredicate::Or(one, other) => {
                self.compared_in(id, one, found)?;
                self.compared_in(id, other, found)?;
            }
        }
        Ok(())
    }

    /// Returns the clocks that a predicate compares, numbered as in the specification.
    fn compared_clocks(
        &self,
        id: SpecificationId,
        left: &Option<(usize, tempora_model::VariableId)>,
        right: &Option<(usize, tempora_model::VariableId)>,
    ) -> Result<(Clock, Clock), SearchAbort> {
        let mut leaves = Vec::new();
        self.leaves(id, 0, &mut leaves);
        let clock = |place: &Option<(usize, tempora_model::VariableId)>| match place {
            None => Some(Clock::REFERENCE),
            Some((component, variable)) => {
                let (_, number, offset) = *leaves.get(*component)?;
                let clocks = self.component_numbered(number).clocks_of(*variable);
                Some(Clock((*clocks.first()?)?.0 + offset))
            }
        };
        let (Some(left), Some(right)) = (clock(left), clock(right)) else {
            return Err(SearchAbort::Unsupported("this clock in a predicate".to_owned()));
        };
        Ok((left, right))
    }
}

/// Sets the locations that a start predicate names.
fn fixed_locations(predicate: &StatePredicate, locations: &mut [LocationId]) {
    match predicate {
        StatePredicate::At { component, location } => locations[*component] = *location,
        StatePredicate::And(left, right) => {
            fixed_locations(left, locations);
            fixed_locations(right, locations);
        }
        _ => {}
    }
}
