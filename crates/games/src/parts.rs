//! The components of a specification, and their locations in its states.
//!
//! Invariant: components are counted from the left; copies are distinct.

use tempora_model::{LocationId, ProcessId};
use tempora_zones::{Clock, Federation, Zone};

use crate::component::InputCompletion;
use crate::search_abort::SearchAbort;
use crate::state::StateId;
use crate::theory::{Construction, SpecificationId, Theory};

/// The maximal number of components that a remark names.
const MOST_NAMES: usize = 3;

impl Theory<'_> {
    /// Returns the state in which the components have the given locations, from the left.
    pub(crate) fn state_at(
        &mut self,
        id: SpecificationId,
        locations: &mut impl Iterator<Item = LocationId>,
    ) -> Result<StateId, SearchAbort> {
        match self[id].construction {
            Construction::Component { component, .. } => {
                let location = locations.next().unwrap_or(LocationId(0));
                self.components[component as usize].state_at(location)
            }
            Construction::Composition(left, right)
            | Construction::Conjunction(left, right)
            | Construction::Quotient(left, right) => {
                let left = self.state_at(left, locations)?;
                let right = self.state_at(right, locations)?;
                Ok(self.intern(id, left, right))
            }
            Construction::Pruned(inner) | Construction::Restricted(inner, _) => {
                self.state_at(inner, locations)
            }
        }
    }

    /// Returns the locations of all components in a state, from the left; `None` for a component that has become
    /// universal.
    pub(crate) fn locations(&self, id: SpecificationId, state: StateId, found: &mut Vec<Option<LocationId>>) {
        match self[id].construction {
            _ if state == StateId::ERROR || state == StateId::UNIVERSAL => {
                found.extend(std::iter::repeat_n(None, self[id].leaves as usize));
            }
            Construction::Component { component, .. } => {
                found.push(Some(self.components[component as usize].location(state)));
            }
            Construction::Composition(left, right)
            | Construction::Conjunction(left, right)
            | Construction::Quotient(left, right) => {
                let (one, other) = self[id].keys[state.index()];
                self.locations(left, one, found);
                self.locations(right, other, found);
            }
            Construction::Pruned(inner) | Construction::Restricted(inner, _) => {
                self.locations(inner, state, found);
            }
        }
    }

    /// Returns the states of all components in a state, from the left; `None` for a component that has become
    /// universal.
    pub(crate) fn leaf_states(&self, id: SpecificationId, state: StateId, found: &mut Vec<Option<StateId>>) {
        match self[id].construction {
            _ if state == StateId::ERROR || state == StateId::UNIVERSAL => {
                found.extend(std::iter::repeat_n(None, self[id].leaves as usize));
            }
            Construction::Component { .. } => found.push(Some(state)),
            Construction::Composition(left, right)
            | Construction::Conjunction(left, right)
            | Construction::Quotient(left, right) => {
                let (one, other) = self[id].keys[state.index()];
                self.leaf_states(left, one, found);
                self.leaf_states(right, other, found);
            }
            Construction::Pruned(inner) | Construction::Restricted(inner, _) => {
                self.leaf_states(inner, state, found);
            }
        }
    }

    /// Returns the process, number and first clock of each component, from the left.
    pub(crate) fn leaves(&self, id: SpecificationId, offset: u16, found: &mut Vec<(ProcessId, u32, u16)>) {
        match self[id].construction {
            Construction::Component { component, .. } => {
                found.push((self.processes[component as usize], component, offset));
            }
            Construction::Composition(left, right)
            | Construction::Conjunction(left, right)
            | Construction::Quotient(left, right) => {
                self.leaves(left, offset, found);
                self.leaves(right, offset + self[left].dimension.size() as u16 - 1, found);
            }
            Construction::Pruned(inner) | Construction::Restricted(inner, _) => {
                self.leaves(inner, offset, found);
            }
        }
    }

    /// Returns whether an operand of a specification was pruned.
    pub(crate) fn is_pruned(&self, id: SpecificationId) -> bool {
        match self[id].construction {
            Construction::Component { .. } => false,
            Construction::Composition(left, right)
            | Construction::Conjunction(left, right)
            | Construction::Quotient(left, right) => self.is_pruned(left) || self.is_pruned(right),
            Construction::Pruned(_) | Construction::Restricted(..) => true,
        }
    }

    /// Returns for each clock whether it has upper bounds only in all reachable states.
    ///
    /// Pruning and quotients add comparisons that are not in the text. The meaning of a component was computed by a
    /// search, so its reachable states are unfolded.
    pub(crate) fn slack_clocks(&self, id: SpecificationId) -> Vec<bool> {
        let specification = &self[id];
        let clocks = specification.dimension.size() - 1;
        match specification.construction {
            Construction::Component { .. } => {
                let is_slack = specification.states.iter().flatten().all(|state| {
                    let sets = std::iter::once(&state.good).chain(state.moves.iter().map(|one| &one.guard));
                    sets.flat_map(Federation::zones).all(is_bounded_above_only)
                });
                vec![is_slack; clocks]
            }
            Construction::Composition(left, right) | Construction::Conjunction(left, right) => {
                let mut slack = self.slack_clocks(left);
                slack.extend(self.slack_clocks(right));
                slack
            }
            Construction::Quotient(..) | Construction::Pruned(_) | Construction::Restricted(..) => {
                vec![false; clocks]
            }
        }
    }

    /// Returns the remark on inputs without an edge, if there are any.
    pub(crate) fn completion_remark(&self) -> Option<String> {
        let completed =
            self.components.iter().zip(&self.processes).filter(|(component, _)| component.is_completed);
        let mut names: Vec<String> =
            completed.map(|(_, &process)| format!("`{}`", self.network.processes[process].name)).collect();
        let more = names.len().saturating_sub(MOST_NAMES);
        names.truncate(MOST_NAMES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let what = match self.completion {
            InputCompletion::Ignore => "ignored",
            InputCompletion::Error => "errors",
        };
        let text = || format!("inputs without an edge are {what} in {}{more}", names.join(", "));
        (!names.is_empty()).then(text)
    }
}

/// Returns whether a zone has upper bounds of clocks only.
fn is_bounded_above_only(zone: &Zone) -> bool {
    let zero = Zone::zero(zone.dimension());
    let clocks = || zone.dimension().clocks();
    clocks().all(|clock| {
        zone.bound(Clock::REFERENCE, clock) == zero.bound(Clock::REFERENCE, clock)
            && clocks()
                .filter(|&other| other != clock)
                .all(|other| zone.bound(clock, other) == zone.bound(clock, Clock::REFERENCE))
    })
}
