//! The numbering of cells, clocks and channels.
//!
//! Invariant: cells are numbered without gaps: first the locations of the processes, then the integers of state
//! variables, then those of meta variables, then constants. The first two groups form a state. Clocks and channels are
//! numbered in the order of their variables; parts of arrays and records are consecutive in each numbering.

use crate::doubles;
use tempora_model::{ChannelKind, Id, Network, ProcessId, Type, Value, VariableId, VariableKind};

/// The numbers of the cells, clocks and channels of a network.
#[derive(Clone, Debug)]
pub struct Layout {
    first_cell: Vec<u32>,
    first_clock: Vec<u32>,
    first_channel: Vec<u32>,
    process_count: u32,
    stored: u32,
    /// The initial value of each cell, including constants; locations are zero here.
    initial: Vec<i32>,
    /// The least and the greatest value of each cell that is not a constant.
    ranges: Vec<(i32, i32)>,
    /// The variable of each clock.
    clock_owners: Vec<VariableId>,
    channel_kinds: Vec<ChannelKind>,
    /// For each variable, whether it is an unread floating point number, which is no part of any state.
    is_unread: Vec<bool>,
}

/// The numbering to which a part of a variable belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PartKind {
    Data,
    Clock,
    Channel,
}

impl Layout {
    /// Numbers the cells, clocks and channels of a network.
    pub fn new(network: &Network) -> Layout {
        let count = network.variables.len();
        let mut layout = Layout {
            first_cell: vec![0; count],
            first_clock: vec![0; count],
            first_channel: vec![0; count],
            process_count: network.processes.len() as u32,
            stored: 0,
            initial: vec![0; network.processes.len()],
            ranges: network
                .processes
                .values()
                .map(|process| (0, process.locations.len().saturating_sub(1) as i32))
                .collect(),
            clock_owners: Vec::new(),
            channel_kinds: Vec::new(),
            is_unread: doubles::unread(network),
        };
        for (id, variable) in network.variables.iter() {
            layout.first_clock[id.index()] = layout.clock_owners.len() as u32;
            layout.first_channel[id.index()] = layout.channel_kinds.len() as u32;
            let clocks = size_in(&variable.value_type, PartKind::Clock) as usize;
            layout.clock_owners.extend(std::iter::repeat_n(id, clocks));
            collect_channels(&variable.value_type, &mut layout.channel_kinds);
        }
        for group in [VariableKind::State, VariableKind::Meta, VariableKind::Constant] {
            for (id, variable) in network.variables.iter() {
                let kind = match variable.kind {
                    VariableKind::Hybrid => VariableKind::State,
                    kind => kind,
                };
                if kind == group {
                    layout.first_cell[id.index()] = layout.initial.len() as u32;
                    if layout.is_unread[id.index()] {
                        layout.initial.extend([0; 2]);
                        layout.ranges.extend([(0, 0); 2]);
                        continue;
                    }
                    flatten(&variable.initial, &variable.value_type, &mut layout.initial);
                    if group != VariableKind::Constant {
                        collect_ranges(&variable.value_type, network, &mut layout.ranges);
                    }
                }
            }
            if group == VariableKind::State {
                layout.stored = layout.initial.len() as u32;
            }
        }
        debug_assert!(layout.ranges.len() >= layout.stored as usize);
        layout
    }

    /// Returns the number of cells in a state.
    pub fn stored_cells(&self) -> usize {
        self.stored as usize
    }

    /// Returns the number of cells, including constants.
    pub fn all_cells(&self) -> usize {
        self.initial.len()
    }

    /// Returns the initial cells, including constants; locations are not set.
    pub fn initial_cells(&self) -> &[i32] {
        &self.initial
    }

    /// Returns the least and the greatest value of each cell of a state.
    pub fn stored_ranges(&self) -> &[(i32, i32)] {
        &self.ranges[..self.stored as usize]
    }

    /// Returns the range of the variable at an address; `None` if there is no variable.
    pub(crate) fn range_at(&self, address: usize) -> Option<(i32, i32)> {
        self.ranges.get(address).copied()
    }

    /// Returns the cell of the location of a process.
    pub fn location_cell(&self, process: ProcessId) -> usize {
        process.index()
    }

    /// Returns the number of processes; their locations are the first cells.
    pub fn process_count(&self) -> usize {
        self.process_count as usize
    }

    /// Returns the number of clocks.
    pub fn clock_count(&self) -> usize {
        self.clock_owners.len()
    }

    /// Returns the variable that contains a clock.
    pub fn clock_owner(&self, clock: usize) -> VariableId {
        self.clock_owners[clock]
    }

