//! Interpolants as strongest postconditions or weakest preconditions along an infeasible path.
//!
//! An unsatisfiable core yields the steps of the path that contradict each other; the others are dropped, so that the
//! formulas contain only the relevant facts. See D. Dietsch, M. Heizmann, B. Musa, A. Nutz, A. Podelski: Craig vs.
//! Newton in software model checking, ESEC/FSE 2017. Forwards, the formula at a state is implied by the steps so far;
//! backwards, it states that the remaining steps are impossible. Both need only checks and cores from the solver, so
//! they work for every sort.
//!
//! Invariant: if a projection is inexact, the solver has proved that the result still contradicts the other side;
//! otherwise this method has no interpolants.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use tempora_evidence::UnknownReason;
use tempora_model::Id;
use tempora_smt::{CheckResult, Solver, SymbolId, TermId};

use super::blocks::BlockId;
use super::context::Context;
use super::project::project;
use super::{Direction, Newton};
use crate::solving::{failure, is_satisfiable};

/// Formulas with more operators than this, or nested deeper, are useless as predicates.
const LARGEST: u64 = 20_000;
const DEEPEST: u32 = 200;

/// A core with more parts than this is used as is; a smaller one is tried without each of them.
const MAX_TRIED: usize = 60;

/// A path as formulas over its states, each of which has its own symbols.
struct EncodedPath {
    /// For each state, the symbol of each tracked variable.
    points: Vec<Vec<SymbolId>>,
    /// The constraints on the first state, on each step, and on the last state.
    parts: Vec<Vec<TermId>>,
}

/// Returns a formula for each state of an infeasible path; `None` if projection fails.
pub(super) fn interpolants(
    context: &mut Context<'_>,
    path: &[BlockId],
    newton: Newton,
) -> Result<Option<Vec<TermId>>, UnknownReason> {
    let mut encoded = encode_path(context, path);
    if newton.forgets {
        let core = core(context, &encoded)?;
        for part in &mut encoded.parts {
            part.retain(|piece| core.contains(piece));
        }
    }
    let last = encoded.points.len() - 1;
    let mut found = vec![context.store.truth(true); encoded.points.len()];
    let mut now = context.store.truth(true);
    for distance in 0..=last {
        context.watch.check(0)?;
        // States and parts correspond symmetrically in both directions.
        let (state, part) = match newton.direction {
            Direction::Forwards => (distance, distance),
            Direction::Backwards => (last - distance, last + 1 - distance),
        };
        let others: Vec<TermId> = match newton.direction {
            Direction::Forwards => encoded.parts[part + 1..].concat(),
            Direction::Backwards => encoded.parts[..part].concat(),
        };
        let mut kept: BTreeSet<SymbolId> = encoded.points[state].iter().copied().collect();
        if newton.keeps_live_only {
            let needed = context.store.symbols_of(&others);
            kept.retain(|symbol| needed.contains(symbol));
        }
        let mut pieces = encoded.parts[part].clone();
        pieces.push(now);
        let projection = project(&mut context.store, &pieces, |symbol| kept.contains(&symbol));
        now = projection.formula;
        if context.store.written_size(now) > LARGEST || context.store.depth(now) > DEEPEST {
            return Ok(None);
        }
        if !projection.is_exact {
            let claim = context.store.and(&[&[now], others.as_slice()].concat());
            let result = context.solver.check(&context.store, &[claim]);
            if result.map_err(|error| failure(context.budget, error))? != CheckResult::Unsatisfiable {
                return Ok(None);
            }
        }
        let plain: BTreeMap<SymbolId, TermId> = encoded.points[state]
            .iter()
            .zip(&context.variables)
            .map(|(symbol, variable)| (*symbol, context.system.term_of(*variable)))
            .collect();
        let formula = context.store.substitute(now, &plain);
        found[state] = match newton.direction {
            Direction::Forwards => formula,
            Direction::Backwards => context.store.not(formula),
        };
    }
    Ok(Some(found))
}

/// Encodes the path along some blocks from an initial state to a violation.
fn encode_path(context: &mut Context<'_>, path: &[BlockId]) -> EncodedPath {
    let mut points: Vec<Vec<SymbolId>> = Vec::with_capacity(path.len() + 1);
    for _ in 0..=path.len() {
        let own = context.variables.iter().map(|variable| {
            let variable = &context.system.variables[*variable];
            let sort = context.store.symbol_sort(variable.symbol).clone();
            context.store.add_symbol(variable.name.clone(), sort)
        });
        points.push(own.collect());
    }
    let own: Vec<SymbolId> =
        context.variables.iter().map(|variable| context.system.variables[*variable].symbol).collect();
    let at = |context: &Context<'_>, point: &[SymbolId]| -> BTreeMap<SymbolId, TermId> {
        own.iter().copied().zip(point.iter().map(|symbol| context.store.symbol(*symbol))).collect()
    };
    let first = at(context, &points[0]);
    let initial = context.store.substitute(context.system.initial, &first);
    let mut parts = vec![context.store.conjuncts(initial)];
    for (position, block) in path.iter().enumerate() {
        let encoded = &context.encoded[block.0];
        let constraint = encoded.constraint;
        let after: Vec<TermId> =
            context.variables.iter().map(|variable| encoded.environment[variable.index()]).collect();
        let mut here = at(context, &points[position]);
        // Each step has its own fresh symbols for values left open.
        let mut terms = after.clone();
        terms.push(constraint);
        for symbol in context.store.symbols_of(&terms) {
            if let Entry::Vacant(open) = here.entry(symbol) {
                let (name, sort) = (context.store.symbol_name(symbol), context.store.symbol_sort(symbol));
                let (name, sort) = (name.to_owned(), sort.clone());
                let fresh = context.store.add_symbol(name, sort);
                open.insert(context.store.symbol(fresh));
            }
        }
        let constraint = context.store.substitute(constraint, &here);
        let mut pieces = context.store.conjuncts(constraint);
        for (symbol, value) in points[position + 1].iter().zip(after) {
            let value = context.store.substitute(value, &here);
            let symbol = context.store.symbol(*symbol);
            pieces.push(context.store.equal(symbol, value));
        }
        parts.push(pieces);
    }
    let there = at(context, &points[path.len()]);
    let bad = context.store.substitute(context.bad, &there);
    parts.push(context.store.conjuncts(bad));
    EncodedPath { points, parts }
}

