//! Delays of a discrete state.
//!
//! Invariant: the result includes all values that delays reach in the reference semantics, and may include more: if an
//! urgent synchronisation is possible for some of the values only, delays are computed as without it.

use tempora_evidence::{BudgetWatch, Rational};
use tempora_model::LocationKind;
use tempora_replay::{ClockFormula, ConcreteState, DiscreteEdge, Interpreter};

use crate::formula::split;
use crate::refusal::Reason;
use crate::transitions::{is_in, is_urgent, urgent_edges};
use crate::zone::Zone;

/// The conditions on delays in a discrete state, for all clock values.
pub(crate) struct Waiting {
    /// Whether a location forbids delays.
    stands_still: bool,
    /// Whether some clock rate is not one.
    has_rates: bool,
    invariant: ClockFormula,
    /// Edges whose urgent synchronisation may forbid delays.
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

    /// Returns the values of a state after delays from entry values, which satisfy the invariants.
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

    /// Returns the values of a zone after any delay within the invariants, without urgency.
    pub(crate) fn future(&self, zone: Zone) -> Result<Vec<Zone>, Reason> {
        if self.has_rates {
            return Err(Reason::Unsupported("clock rates other than one".to_owned()));
        }
        split(vec![zone.up()], &self.invariant, true)
    }
}
