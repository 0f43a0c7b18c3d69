//! Composes components as a product: every combination of their locations that is reachable along edges is one
//! location.
//!
//! Invariant: the locations of the product are exactly those reachable along edges, ignoring values; a step in which
//! two components change the same variable is refused.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use tempora_smt::{ReadError, SymbolId, TermId, TermStore};
use tempora_source::{Origin, PassName};

use super::components::{Component, ComponentEdge, ComponentProperty, Composed, changes};
use super::read::Reader;
use super::system::{
    ControlEdge, ControlLocation, EdgeKind, StateVariable, StatementKind, SymbolicStatement, VariableRole,
};
use crate::{ControlEdgeId, ControlLocationId, Id, StateVariableId, Table};

/// The limit on the locations and edges of a product.
const MAX_LOCATIONS: usize = 20_000;
const MAX_EDGES: usize = 100_000;

/// The limit on the locations and edges of a small product.
const SMALL_LOCATIONS: usize = 500;
const SMALL_EDGES: usize = 5_000;

/// The product under construction.
#[derive(Default)]
struct Product {
    locations: Table<ControlLocationId, ControlLocation>,
    edges: Table<ControlEdgeId, ControlEdge>,
    /// The locations of the components, for each location.
    members: Vec<Vec<usize>>,
}

/// Returns whether few combinations of locations are reachable along edges.
pub(super) fn is_small(components: &[Component]) -> bool {
    let start: Vec<usize> = components.iter().map(|component| component.initial.unwrap_or(0)).collect();
    let mut known = BTreeSet::from([start.clone()]);
    let mut waiting = vec![start];
    let mut edges = 0;
    while let Some(here) = waiting.pop() {
        for step in steps_from(components, &here, SMALL_EDGES) {
            let there = after(components, &here, &step);
            if !known.contains(&there) {
                known.insert(there.clone());
                waiting.push(there);
            }
            edges += 1;
            if edges > SMALL_EDGES || known.len() > SMALL_LOCATIONS {
                return false;
            }
        }
    }
    true
}

/// Returns the locations of the components after a step.
fn after(components: &[Component], here: &[usize], step: &[(usize, usize)]) -> Vec<usize> {
    let mut there = here.to_vec();
    for &(component, edge) in step {
        there[component] = components[component].edges[edge].target;
    }
    there
}