/// Returns parts of a path that contradict each other, reduced within a small effort.
fn core(context: &mut Context<'_>, encoded: &EncodedPath) -> Result<BTreeSet<TermId>, UnknownReason> {
    let mut core: Vec<TermId> = encoded.parts.iter().flatten().copied().collect();
    core.sort_unstable();
    core.dedup();
    let mut tried = 0;
    loop {
        if is_satisfiable(context.budget, context.solver.check(&context.store, &core))? {
            let why = "the solver contradicts itself about a counterexample";
            return Err(UnknownReason::EngineBug(why.to_owned()));
        }
        let smaller = context.solver.unsat_core().map_err(|error| failure(context.budget, error))?;
        core.retain(|piece| smaller.contains(piece));
        if core.len() > MAX_TRIED {
            break;
        }
        // Whether the next part is needed.
        let mut is_smaller = false;
        while tried < core.len() {
            context.watch.check(0)?;
            let mut without = core.clone();
            without.remove(tried);
            if is_satisfiable(context.budget, context.solver.check(&context.store, &without))? {
                tried += 1;
            } else {
                core = without;
                is_smaller = true;
                break;
            }
        }
        if !is_smaller {
            break;
        }
    }
    Ok(core.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use tempora_evidence::{Budget, Progress};
    use tempora_source::{Files, Origins};

    use super::super::blocks::{BlockId, blocks};
    use super::super::refine::verify;
    use super::super::{BlockEncoding, CegarOptions, Context};
    use super::*;
    use crate::solving::SolverOptions;

    /// Systems with an infeasible path, given by its blocks.
    const INFEASIBLE_PATHS: [(&str, &str, &[usize]); 5] = [
        (
            "counters that grow together",
            "(var x Int) (var y Int) (location a) (initial a (and (= x 0) (= y x)))
             (edge a a step (do (set x (+ x 1)) (set y (+ y 1)))) (property \"\" everywhere (= x y))",
            &[0, 0, 0],
        ),
        (
            "any number above another",
            "(var x Int) (var y Int) (location a) (initial a (<= 0 x))
             (edge a a step (do (havoc y) (assume (< x y)) (set x y))) (property \"\" everywhere (<= 0 x))",
            &[0, 0],
        ),
        (
            "a choice, and one irrelevant variable",
            "(var x Int) (var y Int) (var z Int) (location a) (initial a (and (= x 0) (= y 0) (= z 0)))
             (edge a a step (do (choose (set x 1) (do (assume (= y 0)) (set x 2))) (set z (+ z x))))
             (property \"\" everywhere (<= x 2))",
            &[0, 0],
        ),
        (
            "clocks",
            "(var x Real clock) (var y Real clock) (location a) (initial a (and (= x 0.0) (= y 0.0)))
             (delay a (<= x 3.0)) (edge a a step (do (assume (<= 2.0 x)) (set x 0.0)))
             (property \"\" everywhere (<= x y))",
            &[0, 1, 0],
        ),
        (
            "bit vectors, for which no solver solves Horn clauses",
            "(var x (_ BitVec 8)) (var y (_ BitVec 8)) (location a) (initial a (= x y))
             (edge a a step (do (set x (bvadd x #x03)) (set y (bvadd y #x03)))) (property \"\" everywhere (= x y))",
            &[0, 0],
        ),
    ];

    #[test]
    fn every_newton_variant_gives_interpolants() {
        for (what, text, path) in INFEASIBLE_PATHS {
            let file = Files::new().add("test.sym", text).unwrap();
            let mut origins = Origins::new();
            let system = tempora_transition::read_system(file, text, &mut origins).unwrap();
            assert_eq!(tempora_transition::validate_system(&system), []);
            let claim = &system.properties[0];
            let blocks = blocks(&system, claim, BlockEncoding::Single);
            let (budget, progress) = (Budget::unlimited(), Progress::default());
            let options = CegarOptions::default();
            let solver = SolverOptions::default();
            let mut context =
                Context::new(&system, claim, &blocks, options, &solver, &budget, &progress).unwrap();
            let path: Vec<BlockId> = path.iter().map(|block| BlockId(*block)).collect();
            for newton in Newton::ALL {
                let found = interpolants(&mut context, &path, newton).unwrap();
                let found = found.unwrap_or_else(|| panic!("{what}: {newton:?} finds nothing"));
                assert_eq!(verify(&mut context, &path, &found), Ok(()), "{what}: {newton:?}");
                let mentioned = context.store.symbols_of(&found);
                let name = |symbol: &SymbolId| context.store.symbol_name(*symbol).to_owned();
                let mentioned: BTreeSet<String> = mentioned.iter().map(name).collect();
                // Without irrelevant steps, irrelevant variables do not occur.
                assert!(
                    !newton.forgets || !mentioned.contains("z"),
                    "{what}: {newton:?} mentions {mentioned:?}"
                );
            }
        }
    }
}
