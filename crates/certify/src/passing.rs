//! Committed states that a run passes through at once, and that a certificate need not have.
//!
//! Invariant: what is noted here is given out for a check of its own, unless it is within what was noted before and is given out
//! or has been. So nodes and passing states together are the set that no run leaves. What was checked may be forgotten; then it is
//! checked again when it is met again.

use std::collections::{BTreeMap, VecDeque};

use tempora_replay::ConcreteState;

use crate::nodes::Key;
use crate::zone::Zone;

/// Values, with the node that they are in or were come to from; there is none at the start.
pub(crate) type CameFrom = (Option<usize>, Zone);

/// States that were met and are in no node.
#[derive(Default)]
pub(crate) struct Passing {
    numbers: BTreeMap<Key, usize>,
    met: Vec<Met>,
    /// Discrete states with values that wait, in the order in which they were met.
    waiting: VecDeque<usize>,
    /// How many bounds the zones have that are remembered, and how many zones there were in all.
    remembered: usize,
    count: usize,
}

/// One discrete state that is passed.
struct Met {
    state: ConcreteState,
    zones: Vec<CameFrom>,
    /// So many of the zones have been given out.
    given: usize,
}

/// Zones with more bounds than this together, 128 megabytes of them, are not remembered for longer than it takes to check what they
/// belong to.
const MOST_REMEMBERED: usize = 1 << 24;

impl Passing {
    /// Notes values of a discrete state that is passed.
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

    /// What has to be checked next: a discrete state, and all values of it that wait, with the nodes that they were come to from.
    pub(crate) fn next(&mut self) -> Option<(ConcreteState, Vec<CameFrom>)> {
        let met = &mut self.met[self.waiting.pop_front()?];
        let zones = met.zones[met.given..].to_vec();
        met.given = met.zones.len();
        Some((met.state.clone(), zones))
    }

    /// Forgets what was met, if it is much. Nothing must wait.
    pub(crate) fn forget_if_large(&mut self) {
        if self.remembered > MOST_REMEMBERED && self.waiting.is_empty() {
            self.numbers.clear();
            self.met.clear();
            self.remembered = 0;
        }
    }

    /// How many have been met.
    pub(crate) fn count(&self) -> usize {
        self.count
    }
}
