//! Systems of components: what the text form says of each, and the one system that they are together.
//!
//! A step is taken by one component alone, along an edge without an event; or an event happens, and all components that know it take
//! an edge with it, all at once: each reads the values from before the step. Time passes for all components together, where each of
//! them says that it may.
//!
//! Invariant: the locations of the product are those that can be reached along edges, whatever the values; a step in which two
//! components change the same variable is refused.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use tempora_smt::{Expression, ReadError, SymbolId, TermId, TermStore};
use tempora_source::{Origin, PassName};

use super::read::{Reader, name_of};
use super::system::{
    ControlEdge, ControlLocation, EdgeKind, Observation, SafetyProperty, StateVariable, StatementKind,
    SymbolicStatement, VariableRole,
};
use crate::{ControlEdgeId, ControlLocationId, Id, StateVariableId, Table};

/// More locations or edges than this are not put together.
const MOST_LOCATIONS: usize = 20_000;
const MOST_EDGES: usize = 100_000;

/// A component, or the only part of a system that has none.
#[derive(Default)]
pub(super) struct Component {
    /// Empty for the only part of a system that has no components.
    pub(super) name: String,
    locations: Vec<(String, Origin)>,
    pub(super) initial: Option<usize>,
    pub(super) edges: Vec<ComponentEdge>,
}

pub(super) struct ComponentEdge {
    source: usize,
    target: usize,
    kind: EdgeKind,
    /// The event with which it is taken, by position.
    event: Option<usize>,
    pub(super) statement: SymbolicStatement,
    origin: Origin,
    /// Where it is written.
    place: (usize, usize),
}

/// A property whose places are not yet locations of the product.
pub(super) struct Claim {
    pub(super) text: String,
    pub(super) condition: TermId,
    /// Some places of which one has to be there, each a component with a location for some components; `None` for everywhere.
    pub(super) places: Option<Vec<Vec<(usize, usize)>>>,
    pub(super) origin: Origin,
}

/// The system that components are together.
pub(super) struct Product {
    pub(super) locations: Table<ControlLocationId, ControlLocation>,
    pub(super) initial: ControlLocationId,
    pub(super) edges: Table<ControlEdgeId, ControlEdge>,
    /// Where each component is, at each location.
    members: Vec<Vec<usize>>,
}

impl Component {
    /// The location that is named.
    pub(super) fn location(&self, expression: &Expression) -> Result<usize, ReadError> {
        let name = name_of(expression)?;
        let found = self.locations.iter().position(|(known, _)| *known == name);
        found.ok_or_else(|| expression.error(format!("there is no location `{name}`")))
    }
}

impl Product {
    /// A property, with the locations at which it is observed.
    pub(super) fn property(&self, claim: &Claim) -> SafetyProperty {
        let observation = match &claim.places {
            None => Observation::Everywhere,
            Some(places) => {
                let is_there = |members: &Vec<usize>| {
                    places.iter().any(|place| place.iter().all(|&(component, at)| members[component] == at))
                };
                let locations = self.locations.ids().zip(&self.members);
                Observation::At(
                    locations.filter(|(_, members)| is_there(members)).map(|(id, _)| id).collect(),
                )
            }
        };
        let Claim { text, condition, origin, .. } = claim;
        SafetyProperty { text: text.clone(), condition: *condition, observation, origin: *origin }
    }
}

