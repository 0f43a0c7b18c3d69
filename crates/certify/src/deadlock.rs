//! Which states of a node are deadlocked: from which no transition is possible, now or after any delay.
//!
//! Invariant: every state of the zone that is deadlocked by the plain semantics is in the parts that are given out. A delay that an
//! urgent synchronisation ends before its time does no harm, for that synchronisation is possible then. Nor does a priority,
//! for where a transition is possible one of the highest priority is.

use tempora_evidence::BudgetWatch;

use crate::delay::Waiting;
use crate::formula::split;
use crate::refusal::Reason;
use crate::transitions::{Move, spend};
use crate::zone::Zone;

/// The deadlocked values of a zone may fall into so many parts.
const MOST_PARTS: usize = 20_000;

/// The parts of a zone in which states are deadlocked, given all moves of its future.
pub(crate) fn deadlocked<'moves>(
    waiting: &Waiting,
    moves: impl Iterator<Item = &'moves Move>,
    zone: &Zone,
    watch: &mut BudgetWatch<'_>,
) -> Result<Vec<Zone>, Reason> {
    let later = later(waiting, zone)?;
    let mut rest = vec![zone.clone()];
    for step in moves {
        spend(watch)?;
        for before in values_before(waiting, step, &later)? {
            rest = rest.into_iter().flat_map(|zone| zone.minus(&before)).collect();
            if rest.is_empty() {
                return Ok(rest);
            }
            if rest.len() > MOST_PARTS {
                return Err(Reason::TooLarge("the deadlocked clock values split into too many zones".to_owned()));
            }
        }
    }
    Ok(rest)
}

/// The parts of a zone in which they are not; parts may overlap.
pub(crate) fn moving<'moves>(
    waiting: &Waiting,
    moves: impl Iterator<Item = &'moves Move>,
    zone: &Zone,
    watch: &mut BudgetWatch<'_>,
) -> Result<Vec<Zone>, Reason> {
    let later = later(waiting, zone)?;
    let mut found = Vec::new();
    for step in moves {
        spend(watch)?;
        let before = values_before(waiting, step, &later)?;
        found.extend(before.iter().filter_map(|before| zone.clone().within(before)));
    }
    Ok(found)
}

/// The values from which a move is possible at once or later.
fn values_before(waiting: &Waiting, step: &Move, later: &Zone) -> Result<Vec<Zone>, Reason> {
    let parts = split(vec![later.clone()], &step.condition, true)?;
    Ok(if waiting.stands_still() { parts } else { parts.into_iter().map(Zone::down).collect() })
}

/// The values that a zone has after any delay within the invariants.
fn later(waiting: &Waiting, zone: &Zone) -> Result<Zone, Reason> {
    if waiting.stands_still() {
        return Ok(zone.clone());
    }
    let mut parts = waiting.future(zone.clone())?;
    match (parts.pop(), parts.is_empty()) {
        (Some(whole), true) => Ok(whole),
        // Time would have to jump from one part to the other.
        _ => Err(Reason::Unsupported("non-convex invariants together with `deadlock`".to_owned())),
    }
}
