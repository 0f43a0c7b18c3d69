//! Composes components as a conjunction: a variable holds the location of each component, and a step is the conjunction
//! of the members' steps.
//!
//! The step of an event is one edge, possible if every component with the event can take one of its edges on it. So a
//! system is as large as its components together, however many combinations of their locations exist; exploration
//! determines the reachable ones.
//!
//! Invariant: two components never change the same variable in one step; edges that could are refused.

use std::collections::{BTreeMap, BTreeSet};

use tempora_smt::{Enumeration, ReadError, Sort, SymbolId, TermId, Value};
use tempora_source::{Origin, PassName};

use super::components::{Component, ComponentEdge, ComponentProperty, Composed, changes};
use super::product::reading_earlier;
use super::read::Reader;
use super::system::{
    ControlEdge, ControlLocation, EdgeKind, Observation, StateVariable, StatementKind, SymbolicStatement,
    VariableRole,
};
use crate::{ControlEdgeId, ControlLocationId, StateVariableId, Table};

/// The location variables of components, and a condition for each of their locations.
struct LocationVariables {
    variables: Vec<StateVariableId>,
    /// The value of the variable at each location.
    values: Vec<Vec<TermId>>,
    is_at: Vec<Vec<TermId>>,
}

/// The steps composed so far.
struct ComposedEdges {
    only: ControlLocationId,
    edges: Table<ControlEdgeId, ControlEdge>,
}

impl ComposedEdges {
    fn push(&mut self, kind: EdgeKind, statement: SymbolicStatement, origin: Origin) {
        self.edges.push(ControlEdge { source: self.only, target: self.only, kind, statement, origin });
    }
}