impl Reader<'_> {
    /// Composes the components.
    pub(super) fn product(
        &mut self,
        components: &[Component],
        claims: &[ComponentProperty],
    ) -> Result<Composed, ReadError> {
        let mut product = Product::default();
        let mut known: BTreeMap<Vec<usize>, ControlLocationId> = BTreeMap::new();
        let mut waiting: VecDeque<Vec<usize>> = VecDeque::new();
        let start: Vec<usize> = components.iter().map(|component| component.initial.unwrap_or(0)).collect();
        self.enter(components, &mut product, &mut known, &mut waiting, start);
        while let Some(here) = waiting.pop_front() {
            for step in steps_from(components, &here, MAX_EDGES) {
                let there = after(components, &here, &step);
                let taken: Vec<&ComponentEdge> =
                    step.iter().map(|&(component, edge)| &components[component].edges[edge]).collect();
                let statement = self.simultaneous(&taken)?;
                let parents: Vec<Origin> = taken.iter().map(|edge| edge.origin).collect();
                let origin = self.origins.derived(PassName("composition"), &parents);
                let source = known[&here];
                let target = match known.get(&there) {
                    Some(id) => *id,
                    None => self.enter(components, &mut product, &mut known, &mut waiting, there),
                };
                product.edges.push(ControlEdge { source, target, kind: taken[0].kind, statement, origin });
                if product.locations.len() > MAX_LOCATIONS || product.edges.len() > MAX_EDGES {
                    let message = "the product of the components is too large".to_owned();
                    return Err(ReadError { message, start: taken[0].place.0, end: taken[0].place.1 });
                }
            }
        }
        let properties = claims.iter().map(|claim| claim.at(&product.members)).collect();
        Ok(Composed {
            locations: product.locations,
            initial_location: ControlLocationId::from_index(0),
            initial: self.store.truth(true),
            edges: product.edges,
            properties,
        })
    }

    fn enter(
        &mut self,
        components: &[Component],
        product: &mut Product,
        known: &mut BTreeMap<Vec<usize>, ControlLocationId>,
        waiting: &mut VecDeque<Vec<usize>>,
        members: Vec<usize>,
    ) -> ControlLocationId {
        let places = components.iter().zip(&members).map(|(component, &at)| &component.locations[at]);
        let names: Vec<String> = components
            .iter()
            .zip(&members)
            .map(|(component, &at)| format!("{}.{}", component.name, component.locations[at].0))
            .collect();
        let parents: Vec<Origin> = places.map(|(_, origin)| *origin).collect();
        let origin = self.origins.derived(PassName("composition"), &parents);
        let id = product.locations.push(ControlLocation { name: names.join(","), origin });
        product.members.push(members.clone());
        known.insert(members.clone(), id);
        waiting.push_back(members);
        id
    }

    /// Combines the statements of simultaneous edges: each reads the values from before the step.
    fn simultaneous(&mut self, taken: &[&ComponentEdge]) -> Result<SymbolicStatement, ReadError> {
        let origin = taken[0].statement.origin;
        if let [only] = taken {
            return Ok(only.statement.clone());
        }
        let statement = |kind: StatementKind| SymbolicStatement { kind, origin };
        let mut first = Vec::new();
        let mut parts = Vec::new();
        let mut changed: BTreeSet<StateVariableId> = BTreeSet::new();
        let mut earlier: BTreeMap<SymbolId, TermId> = BTreeMap::new();
        for edge in taken {
            // Time passes once, however many components delay.
            let own = changes(&edge.statement);
            let is_time = edge.kind == EdgeKind::Delay;
            let own: BTreeSet<StateVariableId> =
                own.into_iter().filter(|id| self.variables[*id].role != VariableRole::Local).collect();
            if let Some(both) = own.intersection(&changed).next()
                && !is_time
            {
                let name = &self.variables[*both].name;
                let message = format!("another component changes `{name}` in the same step");
                return Err(ReadError { message, start: edge.place.0, end: edge.place.1 });
            }
            if is_time {
                parts.push(edge.statement.clone());
                continue;
            }
            parts.push(reading_earlier(&mut self.store, &edge.statement, &earlier));
            for id in own {
                changed.insert(id);
                first.push(self.keep(id, origin, &mut earlier));
            }
        }
        if taken[0].kind == EdgeKind::Delay {
            return Ok(merged_delays(taken, origin));
        }
        first.extend(parts);
        Ok(statement(StatementKind::Sequence(first)))
    }

    /// Returns the statement that saves the current value of a variable; `earlier` receives the term that reads it.
    pub(super) fn keep(
        &mut self,
        id: StateVariableId,
        origin: Origin,
        earlier: &mut BTreeMap<SymbolId, TermId>,
    ) -> SymbolicStatement {
        let variable = &self.variables[id];
        let (name, symbol) = (format!("before {}", variable.name), variable.symbol);
        let sort = self.store.symbol_sort(symbol).clone();
        let copy = match self.variable_names.get(&name) {
            Some(copy) => *copy,
            None => {
                let own = self.store.add_symbol(name.clone(), sort);
                let role = VariableRole::Local;
                let copy =
                    self.variables.push(StateVariable { name: name.clone(), symbol: own, role, origin });
                self.variable_names.insert(name, copy);
                copy
            }
        };
        earlier.insert(symbol, self.store.symbol(self.variables[copy].symbol));
        let value = self.store.symbol(symbol);
        SymbolicStatement { kind: StatementKind::Assign(copy, value), origin }
    }
}

