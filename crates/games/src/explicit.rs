//! A specification as one explicit automaton with convex location invariants.
//!
//! Invariant: the automaton and the specification refine each other. The good set of a state may be any set, and a
//! delay may switch to another state. Both are split by how a delay ends:
//!
//! - A valuation leaves the good set, if ever, through one of the zones outside, and enters that zone when its last
//!   lower bound is reached. So the good set splits into classes, one for each such bound. In a class a delay is
//!   limited by a bound of one clock, which is an invariant. Delays do not change the class of a valuation.
//! - If a delay switches to another state, a class continues as a class of that state: it is a list of states, each
//!   with the bound up to which it lasts. Moves of a later state are enabled beyond the bounds of the earlier ones.
//!
//! A location is a class; an edge into a state becomes one edge into each of its classes, with the guard that leads
//! there.

use std::collections::HashMap;
use std::rc::Rc;

use tempora_zones::{Bound, Clock, ClockUpdate, Constraint, Dimension, Federation, Zone};

use crate::action::ActionId;
use crate::search_abort::SearchAbort;
use crate::state::{StateId, StateKind, before};
use crate::theory::{SpecificationId, Theory};

/// A specification as an explicit automaton.
pub(crate) struct ExplicitComponent {
    pub(crate) dimension: Dimension,
    /// The first location is initial.
    pub(crate) locations: Vec<ExplicitLocation>,
    pub(crate) edges: Vec<ExplicitEdge>,
}

/// A location of the automaton.
#[derive(Clone, Debug)]
pub(crate) struct ExplicitLocation {
    pub(crate) kind: StateKind,
    /// The first state of the class, for names.
    pub(crate) state: StateId,
    /// Whether a delay switches to other states.
    pub(crate) is_chain: bool,
    /// Upper bounds of clocks.
    pub(crate) invariant: Vec<Constraint>,
}

/// An edge, whose guard may be non-convex.
#[derive(Clone, Debug)]
pub(crate) struct ExplicitEdge {
    pub(crate) source: usize,
    pub(crate) target: usize,
    pub(crate) action: ActionId,
    pub(crate) guard: Federation,
    pub(crate) updates: Rc<[ClockUpdate]>,
}

/// A state, and the bounds up to which it lasts; without bounds it lasts forever.
type Segment = (StateId, Vec<Constraint>);

/// Valuations of a state in which delays end in the same way.
#[derive(Clone, Debug)]
struct DelayClass {
    entries: Federation,
    segments: Rc<[Segment]>,
}

/// Computes the automaton of a specification.
pub(crate) fn explicit_component(
    theory: &mut Theory<'_>,
    id: SpecificationId,
) -> Result<ExplicitComponent, SearchAbort> {
    let dimension = theory[id].dimension;
    let mut builder = Builder {
        theory,
        id,
        classes: HashMap::new(),
        component: ExplicitComponent { dimension, locations: Vec::new(), edges: Vec::new() },
        index: HashMap::new(),
        waiting: Vec::new(),
    };
    let initial = builder.theory.initial(id)?;
    let start = Zone::zero(dimension);
    let mut first = None;
    for class in builder.classes_of(initial)?.iter() {
        if class.entries.includes_zone(&start)? {
            first = Some(class.segments.clone());
        }
    }
    // A bad initial state is an error.
    builder.location(&first.unwrap_or_else(|| [(StateId::ERROR, Vec::new())].into()))?;
    while let Some((number, segments)) = builder.waiting.pop() {
        builder.edges_from(number, &segments)?;
    }
    Ok(builder.component)
}

struct Builder<'theory, 'task> {
    theory: &'theory mut Theory<'task>,
    id: SpecificationId,
    /// `None` while they are being computed.
    classes: HashMap<StateId, Option<Rc<Vec<DelayClass>>>>,
    component: ExplicitComponent,
    index: HashMap<Rc<[Segment]>, usize>,
    waiting: Vec<(usize, Rc<[Segment]>)>,
}

