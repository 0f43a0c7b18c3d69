//! Abstract states, and what a step makes of them.
//!
//! Invariant: an abstract state stands for at least the states that the system can reach in this way; a state covers
//! another only if it stands for all states of the other.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use tempora_evidence::UnknownReason;
use tempora_model::{ControlEdgeId, Id, StateVariableId};
use tempora_smt::{CheckResult, Operator, Solver, Sort, SymbolId, Term, TermId, Value};

use super::context::Context;
use super::{Domain, InitialPrecision, PredicateSplit};
use crate::explicit::{PartialState, Stop};
use crate::solving::{failure, is_satisfiable};

/// What abstract states may speak about.
#[derive(Clone, Debug, Default)]
pub(super) struct Precision {
    pub(super) variables: BTreeSet<StateVariableId>,
    /// Each without a negation in front.
    pub(super) predicates: Vec<TermId>,
}

/// A combination of predicates: those that hold, and those that do not.
pub(super) type Cube = BTreeMap<TermId, bool>;

/// An abstract state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum AbstractState {
    /// The values of some variables.
    Values(BTreeMap<StateVariableId, Value>),
    /// One of these combinations.
    Cubes(Vec<Cube>),
}

impl AbstractState {
    /// Whether it stands for all states of another.
    pub(super) fn covers(&self, other: &AbstractState) -> bool {
        match (self, other) {
            (AbstractState::Values(own), AbstractState::Values(other)) => {
                own.iter().all(|(variable, value)| other.get(variable) == Some(value))
            }
            (AbstractState::Cubes(own), AbstractState::Cubes(other)) => other.iter().all(|cube| {
                own.iter().any(|own| own.iter().all(|(predicate, value)| cube.get(predicate) == Some(value)))
            }),
            _ => false,
        }
    }

    /// What is true of its states.
    pub(super) fn formula(&self, context: &mut Context<'_>) -> TermId {
        match self {
            AbstractState::Values(values) => {
                let equalities: Vec<TermId> = values
                    .iter()
                    .map(|(variable, value)| {
                        let constant = context.store.constant(value.clone());
                        context.store.equal(context.system.term_of(*variable), constant)
                    })
                    .collect();
                context.store.and(&equalities)
            }
            AbstractState::Cubes(cubes) => {
                let cubes: Vec<TermId> = cubes
                    .iter()
                    .map(|cube| {
                        let literals: Vec<TermId> = cube
                            .iter()
                            .map(
                                |(predicate, value)| {
                                    if *value { *predicate } else { context.store.not(*predicate) }
                                },
                            )
                            .collect();
                        context.store.and(&literals)
                    })
                    .collect();
                context.store.or(&cubes)
            }
        }
    }
}

impl Precision {
    /// The precision with which the search begins.
    pub(super) fn initial(context: &mut Context<'_>) -> Precision {
        let mut precision = Precision::default();
        let condition = context.claim.condition;
        match context.options.initial_precision {
            InitialPrecision::Empty => {}
            InitialPrecision::Property => {
                precision.learn(context, &[condition]);
            }
            InitialPrecision::Control => {
                let variables = context.variables.iter();
                precision.variables = variables
                    .filter(|id| context.system.variables[**id].role == tempora_model::VariableRole::Control)
                    .copied()
                    .collect();
            }
            InitialPrecision::AllVariables => {
                precision.variables = context.variables.iter().copied().collect();
            }
        }
        precision
    }

