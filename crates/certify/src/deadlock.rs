//! Which states of a node are deadlocked: from which no transition is possible, now or after any delay.
//!
//! Invariant: every state of the zone that is deadlocked by the plain semantics is in the parts that are given out. A delay that an
//! urgent synchronisation ends before its time does no harm, for that synchronisation is possible then. Nor does a priority,
//! for where a transition is possible one of the highest priority is.

use tempora_evidence::{BudgetWatch, Rational};
use tempora_model::LocationKind;
use tempora_replay::{ConcreteState, Interpreter};

use crate::formula::split;
use crate::refusal::Reason;
use crate::transitions::{is_in, steps};
use crate::zone::Zone;

/// The parts of a zone in which states are deadlocked, and those in which they are not.
pub(crate) fn by_deadlock(
    interpreter: &Interpreter<'_>,
    state: &ConcreteState,
    zone: &Zone,
    watch: &mut BudgetWatch<'_>,
) -> Result<(Vec<Zone>, Vec<Zone>), Reason> {
    let network = interpreter.network();
    let stands_still = network.processes.ids().any(|process| {
        is_in(network, state, process, LocationKind::Committed)
            || is_in(network, state, process, LocationKind::Urgent)
    });
    let later = if stands_still { zone.clone() } else { future(interpreter, state, zone)? };
    let (mut deadlocked, mut moving) = (vec![zone.clone()], Vec::new());
    for step in steps(interpreter, state, &later, watch)? {
        for part in step.zones {
            let before = if stands_still { part } else { part.down() };
            let formula = before.formula();
            moving.extend(split(vec![zone.clone()], &formula, true)?);
            deadlocked = split(deadlocked, &formula, false)?;
        }
    }
    Ok((deadlocked, moving))
}

/// The values that a zone has after any delay within the invariants.
fn future(interpreter: &Interpreter<'_>, state: &ConcreteState, zone: &Zone) -> Result<Zone, Reason> {
    let rates = interpreter.clock_rates(state).map_err(Reason::ModelError)?;
    if rates.iter().any(|&rate| rate != Rational::from_integer(1)) {
        return Err(Reason::Unsupported("rates of clocks other than one".to_owned()));
    }
    let invariant = interpreter.invariant_formula(state).map_err(Reason::ModelError)?;
    let mut parts = split(vec![zone.clone().up()], &invariant, true)?;
    match (parts.pop(), parts.is_empty()) {
        (Some(whole), true) => Ok(whole),
        // Time would have to jump from one part to the other.
        _ => Err(Reason::Unsupported("invariants with gaps beside `deadlock`".to_owned())),
    }
}
