//! The cells of a network: its variables, split into numbers, truth values and clocks.
//!
//! Invariant: the cells of a variable are adjacent, those of an array element by element and those of a record field by
//! field; channels are numbered separately.

use tempora_smt::{Operator, Sort, TermId, TermStore};

use super::NotLowered;
use tempora_model::VariableKind;
use tempora_model::{Id, IndexType, Network, Range, Table, Type, Value, VariableId};
use tempora_transition::VariableRole;
use tempora_transition::{StateVariable, StateVariableId};

/// The kind of value in a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CellKind {
    Boolean,
    Integer(Range),
    Clock,
}

/// The cells of the variables and of the locations of processes.
pub(super) struct Cells {
    pub(super) variables: Table<StateVariableId, StateVariable>,
    pub(super) kinds: Vec<CellKind>,
    /// The term of each cell before a step.
    pub(super) terms: Vec<TermId>,
    /// The initial value of each cell.
    pub(super) initial: Vec<TermId>,
    first_cell: Vec<usize>,
    first_channel: Vec<u32>,
    first_location: usize,
}

/// The limit on cells of a network.
const MAX_CELLS: usize = 5_000;

impl Cells {
    pub(super) fn new(network: &Network, store: &mut TermStore) -> Result<Cells, NotLowered> {
        let mut cells = Cells {
            variables: Table::new(),
            kinds: Vec::new(),
            terms: Vec::new(),
            initial: Vec::new(),
            first_cell: Vec::new(),
            first_channel: Vec::new(),
            first_location: 0,
        };
        let mut channels = 0u32;
        for (id, variable) in network.variables.iter() {
            cells.first_cell.push(cells.kinds.len());
            cells.first_channel.push(channels);
            if variable.value_type.has_channels() {
                channels = channels.saturating_add(size_of(&variable.value_type) as u32);
                continue;
            }
            match variable.kind {
                VariableKind::State => {}
                // Constants are substituted by their values.
                VariableKind::Constant => continue,
                VariableKind::Meta => return Err(NotLowered::new("meta variables", variable.origin)),
                VariableKind::Hybrid => return Err(NotLowered::new("hybrid clocks", variable.origin)),
            }
            let name = network.qualified_name(id);
            cells.add(store, &name, &variable.value_type, &variable.initial, id, network)?;
        }
        cells.first_location = cells.kinds.len();
        for process in network.processes.values() {
            let greatest = process.locations.len().saturating_sub(1) as i32;
            let kind = CellKind::Integer(Range { least: 0, greatest });
            let zero = store.integer(0);
            let name = format!("{}.location", process.name);
            cells.push(store, name, kind, zero, VariableRole::Control, process.origin);
        }
        Ok(cells)
    }

    fn add(
        &mut self,
        store: &mut TermStore,
        name: &str,
        value_type: &Type,
        value: &Value,
        variable: VariableId,
        network: &Network,
    ) -> Result<(), NotLowered> {
        let origin = network.variables[variable].origin;
        if self.kinds.len() > MAX_CELLS {
            return Err(NotLowered::new("this many variables", origin));
        }
        let part = |position: usize| match value {
            Value::Parts(parts) => parts.get(position).cloned().unwrap_or(Value::None),
            _ => Value::None,
        };
        match value_type {
            Type::Array(array) => {
                for (position, index) in array.index.values().enumerate() {
                    let name = format!("{name}[{index}]");
                    self.add(store, &name, &array.element, &part(position), variable, network)?;
                }
            }
            Type::Record(record) => {
                for (position, field) in record.fields.iter().enumerate() {
                    let name = format!("{name}.{}", field.name);
                    self.add(store, &name, &field.field_type, &part(position), variable, network)?;
                }
            }
            _ => {
                let kind = kind_of(value_type, network)
                    .ok_or_else(|| NotLowered::new("a variable of this type", origin))?;
                let number = store.integer(i64::from(value.as_integer().unwrap_or(0)));
                let initial = match kind {
                    CellKind::Integer(_) => number,
                    CellKind::Boolean => store.truth(value.as_integer().unwrap_or(0) != 0),
                    CellKind::Clock => store.simplified(&Operator::ToReal, &[number]),
                };
                let role = if kind == CellKind::Clock { VariableRole::Clock } else { VariableRole::State };
                self.push(store, name.to_owned(), kind, initial, role, origin);
            }
        }
        Ok(())
    }

    fn push(
        &mut self,
        store: &mut TermStore,
        name: String,
        kind: CellKind,
        initial: TermId,
        role: VariableRole,
        origin: tempora_source::Origin,
    ) {
        let symbol = store.add_symbol(name.clone(), kind.sort());
        self.variables.push(StateVariable { name, symbol, role, origin });
        self.kinds.push(kind);
        self.terms.push(store.symbol(symbol));
        self.initial.push(initial);
    }

    /// Adds a variable that exists only inside of a step.
    pub(super) fn add_local(
        &mut self,
        store: &mut TermStore,
        name: String,
        sort: Sort,
        origin: tempora_source::Origin,
    ) -> (StateVariableId, TermId) {
        let symbol = store.add_symbol(name.clone(), sort);
        let id = self.variables.push(StateVariable { name, symbol, role: VariableRole::Local, origin });
        (id, store.symbol(symbol))
    }

    /// Returns the first cell of a variable.
    pub(super) fn first(&self, variable: VariableId) -> usize {
        self.first_cell[variable.index()]
    }

    /// Returns the number of the first channel of a variable.
    pub(super) fn first_channel(&self, variable: VariableId) -> u32 {
        self.first_channel[variable.index()]
    }

    /// Returns the cell with the location of a process.
    pub(super) fn location(&self, process: tempora_model::ProcessId) -> usize {
        self.first_location + process.index()
    }

    /// Returns the system variable of a cell.
    pub(super) fn variable(&self, cell: usize) -> StateVariableId {
        StateVariableId::from_index(cell)
    }
}

impl CellKind {
    pub(super) fn sort(self) -> Sort {
        match self {
            CellKind::Boolean => Sort::Boolean,
            CellKind::Integer(_) => Sort::Integer,
            CellKind::Clock => Sort::Real,
        }
    }
}

/// Returns the kind of a scalar type; `None` for types without cells.
pub(super) fn kind_of(value_type: &Type, network: &Network) -> Option<CellKind> {
    match value_type {
        Type::Integer(range) => Some(CellKind::Integer(*range)),
        Type::Boolean => Some(CellKind::Boolean),
        Type::Scalar(set) => {
            let size = network.scalar_sets.get(*set)?.size;
            let greatest = i32::try_from(size).ok()? - 1;
            Some(CellKind::Integer(Range { least: 0, greatest }))
        }
        Type::Clock => Some(CellKind::Clock),
        _ => None,
    }
}

/// Returns the number of cells, or channels, of a type.
pub(super) fn size_of(value_type: &Type) -> usize {
    match value_type {
        Type::Array(array) => {
            let count = usize::try_from(array.index.size()).unwrap_or(usize::MAX);
            count.saturating_mul(size_of(&array.element))
        }
        Type::Record(record) => {
            record.fields.iter().map(|field| size_of(&field.field_type)).fold(0, usize::saturating_add)
        }
        _ => 1,
    }
}

/// Returns the least and the greatest value of an index.
pub(super) fn index_range(index: &IndexType) -> Range {
    let values = index.values();
    Range { least: *values.start(), greatest: *values.end() }
}
