//! Checks abstract counterexamples, and derives refinements from spurious ones.
//!
//! Invariant: the derived formulas are an interpolant sequence: the first follows from the initial states, each of them
//! and its step imply the next, and the last contradicts a violation. Or they are the parts of the path that contradict
//! each other.

use tempora_evidence::{Phase, SymbolicTrace, UnknownReason};
use tempora_smt::{CheckResult, HornClause, HornResult, RelationId, Solver, SolverError, SymbolId, TermId};

use super::blocks::BlockId;
use super::context::Context;
use super::{Direction, Newton, RefinementStrategy, newton};
use crate::solving::{failure, is_satisfiable};
use crate::unroll::Unrolling;

pub(super) enum Refinement {
    /// It is a counterexample of the system.
    Feasible(SymbolicTrace),
    /// It is spurious.
    Spurious {
        /// Formulas over the variables that exclude it.
        lessons: Vec<TermId>,
        /// The first state on the path that is too coarse.
        first: usize,
    },
}

/// Checks the path along some blocks from an initial state to a violation.
pub(super) fn check(context: &mut Context<'_>, path: &[BlockId]) -> Result<Refinement, UnknownReason> {
    context.may_go_on(0)?;
    context.watch.check_memory()?;
    let (mut run, begin) = Unrolling::from_start(context.system, &mut context.store);
    let mut pieces = context.store.conjuncts(begin);
    for edge in path.iter().flat_map(|block| &context.blocks[block.0].edges) {
        let step = run.step_along(&mut context.store, Some(*edge));
        pieces.extend(step.map_err(UnknownReason::Unsupported)?);
    }
    pieces.push(run.violation(&mut context.store, context.claim));
    let wants_core = context.options.refinement == RefinementStrategy::UnsatCore;
    context.solver.push();
    if !wants_core {
        for piece in &pieces {
            context.solver.assert(&context.store, *piece);
        }
    }
    let assumptions: &[TermId] = if wants_core { &pieces } else { &[] };
    let result = is_satisfiable(context.budget, context.solver.check(&context.store, assumptions));
    let outcome = match result {
        Err(reason) => Err(reason),
        Ok(true) => {
            context.progress.enter(Phase::Concretising);
            let symbols = run.symbols(&context.store);
            let model = context.solver.model(&mut context.store, &symbols);
            model
                .map(|model| Refinement::Feasible(run.trace(&context.store, &model)))
                .map_err(|error| failure(context.budget, error))
        }
        Ok(false) if wants_core => context
            .solver
            .unsat_core()
            .map(|core| {
                let owners = run.owners(&context.store);
                let symbols = context.store.symbols_of(&core);
                let variables = symbols.iter().filter_map(|symbol| owners.get(symbol));
                let lessons = variables.map(|variable| context.system.term_of(*variable)).collect();
                // The variables are not tied to a position of the path, so nothing is kept.
                Refinement::Spurious { lessons, first: 0 }
            })
            .map_err(|error| failure(context.budget, error)),
        Ok(false) => Ok(Refinement::Spurious { lessons: Vec::new(), first: 0 }),
    };
    context.solver.pop();
    match outcome? {
        Refinement::Spurious { .. } if !wants_core => interpolants(context, path),
        other => Ok(other),
    }
}

/// Returns a formula for each state of an infeasible path.
fn interpolants(context: &mut Context<'_>, path: &[BlockId]) -> Result<Refinement, UnknownReason> {
    let formulas = match context.options.refinement {
        RefinementStrategy::Newton(newton) => match newton::interpolants(context, path, newton)? {
            Some(formulas) => formulas,
            None => horn_interpolants(context, path)?.map_err(UnknownReason::Unsupported)?,
        },
        RefinementStrategy::SequenceInterpolants | RefinementStrategy::UnsatCore => {
            match horn_interpolants(context, path)? {
                Ok(formulas) => formulas,
                // For some sorts, such as bit vectors, the solver does not solve Horn clauses.
                Err(why) => newton::interpolants(context, path, WITHOUT_CLAUSES)?
                    .ok_or(UnknownReason::Unsupported(why))?,
            }
        }
    };
    if context.options.verifies_interpolants {
        verify(context, path, &formulas)?;
    }
    let is_open = |formula: &TermId| context.store.as_boolean(*formula) != Some(true);
    let first = formulas.iter().position(is_open).unwrap_or(0);
    let lessons = formulas.into_iter().filter(is_open).collect();
    Ok(Refinement::Spurious { lessons, first })
}

