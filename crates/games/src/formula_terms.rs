//! Translates formulas about the operands of a specification into formulas about the explicit automaton.
//!
//! Invariant: a state of the automaton is a state of each operand, with its variable values. The location of each
//! operand, and each variable in the formula, becomes a variable of the network, which every edge sets to its value in
//! the target; no state is added. Clocks are those of the automaton. Untranslatable constructs are declined by name.

use std::collections::BTreeMap;

use tempora_model::{
    BinaryOperator, Comparison, ComputedClockId, ComputedComponent, Expression, ExpressionKind, Id, Network,
    ProcessId, Range, Type, Value, Variable, VariableId, VariableKind,
};
use tempora_source::Origin;

use crate::explicit::ExplicitComponent;
use crate::search_abort::SearchAbort;
use crate::state::StateId;
use crate::theory::{SpecificationId, Theory};

/// The automaton is the first process of its network.
const COMPONENT: ProcessId = ProcessId(0);

/// The location of an operand that has become universal.
const NOWHERE: i32 = -1;

/// The meaning of a variable in the network of the automaton.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TermSource {
    /// The location number of an operand, by its position.
    Location(usize),
    /// A variable of an operand, or a constant of the model.
    Value(VariableId),
}

/// Translates a formula, and adds the variables it needs to the network.
pub(crate) struct FormulaTerms<'theory, 'task> {
    theory: &'theory Theory<'task>,
    made: &'theory ComputedComponent,
    network: Network,
    origin: Origin,
    /// The process, component and first clock of each operand.
    leaves: Vec<(ProcessId, u32, u16)>,
    /// For each location of the automaton, the state of each operand.
    states: Vec<Vec<Option<StateId>>>,
    known: BTreeMap<TermSource, VariableId>,
}

