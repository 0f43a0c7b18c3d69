//! Committed states that runs pass through at once, and that a certificate may omit.
//!
//! Invariant: each recorded zone is returned once for a check, unless an earlier zone includes it. So nodes and passed
//! states together form the closed set. Checked states may be forgotten; they are then checked again when reached.

use std::collections::{BTreeMap, VecDeque};

use tempora_replay::ConcreteState;

use crate::nodes::Key;
use crate::zone::Zone;

/// A zone, with the node that contains it or from which it was reached; `None` for initial states.
pub(crate) type ZoneOrigin = (Option<usize>, Zone);

/// Reached states outside the nodes.
#[derive(Default)]
pub(crate) struct CommittedStates {
    numbers: BTreeMap<Key, usize>,
    states: Vec<CommittedState>,
    /// Discrete states with unchecked zones, in the order of discovery.
    waiting: VecDeque<usize>,
    /// The number of stored bounds, and the number of zones in all.
    remembered: usize,
    count: usize,
}

/// A committed discrete state outside the nodes.
struct CommittedState {
    state: ConcreteState,
    zones: Vec<ZoneOrigin>,
    /// The number of zones that were already returned.
    given: usize,
}

/// The limit of stored bounds (128 megabytes), above which checked zones are forgotten.
const MOST_REMEMBERED: usize = 1 << 24;

impl CommittedStates {
    /// Records values of a committed discrete state.
    pub(crate) fn record(&mut self, key: &Key, state: &ConcreteState, zone: Zone, node: Option<usize>) {
        let number = match self.numbers.get(key) {
            Some(&number) => number,
            None => {
                self.numbers.insert(key.clone(), self.states.len());
                self.states.push(CommittedState { state: state.clone(), zones: Vec::new(), given: 0 });
                self.states.len() - 1
            }
        };
        let known = &mut self.states[number];
        if known.zones.iter().any(|(_, other)| zone.is_part_of(other)) {
            return;
        }
        if known.given == known.zones.len() {
            self.waiting.push_back(number);
        }
        self.remembered += zone.bound_count();
        known.zones.push((node, zone));
        self.count += 1;
    }

    /// Returns the next discrete state to check, with its unchecked zones and their origins.
    pub(crate) fn next(&mut self) -> Option<(ConcreteState, Vec<ZoneOrigin>)> {
        let known = &mut self.states[self.waiting.pop_front()?];
        let zones = known.zones[known.given..].to_vec();
        known.given = known.zones.len();
        Some((known.state.clone(), zones))
    }

    /// Forgets all states if they are too large. No state may be unchecked.
    pub(crate) fn forget_if_large(&mut self) {
        if self.remembered > MOST_REMEMBERED && self.waiting.is_empty() {
            self.numbers.clear();
            self.states.clear();
            self.remembered = 0;
        }
    }

    /// Returns the number of recorded zones.
    pub(crate) fn count(&self) -> usize {
        self.count
    }
}