/// The method for problems without Horn clauses.
const WITHOUT_CLAUSES: Newton =
    Newton { direction: Direction::Backwards, forgets: true, keeps_live_only: true };

/// Returns a formula for each state of an infeasible path from a chain of Horn clauses, or why there is none.
fn horn_interpolants(
    context: &mut Context<'_>,
    path: &[BlockId],
) -> Result<Result<Vec<TermId>, String>, UnknownReason> {
    if !context.solver.capabilities().horn_clauses {
        return Ok(Err("the solver does not support Horn clauses".to_owned()));
    }
    let symbols: Vec<SymbolId> =
        context.variables.iter().map(|variable| context.system.variables[*variable].symbol).collect();
    let plain: Vec<TermId> = symbols.iter().map(|symbol| context.store.symbol(*symbol)).collect();
    let mut clauses = vec![HornClause {
        body: None,
        constraint: context.system.initial,
        head: Some((RelationId(0), plain.clone())),
    }];
    for (position, block) in path.iter().enumerate() {
        let encoded = &context.encoded[block.0];
        let after = context.variables.iter();
        let after = after.map(|variable| encoded.environment[tempora_model::Id::index(*variable)]).collect();
        clauses.push(HornClause {
            body: Some((RelationId(position), plain.clone())),
            constraint: encoded.constraint,
            head: Some((RelationId(position + 1), after)),
        });
    }
    clauses.push(HornClause {
        body: Some((RelationId(path.len()), plain)),
        constraint: context.bad,
        head: None,
    });
    let relations = vec![symbols; path.len() + 1];
    let result = match context.solver.solve_horn(&mut context.store, &relations, &clauses) {
        // The solver rejects clauses about some sorts, such as floating point numbers.
        Err(SolverError::Broken(why)) => return Ok(Err(format!("no interpolants found: {why}"))),
        result => result.map_err(|error| failure(context.budget, error))?,
    };
    match result {
        HornResult::Solved(formulas) => Ok(Ok(formulas)),
        HornResult::Refuted => {
            let why = "the solver contradicts itself about a counterexample";
            Err(UnknownReason::EngineBug(why.to_owned()))
        }
        HornResult::Unknown(why) => Ok(Err(format!("no interpolants found: {why}"))),
    }
}

/// Checks that formulas are an interpolant sequence: each obligation is one check of the solver.
pub(super) fn verify(
    context: &mut Context<'_>,
    path: &[BlockId],
    formulas: &[TermId],
) -> Result<(), UnknownReason> {
    let wrong = |what: String| Err(UnknownReason::EngineBug(format!("{what} is not an interpolant")));
    let (Some(first), Some(last)) = (formulas.first(), formulas.last()) else {
        return wrong("nothing".to_owned());
    };
    let outside = context.store.not(*first);
    let mut obligations = vec![context.store.and(&[context.system.initial, outside])];
    for (position, block) in path.iter().enumerate() {
        let encoded = &context.encoded[block.0];
        let (constraint, environment) = (encoded.constraint, encoded.environment.clone());
        let after = context.instance(formulas[position + 1], &environment);
        let outside = context.store.not(after);
        obligations.push(context.store.and(&[formulas[position], constraint, outside]));
    }
    obligations.push(context.store.and(&[*last, context.bad]));
    let results = context.solver.check_many(&context.store, &obligations);
    let results = results.map_err(|error| failure(context.budget, error))?;
    match results.iter().position(|result| *result != CheckResult::Unsatisfiable) {
        Some(position) => wrong(format!("formula {position} of {}", formulas.len())),
        None => Ok(()),
    }
}