impl<'theory, 'task> FormulaTerms<'theory, 'task> {
    pub(crate) fn new(
        theory: &'theory Theory<'task>,
        id: SpecificationId,
        (explicit, made): (&ExplicitComponent, &'theory ComputedComponent),
        network: Network,
        origin: Origin,
    ) -> FormulaTerms<'theory, 'task> {
        let mut leaves = Vec::new();
        theory.leaves(id, 0, &mut leaves);
        let states = explicit.locations.iter().map(|location| {
            let mut states = Vec::new();
            theory.leaf_states(id, location.state, &mut states);
            states
        });
        let states = states.collect();
        FormulaTerms { theory, made, network, origin, leaves, states, known: BTreeMap::new() }
    }

    /// Returns the network with the added variables.
    pub(crate) fn into_network(self) -> Network {
        self.network
    }

    /// Translates an expression about the operands into one about the automaton.
    pub(crate) fn translate(&mut self, expression: &mut Expression) -> Result<(), SearchAbort> {
        if let Some(clock) = self.clock(expression)? {
            expression.kind = ExpressionKind::Variable(clock);
            return Ok(());
        }
        match expression.kind {
            ExpressionKind::At { process, location } => {
                let place = self.location_term(process)?;
                let number = self.integer(location.index() as i32);
                expression.kind = ExpressionKind::Binary {
                    operator: BinaryOperator::Compare(Comparison::Equal),
                    left: Box::new(place),
                    right: Box::new(number),
                };
            }
            ExpressionKind::LocationOf(process) => expression.kind = self.location_term(process)?.kind,
            ExpressionKind::Variable(variable) => {
                expression.kind = ExpressionKind::Variable(self.value(variable)?);
            }
            ExpressionKind::HasLabel(_) => return Err(refused("labels")),
            ExpressionKind::Call { .. } => return Err(refused("functions")),
            _ => {
                for child in expression.children_mut() {
                    self.translate(child)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the clock of the automaton, if the expression is a clock of an operand.
    fn clock(&self, expression: &Expression) -> Result<Option<VariableId>, SearchAbort> {
        let Some(variable) = expression.root() else { return Ok(None) };
        if expression.value_type != Type::Clock {
            return Ok(None);
        }
        let (_, (_, number, offset)) = self.part_of(variable)?;
        let clocks = self.theory.component_numbered(number).clocks_of(variable);
        let position = match &expression.kind {
            ExpressionKind::Variable(_) => 0,
            ExpressionKind::Element { array, index } => match (&array.kind, &array.value_type, &index.kind) {
                (ExpressionKind::Variable(_), Type::Array(array), ExpressionKind::Integer(index)) => {
                    let first = *array.index.values().start();
                    index
                        .checked_sub(first)
                        .and_then(|position| usize::try_from(position).ok())
                        .unwrap_or(clocks.len())
                }
                _ => return Err(refused("computed clock indices")),
            },
            _ => return Err(refused("clocks in records")),
        };
        let Some(Some(clock)) = clocks.get(position) else {
            return Err(refused("an unknown clock"));
        };
        let number = ComputedClockId::from_index(usize::from(clock.0 + offset) - 1);
        let name = &self.made.clocks[number];
        let is_it =
            |known: &&(VariableId, &Variable)| known.1.owner == Some(COMPONENT) && known.1.name == *name;
        let found = self.network.variables.iter().find(|known| is_it(&known));
        Ok(Some(found.ok_or_else(|| refused("this clock"))?.0))
    }

    /// Returns the location number of an operand.
    fn location_term(&mut self, process: ProcessId) -> Result<Expression, SearchAbort> {
        let (position, _) = self.part(process)?;
        let most = self.theory.network.processes[process].locations.len() as i32;
        let location_type = Type::Integer(Range { least: NOWHERE, greatest: most });
        let key = TermSource::Location(position);
        let variable = match self.known.get(&key) {
            Some(&known) => known,
            None => {
                let component = self.theory.component_numbered(self.leaves[position].1);
                let location = |state: StateId| component.location(state).index() as i32;
                let values = self
                    .states
                    .iter()
                    .map(|states| Value::Integer(states[position].map_or(NOWHERE, location)));
                let values: Vec<Value> = values.collect();
                self.add(key, location_type.clone(), &values)
            }
        };
        Ok(Expression {
            kind: ExpressionKind::Variable(variable),
            value_type: location_type,
            origin: self.origin,
        })
    }

    /// Returns the variable that holds the value of an operand's variable.
    fn value(&mut self, variable: VariableId) -> Result<VariableId, SearchAbort> {
        let key = TermSource::Value(variable);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let declaration = &self.theory.network.variables[variable];
        if declaration.kind == VariableKind::Constant {
            let name = format!("value{}", self.known.len());
            let constant = Variable { name, owner: None, ..declaration.clone() };
            let added = self.network.variables.push(constant);
            self.known.insert(key, added);
            return Ok(added);
        }
        let (position, (_, number, _)) = self.part_of(variable)?;
        let component = self.theory.component_numbered(number);
        let mut values = Vec::with_capacity(self.states.len());
        for states in &self.states {
            let value = states[position].and_then(|state| component.value_of(state, variable));
            values.push(value.ok_or_else(|| {
                refused(&format!("the variable `{}`, undefined in some states,", declaration.name))
            })?);
        }
        Ok(self.add(key, declaration.value_type.clone(), &values))
    }

    /// Adds a variable with a given value in each location of the automaton.
    fn add(&mut self, key: TermSource, value_type: Type, values: &[Value]) -> VariableId {
        let name = format!("value{}", self.known.len());
        let initial = values[0].clone();
        let kind = VariableKind::State;
        let variable = Variable {
            name,
            owner: None,
            value_type: value_type.clone(),
            initial,
            kind,
            origin: self.origin,
        };
        let added = self.network.variables.push(variable);
        self.known.insert(key, added);
        let whole = Expression { kind: ExpressionKind::Variable(added), value_type, origin: self.origin };
        for (edge, written) in self.made.edges.iter() {
            let (source, target) = (&values[written.source.index()], &values[written.target.index()]);
            if source == target {
                continue;
            }
            let mut updates = Vec::new();
            self.assign(whole.clone(), target, &mut updates);
            for branch in &mut self.network.processes[COMPONENT].edges[edge].branches {
                branch.updates.extend(updates.iter().cloned());
            }
        }
        added
    }

    /// Assigns a value cell by cell.
    fn assign(&self, target: Expression, value: &Value, updates: &mut Vec<Expression>) {
        let origin = self.origin;
        match (value, target.value_type.clone()) {
            (Value::Parts(parts), Type::Array(array)) => {
                for (index, part) in array.index.values().zip(parts) {
                    let kind = ExpressionKind::Element {
                        array: Box::new(target.clone()),
                        index: Box::new(self.integer(index)),
                    };
                    self.assign(
                        Expression { kind, value_type: array.element.clone(), origin },
                        part,
                        updates,
                    );
                }
            }
            (Value::Parts(parts), Type::Record(record)) => {
                for ((field, known), part) in record.fields.iter().enumerate().zip(parts) {
                    let kind = ExpressionKind::Field { record: Box::new(target.clone()), field };
                    self.assign(
                        Expression { kind, value_type: known.field_type.clone(), origin },
                        part,
                        updates,
                    );
                }
            }
            (Value::Integer(number), value_type) => {
                let value = Expression { value_type: value_type.clone(), ..self.integer(*number) };
                let kind = ExpressionKind::Assign {
                    operator: None,
                    target: Box::new(target),
                    value: Box::new(value),
                };
                updates.push(Expression { kind, value_type, origin });
            }
            _ => {}
        }
    }

    fn integer(&self, value: i32) -> Expression {
        let value_type = Type::Integer(Range { least: value, greatest: value });
        Expression { kind: ExpressionKind::Integer(value), value_type, origin: self.origin }
    }

    fn part_of(&self, variable: VariableId) -> Result<(usize, (ProcessId, u32, u16)), SearchAbort> {
        let declaration = &self.theory.network.variables[variable];
        match declaration.owner {
            Some(process) => self.part(process),
            None => Err(refused(&format!("the variable `{}` from outside it", declaration.name))),
        }
    }

    /// Returns the only operand that is an instance of a process.
    fn part(&self, process: ProcessId) -> Result<(usize, (ProcessId, u32, u16)), SearchAbort> {
        let mut copies = self.leaves.iter().copied().enumerate().filter(|(_, leaf)| leaf.0 == process);
        let name = &self.theory.network.processes[process].name;
        match (copies.next(), copies.next()) {
            (Some(found), None) => Ok(found),
            (None, _) => Err(refused(&format!("the process `{name}` from outside it"))),
            (Some(_), Some(_)) => Err(refused(&format!("one of several copies of `{name}`"))),
        }
    }
}

fn refused(what: &str) -> SearchAbort {
    SearchAbort::Unsupported(format!("{what} in a formula about a specification"))
}
