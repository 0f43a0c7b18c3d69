//! Computes abstract initial states and abstract successors.
//!
//! Invariant: the abstract states together represent at least the concrete states reachable in this way.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use tempora_evidence::UnknownReason;
use tempora_model::Id;
use tempora_smt::{CheckResult, Solver, Sort, SymbolId, TermId, Value};
use tempora_transition::StateVariableId;

use super::blocks::BlockId;
use super::context::Context;
use super::domain::{AbstractState, Cube, Precision, Values};
use super::{Domain, PredicateKind};
use crate::explicit::{ExecutionAbort, PartialState};
use crate::solving::{failure, is_satisfiable};

/// Returns the abstract initial states.
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
            Err(ExecutionAbort::Exhausted(exhausted)) => return Err(exhausted.into()),
            Err(ExecutionAbort::Open(_)) => {}
        }
    }
    image(context, precision, initial, &environment)
}

/// Returns the abstract successors of a block.
pub(super) fn successors(
    context: &mut Context<'_>,
    precision: &Precision,
    state: &AbstractState,
    block: BlockId,
) -> Result<Vec<AbstractState>, UnknownReason> {
    let system = context.system;
    if context.options.domain == Domain::Explicit {
        let mut open: PartialState = vec![None; system.variables.len()];
        for (variable, value) in &state.values {
            open[variable.index()] = Some(value.clone());
        }
        let statement = &context.blocks[block.0].statement;
        match context.executor.execute(open, &Rc::new(Vec::new()), statement, &mut context.watch, 0) {
            Ok(outcomes) => {
                let states = outcomes.into_iter().map(|outcome| outcome.state).collect();
                return Ok(projected(context, precision, states));
            }
            Err(ExecutionAbort::Exhausted(exhausted)) => return Err(exhausted.into()),
            // The solver handles statements that cannot be executed.
            Err(ExecutionAbort::Open(_)) => {}
        }
    }
    let encoded = &context.encoded[block.0];
    let (constraint, mut environment) = (encoded.constraint, encoded.environment.clone());
    let before = state.formula(context);
    let mut formula = context.store.and(&[before, constraint]);
    if !state.values.is_empty() {
        // Known values decide much without a solver.
        let mut replacement: BTreeMap<SymbolId, TermId> = BTreeMap::new();
        for (variable, value) in &state.values {
            replacement.insert(system.variables[*variable].symbol, context.store.constant(value.clone()));
        }
        let mut done = HashMap::new();
        formula = context.store.substitute_with(formula, &replacement, &mut done);
        for term in &mut environment {
            *term = context.store.substitute_with(*term, &replacement, &mut done);
        }
    }
    image(context, precision, formula, &environment)
}

/// Returns whether a state may violate the property.
pub(super) fn may_violate(context: &mut Context<'_>, state: &AbstractState) -> Result<bool, UnknownReason> {
    let formula = state.formula(context);
    let violation = context.store.and(&[formula, context.bad]);
    match context.store.as_boolean(violation) {
        Some(value) => Ok(value),
        None => {
            let results = context.solver.check_many(&context.store, &[violation]);
            let results = results.map_err(|error| failure(context.budget, error))?;
            // An unknown result counts as a violation.
            Ok(results.first() != Some(&CheckResult::Unsatisfiable))
        }
    }
}

/// Projects executed states to the precision.
fn projected(context: &Context<'_>, precision: &Precision, states: Vec<PartialState>) -> Vec<AbstractState> {
    let seen: BTreeSet<Values> = states
        .into_iter()
        .map(|state| {
            let tracked = precision.variables.iter();
            tracked.filter_map(|variable| Some((*variable, state[variable.index()].clone()?))).collect()
        })
        .collect();
    let most = context.options.most_successors;
    if most > 0 && seen.len() > most {
        return common(seen.into_iter()).map(AbstractState::of_values).into_iter().collect();
    }
    seen.into_iter().map(AbstractState::of_values).collect()
}

/// Returns the values that all of some states share.
fn common(mut states: impl Iterator<Item = Values>) -> Option<Values> {
    let mut shared = states.next()?;
    for state in states {
        shared.retain(|variable, value| state.get(variable) == Some(value));
    }
    Some(shared)
}