impl Reader<'_> {
    /// Composes the components.
    pub(super) fn conjunction(
        &mut self,
        components: &[Component],
        claims: &[ComponentProperty],
    ) -> Result<Composed, ReadError> {
        let places = self.location_variables(components)?;
        let mut locations = Table::new();
        let parents = components.iter().filter_map(|component| component.locations.first());
        let parents: Vec<Origin> = parents.map(|(_, origin)| *origin).collect();
        let origin = self.origins.derived(PassName("composition"), &parents);
        let only = locations.push(ControlLocation { name: "together".to_owned(), origin });
        let mut steps = ComposedEdges { only, edges: Table::new() };
        for (number, component) in components.iter().enumerate() {
            let alone = component.edges.iter().filter(|edge| edge.event.is_none());
            for edge in alone.filter(|edge| edge.kind != EdgeKind::Delay) {
                let statement = along(&places, number, edge, edge.statement.clone());
                steps.push(edge.kind, statement, edge.origin);
            }
        }
        for event in 0..self.events.len() {
            self.event_steps(components, &places, event, &mut steps)?;
        }
        self.delay_edges(components, &places, &mut steps);
        let starts = components.iter().enumerate();
        let starts: Vec<TermId> =
            starts.map(|(number, one)| places.is_at[number][one.initial.unwrap_or(0)]).collect();
        let initial = self.store.and(&starts);
        let mut properties = Vec::new();
        for claim in claims {
            let condition = match &claim.places {
                None => claim.condition,
                Some(alternatives) => {
                    let mut there = Vec::new();
                    for alternative in alternatives {
                        let all: Vec<TermId> =
                            alternative.iter().map(|&(component, at)| places.is_at[component][at]).collect();
                        there.push(self.store.and(&all));
                    }
                    let there = self.store.or(&there);
                    self.store.implies(there, claim.condition)
                }
            };
            properties.push(claim.observed(condition, Observation::Everywhere));
        }
        Ok(Composed { locations, initial_location: only, initial, edges: steps.edges, properties })
    }

    /// Creates the location variables of the components.
    fn location_variables(&mut self, components: &[Component]) -> Result<LocationVariables, ReadError> {
        let mut places = LocationVariables { variables: Vec::new(), values: Vec::new(), is_at: Vec::new() };
        for component in components {
            let (sort_name, name) =
                (format!("places of {}", component.name), format!("at {}", component.name));
            if self.names.sorts.contains_key(&sort_name) || self.names.terms.contains_key(&name) {
                let message = format!("the name `{name}` is reserved for the location of the component");
                return Err(ReadError { message, start: component.place.0, end: component.place.1 });
            }
            let literals: Vec<String> = component.locations.iter().map(|(name, _)| name.clone()).collect();
            let sort = self.store.add_enumeration(Enumeration { name: sort_name.clone(), literals });
            self.names.sorts.insert(sort_name, Sort::Enumeration(sort));
            let symbol = self.store.add_symbol(name.clone(), Sort::Enumeration(sort));
            let parents: Vec<Origin> = component.locations.iter().map(|(_, origin)| *origin).collect();
            let origin = self.origins.derived(PassName("composition"), &parents);
            let role = VariableRole::Control;
            let variable = self.variables.push(StateVariable { name: name.clone(), symbol, role, origin });
            self.variable_names.insert(name.clone(), variable);
            let term = self.store.symbol(symbol);
            self.names.terms.insert(name, term);
            let (mut values, mut is_at) = (Vec::new(), Vec::new());
            for number in 0..component.locations.len() {
                let literal = u32::try_from(number).unwrap_or(u32::MAX);
                let value = self.store.constant(Value::Enumerator(sort, literal));
                values.push(value);
                is_at.push(self.store.equal(term, value));
            }
            places.variables.push(variable);
            places.values.push(values);
            places.is_at.push(is_at);
        }
        Ok(places)
    }

    /// Adds the steps of an event: all components with the event take one of their edges on it.
    fn event_steps(
        &mut self,
        components: &[Component],
        places: &LocationVariables,
        event: usize,
        steps: &mut ComposedEdges,
    ) -> Result<(), ReadError> {
        let with = |number: usize| -> Vec<&ComponentEdge> {
            components[number].edges.iter().filter(|edge| edge.event == Some(event)).collect()
        };
        let members: Vec<(usize, Vec<&ComponentEdge>)> = (0..components.len())
            .map(|number| (number, with(number)))
            .filter(|(_, edges)| !edges.is_empty())
            .collect();
        let Some((_, first)) = members.first() else { return Ok(()) };
        let kinds: BTreeSet<EdgeKind> = first.iter().map(|edge| edge.kind).collect();
        for kind in kinds {
            let parents: Vec<Origin> =
                members.iter().flat_map(|(_, edges)| edges).map(|edge| edge.origin).collect();
            let origin = self.origins.derived(PassName("composition"), &parents);
            let part = |kind: StatementKind| SymbolicStatement { kind, origin };
            // All components are checked for an enabled edge before any of them moves.
            let (mut able, mut kept, mut parts) = (Vec::new(), Vec::new(), Vec::new());
            let mut changed: BTreeSet<StateVariableId> = BTreeSet::new();
            let mut earlier: BTreeMap<SymbolId, TermId> = BTreeMap::new();
            for (position, (number, edges)) in members.iter().enumerate() {
                // The first component with the event determines the kind of the step.
                let edges = edges.iter().filter(|edge| position > 0 || edge.kind == kind);
                let (mut sources, mut alternatives, mut own) = (Vec::new(), Vec::new(), BTreeSet::new());
                for edge in edges {
                    let changes = changes(&edge.statement).into_iter();
                    let changes: Vec<StateVariableId> =
                        changes.filter(|id| self.variables[*id].role != VariableRole::Local).collect();
                    if let Some(both) = changes.iter().find(|id| changed.contains(id)) {
                        let name = &self.variables[*both].name;
                        let message = format!("another component changes `{name}` with the same event");
                        return Err(ReadError { message, start: edge.place.0, end: edge.place.1 });
                    }
                    own.extend(changes);
                    let statement = reading_earlier(&mut self.store, &edge.statement, &earlier);
                    sources.push(places.is_at[*number][edge.source]);
                    alternatives.push(along(places, *number, edge, statement));
                }
                let is_able = self.store.or(&sources);
                able.push(part(StatementKind::Assume(is_able)));
                for id in own {
                    changed.insert(id);
                    kept.push(self.keep(id, origin, &mut earlier));
                }
                parts.push(part(StatementKind::Choice(alternatives)));
            }
            let statement = part(StatementKind::Sequence([able, kept, parts].concat()));
            steps.push(kind, statement, origin);
        }
        Ok(())
    }

    /// Adds the delay, in which each component is at a location that allows it.
    fn delay_edges(
        &mut self,
        components: &[Component],
        places: &LocationVariables,
        steps: &mut ComposedEdges,
    ) {
        if components.iter().any(|component| component.delays.is_empty()) {
            return;
        }
        let (mut invariants, mut is_positive) = (Vec::new(), Vec::new());
        for (number, component) in components.iter().enumerate() {
            // Each location has at most one delay.
            let mut alternatives = Vec::new();
            for stay in &component.delays {
                let at = places.is_at[number][stay.location];
                alternatives.push(self.store.and(&[at, stay.invariant]));
                if stay.is_positive {
                    is_positive.push(at);
                }
            }
            invariants.push(self.store.or(&alternatives));
        }
        let parents: Vec<Origin> =
            components.iter().flat_map(|component| &component.delays).map(|stay| stay.origin).collect();
        let origin = self.origins.derived(PassName("composition"), &parents);
        let statement = self.delay_under_invariants(&invariants, &is_positive, origin);
        steps.push(EdgeKind::Delay, statement, origin);
    }
}

/// Returns the statement that moves a component from the source of an edge to its target.
fn along(
    places: &LocationVariables,
    component: usize,
    edge: &ComponentEdge,
    statement: SymbolicStatement,
) -> SymbolicStatement {
    let origin = edge.origin;
    let part = |kind: StatementKind| SymbolicStatement { kind, origin };
    let mut parts = vec![part(StatementKind::Assume(places.is_at[component][edge.source])), statement];
    if edge.source != edge.target {
        let target = places.values[component][edge.target];
        parts.push(part(StatementKind::Assign(places.variables[component], target)));
    }
    part(StatementKind::Sequence(parts))
}