impl Builder<'_, '_> {
    /// Returns the location of a class.
    fn location(&mut self, segments: &Rc<[Segment]>) -> Result<usize, SearchAbort> {
        if let Some(&known) = self.index.get(segments) {
            return Ok(known);
        }
        let number = self.component.locations.len();
        self.theory.watch.check(number as u64)?;
        let state = segments[0].0;
        let kind = match segments.len() {
            1 => self.theory.state(self.id, state)?.kind,
            _ => StateKind::Ordinary,
        };
        let invariant = segments.last().map(|(_, bounds)| bounds.clone()).unwrap_or_default();
        let is_chain = segments.len() > 1;
        self.component.locations.push(ExplicitLocation { kind, state, is_chain, invariant });
        self.index.insert(segments.clone(), number);
        self.waiting.push((number, segments.clone()));
        Ok(number)
    }

    fn edges_from(&mut self, source: usize, segments: &Rc<[Segment]>) -> Result<(), SearchAbort> {
        let mut earlier: Vec<Constraint> = Vec::new();
        for position in 0..segments.len() {
            let (state, bounds) = &segments[position];
            let unfolded = self.theory.state(self.id, *state)?;
            let mut inside = Federation::empty(self.component.dimension);
            for class in self.classes_of(*state)?.iter() {
                if class.segments[..] == segments[position..] {
                    inside.union(class.entries.clone());
                }
            }
            for &bound in bounds.iter().chain(&earlier) {
                inside.constrain(bound)?;
            }
            for one in &unfolded.moves {
                let mut guard = one.guard.clone();
                guard.intersect(&inside)?;
                if guard.is_empty() {
                    continue;
                }
                for class in self.classes_of(one.target)?.iter() {
                    let mut part = before(&one.updates, class.entries.clone())?;
                    part.intersect(&guard)?;
                    if part.is_empty() {
                        continue;
                    }
                    self.theory.watch.check(self.component.edges.len() as u64)?;
                    let target = self.location(&class.segments)?;
                    self.edge(source, target, one.action, part, &one.updates)?;
                }
            }
            // The bound of an earlier state concerns one clock, so its negation is convex.
            earlier.extend(bounds.iter().filter_map(|bound| bound.negated()));
        }
        Ok(())
    }

    fn edge(
        &mut self,
        source: usize,
        target: usize,
        action: ActionId,
        guard: Federation,
        updates: &Rc<[ClockUpdate]>,
    ) -> Result<(), SearchAbort> {
        let edges = &mut self.component.edges;
        let known = edges
            .iter_mut()
            .rev()
            .take_while(|edge| edge.source == source)
            .find(|edge| edge.target == target && edge.action == action && edge.updates == *updates);
        match known {
            Some(edge) => {
                edge.guard.union(guard);
                edge.guard.reduce()?;
            }
            None => {
                let mut guard = guard;
                guard.reduce()?;
                edges.push(ExplicitEdge { source, target, action, guard, updates: updates.clone() });
            }
        }
        Ok(())
    }

    /// Computes the classes of a state.
    fn classes_of(&mut self, state: StateId) -> Result<Rc<Vec<DelayClass>>, SearchAbort> {
        match self.classes.get(&state) {
            Some(Some(known)) => return Ok(known.clone()),
            Some(None) => {
                return Err(SearchAbort::Unsupported(
                    "delays that lead through a cycle of states".to_owned(),
                ));
            }
            None => {}
        }
        self.classes.insert(state, None);
        let classes = Rc::new(self.new_classes(state)?);
        self.classes.insert(state, Some(classes.clone()));
        Ok(classes)
    }

