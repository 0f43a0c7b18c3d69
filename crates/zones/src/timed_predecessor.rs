//! Timed predecessors that avoid a set: the delay step of timed games.
//!
//! Invariant: a valuation is in the result exactly if some delay from it, possibly zero, leads into the good set
//! and no delay up to that one, itself included, leads into the bad set. The formulas are those of Cassez, David,
//! Fleury, Larsen and Lime, "Efficient on-the-fly algorithms for the analysis of timed games" (2005).

use crate::bound::BoundOverflow;
use crate::federation::Federation;
use crate::zone::Zone;

impl Federation {
    /// Returns the valuations from which a delay reaches `self` without entering `bad` before or at the end of the
    /// delay.
    pub fn timed_predecessors(&self, bad: &Federation) -> Result<Federation, BoundOverflow> {
        let mut result = Federation::empty(self.dimension());
        for good in self.zones() {
            // Time is linear: of the delays that avoid each bad zone, the shortest avoids all of them.
            let past = past_of(good);
            let mut avoiding_all = Federation::from(past.clone());
            for bad in bad.zones() {
                if avoiding_all.is_empty() {
                    break;
                }
                // A bad zone that no such delay enters need not be avoided.
                if past.is_separated_from(bad) {
                    continue;
                }
                avoiding_all.intersect(&avoiding_one(good, bad)?)?;
                avoiding_all.drop_included();
            }
            result.union(avoiding_all);
        }
        result.drop_included();
        Ok(result)
    }
}

/// Returns the timed predecessors for two zones: those without `bad` ahead, and those that reach `good` before `bad`.
fn avoiding_one(good: &Zone, bad: &Zone) -> Result<Federation, BoundOverflow> {
    let past_of_bad = past_of(bad);
    let mut result = Federation::from_zones(good.dimension(), past_of(good).minus(&past_of_bad)?);
    let mut before = good.clone();
    if before.intersect(&past_of_bad)? {
        // Zones are convex, so a point outside the bad zone with the bad zone ahead has not passed it.
        let mut before = Federation::from_zones(good.dimension(), before.minus(bad)?);
        before.down();
        result.union(before);
    }
    Ok(result)
}

fn past_of(zone: &Zone) -> Zone {
    let mut past = zone.clone();
    past.down();
    past
}
