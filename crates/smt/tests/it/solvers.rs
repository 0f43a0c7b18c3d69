//! Solvers against the evaluator, and against each other.
//!
//! Invariant: models of solvers are evaluated here; unsatisfiability is compared with enumeration.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use tempora_smt::{
    CheckResult, EnumeratingSolver, HornClause, HornResult, Operator, RelationId, Solver, SolverError, Sort,
    TermId, TermStore, Value,
};

use crate::support::{Recipe, World, recipes, solver};

fn holds(store: &TermStore, formula: TermId, model: &tempora_smt::Model) -> bool {
    let value_of = |symbol: tempora_smt::SymbolId| {
        let default = || Value::default_of(store, store.symbol_sort(symbol));
        Some(model.get(&symbol).cloned().unwrap_or_else(default))
    };
    match store.evaluate(formula, &value_of) {
        Ok(value) => value == Some(Value::Boolean(true)),
        // The solver chose the value of a division by zero; there is nothing to compare with.
        Err(_) => true,
    }
}

#[test]
fn models_satisfy_formulas_and_agree_with_evaluator() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut world = World::new();
    let mut process = solver();
    let (mut satisfiable, mut unsatisfiable) = (0, 0);
    for _ in 0..150 {
        let recipe = recipes(5).new_tree(&mut runner).unwrap().current();
        let formula = world.make(&recipe, &Sort::Boolean, true);
        process.push();
        process.assert(&world.store, formula);
        process.set_deadline(Some(Instant::now() + Duration::from_secs(20)));
        match process.check(&world.store, &[]) {
            Ok(CheckResult::Satisfiable) => {
                satisfiable += 1;
                let symbols: Vec<_> = world.store.symbols_of(&[formula]).into_iter().collect();
                let model = process.model(&mut world.store, &symbols).unwrap();
                assert!(
                    holds(&world.store, formula, &model),
                    "{}",
                    tempora_smt::print_term(&world.store, formula)
                );
            }
            Ok(CheckResult::Unsatisfiable) => {
                unsatisfiable += 1;
                for seed in 0..60u8 {
                    let value_of = world.assignment(&[seed, seed / 3, seed / 7]);
                    let value = world.store.evaluate(formula, &value_of);
                    assert_ne!(value, Ok(Some(Value::Boolean(true))));
                }
            }
            Ok(CheckResult::Unknown(_)) | Err(SolverError::Timeout) => {}
            Err(error) => panic!("{error}: {}", tempora_smt::print_term(&world.store, formula)),
        }
        process.pop();
    }
    assert!(satisfiable > 20 && unsatisfiable > 2, "{satisfiable} and {unsatisfiable} are not balanced");
}

#[test]
fn solver_agrees_with_evaluator() {
    let mut world = World::new();
    let mut process = solver();
    let operators = [
        Operator::DivideEuclidean,
        Operator::ModuloEuclidean,
        Operator::DivideTruncated,
        Operator::RemainderTruncated,
        Operator::Remainder,
    ];
    let (x, y) = (world.integers[0], world.integers[1]);
    let (x_term, y_term) = (world.store.symbol(x), world.store.symbol(y));
    let mut claims = Vec::new();
    for operator in &operators {
        for left in -7..=7 {
            for right in [-3, -1, 2, 5] {
                let applied = world.store.simplified(operator, &[x_term, y_term]);
                let values = [Value::integer(left), Value::integer(right)];
                let value = operator.apply(&world.store, &values).unwrap();
                let (left, right) = (world.store.integer(left), world.store.integer(right));
                let value = world.store.constant(value);
                let equal = world.store.equal(applied, value);
                let given = [world.store.equal(x_term, left), world.store.equal(y_term, right)];
                let other = world.store.not(equal);
                claims.push(world.store.and(&[given[0], given[1], other]));
            }
        }
    }
    let results = process.check_many(&world.store, &claims).unwrap();
    assert_eq!(results.len(), claims.len());
    for (claim, result) in claims.iter().zip(results) {
        assert_eq!(result, CheckResult::Unsatisfiable, "{}", tempora_smt::print_term(&world.store, *claim));
    }
}

