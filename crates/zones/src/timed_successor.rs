//! Timed successors that avoid a set: the delays that are possible before the set is entered.
//!
//! Invariant: a valuation is in the result exactly if some delay, possibly zero, leads to it from the set, and neither
//! the valuation where the delay starts nor any up to the result, itself included, is in the set to avoid. The formula
//! is that of the timed predecessors, with time reversed.

use crate::bound::BoundOverflow;
use crate::federation::Federation;
use crate::zone::Zone;

impl Federation {
    /// Returns the valuations that a delay reaches from `self` without `avoid` at its start, during it or at its end.
    pub fn timed_successors(&self, avoid: &Federation) -> Result<Federation, BoundOverflow> {
        let mut result = Federation::empty(self.dimension());
        for start in self.zones() {
            // Time is linear: of the starts that avoid each zone, the latest avoids all of them.
            let future = future_of(start);
            let mut avoiding_all = Federation::from(future.clone());
            for avoided in avoid.zones() {
                if avoiding_all.is_empty() {
                    break;
                }
                // A zone that no such delay enters need not be avoided.
                if future.is_separated_from(avoided) {
                    continue;
                }
                avoiding_all.intersect(&avoiding_one(start, avoided)?)?;
                avoiding_all.drop_included();
            }
            result.union(avoiding_all);
        }
        result.drop_included();
        Ok(result)
    }
}

/// Returns the timed successors for two zones: those before `avoided` begins, and those from a start after it.
fn avoiding_one(start: &Zone, avoided: &Zone) -> Result<Federation, BoundOverflow> {
    let future_of_avoided = future_of(avoided);
    let mut result = Federation::from_zones(start.dimension(), future_of(start).minus(&future_of_avoided)?);
    let mut behind = start.clone();
    if behind.intersect(&future_of_avoided)? {
        // Zones are convex, so time does not re-enter the avoided zone.
        let mut behind = Federation::from_zones(start.dimension(), behind.minus(avoided)?);
        behind.up();
        result.union(behind);
    }
    Ok(result)
}

fn future_of(zone: &Zone) -> Zone {
    let mut future = zone.clone();
    future.up();
    future
}
