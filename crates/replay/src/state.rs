//! Concrete states: a location for each process, a value for each variable, a rational number for each clock.
//!
//! Invariant: `locations` has an entry for each process, `variables` one for each variable, `clocks` one for each clock
//! cell of the [`ClockLayout`]. Meta variables have their values apart: states that differ only in them are equal.

use std::collections::BTreeMap;

use tempora_evidence::Rational;
use tempora_model::{Id, LocationId, Network, Type, Value, VariableId, VariableKind};

/// A state of a network.
#[derive(Clone, Debug)]
pub struct ConcreteState {
    /// The location of each process.
    pub locations: Vec<LocationId>,
    /// The value of each variable; [`Value::None`] for clocks, channels and meta variables.
    pub variables: Vec<Value>,
    /// The value of each clock cell.
    pub clocks: Vec<Rational>,
    /// The values of meta variables, which are ignored when states are compared.
    pub meta: BTreeMap<VariableId, Value>,
}

impl PartialEq for ConcreteState {
    fn eq(&self, other: &ConcreteState) -> bool {
        self.locations == other.locations && self.variables == other.variables && self.clocks == other.clocks
    }
}

impl ConcreteState {
    /// Returns the state with the initial values of all variables and clocks.
    pub(crate) fn at_start(
        network: &Network,
        layout: &ClockLayout,
        locations: Vec<LocationId>,
    ) -> ConcreteState {
        let mut meta = BTreeMap::new();
        let mut variables = Vec::with_capacity(network.variables.len());
        for (id, variable) in network.variables.iter() {
            if variable.kind == VariableKind::Meta {
                meta.insert(id, variable.initial.clone());
                variables.push(Value::None);
            } else {
                variables.push(variable.initial.clone());
            }
        }
        let clocks = vec![Rational::from_integer(0); layout.cell_count()];
        ConcreteState { locations, variables, clocks, meta }
    }

    /// Returns the value of a variable; parts of it that are clocks or channels are [`Value::None`].
    pub fn variable(&self, variable: VariableId) -> &Value {
        self.meta.get(&variable).unwrap_or(&self.variables[variable.index()])
    }

    pub(crate) fn variable_mut(&mut self, variable: VariableId) -> &mut Value {
        match self.meta.get_mut(&variable) {
            Some(value) => value,
            None => &mut self.variables[variable.index()],
        }
    }
}

/// The numbering of clocks: the clocks of all variables in order, including those inside of arrays and records.
///
/// Hybrid clocks have no number: only statistics may read them.
#[derive(Clone, PartialEq, Debug)]
pub struct ClockLayout {
    first_cells: Vec<Option<usize>>,
    /// The variable that contains each clock.
    owners: Vec<VariableId>,
}

impl ClockLayout {
    /// Computes the layout of a network.
    pub fn new(network: &Network) -> ClockLayout {
        let mut owners = Vec::new();
        let first_cells = network
            .variables
            .iter()
            .map(|(id, variable)| {
                let clocks = clock_count(&variable.value_type);
                if clocks == 0 || variable.kind == VariableKind::Hybrid {
                    return None;
                }
                let first = owners.len();
                owners.resize(first + clocks, id);
                Some(first)
            })
            .collect();
        ClockLayout { first_cells, owners }
    }

    /// Returns the number of clocks.
    pub fn cell_count(&self) -> usize {
        self.owners.len()
    }

    /// Returns the variable that is or contains a clock.
    pub fn owner(&self, cell: usize) -> VariableId {
        self.owners[cell]
    }

    /// Returns the number of the clock at this path of element and field positions inside of a variable; `None` if
    /// there is none, or it is hybrid.
    pub fn cell(&self, network: &Network, variable: VariableId, path: &[usize]) -> Option<usize> {
        let mut cell = (*self.first_cells.get(variable.index())?)?;
        let mut part = &network.variables.get(variable)?.value_type;
        for &position in path {
            match part {
                Type::Array(array) => {
                    cell += position * clock_count(&array.element);
                    part = &array.element;
                }
                Type::Record(record) => {
                    let before = record.fields.get(..position)?;
                    cell += before.iter().map(|field| clock_count(&field.field_type)).sum::<usize>();
                    part = &record.fields.get(position)?.field_type;
                }
                _ => return None,
            }
        }
        (*part == Type::Clock).then_some(cell)
    }

    /// Returns the names of the clocks in the order of their numbers, as a user would write them.
    pub fn names(&self, network: &Network) -> Vec<String> {
        let mut names = Vec::with_capacity(self.cell_count());
        for (id, variable) in network.variables.iter() {
            if self.first_cells[id.index()].is_some() {
                push_names(&variable.value_type, network.qualified_name(id), &mut names);
            }
        }
        names
    }
}

fn push_names(part: &Type, name: String, names: &mut Vec<String>) {
    match part {
        Type::Clock => names.push(name),
        Type::Array(array) if array.element.has_clocks() => {
            for index in array.index.values() {
                push_names(&array.element, format!("{name}[{index}]"), names);
            }
        }
        Type::Record(record) => {
            for field in &record.fields {
                push_names(&field.field_type, format!("{name}.{}", field.name), names);
            }
        }
        _ => {}
    }
}

/// Returns the number of clocks in a value of this type.
fn clock_count(part: &Type) -> usize {
    match part {
        Type::Clock => 1,
        Type::Array(array) => {
            clock_count(&array.element) * usize::try_from(array.index.size()).unwrap_or(usize::MAX)
        }
        Type::Record(record) => record.fields.iter().map(|field| clock_count(&field.field_type)).sum(),
        _ => 0,
    }
}
