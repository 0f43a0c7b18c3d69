//! Where time leads from the values with which a state is entered.
//!
//! Invariant: all values that the plain semantics reaches by waiting are in the result, which may have more: where an
//! urgent synchronisation is possible for some of the values only, time passes as if there were none.

use tempora_evidence::{BudgetWatch, Rational};
use tempora_model::LocationKind;
use tempora_replay::{ClockFormula, ConcreteState, DiscreteEdge, Interpreter};

use crate::formula::split;
use crate::refusal::Reason;
use crate::transitions::{is_in, is_urgent, urgent_edges};
use crate::zone::Zone;

/// What time does in a discrete state, whatever its clocks are.
pub(crate) struct Waiting {
    /// Whether a process is in a location in which no time passes.
    stands_still: bool,
    /// Whether a clock grows at another rate than one.
    has_rates: bool,
    invariant: ClockFormula,
    /// What might keep time from passing.
    urgent_edges: Vec<DiscreteEdge>,
}

impl Waiting {
    pub(crate) fn of(interpreter: &Interpreter<'_>, state: &ConcreteState) -> Result<Waiting, Reason> {
        let network = interpreter.network();
        let stands_still = network.processes.ids().any(|process| {
            is_in(network, state, process, LocationKind::Committed)
                || is_in(network, state, process, LocationKind::Urgent)
        });
        if stands_still {
            let invariant = ClockFormula::Constant(true);
            return Ok(Waiting { stands_still, has_rates: false, invariant, urgent_edges: Vec::new() });
        }
        let rates = interpreter.clock_rates(state).map_err(Reason::ModelError)?;
        Ok(Waiting {
            stands_still,
            has_rates: rates.iter().any(|&rate| rate != Rational::from_integer(1)),
            invariant: interpreter.invariant_formula(state).map_err(Reason::ModelError)?,
            urgent_edges: urgent_edges(interpreter, state)?,
        })
    }

    pub(crate) fn stands_still(&self) -> bool {
        self.stands_still
    }

    /// The values with which a run is in the state that it enters with the values of a zone, which satisfy the invariants.
    pub(crate) fn after_delay(
        &self,
        interpreter: &Interpreter<'_>,
        state: &ConcreteState,
        entry: Zone,
        watch: &mut BudgetWatch<'_>,
    ) -> Result<Vec<Zone>, Reason> {
        let is_stopped = !self.urgent_edges.is_empty()
            && is_urgent(interpreter, state, &self.urgent_edges, &entry, watch)?;
        if self.stands_still || is_stopped { Ok(vec![entry]) } else { self.future(entry) }
    }

    /// The values that a zone has after any delay within the invariants, if nothing is urgent.
    pub(crate) fn future(&self, zone: Zone) -> Result<Vec<Zone>, Reason> {
        if self.has_rates {
            return Err(Reason::Unsupported("clock rates other than one".to_owned()));
        }
        split(vec![zone.up()], &self.invariant, true)
    }
}