    /// Takes in what formulas speak about; says whether anything of it is new.
    pub(super) fn learn(&mut self, context: &mut Context<'_>, formulas: &[TermId]) -> bool {
        let before = (self.variables.len(), self.predicates.len());
        for formula in formulas {
            if context.options.domain == Domain::Explicit {
                let symbols = context.store.symbols_of(&[*formula]);
                let named = context
                    .variables
                    .iter()
                    .filter(|id| symbols.contains(&context.system.variables[**id].symbol));
                self.variables.extend(named.copied());
                continue;
            }
            let parts: Vec<TermId> = match context.options.split {
                PredicateSplit::Whole => vec![*formula],
                PredicateSplit::Conjuncts => context.store.conjuncts(*formula),
                PredicateSplit::Atoms => context.store.atoms(*formula).into_iter().collect(),
            };
            for part in parts {
                let predicate = match context.store.term(part) {
                    Term::Apply(Operator::Not, inner) => inner[0],
                    Term::Constant(_) => continue,
                    _ => part,
                };
                if !self.predicates.contains(&predicate) {
                    self.predicates.push(predicate);
                }
            }
        }
        before != (self.variables.len(), self.predicates.len())
    }
}

/// The abstract initial states.
pub(super) fn initial_states(
    context: &mut Context<'_>,
    precision: &Precision,
) -> Result<Vec<AbstractState>, UnknownReason> {
    let environment: Vec<TermId> =
        context.system.variables.ids().map(|id| context.system.term_of(id)).collect();
    let (initial, system) = (context.system.initial, context.system);
    if context.options.domain == Domain::Explicit {
        let open: PartialState = vec![None; system.variables.len()];
        match context.executor.cases(open, initial, &mut context.watch) {
            Ok(outcomes) => {
                let states = outcomes.into_iter().map(|outcome| outcome.state).collect();
                return Ok(projected(context, precision, states));
            }
            Err(Stop::Exhausted(exhausted)) => return Err(exhausted.into()),
            Err(Stop::Open(_)) => {}
        }
    }
    image(context, precision, initial, &environment)
}

/// The abstract states after an edge.
pub(super) fn successors(
    context: &mut Context<'_>,
    precision: &Precision,
    state: &AbstractState,
    edge: ControlEdgeId,
) -> Result<Vec<AbstractState>, UnknownReason> {
    let system = context.system;
    if let AbstractState::Values(values) = state {
        let mut open: PartialState = vec![None; system.variables.len()];
        for (variable, value) in values {
            open[variable.index()] = Some(value.clone());
        }
        let statement = &system.edges[edge].statement;
        match context.executor.execute(open, &Rc::new(Vec::new()), statement, &mut context.watch, 0) {
            Ok(outcomes) => {
                let states = outcomes.into_iter().map(|outcome| outcome.state).collect();
                return Ok(projected(context, precision, states));
            }
            Err(Stop::Exhausted(exhausted)) => return Err(exhausted.into()),
            // What cannot be executed is given to the solver.
            Err(Stop::Open(_)) => {}
        }
    }
    let Some(encoded) = context.edge(edge) else { return Ok(Vec::new()) };
    let (constraint, environment) = (encoded.constraint, encoded.environment.clone());
    let before = state.formula(context);
    let formula = context.store.and(&[before, constraint]);
    image(context, precision, formula, &environment)
}

/// Whether a state may violate the property.
pub(super) fn may_violate(context: &mut Context<'_>, state: &AbstractState) -> Result<bool, UnknownReason> {
    let formula = state.formula(context);
    let violation = context.store.and(&[formula, context.bad]);
    match context.store.as_boolean(violation) {
        Some(value) => Ok(value),
        None => {
            let results = context.solver.check_many(&context.store, &[violation]);
            let results = results.map_err(|error| failure(context.budget, error))?;
            // What is not known may be.
            Ok(results.first() != Some(&CheckResult::Unsatisfiable))
        }
    }
}

/// Executed states as far as the precision sees them.
fn projected(context: &Context<'_>, precision: &Precision, states: Vec<PartialState>) -> Vec<AbstractState> {
    let seen: BTreeSet<BTreeMap<StateVariableId, Value>> = states
        .into_iter()
        .map(|state| {
            let tracked = precision.variables.iter();
            tracked.filter_map(|variable| Some((*variable, state[variable.index()].clone()?))).collect()
        })
        .collect();
    let most = context.options.most_successors;
    if most > 0 && seen.len() > most {
        return common(seen.into_iter()).into_iter().collect();
    }
    seen.into_iter().map(AbstractState::Values).collect()
}

