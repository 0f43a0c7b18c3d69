//! Breadth-first search through explicit states.
//!
//! Invariant: a stored state has no values of dead variables, so that states which differ only in them are identical.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use tempora_evidence::{Budget, Exhausted, Progress};
use tempora_interrupt::checkpoint_before;
use tempora_model::Id;
use tempora_smt::{Integer, Value};
use tempora_transition::{
    ControlEdgeId, ControlLocationId, Liveness, RelevantVariables, SafetyProperty, SymbolicSystem,
};

use super::evaluate::PartialState;
use super::execute::{Event, ExecutionAbort, Executor};
use super::trace::{PathStep, trace};
use crate::answers::PropertyResult;

/// A stored state.
struct Stored {
    packed: Rc<[u8]>,
    parent: Option<(usize, ControlEdgeId)>,
}

/// Decides one property.
pub(super) fn search(
    system: &SymbolicSystem,
    claim: &SafetyProperty,
    most_states: Option<u64>,
    budget: &Budget,
    progress: &Progress,
) -> Result<PropertyResult, ExecutionAbort> {
    search_states(system, claim, most_states, None, budget, progress)
}

/// Decides one property, and returns all stored states.
pub(crate) fn search_keeping(
    system: &SymbolicSystem,
    claim: &SafetyProperty,
    most_states: Option<u64>,
    kept: &mut Vec<(ControlLocationId, PartialState)>,
    budget: &Budget,
    progress: &Progress,
) -> Result<PropertyResult, ExecutionAbort> {
    search_states(system, claim, most_states, Some(kept), budget, progress)
}