    fn new_classes(&mut self, state: StateId) -> Result<Vec<DelayClass>, SearchAbort> {
        let unfolded = self.theory.state(self.id, state)?;
        let good = &unfolded.good;
        let ending = |bounds: Vec<Constraint>| -> Rc<[Segment]> { [(state, bounds)].into() };
        if let ([zone], []) = (good.zones(), unfolded.switches.as_slice()) {
            // Delays preserve differences and lower bounds, so only upper bounds end them.
            let is_upper = |bound: &Constraint| bound.right == Clock::REFERENCE;
            let bounds: Vec<Constraint> = zone.minimal_constraints().into_iter().filter(is_upper).collect();
            return Ok(vec![DelayClass { entries: good.clone(), segments: ending(bounds) }]);
        }
        // The zones outside the good set with the continuation of the delay; `None` if it ends there.
        let mut outside: Vec<(Zone, Option<Rc<[Segment]>>)> = Vec::new();
        let mut rest = good.complement()?;
        for switch in &unfolded.switches {
            for class in self.classes_of(switch.target)?.iter() {
                let mut region = switch.region.clone();
                region.intersect(&class.entries)?;
                region.intersect(&rest)?;
                rest.subtract(&region)?;
                for zone in disjoint(&region)? {
                    outside.push((zone, Some(class.segments.clone())));
                }
            }
        }
        outside.extend(disjoint(&rest)?.into_iter().map(|zone| (zone, None)));
        let mut classes: Vec<DelayClass> = Vec::new();
        let mut unlimited = good.clone();
        for (number, (zone, next)) in outside.iter().enumerate() {
            self.theory.watch.check(number as u64)?;
            let others = outside.iter().enumerate().filter(|(other, _)| *other != number);
            let others = others.map(|(_, (zone, _))| zone.clone()).collect();
            let others = Federation::from_zones(good.dimension(), others);
            let mut leading = Federation::from(zone.clone()).timed_predecessors(&others)?;
            leading.intersect(&unlimited)?;
            for (bound, last) in last_bounds(zone)? {
                let mut entries = leading.clone();
                for constraint in last {
                    entries.constrain(constraint)?;
                }
                entries.reduce()?;
                if entries.is_empty() {
                    continue;
                }
                unlimited.subtract(&entries)?;
                leading.subtract(&entries)?;
                let mut segments = vec![(state, vec![bound])];
                segments.extend(next.iter().flat_map(|next| next.iter().cloned()));
                add(&mut classes, DelayClass { entries, segments: segments.into() });
            }
        }
        unlimited.reduce()?;
        if !unlimited.is_empty() {
            add(&mut classes, DelayClass { entries: unlimited, segments: ending(Vec::new()) });
        }
        // A valuation that enters in a switch region switches at once.
        for (zone, next) in outside {
            if let Some(segments) = next {
                add(&mut classes, DelayClass { entries: zone.into(), segments });
            }
        }
        Ok(classes)
    }
}

fn add(classes: &mut Vec<DelayClass>, class: DelayClass) {
    match classes.iter_mut().find(|known| known.segments == class.segments) {
        Some(known) => known.entries.union(class.entries),
        None => classes.push(class),
    }
}

/// Returns disjoint zones with the same union as a set.
fn disjoint(set: &Federation) -> Result<Vec<Zone>, SearchAbort> {
    let mut zones: Vec<Zone> = Vec::new();
    for zone in set.zones() {
        let mut part = Federation::from(zone.clone());
        for known in &zones {
            part.subtract_zone(known)?;
        }
        zones.extend(part.zones().iter().cloned());
    }
    Ok(zones)
}

/// Returns, for each lower bound of a zone, the constraint that holds before it is reached, and the condition for it to
/// be the last to be reached.
fn last_bounds(zone: &Zone) -> Result<Vec<(Constraint, Vec<Constraint>)>, SearchAbort> {
    // For each clock its lower bound in the zone, and whether that is strict.
    let mut lower: Vec<(Clock, i32, bool)> = Vec::new();
    for clock in zone.dimension().clocks() {
        let bound = zone.bound(Clock::REFERENCE, clock);
        if let Some(constant) = bound.constant()
            && (constant < 0 || !bound.is_weak())
        {
            lower.push((clock, -constant, !bound.is_weak()));
        }
    }
    let mut found = Vec::with_capacity(lower.len());
    for &(clock, from, is_later) in &lower {
        let until = Bound::finite(i64::from(from), is_later)?;
        let bound = Constraint::difference(clock, Clock::REFERENCE, until);
        let mut last = vec![bound];
        for &(other, other_from, is_other_later) in lower.iter().filter(|(other, ..)| *other != clock) {
            let may_be_equal = is_later || !is_other_later;
            let difference = Bound::finite(i64::from(from) - i64::from(other_from), may_be_equal)?;
            last.push(Constraint::difference(clock, other, difference));
        }
        found.push((bound, last));
    }
    Ok(found)
}
