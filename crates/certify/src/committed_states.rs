//! Committed states that runs pass through at once, and that a certificate may omit.
//!
//! Invariant: each recorded zone is returned once for a check, unless an earlier zone includes it. So nodes and passed
//! states together form the closed set. Checked states may be forgotten; they are then checked again when reached.

use std::collections::{BTreeMap, VecDeque};

use tempora_replay::ConcreteState;

use crate::nodes::Key;
use crate::zone::Zone;

/// A zone, with the node that contains it or from which it was reached; `None` for initial states.
pub(crate) type CameFrom = (Option<usize>, Zone);

/// Reached states outside the nodes.
#[derive(Default)]
pub(crate) struct Passing {
    numbers: BTreeMap<Key, usize>,
    met: Vec<Met>,
    /// Discrete states with unchecked zones, in the order of discovery.
    waiting: VecDeque<usize>,
    /// The number of stored bounds, and the number of zones in all.
    remembered: usize,
    count: usize,
}

/// A committed discrete state outside the nodes.
struct Met {
    state: ConcreteState,
    zones: Vec<CameFrom>,
    /// The number of zones that were already returned.
    given: usize,
}

/// The limit of stored bounds (128 megabytes), above which checked zones are forgotten.
const MOST_REMEMBERED: usize = 1 << 24;

impl Passing {
    /// Records values of a committed discrete state.
    pub(crate) fn meet(&mut self, key: &Key, state: &ConcreteState, zone: Zone, node: Option<usize>) {
        let number = match self.numbers.get(key) {
            Some(&number) => number,
            None => {
                self.numbers.insert(key.clone(), self.met.len());
                self.met.push(Met { state: state.clone(), zones: Vec::new(), given: 0 });
                self.met.len() - 1
            }
        };
        let met = &mut self.met[number];
        if met.zones.iter().any(|(_, known)| zone.is_part_of(known)) {
            return;
        }
        if met.given == met.zones.len() {
            self.waiting.push_back(number);
        }
        self.remembered += zone.bound_count();
        met.zones.push((node, zone));
        self.count += 1;
    }

    /// Returns the next discrete state to check, with its unchecked zones and their origins.
    pub(crate) fn next(&mut self) -> Option<(ConcreteState, Vec<CameFrom>)> {
        let met = &mut self.met[self.waiting.pop_front()?];
        let zones = met.zones[met.given..].to_vec();
        met.given = met.zones.len();
        Some((met.state.clone(), zones))
    }

    /// Forgets all states if they are too large. No state may be unchecked.
    pub(crate) fn forget_if_large(&mut self) {
        if self.remembered > MOST_REMEMBERED && self.waiting.is_empty() {
            self.numbers.clear();
            self.met.clear();
            self.remembered = 0;
        }
    }

    /// Returns the number of recorded zones.
    pub(crate) fn count(&self) -> usize {
        self.count
    }
}
