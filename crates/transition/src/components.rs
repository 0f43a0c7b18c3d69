//! Systems of components: their text form and their composition.
//!
//! A step is an edge of one component without an event; or an event, in which all components with that event take one
//! of their edges simultaneously: each reads the values from before the step. Time passes for all components together,
//! if each of them allows it.
//!
//! Invariant: product and conjunction are equivalent: they have the same runs, except for the representation of
//! control.

use std::collections::BTreeSet;

use tempora_smt::{Expression, ReadError, TermId};
use tempora_source::Origin;

use super::product::is_small;
use super::read::{Reader, is_independent, name_of};
use super::system::{
    ControlEdge, ControlLocation, EdgeKind, Observation, SafetyProperty, StatementKind, SymbolicStatement,
};
use crate::{ControlEdgeId, ControlLocationId, Id, StateVariableId, Table};

/// The representation of composed components.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Composition {
    /// A product if that is small, otherwise a conjunction.
    #[default]
    Automatic,
    /// Every combination of locations that is reachable along edges is a location. Too large a product is refused.
    Product,
    /// A variable for each component holds its location, and the step of an event is the conjunction of the steps of
    /// its members. The result is as large as all components together; exploration determines the reachable
    /// combinations.
    Conjunction,
}

/// The composed system.
pub(super) struct Composed {
    pub(super) locations: Table<ControlLocationId, ControlLocation>,
    pub(super) initial_location: ControlLocationId,
    /// An additional initial condition.
    pub(super) initial: TermId,
    pub(super) edges: Table<ControlEdgeId, ControlEdge>,
    pub(super) properties: Vec<SafetyProperty>,
}

/// A component, or the only part of a system without components.
#[derive(Default)]
pub(super) struct Component {
    /// Empty for the only part of a system that has no components.
    pub(super) name: String,
    pub(super) locations: Vec<(String, Origin)>,
    pub(super) initial: Option<usize>,
    pub(super) edges: Vec<ComponentEdge>,
    pub(super) delays: Vec<ComponentDelay>,
    /// The place of its name.
    pub(super) place: (usize, usize),
}

pub(super) struct ComponentEdge {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) kind: EdgeKind,
    /// The event on which it synchronises, by position.
    pub(super) event: Option<usize>,
    pub(super) statement: SymbolicStatement,
    pub(super) origin: Origin,
    /// The place of the edge.
    pub(super) place: (usize, usize),
}

/// A delay at a location; there is an edge for it too.
pub(super) struct ComponentDelay {
    pub(super) location: usize,
    pub(super) is_positive: bool,
    pub(super) invariant: TermId,
    pub(super) origin: Origin,
}

/// A property whose components' locations are not mapped to the product yet.
pub(super) struct ComponentProperty {
    pub(super) text: String,
    pub(super) condition: TermId,
    /// Alternatives, each a location for some components; `None` for everywhere.
    pub(super) places: Option<Vec<Vec<(usize, usize)>>>,
    pub(super) origin: Origin,
}

impl Component {
    /// Returns the location with a name.
    pub(super) fn location(&self, expression: &Expression) -> Result<usize, ReadError> {
        let name = name_of(expression)?;
        let found = self.locations.iter().position(|(known, _)| *known == name);
        found.ok_or_else(|| expression.error(format!("unknown location `{name}`")))
    }
}

