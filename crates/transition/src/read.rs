//! Reads the text form of symbolic systems, `.sym`.
//!
//! Invariant: a system is returned only if the whole text is valid. Each invalid item is an error with its place, up to
//! the first invalid declaration, because others may refer to it.

use std::collections::HashMap;

use tempora_smt::{
    Enumeration, Expression, ReadError, Sort, SymbolicNames, TermId, TermStore, Value, read_expressions,
    read_sort, read_term,
};
use tempora_source::{FileId, Origin, Origins, Span};

use super::components::{Component, ComponentProperty, Composition};
use super::system::{StateVariable, StatementKind, SymbolicStatement, SymbolicSystem, VariableRole};
use super::validate::DEEPEST;
use crate::{StateVariableId, Table};

/// Reads a system without validating it.
pub fn read_system(
    file: FileId,
    text: &str,
    origins: &mut Origins,
) -> Result<SymbolicSystem, Vec<ReadError>> {
    read_system_as(file, text, origins, Composition::Automatic)
}

/// Reads a system with the given composition of its components, without validating it.
pub fn read_system_as(
    file: FileId,
    text: &str,
    origins: &mut Origins,
    composition: Composition,
) -> Result<SymbolicSystem, Vec<ReadError>> {
    let items = read_expressions(text).map_err(|fault| vec![fault])?;
    read_all(file, &items, text.len(), origins, composition)
}

/// Reads a system from the items of its text, given the length of the text, without validating it.
pub fn read_items(
    file: FileId,
    items: &[Expression],
    length: usize,
    origins: &mut Origins,
) -> Result<SymbolicSystem, Vec<ReadError>> {
    read_all(file, items, length, origins, Composition::Automatic)
}

fn read_all(
    file: FileId,
    items: &[Expression],
    length: usize,
    origins: &mut Origins,
    composition: Composition,
) -> Result<SymbolicSystem, Vec<ReadError>> {
    let mut reader = Reader {
        file,
        origins,
        store: TermStore::new(),
        names: SymbolicNames::default(),
        variables: Table::new(),
        variable_names: HashMap::new(),
        events: Vec::new(),
        components: Vec::new(),
        initial: None,
        claims: Vec::new(),
        faults: Vec::new(),
    };
    for expression in items {
        if let Err(fault) = reader.item(expression) {
            reader.faults.push(fault);
            if !is_independent(expression) {
                break;
            }
        }
    }
    if !reader.faults.is_empty() {
        return Err(reader.faults);
    }
    let Some(initial) = reader.initial else {
        let message = "missing (initial LOCATION FORMULA)".to_owned();
        return Err(vec![ReadError { message, start: length, end: length }]);
    };
    let mut composed = reader.compose(composition).map_err(|fault| vec![fault])?;
    reader.choose_inputs(&mut composed.edges);
    let initial = reader.store.and(&[initial, composed.initial]);
    Ok(SymbolicSystem {
        store: reader.store,
        variables: reader.variables,
        locations: composed.locations,
        initial_location: composed.initial_location,
        initial,
        edges: composed.edges,
        properties: composed.properties,
    })
}

/// Reads a formula about the variables of a system, in the notation of [`super::print_system`], into a store that
/// contains the terms of the system.
pub fn read_formula(system: &SymbolicSystem, store: &mut TermStore, text: &str) -> Result<TermId, ReadError> {
    let mut names = SymbolicNames::default();
    let enumerations: Vec<_> = store
        .enumerations()
        .map(|(id, enumeration)| (id, enumeration.name.clone(), enumeration.literals.clone()))
        .collect();
    for (id, name, literals) in enumerations {
        for (position, literal) in literals.iter().enumerate() {
            let value = Value::Enumerator(id, u32::try_from(position).unwrap_or(u32::MAX));
            names.terms.insert(format!("{name}.{literal}"), store.constant(value));
        }
        names.sorts.insert(name, Sort::Enumeration(id));
    }
    // Local variables have no values between steps, so a formula about states cannot mention them.
    for variable in system.variables.values().filter(|variable| variable.role.is_state()) {
        names.terms.insert(variable.name.clone(), store.symbol(variable.symbol));
    }
    let expressions = read_expressions(text)?;
    let [expression] = expressions.as_slice() else {
        return Err(ReadError { message: "expected one formula".to_owned(), start: 0, end: text.len() });
    };
    let term = read_term(store, &names, expression)?;
    match store.sort(term) {
        Sort::Boolean if store.depth(term) <= DEEPEST => Ok(term),
        Sort::Boolean => Err(expression.error(format!("the formula is nested more than {DEEPEST} deep"))),
        _ => Err(expression.error("expected a Boolean formula")),
    }
}