/// Builds a formula over Booleans and colours only.
fn finite(world: &mut World, recipe: &Recipe) -> TermId {
    fn reduced(recipe: &Recipe) -> Recipe {
        match recipe {
            Recipe::Leaf(what) => Recipe::Leaf(*what),
            Recipe::Node(what, parts) => {
                let kinds = [0, 1, 2, 3, 7];
                Recipe::Node(kinds[usize::from(*what) % kinds.len()], parts.iter().map(reduced).collect())
            }
        }
    }
    world.make(&reduced(recipe), &Sort::Boolean, true)
}

#[test]
fn solvers_agree_on_finite_problems_and_cores() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut world = World::new();
    let mut process = solver();
    let mut enumerating = EnumeratingSolver::new();
    let mut verdicts = [0, 0];
    for _ in 0..100 {
        let assertion = recipes(3).new_tree(&mut runner).unwrap().current();
        let assertion = finite(&mut world, &assertion);
        let assumptions: Vec<TermId> = (0..3)
            .map(|_| {
                let recipe = recipes(3).new_tree(&mut runner).unwrap().current();
                finite(&mut world, &recipe)
            })
            .collect();
        let mut results = Vec::new();
        for solver in [&mut process as &mut dyn Solver, &mut enumerating] {
            solver.push();
            solver.assert(&world.store, assertion);
            let result = solver.check(&world.store, &assumptions).unwrap();
            if result == CheckResult::Unsatisfiable {
                let core = solver.unsat_core().unwrap();
                assert!(core.iter().all(|member| assumptions.contains(member)));
                // The core alone is contradictory too.
                assert_eq!(solver.check(&world.store, &core), Ok(CheckResult::Unsatisfiable));
            } else {
                let mut all = assumptions.clone();
                all.push(assertion);
                let symbols: Vec<_> = world.store.symbols_of(&all).into_iter().collect();
                let model = solver.model(&mut world.store, &symbols).unwrap();
                assert!(all.iter().all(|formula| holds(&world.store, *formula, &model)));
            }
            results.push(result);
            solver.pop();
        }
        assert_eq!(results[0], results[1]);
        verdicts[usize::from(results[0] == CheckResult::Unsatisfiable)] += 1;
    }
    assert!(verdicts.iter().all(|count| *count > 10), "{verdicts:?} is not balanced");
}

#[test]
fn enumeration_answers_unknown_on_infinite_sorts() {
    let mut world = World::new();
    let x = world.store.symbol(world.integers[0]);
    let less = world.store.less(x, x);
    let one = world.store.integer(1);
    let positive = world.store.less_equal(one, x);
    let mut solver = EnumeratingSolver::new();
    solver.assert(&world.store, less);
    assert_eq!(solver.check(&world.store, &[]), Ok(CheckResult::Unsatisfiable));
    solver.pop();
    let mut solver = EnumeratingSolver::new();
    solver.assert(&world.store, positive);
    assert!(matches!(solver.check(&world.store, &[]), Ok(CheckResult::Unknown(_))));
    assert!(solver.model(&mut world.store, &[]).is_err() && solver.unsat_core().is_err());
}