/// Returns the abstract states of the values that satisfy a formula.
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
    let result = match (context.options.domain, context.options.domain.predicates()) {
        (Domain::CombinedProduct, _) => both_after(context, precision, environment),
        (_, None) => values_after(context, precision, environment)
            .map(|found| found.into_iter().map(AbstractState::of_values).collect()),
        (Domain::Predicates(_), Some(kind)) => {
            cubes_after(context, precision, environment, kind).map(|found| with_values(&Values::new(), found))
        }
        (_, Some(kind)) => product_after(context, precision, environment, kind),
    };
    context.solver.pop();
    result
}

/// Combines the same values with each of some disjunctions of combinations.
fn with_values(values: &Values, disjunctions: Vec<Vec<Cube>>) -> Vec<AbstractState> {
    disjunctions.into_iter().map(|cubes| AbstractState { values: values.clone(), cubes }).collect()
}

/// Returns the values of the tracked variables, with the predicates known for each of them.
fn product_after(
    context: &mut Context<'_>,
    precision: &Precision,
    environment: &[TermId],
    kind: PredicateKind,
) -> Result<Vec<AbstractState>, UnknownReason> {
    let mut states = Vec::new();
    for values in values_after(context, precision, environment)? {
        context.solver.push();
        for (variable, value) in &values {
            let constant = context.store.constant(value.clone());
            let equal = context.store.equal(environment[variable.index()], constant);
            context.solver.assert(&context.store, equal);
        }
        let found = cubes_after(context, precision, environment, kind);
        context.solver.pop();
        states.extend(with_values(&values, found?));
    }
    Ok(states)
}

/// Returns the combinations of predicates after a step; each list is one state.
fn cubes_after(
    context: &mut Context<'_>,
    precision: &Precision,
    environment: &[TermId],
    kind: PredicateKind,
) -> Result<Vec<Vec<Cube>>, UnknownReason> {
    if kind == PredicateKind::Cartesian {
        return cartesian(context, precision, environment);
    }
    let observed = observe_predicates(context, precision, environment);
    let mut cubes: Vec<Cube> = Vec::new();
    each_model(context, &observed.iter().map(|(_, symbol)| *symbol).collect::<Vec<_>>(), |model| {
        cubes.push(cube_of(&observed, model));
    })?;
    cubes.sort();
    Ok(match kind {
        _ if cubes.is_empty() => Vec::new(),
        PredicateKind::Boolean => vec![cubes],
        _ => cubes.into_iter().map(|cube| vec![cube]).collect(),
    })
}

fn cartesian(
    context: &mut Context<'_>,
    precision: &Precision,
    environment: &[TermId],
) -> Result<Vec<Vec<Cube>>, UnknownReason> {
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
    Ok(vec![vec![cube]])
}

/// Asserts a symbol for each predicate, equivalent to the predicate after the step.
fn observe_predicates(
    context: &mut Context<'_>,
    precision: &Precision,
    environment: &[TermId],
) -> Vec<(TermId, SymbolId)> {
    let mut observed = Vec::new();
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
        observed.push((*predicate, symbol));
    }
    observed
}

/// Asserts a symbol for each tracked variable, equal to its value after the step, and separates the variables with
/// constant values.
fn observe_values(
    context: &mut Context<'_>,
    precision: &Precision,
    environment: &[TermId],
) -> (Values, Vec<(StateVariableId, SymbolId)>) {
    let (mut plain, mut observed) = (Values::new(), Vec::new());
    for variable in &precision.variables {
        let after = environment[variable.index()];
        if let Some(value) = context.store.as_value(after) {
            plain.insert(*variable, value.clone());
            continue;
        }
        let sort = context.store.sort(after).clone();
        let symbol = context.store.add_symbol("value", sort);
        let symbol_term = context.store.symbol(symbol);
        let equal = context.store.equal(symbol_term, after);
        context.solver.assert(&context.store, equal);
        observed.push((*variable, symbol));
    }
    (plain, observed)
}

fn cube_of(observed: &[(TermId, SymbolId)], model: &BTreeMap<SymbolId, Value>) -> Cube {
    let value = |symbol: &SymbolId| model.get(symbol).and_then(Value::as_boolean).unwrap_or(false);
    observed.iter().map(|(predicate, symbol)| (*predicate, value(symbol))).collect()
}

