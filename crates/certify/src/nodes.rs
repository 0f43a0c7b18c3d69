//! The nodes of a certificate, indexed by discrete state.
//!
//! Invariant: each node fits the network: it has a location for each process, a value of the right type for each
//! variable, and bounds on existing clocks.

use std::collections::BTreeMap;

use tempora_evidence::{BudgetWatch, Certificate, CertifiedStates, Rational};
use tempora_model::{LocationId, Network, Type, Value, VariableKind};
use tempora_replay::{ClockLayout, ConcreteState};

use crate::formula::{is_within, outside};
use crate::refusal::{Reason, Refusal};
use crate::transitions::spend;
use crate::zone::{LARGEST_CONSTANT, MOST_CLOCKS, Zone};

/// A discrete state as numbers.
pub(crate) type Key = Vec<i64>;

/// The maximal number of pieces of a zone outside some nodes; beyond it the zone counts as not covered.
const MOST_PIECES: usize = 200;

/// The nodes of a certificate.
pub(crate) struct Nodes<'certificate> {
    states: &'certificate [CertifiedStates],
    by_discrete_state: BTreeMap<Key, Vec<usize>>,
    /// The variables that may differ between states; constants must have the values of the network.
    varies: Vec<bool>,
    clock_count: usize,
}

impl<'certificate> Nodes<'certificate> {
    /// Returns the nodes if all are well formed.
    pub(crate) fn new(
        network: &Network,
        certificate: &'certificate Certificate,
        watch: &mut BudgetWatch<'_>,
    ) -> Result<Nodes<'certificate>, Refusal> {
        let clock_count = ClockLayout::new(network).cell_count();
        if clock_count > MOST_CLOCKS {
            return Err(Refusal::whole(Reason::Unsupported(format!("more than {MOST_CLOCKS} clocks"))));
        }
        let varies =
            network.variables.values().map(|variable| variable.kind != VariableKind::Constant).collect();
        let mut nodes =
            Nodes { states: &certificate.states, by_discrete_state: BTreeMap::new(), varies, clock_count };
        for (position, state) in certificate.states.iter().enumerate() {
            spend(watch).map_err(|reason| Refusal::at(position, reason))?;
            if let Err(why) = is_well_formed(network, clock_count, state) {
                return Err(Refusal::at(position, Reason::IllFormed(why)));
            }
            let key = nodes.key(&state.locations, &state.values);
            nodes.by_discrete_state.entry(key).or_default().push(position);
        }
        Ok(nodes)
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn clock_count(&self) -> usize {
        self.clock_count
    }

    /// Returns the nodes of each discrete state.
    pub(crate) fn by_discrete_state(&self) -> impl Iterator<Item = &[usize]> {
        self.by_discrete_state.values().map(Vec::as_slice)
    }

    /// Returns the discrete state of a node; its clocks do not matter.
    pub(crate) fn state(&self, node: usize) -> ConcreteState {
        let CertifiedStates { locations, values, .. } = &self.states[node];
        ConcreteState {
            locations: locations.clone(),
            variables: values.clone(),
            clocks: vec![Rational::from_integer(0); self.clock_count],
            meta: BTreeMap::new(),
        }
    }

    /// Returns the clock values of a node; `None` if there are none.
    pub(crate) fn zone(&self, node: usize) -> Option<Zone> {
        Zone::of_bounds(self.clock_count, &self.states[node].bounds)
    }

    /// Returns whether nodes cover all these values of a discrete state, usually one of them, or several together.
    pub(crate) fn cover(&self, key: &Key, zone: &Zone) -> bool {
        let candidates = self.by_discrete_state.get(key);
        let Some(candidates) = candidates else { return false };
        let bounds = || candidates.iter().map(|&node| self.states[node].bounds.as_slice());
        if bounds().any(|bounds| is_within(zone, bounds)) {
            return true;
        }
        let mut rest = vec![zone.clone()];
        for bounds in bounds() {
            rest = outside(rest, bounds);
            if rest.is_empty() || rest.len() > MOST_PIECES {
                break;
            }
        }
        rest.is_empty()
    }