#[test]
fn process_is_restarted_with_assertions_after_timeout() {
    let mut world = World::new();
    let (x, y) = (world.store.symbol(world.integers[0]), world.store.symbol(world.integers[1]));
    let one = world.store.integer(1);
    let large = world.store.less_equal(one, x);
    let mut process = solver();
    process.assert(&world.store, large);
    process.push();
    let above = world.store.less(x, y);
    process.assert(&world.store, above);
    // The deadline passes before any answer.
    process.set_deadline(Some(Instant::now()));
    let hard = {
        // x^4 + y^4 + 1 = 3 (x + y)^3: too hard to be answered while a pipe is read.
        let powers = [world.store.multiply(&[x, x, x, x]), world.store.multiply(&[y, y, y, y]), one];
        let sum = world.store.add(&[x, y]);
        let three = world.store.integer(3);
        let (left, right) = (world.store.add(&powers), world.store.multiply(&[three, sum, sum, sum]));
        world.store.equal(left, right)
    };
    let mut outcomes = Vec::new();
    for _ in 0..3 {
        outcomes.push(process.check(&world.store, &[hard]));
    }
    assert!(outcomes.contains(&Err(SolverError::Timeout)), "{outcomes:?}");
    process.set_deadline(None);
    let negative = world.store.less(y, one);
    assert_eq!(process.check(&world.store, &[negative]), Ok(CheckResult::Unsatisfiable));
    process.pop();
    assert_eq!(process.check(&world.store, &[negative]), Ok(CheckResult::Satisfiable));
}

/// This process and one megabyte together exceed one megabyte.
#[test]
fn solver_counts_as_memory_and_obeys_limit() {
    let mut world = World::new();
    let (x, y) = (world.store.symbol(world.integers[0]), world.store.symbol(world.integers[1]));
    let one = world.store.integer(1);
    let positive = world.store.less_equal(one, x);
    let mut process = solver();
    process.assert(&world.store, positive);
    assert_eq!(process.check(&world.store, &[]), Ok(CheckResult::Satisfiable));
    // It lives until it is dropped.
    let megabyte = 1 << 20;
    assert!(tempora_smt::solver_memory() > megabyte);
    assert!(tempora_smt::memory_with_solvers().unwrap() > tempora_smt::solver_memory());
    let program = tempora_smt::find_solver(None).unwrap();
    let options = tempora_smt::ProcessOptions { memory_bytes: Some(megabyte), ..Default::default() };
    let mut limited = tempora_smt::ProcessSolver::new(program, options);
    let powers = [world.store.multiply(&[x, x, x, x]), world.store.multiply(&[y, y, y, y]), one];
    let sum = world.store.add(&[x, y]);
    let three = world.store.integer(3);
    let (left, right) = (world.store.add(&powers), world.store.multiply(&[three, sum, sum, sum]));
    let hard = world.store.equal(left, right);
    limited.assert(&world.store, hard);
    assert_eq!(limited.check(&world.store, &[]), Err(SolverError::Memory));
}

#[test]
fn horn_clauses_of_counter_have_invariant() {
    let mut store = TermStore::new();
    let x = store.add_symbol("x", Sort::Integer);
    let (x_term, zero, two, ten) = (store.symbol(x), store.integer(0), store.integer(2), store.integer(10));
    let next = store.add(&[x_term, two]);
    let start = store.equal(x_term, zero);
    let small = store.less(x_term, ten);
    let relation = RelationId(0);
    let seven = store.integer(7);
    for (bad, expected) in [(seven, false), (ten, true)] {
        let wrong = store.equal(x_term, bad);
        let clauses = [
            HornClause { body: None, constraint: start, head: Some((relation, vec![x_term])) },
            HornClause {
                body: Some((relation, vec![x_term])),
                constraint: small,
                head: Some((relation, vec![next])),
            },
            HornClause { body: Some((relation, vec![x_term])), constraint: wrong, head: None },
        ];
        let mut process = solver();
        let result = process.solve_horn(&mut store, &[vec![x]], &clauses).unwrap();
        match result {
            HornResult::Refuted => assert!(expected),
            HornResult::Solved(relations) => {
                assert!(!expected);
                // It holds initially, is preserved by the step, and excludes bad states.
                let invariant = relations[0];
                let after = store.substitute(invariant, &[(x, next)].into_iter().collect());
                let (not_invariant, not_after) = (store.not(invariant), store.not(after));
                let claims = [
                    store.and(&[start, not_invariant]),
                    store.and(&[invariant, small, not_after]),
                    store.and(&[invariant, wrong]),
                ];
                let results = process.check_many(&store, &claims).unwrap();
                assert!(results.iter().all(|result| *result == CheckResult::Unsatisfiable), "{results:?}");
            }
            HornResult::Unknown(why) => panic!("{why}"),
        }
    }
}