impl Reader<'_> {
    /// A component with all of its items.
    pub(super) fn component(&mut self, name: &Expression, items: &[Expression]) -> Result<(), ReadError> {
        let text = name_of(name)?;
        if text.is_empty() || self.components.iter().any(|known| known.name == text || known.name.is_empty())
        {
            return Err(name.error("there is something else already: components have names of their own"));
        }
        let number = self.components.len();
        self.components.push(Component { name: text, ..Component::default() });
        items.iter().try_for_each(|item| self.component_item(number, item))?;
        match self.components[number].initial {
            Some(_) => Ok(()),
            None => Err(name.error("the component needs an (initial LOCATION)")),
        }
    }

    /// A location, an edge or a stay of a component, or where it begins.
    pub(super) fn component_item(&mut self, number: usize, expression: &Expression) -> Result<(), ReadError> {
        let Some([head, rest @ ..]) = expression.list() else {
            return Err(expression.error("an item is a list, such as (location start)"));
        };
        match (head.word(), rest) {
            (Some("location"), [name]) => {
                let (text, origin) = (name_of(name)?, self.origin(name));
                if self.components[number].locations.iter().any(|(known, _)| *known == text) {
                    return Err(name.error("there is another location with this name"));
                }
                self.components[number].locations.push((text, origin));
                Ok(())
            }
            (Some("initial"), [location]) if !self.components[number].name.is_empty() => {
                let place = self.components[number].location(location)?;
                match self.components[number].initial.replace(place) {
                    None => Ok(()),
                    Some(_) => Err(expression.error("the component begins elsewhere already")),
                }
            }
            (Some("edge"), [source, target, kind, event @ .., statement]) if event.len() < 2 => {
                let component = &self.components[number];
                let (source, target) = (component.location(source)?, component.location(target)?);
                let known = EdgeKind::ALL.into_iter().find(|one| kind.word() == Some(one.name()));
                let Some(kind) = known else {
                    let names: Vec<&str> = EdgeKind::ALL.iter().map(|kind| kind.name()).collect();
                    let message = format!("the kind of an edge is one of {}", names.join(", "));
                    return Err(kind.error(message));
                };
                let event = event.first().map(|event| self.event(event)).transpose()?;
                let statement = self.statement(statement)?;
                self.push_edge(number, expression, (source, target), kind, event, statement)
            }
            (Some("delay"), [location, parts @ .., invariant]) if parts.len() < 2 => {
                let is_positive = match parts {
                    [] => false,
                    [word] if word.word() == Some("positive") => true,
                    _ => return Err(parts[0].error("(delay LOCATION positive INVARIANT) is needed")),
                };
                let place = self.components[number].location(location)?;
                let formula = self.boolean(invariant)?;
                let origin = self.origin(expression);
                let statement = self.passing(invariant, is_positive, formula, origin)?;
                self.push_edge(number, expression, (place, place), EdgeKind::Delay, None, statement)
            }
            _ => Err(expression.error("a component has locations, an initial location, edges and delays")),
        }
    }

    fn push_edge(
        &mut self,
        number: usize,
        expression: &Expression,
        ends: (usize, usize),
        kind: EdgeKind,
        event: Option<usize>,
        statement: SymbolicStatement,
    ) -> Result<(), ReadError> {
        let origin = self.origin(expression);
        let place = (expression.start, expression.end);
        let edge = ComponentEdge { source: ends.0, target: ends.1, kind, event, statement, origin, place };
        self.components[number].edges.push(edge);
        Ok(())
    }

    /// `(on EVENT)`.
    fn event(&self, expression: &Expression) -> Result<usize, ReadError> {
        let Some([on, name]) = expression.list() else {
            return Err(expression.error("(on EVENT) is needed"));
        };
        let text = name_of(name)?;
        let known = self.events.iter().position(|event| *event == text);
        match known {
            Some(event) if on.word() == Some("on") => Ok(event),
            Some(_) => Err(on.error("(on EVENT) is needed")),
            None => Err(name.error(format!("there is no event `{text}`"))),
        }
    }

    /// Where a property is observed: a location, `COMPONENT.LOCATION`, or a list of these that are there together.
    pub(super) fn places(&self, expression: &Expression) -> Result<Vec<(usize, usize)>, ReadError> {
        if let Some(parts) = expression.list() {
            let parts = parts.iter().map(|part| self.places(part)).collect::<Result<Vec<_>, _>>()?;
            return Ok(parts.concat());
        }
        let name = name_of(expression)?;
        for (number, component) in self.components.iter().enumerate() {
            let own = |location: &str| match component.name.as_str() {
                "" => location.to_owned(),
                component => format!("{component}.{location}"),
            };
            if let Some(place) = component.locations.iter().position(|(location, _)| own(location) == name) {
                return Ok(vec![(number, place)]);
            }
        }
        Err(expression.error(format!("there is no location `{name}`")))
    }

    /// Puts the components together.
    pub(super) fn product(&mut self) -> Result<Product, ReadError> {
        let components = std::mem::take(&mut self.components);
        let mut product = Product {
            locations: Table::new(),
            initial: ControlLocationId::from_index(0),
            edges: Table::new(),
            members: Vec::new(),
        };
        // A system without components has all locations, also those that cannot be reached, in the order of the text.
        if let [only] = components.as_slice()
            && only.name.is_empty()
        {
            for (number, (name, origin)) in only.locations.iter().enumerate() {
                product.locations.push(ControlLocation { name: name.clone(), origin: *origin });
                product.members.push(vec![number]);
            }
            product.initial = ControlLocationId::from_index(only.initial.unwrap_or(0));
            for edge in &only.edges {
                if let Some(event) = edge.event {
                    let message = format!("`{}` is for components", self.events[event]);
                    return Err(ReadError { message, start: edge.place.0, end: edge.place.1 });
                }
                product.edges.push(ControlEdge {
                    source: ControlLocationId::from_index(edge.source),
                    target: ControlLocationId::from_index(edge.target),
                    kind: edge.kind,
                    statement: edge.statement.clone(),
                    origin: edge.origin,
                });
            }
            return Ok(product);
        }
        let mut known: BTreeMap<Vec<usize>, ControlLocationId> = BTreeMap::new();
        let mut waiting: VecDeque<Vec<usize>> = VecDeque::new();
        let start: Vec<usize> = components.iter().map(|component| component.initial.unwrap_or(0)).collect();
        self.enter(&components, &mut product, &mut known, &mut waiting, start);
        while let Some(here) = waiting.pop_front() {
            for step in steps_from(&components, &here) {
                let mut there = here.clone();
                for &(component, edge) in &step {
                    there[component] = components[component].edges[edge].target;
                }
                let taken: Vec<&ComponentEdge> =
                    step.iter().map(|&(component, edge)| &components[component].edges[edge]).collect();
                let statement = self.together(&taken)?;
                let parents: Vec<Origin> = taken.iter().map(|edge| edge.origin).collect();
                let origin = self.origins.derived(PassName("composition"), &parents);
                let source = known[&here];
                let target = match known.get(&there) {
                    Some(id) => *id,
                    None => self.enter(&components, &mut product, &mut known, &mut waiting, there),
                };
                product.edges.push(ControlEdge { source, target, kind: taken[0].kind, statement, origin });
                if product.locations.len() > MOST_LOCATIONS || product.edges.len() > MOST_EDGES {
                    let message = "the components are too large to be put together".to_owned();
                    return Err(ReadError { message, start: taken[0].place.0, end: taken[0].place.1 });
                }
            }
        }
        Ok(product)
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

    /// The statements of edges that are taken at once: each reads what was there before.
    fn together(&mut self, taken: &[&ComponentEdge]) -> Result<SymbolicStatement, ReadError> {
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
            // Time passes once, however many let it pass.
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
                let variable = &self.variables[id];
                let (name, symbol) = (format!("before {}", variable.name), variable.symbol);
                let sort = self.store.symbol_sort(symbol).clone();
                let copy = match self.variable_names.get(&name) {
                    Some(copy) => *copy,
                    None => {
                        let own = self.store.add_symbol(name.clone(), sort);
                        let role = VariableRole::Local;
                        let copy = self.variables.push(StateVariable {
                            name: name.clone(),
                            symbol: own,
                            role,
                            origin,
                        });
                        self.variable_names.insert(name, copy);
                        copy
                    }
                };
                let value = self.store.symbol(symbol);
                first.push(statement(StatementKind::Assign(copy, value)));
                earlier.insert(symbol, self.store.symbol(self.variables[copy].symbol));
            }
        }
        if taken[0].kind == EdgeKind::Delay {
            return Ok(merged_delays(taken, origin));
        }
        first.extend(parts);
        Ok(statement(StatementKind::Sequence(first)))
    }
}

