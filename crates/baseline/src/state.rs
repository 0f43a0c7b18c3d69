//! Discrete states, and the memory in which expressions are evaluated.
//!
//! Invariant: the key of a state contains everything that can influence its future, except clocks.

use tempora_evidence::Exhausted;
use tempora_model::{
    ClockValue, EvaluationFailure, Evaluator, Expression, LocationId, Memory, Network, Place, ProcessId,
    Type, Value, VariableId, VariableKind,
};
use tempora_zones::{Clock, ClockUpdate, Constraint};

use super::layout::ClockLayout;
use super::predicate::clock_constraints;

/// The locations of the processes and the values of the variables.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct DiscreteState {
    pub(super) locations: Vec<LocationId>,
    pub(super) values: Vec<Value>,
}

impl DiscreteState {
    pub(super) fn initial(network: &Network, locations: Vec<LocationId>) -> DiscreteState {
        DiscreteState {
            locations,
            values: network.variables.values().map(|variable| variable.initial.clone()).collect(),
        }
    }

    pub(super) fn key(&self, network: &Network) -> Vec<i32> {
        let mut key: Vec<i32> = self.locations.iter().map(|location| location.0 as i32).collect();
        for (value, variable) in self.values.iter().zip(network.variables.values()) {
            if variable.kind != VariableKind::Constant {
                flatten(value, &mut key);
            }
        }
        key
    }
}

fn flatten(value: &Value, key: &mut Vec<i32>) {
    match value {
        Value::Integer(value) => key.push(*value),
        Value::Parts(parts) => parts.iter().for_each(|part| flatten(part, key)),
        Value::Double(_) | Value::None => {}
    }
}

/// A discrete state in which expressions are evaluated; clock updates are recorded.
pub(super) struct StateMemory<'search> {
    pub(super) network: &'search Network,
    pub(super) layout: &'search ClockLayout,
    pub(super) state: DiscreteState,
    pub(super) clock_updates: Vec<ClockUpdate>,
}

impl StateMemory<'_> {
    /// Returns whether the data invariants of all locations hold.
    pub(super) fn data_invariant_holds(&mut self) -> Result<bool, EvaluationFailure> {
        let network = self.network;
        for (process, location) in network.processes.ids().zip(self.state.locations.clone()) {
            for conjunct in &network.processes[process].locations[location].invariant.data {
                if !Evaluator::new(&network.functions, self).is_true(conjunct)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Returns the clock invariants of all locations, as a conjunction.
    pub(super) fn clock_invariant(&mut self) -> Result<Vec<Constraint>, StepFailure> {
        let network = self.network;
        let mut constraints = Vec::new();
        for (process, location) in network.processes.ids().zip(self.state.locations.clone()) {
            for conjunct in &network.processes[process].locations[location].invariant.clocks {
                self.constraints(conjunct, &[], &mut constraints)?;
            }
        }
        Ok(constraints)
    }

    /// Returns the clock bounds of a conjunct of a guard or invariant in this state.
    pub(super) fn constraints(
        &mut self,
        conjunct: &Expression,
        selects: &[(tempora_model::LocalId, i32)],
        constraints: &mut Vec<Constraint>,
    ) -> Result<(), StepFailure> {
        let (network, layout) = (self.network, self.layout);
        let mut evaluator = Evaluator::new(&network.functions, self);
        for (local, value) in selects {
            evaluator.bind(*local, *value);
        }
        clock_constraints(&mut evaluator, network, layout, conjunct, constraints)
    }
}

/// Why a step cannot be computed.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum StepFailure {
    /// A run-time error of the model.
    Evaluation(EvaluationFailure),
    /// A bound is too large for zones.
    Overflow,
    /// An unsupported construct.
    Declined(String),
    /// The budget is exhausted.
    Exhausted(Exhausted),
}

impl From<EvaluationFailure> for StepFailure {
    fn from(failure: EvaluationFailure) -> StepFailure {
        StepFailure::Evaluation(failure)
    }
}

impl From<tempora_zones::BoundOverflow> for StepFailure {
    fn from(_: tempora_zones::BoundOverflow) -> StepFailure {
        StepFailure::Overflow
    }
}

impl Memory for StateMemory<'_> {
    fn read(&self, variable: VariableId) -> Option<&Value> {
        self.state.values.get(variable.0 as usize)
    }

    fn write(&mut self, variable: VariableId) -> Option<&mut Value> {
        self.state.values.get_mut(variable.0 as usize)
    }

    fn declared_type(&self, variable: VariableId) -> Option<&Type> {
        self.network.variables.get(variable).map(|variable| &variable.value_type)
    }

    fn set_clock(&mut self, clock: &Place, value: ClockValue) -> bool {
        let find = |place| self.layout.clock_at(self.network, place);
        let update = match (find(clock), value) {
            (Some(clock), ClockValue::Integer(value)) => {
                ClockUpdate::Reset { clock, value: u32::try_from(value).unwrap_or(0) }
            }
            (Some(target), ClockValue::Clock(from)) => match find(&from) {
                Some(from) => ClockUpdate::Copy { target, from },
                None => return false,
            },
            (Some(target), ClockValue::Shifted(from, amount)) => match find(&from) {
                Some(from) => {
                    self.clock_updates.push(ClockUpdate::Copy { target, from });
                    ClockUpdate::Shift { clock: target, amount }
                }
                None => return false,
            },
            _ => return false,
        };
        self.clock_updates.push(update);
        true
    }

    fn location(&self, process: ProcessId) -> Option<LocationId> {
        self.state.locations.get(process.0 as usize).copied()
    }

    fn has_label(&self, label: &str) -> Option<bool> {
        Some(self.network.processes.ids().zip(&self.state.locations).any(|(process, &location)| {
            self.network.processes[process].locations[location].labels.iter().any(|other| other == label)
        }))
    }
}

/// Returns the reference clock where an expression has no clock.
pub(super) fn clock_or_reference(clock: Option<Clock>) -> Clock {
    clock.unwrap_or(Clock::REFERENCE)
}