/// What is the same in all of some states.
fn common(mut states: impl Iterator<Item = BTreeMap<StateVariableId, Value>>) -> Option<AbstractState> {
    let mut shared = states.next()?;
    for state in states {
        shared.retain(|variable, value| state.get(variable) == Some(value));
    }
    Some(AbstractState::Values(shared))
}

/// The abstract states for values that satisfy a formula.
fn image(
    context: &mut Context<'_>,
    precision: &Precision,
    formula: TermId,
    environment: &[TermId],
) -> Result<Vec<AbstractState>, UnknownReason> {
    if context.store.as_boolean(formula) == Some(false) {
        return Ok(Vec::new());
    }
    context.solver.push();
    context.solver.assert(&context.store, formula);
    let result = match context.options.domain {
        Domain::Explicit => values_after(context, precision, environment),
        Domain::PredicateCartesian => cartesian(context, precision, environment),
        Domain::PredicateBoolean | Domain::PredicateSplit => combinations(context, precision, environment),
    };
    context.solver.pop();
    result
}

fn cartesian(
    context: &mut Context<'_>,
    precision: &Precision,
    environment: &[TermId],
) -> Result<Vec<AbstractState>, UnknownReason> {
    let mut cube = Cube::new();
    let mut questions = vec![context.store.truth(true)];
    let mut asked = Vec::new();
    for predicate in &precision.predicates {
        let after = context.instance(*predicate, environment);
        match context.store.as_boolean(after) {
            Some(value) => {
                cube.insert(*predicate, value);
            }
            None => {
                asked.push(*predicate);
                questions.push(context.store.not(after));
                questions.push(after);
            }
        }
    }
    let results = context.solver.check_many(&context.store, &questions);
    let results = results.map_err(|error| failure(context.budget, error))?;
    let Some((possible, results)) = results.split_first() else { return Ok(Vec::new()) };
    if *possible == CheckResult::Unsatisfiable {
        return Ok(Vec::new());
    }
    for (predicate, answers) in asked.into_iter().zip(results.chunks(2)) {
        match answers {
            [CheckResult::Unsatisfiable, _] => {
                cube.insert(predicate, true);
            }
            [_, CheckResult::Unsatisfiable] => {
                cube.insert(predicate, false);
            }
            _ => {}
        }
    }
    Ok(vec![AbstractState::Cubes(vec![cube])])
}

/// All combinations of predicates that are possible.
fn combinations(
    context: &mut Context<'_>,
    precision: &Precision,
    environment: &[TermId],
) -> Result<Vec<AbstractState>, UnknownReason> {
    let mut symbols: Vec<(TermId, SymbolId)> = Vec::new();
    for predicate in &precision.predicates {
        let after = context.instance(*predicate, environment);
        let store = &mut context.store;
        let symbol = *context
            .activations
            .entry(*predicate)
            .or_insert_with(|| store.add_symbol("predicate", Sort::Boolean));
        let symbol_term = context.store.symbol(symbol);
        let equal = context.store.equal(symbol_term, after);
        context.solver.assert(&context.store, equal);
        symbols.push((*predicate, symbol));
    }
    let only: Vec<SymbolId> = symbols.iter().map(|(_, symbol)| *symbol).collect();
    let mut cubes: Vec<Cube> = Vec::new();
    while is_satisfiable(context.budget, context.solver.check(&context.store, &[]))? {
        context.watch.check(0)?;
        let model = context.solver.model(&mut context.store, &only);
        let model = model.map_err(|error| failure(context.budget, error))?;
        let mut cube = Cube::new();
        let mut others = Vec::new();
        for (predicate, symbol) in &symbols {
            let value = model.get(symbol).and_then(Value::as_boolean).unwrap_or(false);
            cube.insert(*predicate, value);
            let term = context.store.symbol(*symbol);
            others.push(if value { context.store.not(term) } else { term });
        }
        cubes.push(cube);
        let other = context.store.or(&others);
        context.solver.assert(&context.store, other);
    }
    if cubes.is_empty() {
        return Ok(Vec::new());
    }
    cubes.sort();
    Ok(if context.options.domain == Domain::PredicateBoolean {
        vec![AbstractState::Cubes(cubes)]
    } else {
        cubes.into_iter().map(|cube| AbstractState::Cubes(vec![cube])).collect()
    })
}

