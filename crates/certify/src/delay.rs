//! Where time leads from the values with which a state is entered.
//!
//! Invariant: all values that the plain semantics reaches by waiting are in the result, which may have more: where an
//! urgent synchronisation is possible for some of the values only, time passes as if there were none.

use tempora_evidence::{BudgetWatch, Rational};
use tempora_model::LocationKind;
use tempora_replay::{ConcreteState, Interpreter};

use crate::formula::split;
use crate::refusal::Reason;
use crate::transitions::{is_in, is_urgent};
use crate::zone::Zone;

/// The values with which a run is in a state that it enters with the values of a zone, which satisfy the invariants.
pub(crate) fn after_delay(
    interpreter: &Interpreter<'_>,
    state: &ConcreteState,
    entry: Zone,
    watch: &mut BudgetWatch<'_>,
) -> Result<Vec<Zone>, Reason> {
    let network = interpreter.network();
    let stands_still = network.processes.ids().any(|process| {
        is_in(network, state, process, LocationKind::Committed)
            || is_in(network, state, process, LocationKind::Urgent)
    });
    if stands_still || is_urgent(interpreter, state, &entry, watch)? {
        return Ok(vec![entry]);
    }
    let rates = interpreter.clock_rates(state).map_err(Reason::ModelError)?;
    if rates.iter().any(|&rate| rate != Rational::from_integer(1)) {
        return Err(Reason::Unsupported("rates of clocks other than one".to_owned()));
    }
    let invariant = interpreter.invariant_formula(state).map_err(Reason::ModelError)?;
    split(vec![entry.up()], &invariant, true)
}