/// Time that passes for several components: one amount, under all conditions.
fn merged_delays(taken: &[&ComponentEdge], origin: Origin) -> SymbolicStatement {
    let parts_of = |edge: &&ComponentEdge| match &edge.statement.kind {
        StatementKind::Sequence(parts) => parts.clone(),
        _ => vec![edge.statement.clone()],
    };
    // Each is an assumption, a havoc and an assumption about the amount, the clocks, and an assumption: kind by kind, with
    // havoc and clocks taken from the first.
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

/// The steps that the components can take together: for each who takes part, its edge.
fn steps_from(components: &[Component], here: &[usize]) -> Vec<Vec<(usize, usize)>> {
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
        steps.extend(combinations(&choices));
    }
    let delays: Vec<Vec<(usize, usize)>> = (0..components.len())
        .map(|number| {
            from(number)
                .filter(|(_, edge)| edge.kind == EdgeKind::Delay)
                .map(|(edge, _)| (number, edge))
                .collect()
        })
        .collect();
    steps.extend(combinations(&delays));
    steps
}

/// One of each.
fn combinations(choices: &[Vec<(usize, usize)>]) -> Vec<Vec<(usize, usize)>> {
    let mut all = vec![Vec::new()];
    for choice in choices {
        let mut longer = Vec::new();
        for before in &all {
            for one in choice {
                let mut more: Vec<(usize, usize)> = before.clone();
                more.push(*one);
                longer.push(more);
                if longer.len() > MOST_EDGES {
                    // So many are refused, whatever they are.
                    return longer;
                }
            }
        }
        all = longer;
    }
    all
}

/// What a statement changes.
fn changes(statement: &SymbolicStatement) -> BTreeSet<StateVariableId> {
    let mut changed = BTreeSet::new();
    let mut open = vec![statement];
    while let Some(statement) = open.pop() {
        open.extend(statement.parts());
        if let StatementKind::Assign(variable, _) | StatementKind::Havoc(variable) = &statement.kind {
            changed.insert(*variable);
        }
    }
    changed
}

/// The statement with other terms for some variables that it reads.
fn reading_earlier(
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