#[test]
fn interpolants_separate_contradictory_formulas() {
    let mut world = World::new();
    let (x, y) = (world.store.symbol(world.integers[0]), world.store.symbol(world.integers[1]));
    let z = world.store.add_symbol("z", Sort::Integer);
    let z = world.store.symbol(z);
    let (zero, one) = (world.store.integer(0), world.store.integer(1));
    // z is at least one more than y, and y at least one more than x, which is not negative; and z is not positive.
    let (after_x, after_y) = (world.store.add(&[x, one]), world.store.add(&[y, one]));
    let formulas = [
        world.store.less_equal(zero, x),
        world.store.less_equal(after_x, y),
        world.store.less_equal(after_y, z),
        world.store.less_equal(z, zero),
    ];
    let mut process = solver();
    assert!(process.capabilities().interpolants);
    let HornResult::Solved(found) = process.interpolants(&mut world.store, &formulas).unwrap() else {
        panic!("no interpolants")
    };
    let own = [x, y, z].map(|term| world.store.symbols_of(&[term]));
    assert!(found.iter().zip(&own).all(|(formula, own)| world.store.symbols_of(&[*formula]).is_subset(own)));
    let truth = world.store.truth(true);
    let before = [&[truth], found.as_slice()].concat();
    let falsehood = world.store.truth(false);
    let after = [found.as_slice(), &[falsehood]].concat();
    let claims: Vec<TermId> = (0..formulas.len())
        .map(|position| {
            let not_after = world.store.not(after[position]);
            world.store.and(&[before[position], formulas[position], not_after])
        })
        .collect();
    let results = process.check_many(&world.store, &claims).unwrap();
    assert!(results.iter().all(|result| *result == CheckResult::Unsatisfiable), "{results:?}");
    // Satisfiable formulas have no interpolants, and the solver reports so.
    let possible = process.interpolants(&mut world.store, &formulas[..3]).unwrap();
    assert_eq!(possible, HornResult::Refuted);
    let mut enumerating = EnumeratingSolver::new();
    assert!(!enumerating.capabilities().interpolants);
    assert!(enumerating.interpolants(&mut world.store, &formulas).is_err());
}

#[test]
fn recording_contains_everything_sent() {
    let recording = tempora_smt::SolverRecording::default();
    let program = tempora_smt::find_solver(None).unwrap();
    let options = tempora_smt::ProcessOptions { recording: Some(recording.clone()), ..Default::default() };
    let mut process = tempora_smt::ProcessSolver::new(program, options);
    let mut store = TermStore::new();
    let p = store.add_symbol("p", Sort::Boolean);
    let p = store.symbol(p);
    process.assert(&store, p);
    assert_eq!(process.check(&store, &[]), Ok(CheckResult::Satisfiable));
    let text = recording.text();
    assert!(text.contains("(declare-const s0 Bool)\n(assert s0)\n(check-sat)\n"), "{text}");
}

#[test]
fn broken_solver_program_is_an_error() {
    let path = std::env::temp_dir().join(format!("tempora-no-solver-{}", std::process::id()));
    assert!(tempora_smt::find_solver(Some(&path)).is_err());
    std::fs::write(&path, "this is not a program").unwrap();
    let program = tempora_smt::find_solver(Some(&path)).unwrap();
    let mut process = tempora_smt::ProcessSolver::new(program, tempora_smt::ProcessOptions::default());
    let mut store = TermStore::new();
    let claim = store.truth(false);
    process.assert(&store, claim);
    assert!(matches!(process.check(&store, &[]), Err(SolverError::Broken(_))));
    std::fs::remove_file(&path).unwrap();
}