/// Enumerates the combinations of values of some symbols; assertions of the enumeration stay in the innermost scope.
fn each_model(
    context: &mut Context<'_>,
    symbols: &[SymbolId],
    mut visit: impl FnMut(&BTreeMap<SymbolId, Value>),
) -> Result<(), UnknownReason> {
    let mut count = 0;
    while is_satisfiable(context.budget, context.solver.check(&context.store, &[]))? {
        context.watch.check(count)?;
        count += 1;
        let model = next_model(context, symbols)?;
        visit(&model);
    }
    Ok(())
}

/// Returns values for some symbols and asserts that they have others.
fn next_model(
    context: &mut Context<'_>,
    symbols: &[SymbolId],
) -> Result<BTreeMap<SymbolId, Value>, UnknownReason> {
    let model = context.solver.model(&mut context.store, symbols);
    let mut model = model.map_err(|error| failure(context.budget, error))?;
    let mut others = Vec::new();
    for symbol in symbols {
        let default = || Value::default_of(&context.store, context.store.symbol_sort(*symbol));
        let value = model.get(symbol).cloned().unwrap_or_else(default);
        let (term, constant) = (context.store.symbol(*symbol), context.store.constant(value.clone()));
        let equal = context.store.equal(term, constant);
        others.push(context.store.not(equal));
        model.insert(*symbol, value);
    }
    let other = context.store.or(&others);
    context.solver.assert(&context.store, other);
    Ok(model)
}

/// Returns values and combinations of predicates together.
fn both_after(
    context: &mut Context<'_>,
    precision: &Precision,
    environment: &[TermId],
) -> Result<Vec<AbstractState>, UnknownReason> {
    let (plain, values) = observe_values(context, precision, environment);
    let predicates = observe_predicates(context, precision, environment);
    let symbols: Vec<SymbolId> = values
        .iter()
        .map(|(_, symbol)| *symbol)
        .chain(predicates.iter().map(|(_, symbol)| *symbol))
        .collect();
    let mut states = Vec::new();
    each_model(context, &symbols, |model| {
        let mut state = AbstractState { values: plain.clone(), cubes: vec![cube_of(&predicates, model)] };
        for (variable, symbol) in &values {
            if let Some(value) = model.get(symbol) {
                state.values.insert(*variable, value.clone());
            }
        }
        states.push(state);
    })?;
    states.sort();
    Ok(states)
}

/// Returns all values of the tracked variables or, if they are too many, those that are constant.
fn values_after(
    context: &mut Context<'_>,
    precision: &Precision,
    environment: &[TermId],
) -> Result<Vec<Values>, UnknownReason> {
    let (plain, tracked) = observe_values(context, precision, environment);
    let only: Vec<SymbolId> = tracked.iter().map(|(_, symbol)| *symbol).collect();
    let mut found: Vec<Values> = Vec::new();
    let most = context.options.most_successors;
    context.solver.push();
    let outcome = loop {
        match is_satisfiable(context.budget, context.solver.check(&context.store, &[])) {
            Ok(true) => {}
            Ok(false) => break Ok(true),
            Err(reason) => break Err(reason),
        }
        if most > 0 && found.len() >= most {
            break Ok(false);
        }
        if let Err(exhausted) = context.watch.check(found.len() as u64) {
            break Err(exhausted.into());
        }
        let model = match next_model(context, &only) {
            Ok(model) => model,
            Err(reason) => break Err(reason),
        };
        let mut state = plain.clone();
        for (variable, symbol) in &tracked {
            if let Some(value) = model.get(symbol) {
                state.insert(*variable, value.clone());
            }
        }
        found.push(state);
    };
    context.solver.pop();
    if outcome? {
        found.sort();
        return Ok(found);
    }
    let Some(candidates) = common(found.into_iter()) else { return Ok(Vec::new()) };
    // Values that all enumerated states share need not be shared by all states.
    let mut sure = plain;
    let mut questions = Vec::new();
    let mut asked = Vec::new();
    for (variable, symbol) in &tracked {
        if let Some(value) = candidates.get(variable) {
            let (term, constant) = (context.store.symbol(*symbol), context.store.constant(value.clone()));
            let equal = context.store.equal(term, constant);
            questions.push(context.store.not(equal));
            asked.push((*variable, value.clone()));
        }
    }
    let results = context.solver.check_many(&context.store, &questions);
    let results = results.map_err(|error| failure(context.budget, error))?;
    let proven = asked.into_iter().zip(results);
    let proven = proven.filter(|(_, result)| *result == CheckResult::Unsatisfiable);
    sure.extend(proven.map(|(entry, _)| entry));
    Ok(vec![sure])
}