fn search_states(
    original: &SymbolicSystem,
    claim: &SafetyProperty,
    most_states: Option<u64>,
    mut kept: Option<&mut Vec<(ControlLocationId, PartialState)>>,
    budget: &Budget,
    progress: &Progress,
) -> Result<PropertyResult, ExecutionAbort> {
    let mut system = original.clone();
    let bad = system.store.not(claim.condition);
    let system = system;
    let relevant = RelevantVariables::of(&system, claim);
    let liveness = Liveness::of(&system, claim);
    let is_relevant: Vec<bool> = system.variables.ids().map(|id| relevant.contains(id)).collect();
    let executor = Executor::new(&system, is_relevant);
    let mut watch = budget.watch();
    let project = |state: &mut PartialState, location: ControlLocationId| {
        let live = liveness.at(location);
        for id in system.variables.ids() {
            if !live.contains(&id) {
                state[id.index()] = None;
            }
        }
    };
    checkpoint_before((system.locations.len() as u64).saturating_mul(system.variables.len() as u64));
    let dead: Vec<Rc<Vec<bool>>> = system
        .locations
        .ids()
        .map(|location| {
            let live = liveness.at(location);
            Rc::new(system.variables.ids().map(|id| !live.contains(&id)).collect())
        })
        .collect();
    let mut stored: Vec<Stored> = Vec::new();
    let mut known: HashMap<Rc<[u8]>, usize> = HashMap::new();
    let mut queue: VecDeque<(usize, ControlLocationId, PartialState)> = VecDeque::new();
    let open_state: PartialState = vec![None; system.variables.len()];
    let mut values = Packing::default();
    let mut goal: Option<(usize, Vec<Event>)> = None;
    for outcome in executor.cases(open_state.clone(), system.initial, &mut watch)? {
        let mut state = outcome.state;
        project(&mut state, system.initial_location);
        let packed = values.pack(system.initial_location, &state);
        if known.contains_key(&packed) {
            continue;
        }
        known.insert(packed.clone(), stored.len());
        if let Some(kept) = &mut kept {
            kept.push((system.initial_location, state.clone()));
        }
        queue.push_back((stored.len(), system.initial_location, state));
        stored.push(Stored { packed, parent: None });
        progress.add_stored(1);
    }
    'search: while let Some((number, location, state)) = queue.pop_front() {
        if claim.is_observed_at(location)
            && let Some(violation) = executor.cases(state.clone(), bad, &mut watch)?.first()
        {
            goal = Some((number, violation.events()));
            break 'search;
        }
        progress.add_explored(1);
        for (edge_id, edge) in system.edges_from(location) {
            let count = stored.len() as u64;
            for outcome in executor.execute(
                state.clone(),
                &dead[location.index()],
                &edge.statement,
                &mut watch,
                count,
            )? {
                progress.add_transitions(1);
                let mut state = outcome.state;
                project(&mut state, edge.target);
                let packed = values.pack(edge.target, &state);
                if known.contains_key(&packed) {
                    continue;
                }
                if most_states.is_some_and(|most| stored.len() as u64 >= most) {
                    return Err(ExecutionAbort::Exhausted(Exhausted::StateLimit));
                }
                known.insert(packed.clone(), stored.len());
                if let Some(kept) = &mut kept {
                    kept.push((edge.target, state.clone()));
                }
                queue.push_back((stored.len(), edge.target, state));
                stored.push(Stored { packed, parent: Some((number, edge_id)) });
                progress.add_stored(1);
            }
        }
    }
    let Some((last, final_events)) = goal else { return Ok(PropertyResult::Safe) };
    let mut path = Vec::new();
    let mut current = last;
    while let Some((parent, edge)) = stored[current].parent {
        path.push((edge, stored[current].packed.clone()));
        current = parent;
    }
    path.reverse();
    // Replays the path with all of its decisions.
    let start = stored[current].packed.clone();
    let mut legs = Vec::with_capacity(path.len());
    let mut state = None;
    let mut initial_events = Vec::new();
    for outcome in executor.cases(open_state, system.initial, &mut watch)? {
        initial_events = outcome.events();
        let mut candidate = outcome.state;
        project(&mut candidate, system.initial_location);
        if values.pack(system.initial_location, &candidate) == start {
            state = Some(candidate);
            break;
        }
    }
    for (edge_id, wanted) in path {
        let Some(before) = state.take() else { break };
        let edge = &system.edges[edge_id];
        for outcome in executor.execute(before, &dead[edge.source.index()], &edge.statement, &mut watch, 0)? {
            let events = outcome.events();
            let mut candidate = outcome.state;
            project(&mut candidate, edge.target);
            if values.pack(edge.target, &candidate) == wanted {
                state = Some(candidate);
                legs.push(PathStep { edge: edge_id, events });
                break;
            }
        }
    }
    Ok(PropertyResult::Unsafe(trace(&system, &initial_events, &legs, &final_events)))
}

/// Encodes states as byte strings: equal strings are equal states.
#[derive(Default)]
struct Packing {
    /// Large values, numbered in the order of their occurrence.
    numbers: HashMap<Value, u64>,
}

impl Packing {
    fn pack(&mut self, location: ControlLocationId, state: &PartialState) -> Rc<[u8]> {
        let mut bytes = Vec::with_capacity(state.len() + 2);
        write_number(&mut bytes, u64::from(location.0));
        for value in state {
            match value {
                None => bytes.push(0),
                Some(Value::Boolean(value)) => bytes.push(1 + u8::from(*value)),
                Some(Value::Enumerator(_, literal)) => write_number(&mut bytes, 1 + u64::from(*literal)),
                Some(Value::Integer(Integer::Small(number))) if number.unsigned_abs() < 1 << 60 => {
                    let folded = number.unsigned_abs() << 1 | u64::from(*number < 0);
                    write_number(&mut bytes, 1 + (folded << 1));
                }
                Some(other) => {
                    let next = self.numbers.len() as u64;
                    let number = *self.numbers.entry(other.clone()).or_insert(next);
                    write_number(&mut bytes, 2 + (number << 1));
                }
            }
        }
        bytes.into()
    }
}

/// Writes a number, seven bits at a time.
fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        bytes.push((number & 127) as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}
