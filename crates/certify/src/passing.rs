//! Committed states that a run passes through at once, and that a certificate need not have.
//!
//! Invariant: what is noted here is given out for a check of its own exactly once, unless it is within what was noted before. So
//! nodes and passing states together are the set that no run leaves.

use std::collections::BTreeMap;

use tempora_replay::ConcreteState;

use crate::nodes::Key;
use crate::zone::Zone;

/// States that were met and are in no node.
#[derive(Default)]
pub(crate) struct Passing {
    met: BTreeMap<Key, Vec<Zone>>,
    waiting: Vec<(ConcreteState, Zone)>,
    count: usize,
}

impl Passing {
    /// Notes values of a discrete state that is passed.
    pub(crate) fn meet(&mut self, key: Key, state: &ConcreteState, zone: &Zone) {
        let zones = self.met.entry(key).or_default();
        if zones.iter().any(|known| zone.is_part_of(known)) {
            return;
        }
        zones.push(zone.clone());
        self.waiting.push((state.clone(), zone.clone()));
        self.count += 1;
    }

    /// What has to be checked next.
    pub(crate) fn next(&mut self) -> Option<(ConcreteState, Zone)> {
        self.waiting.pop()
    }

    /// How many have been met.
    pub(crate) fn count(&self) -> usize {
        self.count
    }
}