    /// Returns the clocks of a variable.
    pub fn clocks_of(&self, network: &Network, variable: VariableId) -> std::ops::Range<usize> {
        let first = self.first_clock[variable.index()] as usize;
        first..first + size_in(&network.variables[variable].value_type, PartKind::Clock) as usize
    }

    /// Returns the cells of the integers of a variable or constant.
    pub fn cells_of(&self, network: &Network, variable: VariableId) -> std::ops::Range<usize> {
        let first = self.first_cell[variable.index()] as usize;
        first..first + size_in(&network.variables[variable].value_type, PartKind::Data) as usize
    }

    /// Returns the number of channels.
    pub fn channel_count(&self) -> usize {
        self.channel_kinds.len()
    }

    /// Returns the kind of a channel.
    pub fn channel_kind(&self, channel: usize) -> ChannelKind {
        self.channel_kinds[channel]
    }

    /// Returns whether a variable is an unread floating point number, which is no part of any state.
    pub(crate) fn is_unread(&self, variable: VariableId) -> bool {
        self.is_unread[variable.index()]
    }

    pub(crate) fn first(&self, variable: VariableId, kind: PartKind) -> u32 {
        match kind {
            PartKind::Data => self.first_cell[variable.index()],
            PartKind::Clock => self.first_clock[variable.index()],
            PartKind::Channel => self.first_channel[variable.index()],
        }
    }
}

/// Returns the size of a value of the type in one numbering.
pub(crate) fn size_in(value_type: &Type, kind: PartKind) -> u32 {
    match value_type {
        Type::Array(array) => size_in(&array.element, kind)
            .saturating_mul(u32::try_from(array.index.size()).unwrap_or(u32::MAX)),
        Type::Record(record) => {
            record.fields.iter().fold(0u32, |sum, field| sum.saturating_add(size_in(&field.field_type, kind)))
        }
        Type::Clock => u32::from(kind == PartKind::Clock),
        Type::Channel(_) => u32::from(kind == PartKind::Channel),
        Type::Integer(_) | Type::Boolean | Type::Scalar(_) => u32::from(kind == PartKind::Data),
        Type::Double if kind == PartKind::Data => 2,
        Type::Double | Type::Void | Type::Text | Type::ClockDifference | Type::Condition(_) => 0,
    }
}

pub(crate) fn flatten(value: &Value, value_type: &Type, cells: &mut Vec<i32>) {
    match (value_type, value) {
        (Type::Array(array), Value::Parts(parts)) => {
            for part in parts {
                flatten(part, &array.element, cells);
            }
        }
        (Type::Record(record), Value::Parts(parts)) => {
            for (part, field) in parts.iter().zip(&record.fields) {
                flatten(part, &field.field_type, cells);
            }
        }
        (Type::Double, Value::Double(value)) => cells.extend(doubles::to_cells(*value)),
        (Type::Double, Value::Integer(value)) => cells.extend(doubles::to_cells(f64::from(*value))),
        (_, Value::Integer(value)) => cells.push(*value),
        (whole, _) => cells.extend(std::iter::repeat_n(0, size_in(whole, PartKind::Data) as usize)),
    }
}

fn collect_ranges(value_type: &Type, network: &Network, ranges: &mut Vec<(i32, i32)>) {
    match value_type {
        Type::Array(array) => {
            for _ in 0..array.index.size() {
                collect_ranges(&array.element, network, ranges);
            }
        }
        Type::Record(record) => {
            for field in &record.fields {
                collect_ranges(&field.field_type, network, ranges);
            }
        }
        Type::Integer(range) => ranges.push((range.least, range.greatest)),
        Type::Boolean => ranges.push((0, 1)),
        Type::Scalar(set) => {
            let size = network.scalar_sets.get(*set).map_or(1, |set| set.size);
            ranges.push((0, i32::try_from(size).unwrap_or(i32::MAX).max(1) - 1));
        }
        Type::Double => ranges.extend([(i32::MIN, i32::MAX); 2]),
        _ => {}
    }
}

fn collect_channels(value_type: &Type, kinds: &mut Vec<ChannelKind>) {
    match value_type {
        Type::Array(array) if size_in(&array.element, PartKind::Channel) > 0 => {
            for _ in 0..array.index.size() {
                collect_channels(&array.element, kinds);
            }
        }
        Type::Record(record) => {
            for field in &record.fields {
                collect_channels(&field.field_type, kinds);
            }
        }
        Type::Channel(kind) => kinds.push(*kind),
        _ => {}
    }
}