    /// Returns the discrete part of a state.
    pub(crate) fn key_of(&self, state: &ConcreteState) -> Key {
        self.key(&state.locations, &state.variables)
    }

    fn key(&self, locations: &[LocationId], values: &[Value]) -> Key {
        let mut key: Key = locations.iter().map(|location| i64::from(location.0)).collect();
        for (value, _) in values.iter().zip(&self.varies).filter(|(_, varies)| **varies) {
            add_to_key(value, &mut key);
        }
        key
    }
}

/// A number that no value has.
const NO_NUMBER: i64 = i64::MIN;

pub(crate) fn add_to_key(value: &Value, key: &mut Key) {
    match value {
        Value::Integer(number) => key.push(i64::from(*number)),
        // Only constants are floating point numbers, and they are equal in all states.
        Value::Double(_) | Value::None => key.push(NO_NUMBER),
        Value::Parts(parts) => parts.iter().for_each(|part| add_to_key(part, key)),
    }
}

fn is_well_formed(network: &Network, clock_count: usize, state: &CertifiedStates) -> Result<(), String> {
    if state.locations.len() != network.processes.len() {
        return Err(format!(
            "it has {} locations for {} processes",
            state.locations.len(),
            network.processes.len()
        ));
    }
    for (process, &location) in network.processes.values().zip(&state.locations) {
        if process.locations.get(location).is_none() {
            return Err(format!("`{}` has no location number {}", process.name, location.0));
        }
    }
    if state.values.len() != network.variables.len() {
        return Err(format!(
            "it has {} values for {} variables",
            state.values.len(),
            network.variables.len()
        ));
    }
    for ((id, variable), value) in network.variables.iter().zip(&state.values) {
        let is_right = match variable.kind {
            VariableKind::Constant => *value == variable.initial,
            _ => fits(network, value, &variable.value_type),
        };
        if !is_right {
            let name = network.qualified_name(id);
            return Err(format!("`{name}` cannot have the value {value}"));
        }
    }
    for bound in &state.bounds {
        let is_clock = |clock: Option<u32>| clock.is_none_or(|clock| (clock as usize) < clock_count);
        if !is_clock(bound.left) || !is_clock(bound.right) {
            return Err(format!("it bounds a clock that is not one of {clock_count}"));
        }
        if bound.constant.unsigned_abs() > LARGEST_CONSTANT as u64 {
            return Err(format!("it has the bound {}, which is too large", bound.constant));
        }
    }
    Ok(())
}

/// Returns whether a value belongs to a type.
pub(crate) fn fits(network: &Network, value: &Value, value_type: &Type) -> bool {
    match (value_type, value) {
        (Type::Integer(range), Value::Integer(number)) => range.contains(i64::from(*number)),
        (Type::Boolean, Value::Integer(number)) => (0..=1).contains(number),
        (Type::Scalar(set), Value::Integer(number)) => {
            let size = network.scalar_sets.get(*set).map_or(0, |set| set.size);
            u32::try_from(*number).is_ok_and(|number| number < size)
        }
        (Type::Array(array), Value::Parts(parts)) => {
            parts.len() as u64 == array.index.size()
                && parts.iter().all(|part| fits(network, part, &array.element))
        }
        (Type::Record(record), Value::Parts(parts)) => {
            parts.len() == record.fields.len()
                && parts
                    .iter()
                    .zip(&record.fields)
                    .all(|(part, field)| fits(network, part, &field.field_type))
        }
        (Type::Clock | Type::Channel(_) | Type::Text | Type::Void, Value::None) => true,
        (Type::Array(_) | Type::Record(_), Value::None) => !value_type.any_part(&|part| {
            matches!(part, Type::Integer(_) | Type::Boolean | Type::Scalar(_) | Type::Double)
        }),
        _ => false,
    }
}
