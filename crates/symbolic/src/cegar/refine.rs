//! Whether an abstract counterexample is one of the system, and what is learnt if it is not.
//!
//! Invariant: the formulas that are learnt are an interpolant sequence: the first follows from the initial states, each
//! and its step imply the next, and the last contradicts a violation. Or they are the parts of the way that contradict
//! each other.

use tempora_evidence::{Phase, SymbolicTrace, UnknownReason};
use tempora_model::ControlEdgeId;
use tempora_smt::{HornClause, HornResult, RelationId, Solver, SymbolId, TermId};

use super::RefinementStrategy;
use super::context::Context;
use crate::solving::{failure, is_satisfiable};
use crate::unroll::Unrolling;

pub(super) enum Refinement {
    /// It is a counterexample.
    Feasible(SymbolicTrace),
    /// It is none.
    Spurious {
        /// Formulas over the variables that tell it apart.
        lessons: Vec<TermId>,
        /// The first state on the way that is too coarse.
        first: usize,
    },
}

/// Checks the way along some edges from an initial state to a violation.
pub(super) fn check(context: &mut Context<'_>, path: &[ControlEdgeId]) -> Result<Refinement, UnknownReason> {
    context.watch.check(0)?;
    let (mut run, begin) = Unrolling::from_start(context.system, &mut context.store);
    let mut pieces = context.store.conjuncts(begin);
    for edge in path {
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
                // Where on the way the variables matter is not said, so nothing is kept.
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

/// A formula for each state on a way that is impossible, from a chain of Horn clauses.
fn interpolants(context: &mut Context<'_>, path: &[ControlEdgeId]) -> Result<Refinement, UnknownReason> {
    let symbols: Vec<SymbolId> =
        context.variables.iter().map(|variable| context.system.variables[*variable].symbol).collect();
    let plain: Vec<TermId> = symbols.iter().map(|symbol| context.store.symbol(*symbol)).collect();
    let mut clauses = vec![HornClause {
        body: None,
        constraint: context.system.initial,
        head: Some((RelationId(0), plain.clone())),
    }];
    for (position, edge) in path.iter().enumerate() {
        let Some(encoded) = context.edge(*edge) else { continue };
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
    let result = context.solver.solve_horn(&mut context.store, &relations, &clauses);
    match result.map_err(|error| failure(context.budget, error))? {
        HornResult::Solved(formulas) => {
            let is_open = |formula: &TermId| context.store.as_boolean(*formula) != Some(true);
            let first = formulas.iter().position(is_open).unwrap_or(0);
            let lessons = formulas.into_iter().filter(is_open).collect();
            Ok(Refinement::Spurious { lessons, first })
        }
        HornResult::Refuted => {
            let why = "the solver contradicts itself about a counterexample";
            Err(UnknownReason::EngineBug(why.to_owned()))
        }
        HornResult::Unknown(why) => {
            Err(UnknownReason::Unsupported(format!("no interpolants were found: {why}")))
        }
    }
}
