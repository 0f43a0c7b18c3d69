//! Encodes runs of a given length as formulas.
//!
//! Invariant: after `n` steps the constraints are satisfiable together exactly if the system has a run of `n` steps
//! from the states with which the unrolling began.

use std::collections::BTreeMap;
use tempora_evidence::{SymbolicStep, SymbolicTrace};

use tempora_model::Id;
use tempora_smt::{Model, Sort, SymbolId, Term, TermId, TermStore};
use tempora_transition::{ControlEdgeId, ControlLocationId, SafetyProperty, StateVariableId, SymbolicSystem};

use crate::encode::{Encoder, Environment, ModelReader, Plan, merge};

/// An unrolling of the runs of a system.
pub(crate) struct Unrolling<'system> {
    system: &'system SymbolicSystem,
    encoder: Encoder<'system>,
    /// The states, one more than steps.
    points: Vec<UnrolledState>,
    steps: Vec<Vec<TakenEdge>>,
}

/// A state of an unrolling.
struct UnrolledState {
    environment: Environment,
    /// The control location, as its number.
    control: TermId,
    /// The possible locations.
    locations: Vec<ControlLocationId>,
}

/// A candidate edge of a step.
struct TakenEdge {
    edge: ControlEdgeId,
    selector: TermId,
    plan: Plan,
}

impl<'system> Unrolling<'system> {
    /// Creates an unrolling from the initial states, with their constraint.
    pub(crate) fn from_start(
        system: &'system SymbolicSystem,
        store: &mut TermStore,
    ) -> (Unrolling<'system>, TermId) {
        let encoder = Encoder::new(system);
        let environment = encoder.fresh_environment(store);
        let constraint = encoder.instance(store, system.initial, &environment);
        let control = number(store, system.initial_location);
        let point = UnrolledState { environment, control, locations: vec![system.initial_location] };
        (Unrolling { system, encoder, points: vec![point], steps: Vec::new() }, constraint)
    }

    /// Creates an unrolling from arbitrary states, with their constraint.
    pub(crate) fn from_anywhere(
        system: &'system SymbolicSystem,
        store: &mut TermStore,
    ) -> (Unrolling<'system>, TermId) {
        let encoder = Encoder::new(system);
        let environment = encoder.fresh_environment(store);
        let control = store.add_symbol("control", Sort::Integer);
        let control = store.symbol(control);
        let locations: Vec<ControlLocationId> = system.locations.ids().collect();
        let at: Vec<TermId> = locations
            .iter()
            .map(|location| {
                let number = number(store, *location);
                store.equal(control, number)
            })
            .collect();
        let constraint = store.or(&at);
        let point = UnrolledState { environment, control, locations };
        (Unrolling { system, encoder, points: vec![point], steps: Vec::new() }, constraint)
    }

    /// Adds a step, and returns its constraint.
    pub(crate) fn step(&mut self, store: &mut TermStore) -> Result<TermId, String> {
        let constraints = self.step_along(store, None)?;
        Ok(store.and(&constraints))
    }

    /// Adds a step along one edge or any, and returns its constraint.
    pub(crate) fn step_along(
        &mut self,
        store: &mut TermStore,
        only: Option<ControlEdgeId>,
    ) -> Result<Vec<TermId>, String> {
        let Some(point) = self.points.last() else { return Ok(vec![store.truth(false)]) };
        let (environment, control) = (point.environment.clone(), point.control);
        let locations = point.locations.clone();
        let mut alternatives = Vec::new();
        let mut taken = Vec::new();
        let mut targets = Vec::new();
        for (id, edge) in self.system.edges.iter() {
            if !locations.contains(&edge.source) || only.is_some_and(|only| only != id) {
                continue;
            }
            let source = number(store, edge.source);
            let is_there = store.equal(control, source);
            let encoded = self.encoder.encode(store, &edge.statement, environment.clone())?;
            let constraint = store.and(&[is_there, encoded.constraint]);
            if store.as_boolean(constraint) == Some(false) {
                continue;
            }
            // The location is an additional value.
            let mut after = encoded.environment;
            after.push(number(store, edge.target));
            alternatives.push((constraint, after));
            taken.push((id, encoded.plan));
            if !targets.contains(&edge.target) {
                targets.push(edge.target);
            }
        }
        let mut otherwise = environment;
        otherwise.push(control);
        let merged = merge(store, &alternatives, otherwise);
        let mut constraints = store.conjuncts(merged.constraint);
        let mut after = merged.environment;
        let control = after.pop().unwrap_or(control);
        for (position, value) in after.iter_mut().enumerate() {
            if store.depth(*value) > 0 {
                // A name for the value, so that terms do not grow from step to step.
                let variable = &self.system.variables[StateVariableId::from_index(position)];
                let (name, sort) = (variable.name.clone(), store.sort(*value).clone());
                let symbol = store.add_symbol(name, sort);
                let symbol = store.symbol(symbol);
                constraints.push(store.equal(symbol, *value));
                *value = symbol;
            }
        }
        self.points.push(UnrolledState { environment: after, control, locations: targets });
        self.steps.push(
            taken
                .into_iter()
                .zip(merged.selectors)
                .map(|((edge, plan), selector)| TakenEdge { edge, selector, plan })
                .collect(),
        );
        Ok(constraints)
    }