/// All values of the tracked variables, or, if they are too many, those that are sure.
fn values_after(
    context: &mut Context<'_>,
    precision: &Precision,
    environment: &[TermId],
) -> Result<Vec<AbstractState>, UnknownReason> {
    let mut tracked: Vec<(StateVariableId, SymbolId)> = Vec::new();
    for variable in &precision.variables {
        let after = environment[variable.index()];
        let sort = context.store.sort(after).clone();
        let symbol = context.store.add_symbol("value", sort);
        let symbol_term = context.store.symbol(symbol);
        let equal = context.store.equal(symbol_term, after);
        context.solver.assert(&context.store, equal);
        tracked.push((*variable, symbol));
    }
    let only: Vec<SymbolId> = tracked.iter().map(|(_, symbol)| *symbol).collect();
    let mut found: Vec<BTreeMap<StateVariableId, Value>> = Vec::new();
    let most = context.options.most_successors;
    context.solver.push();
    let mut are_all = true;
    let outcome = loop {
        match is_satisfiable(context.budget, context.solver.check(&context.store, &[])) {
            Ok(true) => {}
            Ok(false) => break Ok(()),
            Err(reason) => break Err(reason),
        }
        if most > 0 && found.len() >= most {
            are_all = false;
            break Ok(());
        }
        if let Err(exhausted) = context.watch.check(0) {
            break Err(exhausted.into());
        }
        let model = match context.solver.model(&mut context.store, &only) {
            Ok(model) => model,
            Err(error) => break Err(failure(context.budget, error)),
        };
        let mut state = BTreeMap::new();
        let mut others = Vec::new();
        for (variable, symbol) in &tracked {
            let value = model.get(symbol).cloned();
            let value = value
                .unwrap_or_else(|| Value::default_of(&context.store, context.store.symbol_sort(*symbol)));
            let (term, constant) = (context.store.symbol(*symbol), context.store.constant(value.clone()));
            let equal = context.store.equal(term, constant);
            others.push(context.store.not(equal));
            state.insert(*variable, value);
        }
        found.push(state);
        let other = context.store.or(&others);
        context.solver.assert(&context.store, other);
    };
    context.solver.pop();
    outcome?;
    if are_all {
        found.sort();
        return Ok(found.into_iter().map(AbstractState::Values).collect());
    }
    let Some(AbstractState::Values(candidates)) = common(found.into_iter()) else { return Ok(Vec::new()) };
    // What was the same in those that were found need not be the same in all.
    let mut questions = Vec::new();
    for (variable, symbol) in &tracked {
        if let Some(value) = candidates.get(variable) {
            let (term, constant) = (context.store.symbol(*symbol), context.store.constant(value.clone()));
            let equal = context.store.equal(term, constant);
            questions.push(context.store.not(equal));
        }
    }
    let results = context.solver.check_many(&context.store, &questions);
    let results = results.map_err(|error| failure(context.budget, error))?;
    let sure = candidates
        .into_iter()
        .zip(results)
        .filter(|(_, result)| *result == CheckResult::Unsatisfiable)
        .map(|(entry, _)| entry)
        .collect();
    Ok(vec![AbstractState::Values(sure)])
}
