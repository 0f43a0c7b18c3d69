//! Computes the deadlocked states of a node: those without a transition, now or after any delay.
//!
//! Invariant: the result includes every state of the zone that is deadlocked by the reference semantics. A delay cut
//! short by an urgent synchronisation is harmless, since that synchronisation is then possible. So is a priority, since
//! some transition of the highest priority is possible whenever any transition is.

use tempora_evidence::BudgetWatch;

use crate::delay::Waiting;
use crate::formula::split;
use crate::refusal::Reason;
use crate::transitions::{Move, spend};
use crate::zone::Zone;

/// The maximal number of zones of deadlocked values.
const MOST_PARTS: usize = 20_000;

/// Returns the deadlocked parts of a zone, given all moves of its future.
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
                return Err(Reason::TooLarge(
                    "the deadlocked clock values split into too many zones".to_owned(),
                ));
            }
        }
    }
    Ok(rest)
}

/// Returns the parts of a zone that are not deadlocked; they may overlap.
pub(crate) fn not_deadlocked<'moves>(
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

/// Returns the values from which a move is possible now or later.
fn values_before(waiting: &Waiting, step: &Move, later: &Zone) -> Result<Vec<Zone>, Reason> {
    let parts = split(vec![later.clone()], &step.condition, true)?;
    Ok(if waiting.stands_still() { parts } else { parts.into_iter().map(Zone::down).collect() })
}

/// Returns the values of a zone after any delay within the invariants.
fn later(waiting: &Waiting, zone: &Zone) -> Result<Zone, Reason> {
    if waiting.stands_still() {
        return Ok(zone.clone());
    }
    let mut parts = waiting.future(zone.clone())?;
    match (parts.pop(), parts.is_empty()) {
        (Some(whole), true) => Ok(whole),
        // Delays cannot jump over a gap.
        _ => Err(Reason::Unsupported("non-convex invariants together with `deadlock`".to_owned())),
    }
}
