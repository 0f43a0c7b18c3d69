//! The mapping from clocks of the network to clocks of a zone.
//!
//! Invariant: the clocks of an array or record are numbered consecutively, in the order of their parts; clock 0 of a
//! zone is the reference clock, so the first clock of the network is clock 1.

use tempora_model::{Network, Place, PlaceRoot, Type, VariableId};
use tempora_zones::Clock;

pub(super) struct ClockLayout {
    /// The number of the first clock of each variable.
    first: Vec<u32>,
    count: u32,
}

impl ClockLayout {
    pub(super) fn new(network: &Network) -> ClockLayout {
        let mut first = Vec::with_capacity(network.variables.len());
        let mut count = 0u32;
        for variable in network.variables.values() {
            first.push(count);
            count = count.saturating_add(clocks_in(&variable.value_type));
        }
        ClockLayout { first, count }
    }

    /// Returns the number of clocks.
    pub(super) fn count(&self) -> usize {
        self.count as usize
    }

    /// Returns all clocks of a variable.
    pub(super) fn clocks_of(&self, network: &Network, variable: VariableId) -> impl Iterator<Item = Clock> {
        let first = self.first[variable.0 as usize];
        (first..first + clocks_in(&network.variables[variable].value_type))
            .map(|number| Clock(number as u16 + 1))
    }

    /// Returns the clock at a place, if any.
    pub(super) fn clock_at(&self, network: &Network, place: &Place) -> Option<Clock> {
        let PlaceRoot::Variable(variable) = place.root else { return None };
        let mut number = *self.first.get(variable.0 as usize)?;
        let mut whole = &network.variables.get(variable)?.value_type;
        for &position in &place.path {
            match whole {
                Type::Array(array) => {
                    number += clocks_in(&array.element) * u32::try_from(position).ok()?;
                    whole = &array.element;
                }
                Type::Record(record) => {
                    number += record
                        .fields
                        .iter()
                        .take(position)
                        .map(|field| clocks_in(&field.field_type))
                        .sum::<u32>();
                    whole = &record.fields.get(position)?.field_type;
                }
                _ => return None,
            }
        }
        (*whole == Type::Clock).then(|| Clock(number as u16 + 1))
    }
}

fn clocks_in(value_type: &Type) -> u32 {
    match value_type {
        Type::Clock => 1,
        Type::Array(array) => {
            clocks_in(&array.element).saturating_mul(u32::try_from(array.index.size()).unwrap_or(u32::MAX))
        }
        Type::Record(record) => {
            record.fields.iter().fold(0u32, |sum, field| sum.saturating_add(clocks_in(&field.field_type)))
        }
        _ => 0,
    }
}