    /// Returns the variable to which each symbol of a state belongs.
    pub(crate) fn owners(&self, store: &TermStore) -> BTreeMap<SymbolId, StateVariableId> {
        let mut owners = BTreeMap::new();
        for point in &self.points {
            for (position, term) in point.environment.iter().enumerate() {
                if let Term::Symbol(symbol) = store.term(*term) {
                    owners.entry(*symbol).or_insert_with(|| StateVariableId::from_index(position));
                }
            }
        }
        owners
    }

    /// Returns the condition that the last state violates a property.
    pub(crate) fn violation(&self, store: &mut TermStore, claim: &SafetyProperty) -> TermId {
        let Some(point) = self.points.last() else { return store.truth(false) };
        let condition = self.encoder.instance(store, claim.condition, &point.environment);
        let wrong = store.not(condition);
        let places: Vec<TermId> = point
            .locations
            .iter()
            .filter(|location| claim.is_observed_at(**location))
            .map(|location| {
                let number = number(store, *location);
                store.equal(point.control, number)
            })
            .collect();
        let is_observed = store.or(&places);
        store.and(&[is_observed, wrong])
    }

    /// Returns the condition that the last state differs from all previous ones.
    pub(crate) fn difference(&self, store: &mut TermStore, relevant: &[bool]) -> TermId {
        let Some((last, before)) = self.points.split_last() else { return store.truth(true) };
        let mut all = Vec::with_capacity(before.len());
        for other in before {
            let same_place = store.equal(last.control, other.control);
            let mut differences = vec![store.not(same_place)];
            for (position, (left, right)) in last.environment.iter().zip(&other.environment).enumerate() {
                if relevant.get(position) == Some(&true) {
                    let equal = store.equal(*left, *right);
                    differences.push(store.not(equal));
                }
            }
            all.push(store.or(&differences));
        }
        store.and(&all)
    }

    /// Returns the run of a model.
    pub(crate) fn trace(&self, store: &TermStore, model: &Model) -> SymbolicTrace {
        let reading = ModelReader { store, model };
        let initial = match self.points.first() {
            Some(point) => point.environment.iter().filter_map(|term| reading.value(*term)).collect(),
            None => Vec::new(),
        };
        let steps = self.steps.iter().filter_map(|taken| {
            let taken = taken.iter().find(|taken| reading.holds(taken.selector))?;
            let (mut branches, mut havocs) = (Vec::new(), Vec::new());
            reading.follow(&taken.plan, &mut branches, &mut havocs);
            Some(SymbolicStep { edge: taken.edge, branches, havocs })
        });
        SymbolicTrace { initial, steps: steps.collect() }
    }

    /// Returns the terms of states and edges.
    fn terms(&self) -> Vec<TermId> {
        let mut terms: Vec<TermId> = self.points.iter().flat_map(|point| point.environment.clone()).collect();
        for taken in self.steps.iter().flatten() {
            terms.push(taken.selector);
        }
        terms
    }

    /// Returns the symbols that a model must contain.
    pub(crate) fn symbols(&self, store: &TermStore) -> Vec<SymbolId> {
        let mut symbols = Vec::new();
        let mut terms = self.terms();
        let mut open: Vec<&Plan> = self.steps.iter().flatten().map(|taken| &taken.plan).collect();
        while let Some(plan) = open.pop() {
            match plan {
                Plan::Sequence(parts) => open.extend(parts),
                Plan::Choice(alternatives) => {
                    for (_, selector, plan) in alternatives {
                        terms.push(*selector);
                        open.push(plan);
                    }
                }
                Plan::Havoc(symbol) => symbols.push(*symbol),
            }
        }
        symbols.extend(store.symbols_of(&terms));
        symbols.sort_unstable();
        symbols.dedup();
        symbols
    }
}

fn number(store: &mut TermStore, location: ControlLocationId) -> TermId {
    store.integer(i64::from(location.0))
}