/// Merges the delays of several components: one amount, under all conditions.
fn merged_delays(taken: &[&ComponentEdge], origin: Origin) -> SymbolicStatement {
    let parts_of = |edge: &&ComponentEdge| match &edge.statement.kind {
        StatementKind::Sequence(parts) => parts.clone(),
        _ => vec![edge.statement.clone()],
    };
    // Each consists of an assumption, a havoc and an assumption about the amount, the clocks, and an assumption: they
    // are merged kind by kind, with havoc and clocks taken from the first.
    let all: Vec<Vec<SymbolicStatement>> = taken.iter().map(parts_of).collect();
    let is_change =
        |part: &SymbolicStatement| matches!(part.kind, StatementKind::Havoc(_) | StatementKind::Assign(..));
    let mut parts = Vec::new();
    let longest = all.iter().map(Vec::len).max().unwrap_or(0);
    for position in 0..longest {
        for (number, own) in all.iter().enumerate() {
            let Some(part) = own.get(position) else { continue };
            if number == 0 || !is_change(part) {
                parts.push(part.clone());
            }
        }
    }
    SymbolicStatement { kind: StatementKind::Sequence(parts), origin }
}

/// Returns the joint steps of the components: an edge for each participant.
fn steps_from(components: &[Component], here: &[usize], most: usize) -> Vec<Vec<(usize, usize)>> {
    let mut steps = Vec::new();
    let from = |number: usize| {
        let edges = components[number].edges.iter().enumerate();
        edges.filter(move |(_, edge)| edge.source == here[number])
    };
    let mut events = BTreeSet::new();
    for (number, component) in components.iter().enumerate() {
        events.extend(component.edges.iter().filter_map(|edge| edge.event));
        for (edge, known) in from(number) {
            if known.event.is_none() && known.kind != EdgeKind::Delay {
                steps.push(vec![(number, edge)]);
            }
        }
    }
    for event in events {
        let members = (0..components.len())
            .filter(|&number| components[number].edges.iter().any(|edge| edge.event == Some(event)));
        let choices: Vec<Vec<(usize, usize)>> = members
            .map(|number| {
                from(number)
                    .filter(|(_, edge)| edge.event == Some(event))
                    .map(|(edge, _)| (number, edge))
                    .collect()
            })
            .collect();
        steps.extend(combinations(&choices, most));
    }
    let delays: Vec<Vec<(usize, usize)>> = (0..components.len())
        .map(|number| {
            from(number)
                .filter(|(_, edge)| edge.kind == EdgeKind::Delay)
                .map(|(edge, _)| (number, edge))
                .collect()
        })
        .collect();
    steps.extend(combinations(&delays, most));
    steps
}

/// Returns the combinations of one element of each list.
fn combinations(choices: &[Vec<(usize, usize)>], most: usize) -> Vec<Vec<(usize, usize)>> {
    let mut all = vec![Vec::new()];
    for choice in choices {
        let mut longer = Vec::new();
        for before in &all {
            for one in choice {
                let mut more: Vec<(usize, usize)> = before.clone();
                more.push(*one);
                longer.push(more);
                if longer.len() > most {
                    // The limit is exceeded, whatever follows.
                    return longer;
                }
            }
        }
        all = longer;
    }
    all
}

/// Substitutes terms for some variables that a statement reads.
pub(super) fn reading_earlier(
    store: &mut TermStore,
    statement: &SymbolicStatement,
    earlier: &BTreeMap<SymbolId, TermId>,
) -> SymbolicStatement {
    let mut changed = statement.clone();
    match &mut changed.kind {
        StatementKind::Assign(_, term) | StatementKind::Assume(term) => {
            *term = store.substitute(*term, earlier);
        }
        StatementKind::Havoc(_) => {}
        StatementKind::Sequence(parts) | StatementKind::Choice(parts) => {
            for part in parts {
                *part = reading_earlier(store, part, earlier);
            }
        }
        StatementKind::Loop { from, to, body, .. } => {
            (*from, *to) = (store.substitute(*from, earlier), store.substitute(*to, earlier));
            **body = reading_earlier(store, body, earlier);
        }
    }
    changed
}
