//! Reconstructs runs from the decisions of a search.
//!
//! A variable opened by a havoc, or open initially, may be decided much later. Its value belongs to the step that
//! opened it.
//!
//! Invariant: values on which nothing depends are the default of their sort.

use tempora_evidence::{SymbolicStep, SymbolicTrace};
use tempora_model::Id;
use tempora_smt::Value;
use tempora_transition::{ControlEdgeId, StateVariableId, SymbolicSystem};

use super::execute::Event;

/// A step of the path.
pub(super) struct PathStep {
    pub(super) edge: ControlEdgeId,
    pub(super) events: Vec<Event>,
}

/// The place at which a value was left open.
#[derive(Clone, Copy)]
enum OpenValue {
    Start,
    Havoc { step: usize, number: usize },
}

struct Builder {
    trace: SymbolicTrace,
    /// The place at which the current value of each variable was left open.
    slots: Vec<OpenValue>,
}

/// Returns the run.
pub(super) fn trace(
    system: &SymbolicSystem,
    initial_events: &[Event],
    legs: &[PathStep],
    final_events: &[Event],
) -> SymbolicTrace {
    let default = |id: StateVariableId| Value::default_of(&system.store, system.sort_of(id));
    let mut builder = Builder {
        trace: SymbolicTrace { initial: system.variables.ids().map(default).collect(), steps: Vec::new() },
        slots: vec![OpenValue::Start; system.variables.len()],
    };
    builder.decide(initial_events);
    for (step, leg) in legs.iter().enumerate() {
        builder.trace.steps.push(SymbolicStep { edge: leg.edge, branches: Vec::new(), havocs: Vec::new() });
        for event in &leg.events {
            match event {
                Event::Branch(number) => builder.trace.steps[step].branches.push(*number),
                Event::Havoc(variable) => {
                    let havocs = &mut builder.trace.steps[step].havocs;
                    builder.slots[variable.index()] = OpenValue::Havoc { step, number: havocs.len() };
                    havocs.push(default(*variable));
                }
                Event::Decided(..) => builder.decide(std::slice::from_ref(event)),
            }
        }
    }
    builder.decide(final_events);
    builder.trace
}

impl Builder {
    fn decide(&mut self, events: &[Event]) {
        for event in events {
            let Event::Decided(variable, value) = event else { continue };
            match self.slots[variable.index()] {
                OpenValue::Start => self.trace.initial[variable.index()] = value.clone(),
                OpenValue::Havoc { step, number } => self.trace.steps[step].havocs[number] = value.clone(),
            }
        }
    }
}