impl Reader<'_> {
    /// Reads a component with all of its items.
    pub(super) fn component(&mut self, name: &Expression, items: &[Expression]) -> Result<(), ReadError> {
        let text = name_of(name)?;
        if text.is_empty() || self.components.iter().any(|known| known.name == text || known.name.is_empty())
        {
            return Err(name.error("this name is already in use: components need unique names"));
        }
        let number = self.components.len();
        let place = (name.start, name.end);
        self.components.push(Component { name: text, place, ..Component::default() });
        for item in items {
            match self.component_item(number, item) {
                Err(fault) if is_independent(item) => self.faults.push(fault),
                other => other?,
            }
        }
        match self.components[number].initial {
            Some(_) => Ok(()),
            // The initial location may be in an invalid item.
            None if !self.faults.is_empty() => Ok(()),
            None => Err(name.error("the component needs an (initial LOCATION)")),
        }
    }

    /// Reads a location, an edge, a delay or the initial location of a component.
    pub(super) fn component_item(&mut self, number: usize, expression: &Expression) -> Result<(), ReadError> {
        let Some([head, rest @ ..]) = expression.list() else {
            return Err(expression.error("expected an item, such as (location start)"));
        };
        match (head.word(), rest) {
            (Some("location"), [name]) => {
                let (text, origin) = (name_of(name)?, self.origin(name));
                if self.components[number].locations.iter().any(|(known, _)| *known == text) {
                    return Err(name.error("duplicate location name"));
                }
                self.components[number].locations.push((text, origin));
                Ok(())
            }
            (Some("initial"), [location]) if !self.components[number].name.is_empty() => {
                let place = self.components[number].location(location)?;
                match self.components[number].initial.replace(place) {
                    None => Ok(()),
                    Some(_) => Err(expression.error("the component already has an initial location")),
                }
            }
            (Some("edge"), [source, target, kind, event @ .., statement]) if event.len() < 2 => {
                let component = &self.components[number];
                let (source, target) = (component.location(source)?, component.location(target)?);
                let known = EdgeKind::ALL.into_iter().find(|one| kind.word() == Some(one.name()));
                let Some(kind) = known else {
                    let names: Vec<&str> = EdgeKind::ALL.iter().map(|kind| kind.name()).collect();
                    let message = format!("the kind of an edge must be one of {}", names.join(", "));
                    return Err(kind.error(message));
                };
                if kind == EdgeKind::Delay && !self.components[number].name.is_empty() {
                    // Simultaneous effects of other components on the same clocks would be unknown.
                    return Err(expression.error("in a component, (delay LOCATION INVARIANT) lets time pass"));
                }
                let event = event.first().map(|event| self.event(event)).transpose()?;
                let statement = self.statement(statement)?;
                self.push_edge(number, expression, (source, target), kind, event, statement)
            }
            (Some("delay"), [location, parts @ .., invariant]) if parts.len() < 2 => {
                let is_positive = match parts {
                    [] => false,
                    [word] if word.word() == Some("positive") => true,
                    _ => return Err(parts[0].error("expected (delay LOCATION positive INVARIANT)")),
                };
                let component = &self.components[number];
                let place = component.location(location)?;
                if !component.name.is_empty() && component.delays.iter().any(|stay| stay.location == place) {
                    return Err(expression.error("this location already has a delay"));
                }
                let formula = self.boolean(invariant)?;
                let origin = self.origin(expression);
                let statement = self.delay_statement(invariant, is_positive, formula, origin)?;
                let stay = ComponentDelay { location: place, is_positive, invariant: formula, origin };
                self.components[number].delays.push(stay);
                self.push_edge(number, expression, (place, place), EdgeKind::Delay, None, statement)
            }
            _ => Err(expression.error("expected a location, an initial location, an edge or a delay")),
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

    /// Reads `(on EVENT)`.
    fn event(&self, expression: &Expression) -> Result<usize, ReadError> {
        let Some([on, name]) = expression.list() else {
            return Err(expression.error("expected (on EVENT)"));
        };
        let text = name_of(name)?;
        let known = self.events.iter().position(|event| *event == text);
        match known {
            Some(event) if on.word() == Some("on") => Ok(event),
            Some(_) => Err(on.error("expected (on EVENT)")),
            None => Err(name.error(format!("unknown event `{text}`"))),
        }
    }

    /// Reads the locations of a property: a location, `COMPONENT.LOCATION`, or a list of such locations that hold
    /// together.
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
        Err(expression.error(format!("unknown location `{name}`")))
    }

    /// Composes the components.
    pub(super) fn compose(&mut self, composition: Composition) -> Result<Composed, ReadError> {
        let components = std::mem::take(&mut self.components);
        let claims = std::mem::take(&mut self.claims);
        match components.as_slice() {
            [only] if only.name.is_empty() => self.without_components(only, &claims),
            all => match composition {
                Composition::Product => self.product(all, &claims),
                Composition::Automatic if is_small(all) => self.product(all, &claims),
                Composition::Automatic | Composition::Conjunction => self.conjunction(all, &claims),
            },
        }
    }

    /// Builds a system without components, with all locations, also unreachable ones, in the order of the text.
    fn without_components(
        &mut self,
        only: &Component,
        claims: &[ComponentProperty],
    ) -> Result<Composed, ReadError> {
        let locations = only
            .locations
            .iter()
            .map(|(name, origin)| ControlLocation { name: name.clone(), origin: *origin });
        let locations: Table<ControlLocationId, ControlLocation> = locations.collect();
        let mut edges = Table::new();
        for edge in &only.edges {
            if let Some(event) = edge.event {
                let message = format!("the event `{}` needs components", self.events[event]);
                return Err(ReadError { message, start: edge.place.0, end: edge.place.1 });
            }
            edges.push(ControlEdge {
                source: ControlLocationId::from_index(edge.source),
                target: ControlLocationId::from_index(edge.target),
                kind: edge.kind,
                statement: edge.statement.clone(),
                origin: edge.origin,
            });
        }
        let members: Vec<Vec<usize>> = (0..only.locations.len()).map(|number| vec![number]).collect();
        Ok(Composed {
            locations,
            initial_location: ControlLocationId::from_index(only.initial.unwrap_or(0)),
            initial: self.store.truth(true),
            edges,
            properties: claims.iter().map(|claim| claim.at(&members)).collect(),
        })
    }
}

impl ComponentProperty {
    /// Returns the property with the locations at which it is observed; `members` has those of each location of the
    /// product.
    pub(super) fn at(&self, members: &[Vec<usize>]) -> SafetyProperty {
        let observation = match &self.places {
            None => Observation::Everywhere,
            Some(places) => {
                let is_there = |members: &[usize]| {
                    places.iter().any(|place| place.iter().all(|&(component, at)| members[component] == at))
                };
                let numbers = (0..members.len()).filter(|number| is_there(&members[*number]));
                Observation::At(numbers.map(ControlLocationId::from_index).collect())
            }
        };
        self.observed(self.condition, observation)
    }

    pub(super) fn observed(&self, condition: TermId, observation: Observation) -> SafetyProperty {
        SafetyProperty { text: self.text.clone(), condition, observation, origin: self.origin }
    }
}

/// Returns the variables that a statement changes.
pub(super) fn changes(statement: &SymbolicStatement) -> BTreeSet<StateVariableId> {
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