pub(super) struct Reader<'origins> {
    file: FileId,
    pub(super) origins: &'origins mut Origins,
    pub(super) store: TermStore,
    pub(super) names: SymbolicNames,
    pub(super) variables: Table<StateVariableId, StateVariable>,
    pub(super) variable_names: HashMap<String, StateVariableId>,
    pub(super) events: Vec<String>,
    pub(super) components: Vec<Component>,
    initial: Option<TermId>,
    pub(super) claims: Vec<ComponentProperty>,
    pub(super) faults: Vec<ReadError>,
}

/// Returns whether no other item can refer to an item.
pub(super) fn is_independent(expression: &Expression) -> bool {
    let head = expression.list().and_then(|parts| parts.first()).and_then(Expression::word);
    matches!(head, Some("edge" | "delay" | "initial" | "property"))
}

impl Reader<'_> {
    pub(super) fn origin(&mut self, expression: &Expression) -> Origin {
        let offset = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        self.origins.written(Span::new(self.file, offset(expression.start), offset(expression.end)))
    }

    fn item(&mut self, expression: &Expression) -> Result<(), ReadError> {
        let Some([head, rest @ ..]) = expression.list() else {
            return Err(expression.error("expected an item, such as (var x Int)"));
        };
        match (head.word(), rest) {
            (Some("enum"), [name, literals @ ..]) if !literals.is_empty() => self.enumeration(name, literals),
            (Some("var"), [name, sort]) => self.variable(expression, name, sort, VariableRole::State),
            (Some("var"), [name, sort, role]) => {
                let known = VariableRole::ALL.into_iter().find(|one| role.word() == Some(one.name()));
                let Some(role) = known else {
                    let names: Vec<&str> = VariableRole::ALL.iter().map(|role| role.name()).collect();
                    return Err(role.error(format!("a role must be one of {}", names.join(", "))));
                };
                self.variable(expression, name, sort, role)
            }
            (Some("event"), [name]) => {
                let text = name_of(name)?;
                if self.events.contains(&text) {
                    return Err(name.error("duplicate event name"));
                }
                self.events.push(text);
                Ok(())
            }
            (Some("component"), [name, items @ ..]) => self.component(name, items),
            // Items outside of components belong to an unnamed component.
            (Some("location" | "edge" | "delay"), _) => {
                if self.components.first().is_none_or(|component| !component.name.is_empty()) {
                    if !self.components.is_empty() {
                        return Err(expression.error("in a system of components, this item belongs inside a component"));
                    }
                    self.components.push(Component::default());
                }
                self.component_item(0, expression)
            }
            (Some("initial"), [parts @ .., formula]) if parts.len() < 2 => {
                if self.initial.is_some() {
                    return Err(expression.error("duplicate initial formula"));
                }
                match (parts, self.components.first_mut()) {
                    ([location], Some(first)) if first.name.is_empty() => {
                        let place = first.location(location)?;
                        first.initial = Some(place);
                    }
                    ([], Some(first)) if !first.name.is_empty() => {}
                    _ => {
                        let what = "(initial LOCATION FORMULA), or (initial FORMULA) after components";
                        return Err(expression.error(format!("expected {what}")));
                    }
                }
                self.initial = Some(self.boolean(formula)?);
                Ok(())
            }
            (Some("property"), [text, place, condition]) => {
                let tempora_smt::ExpressionKind::Text(asked) = &text.kind else {
                    return Err(text.error("expected the text of the property in quotation marks"));
                };
                let observation = match (place.word(), place.list()) {
                    (Some("everywhere"), _) => None,
                    (_, Some([at, locations @ ..])) if at.word() == Some("at") => {
                        let places = locations.iter().map(|location| self.places(location));
                        Some(places.collect::<Result<_, _>>()?)
                    }
                    _ => return Err(place.error("expected `everywhere` or (at LOCATION ...)")),
                };
                let condition = self.boolean(condition)?;
                let origin = self.origin(expression);
                self.claims.push(ComponentProperty { text: asked.clone(), condition, places: observation, origin });
                Ok(())
            }
            _ => Err(expression.error(
                "expected an enum, var, event, component, location, initial, edge, delay or property with its parts",
            )),
        }
    }

    fn enumeration(&mut self, name: &Expression, literals: &[Expression]) -> Result<(), ReadError> {
        let text = name_of(name)?;
        let names: Vec<String> = literals.iter().map(name_of).collect::<Result<_, _>>()?;
        let id = self.store.add_enumeration(Enumeration { name: text.clone(), literals: names.clone() });
        for (position, (literal, place)) in names.iter().zip(literals).enumerate() {
            let value = Value::Enumerator(id, u32::try_from(position).unwrap_or(u32::MAX));
            let term = self.store.constant(value);
            if self.names.terms.insert(format!("{text}.{literal}"), term).is_some() {
                return Err(place.error("duplicate literal name"));
            }
        }
        match self.names.sorts.insert(text, Sort::Enumeration(id)) {
            None => Ok(()),
            Some(_) => Err(name.error("duplicate enumeration name")),
        }
    }

    fn variable(
        &mut self,
        expression: &Expression,
        name: &Expression,
        sort: &Expression,
        role: VariableRole,
    ) -> Result<(), ReadError> {
        let text = name_of(name)?;
        if role == VariableRole::Clock && self.components.iter().any(|component| !component.delays.is_empty())
        {
            return Err(name.error("a clock must be declared before the first delay"));
        }
        let sort = read_sort(&self.names, sort)?;
        let symbol = self.store.add_symbol(text.clone(), sort);
        let origin = self.origin(expression);
        let id = self.variables.push(StateVariable { name: text.clone(), symbol, role, origin });
        let is_known = self.names.terms.insert(text.clone(), self.store.symbol(symbol)).is_some();
        if self.variable_names.insert(text, id).is_some() || is_known {
            return Err(name.error("this name is already in use"));
        }
        Ok(())
    }

    pub(super) fn named_variable(&self, expression: &Expression) -> Result<StateVariableId, ReadError> {
        let name = name_of(expression)?;
        let found = self.variable_names.get(&name).copied();
        found.ok_or_else(|| expression.error(format!("unknown variable `{name}`")))
    }

    pub(super) fn boolean(&mut self, expression: &Expression) -> Result<TermId, ReadError> {
        let term = read_term(&mut self.store, &self.names, expression)?;
        match self.store.sort(term) {
            Sort::Boolean => Ok(term),
            _ => Err(expression.error("expected a Boolean formula")),
        }
    }

    pub(super) fn statement(&mut self, expression: &Expression) -> Result<SymbolicStatement, ReadError> {
        let Some([head, rest @ ..]) = expression.list() else {
            return Err(expression.error("expected a statement, such as (set x 1)"));
        };
        let kind = match (head.word(), rest) {
            (Some("set"), [variable, value]) => {
                let id = self.named_variable(variable)?;
                let term = read_term(&mut self.store, &self.names, value)?;
                if self.store.sort(term) != self.store.symbol_sort(self.variables[id].symbol) {
                    return Err(value.error("the value and the variable have different sorts"));
                }
                StatementKind::Assign(id, term)
            }
            (Some("assume"), [condition]) => StatementKind::Assume(self.boolean(condition)?),
            (Some("havoc"), [variable]) => StatementKind::Havoc(self.named_variable(variable)?),
            (Some("relate"), [frame, relation]) => self.relate(expression, frame, relation)?,
            (Some("do"), parts) => StatementKind::Sequence(self.statements(parts)?),
            (Some("choose"), parts) if !parts.is_empty() => StatementKind::Choice(self.statements(parts)?),
            (Some("for"), [counter, from, to, body]) => {
                let counter = self.named_variable(counter)?;
                let from = read_term(&mut self.store, &self.names, from)?;
                let to = read_term(&mut self.store, &self.names, to)?;
                StatementKind::Loop { counter, from, to, body: Box::new(self.statement(body)?) }
            }
            _ => {
                return Err(expression
                    .error("expected a set, assume, havoc, relate, do, choose or for with its parts"));
            }
        };
        Ok(SymbolicStatement { kind, origin: self.origin(expression) })
    }

    fn statements(&mut self, parts: &[Expression]) -> Result<Vec<SymbolicStatement>, ReadError> {
        parts.iter().map(|part| self.statement(part)).collect()
    }
}

pub(super) fn name_of(expression: &Expression) -> Result<String, ReadError> {
    expression.word().map(str::to_owned).ok_or_else(|| expression.error("expected a name"))
}
