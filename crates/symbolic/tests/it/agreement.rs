//! Compares the engines with a simple enumeration of all states of random systems, and with each other.
//!
//! Invariant: the enumeration shares nothing with the engines except the system itself and the values of terms; every
//! run of an engine is replayed. `SYMBOLIC_CASES` sets the number of systems, `SYMBOLIC_FIRST` the first seed for
//! engines that use a solver, and `SYMBOLIC_MILLISECONDS` the time limit of each.
//! seed engines that ask a solver begin, and `SYMBOLIC_MILLISECONDS` how long each of them may try.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use tempora_evidence::{Budget, Engine, UnknownReason, Verdict};
use tempora_model::Id;
use tempora_smt::{Sort, TermId, Value};
use tempora_symbolic::{
    AutomaticValues, BlockEncoding, BoundedEngine, CegarEngine, CegarOptions, Domain, ExplicitEngine,
    GraphSearch, InitialPrecision, Newton, PredicateKind, PredicateSplit, Pruning, RefinementStrategy,
    SolverOptions,
};
use tempora_transition::{ControlLocationId, StatementKind, SymbolicStatement, SymbolicSystem};

use crate::support::{Chance, automaton_text, decide, read, system_text};

fn cases(default: u64) -> u64 {
    setting("SYMBOLIC_CASES", default)
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

type State = Vec<Value>;

fn value(system: &SymbolicSystem, state: &State, term: TermId) -> Value {
    let value_of = |symbol| {
        let position = system.variables.values().position(|variable| variable.symbol == symbol)?;
        Some(state[position].clone())
    };
    system.store.evaluate(term, &value_of).unwrap().unwrap()
}

/// Returns the values tried for an unconstrained variable; the random systems restrict integers to 0 to 2 there.
fn domain(system: &SymbolicSystem, sort: &Sort) -> Vec<Value> {
    match sort {
        Sort::Integer => (-1..=3).map(Value::integer).collect(),
        sort => Value::all_of(&system.store, sort, 100).unwrap(),
    }
}

fn outcomes(
    system: &SymbolicSystem,
    statement: &SymbolicStatement,
    states: BTreeSet<State>,
) -> BTreeSet<State> {
    let with = |state: &State, position: usize, value: Value| {
        let mut state = state.clone();
        state[position] = value;
        state
    };
    match &statement.kind {
        StatementKind::Assign(variable, term) => {
            states.iter().map(|state| with(state, variable.index(), value(system, state, *term))).collect()
        }
        StatementKind::Assume(condition) => states
            .into_iter()
            .filter(|state| value(system, state, *condition) == Value::Boolean(true))
            .collect(),
        StatementKind::Havoc(variable) => states
            .iter()
            .flat_map(|state| {
                let values = domain(system, system.sort_of(*variable));
                values.into_iter().map(|value| with(state, variable.index(), value))
            })
            .collect(),
        StatementKind::Sequence(parts) => {
            parts.iter().fold(states, |states, part| outcomes(system, part, states))
        }
        StatementKind::Choice(parts) => {
            parts.iter().flat_map(|part| outcomes(system, part, states.clone())).collect()
        }
        StatementKind::Loop { counter, from, to, body } => {
            let mut finished = BTreeSet::new();
            for state in states {
                let bounds = [*from, *to].map(|bound| match value(system, &state, bound) {
                    Value::Integer(bound) => bound.to_i64().unwrap(),
                    other => panic!("{other:?} is not a bound"),
                });
                let mut now = BTreeSet::from([state]);
                for round in bounds[0]..bounds[1] {
                    let counted =
                        now.iter().map(|state| with(state, counter.index(), Value::integer(round))).collect();
                    now = outcomes(system, body, counted);
                }
                finished.extend(now);
            }
            finished
        }
    }
}

/// Returns whether the property holds in every reachable state.
fn walk(system: &SymbolicSystem) -> bool {
    let claim = &system.properties[0];
    let mut initial: BTreeSet<State> = BTreeSet::from([Vec::new()]);
    for id in system.variables.ids() {
        // Locals have no values between steps; one is as good as another.
        let values = match system.variables[id].role {
            role if !role.is_state() => {
                vec![Value::default_of(&system.store, system.sort_of(id))]
            }
            _ => domain(system, system.sort_of(id)),
        };
        initial = initial
            .iter()
            .flat_map(|state| {
                values.iter().map(|value| {
                    let mut state = state.clone();
                    state.push(value.clone());
                    state
                })
            })
            .collect();
    }
    initial.retain(|state| value(system, state, system.initial) == Value::Boolean(true));
    let mut known: BTreeSet<(ControlLocationId, State)> = BTreeSet::new();
    let mut queue: VecDeque<(ControlLocationId, State)> =
        initial.into_iter().map(|state| (system.initial_location, state)).collect();
    while let Some((location, state)) = queue.pop_front() {
        if !known.insert((location, state.clone())) {
            continue;
        }
        if claim.is_observed_at(location) && value(system, &state, claim.condition) == Value::Boolean(false) {
            return false;
        }
        for (_, edge) in system.edges_from(location) {
            for after in outcomes(system, &edge.statement, BTreeSet::from([state.clone()])) {
                queue.push_back((edge.target, after));
            }
        }
    }
    true
}

fn expected(verdict: bool) -> Verdict {
    if verdict { Verdict::Holds } else { Verdict::Fails }
}

#[test]
fn explicit_search_agrees_with_enumeration() {
    let mut verdicts = [0, 0];
    for seed in 0..cases(400) {
        let text = system_text(&mut Chance::new(seed));
        let system = read("xsts", &text);
        let holds = walk(&system);
        verdicts[usize::from(holds)] += 1;
        let found = decide(&ExplicitEngine::default(), &system, &Budget::unlimited());
        assert_eq!(found, expected(holds), "seed {seed}\n{text}");
    }
    assert!(verdicts.iter().all(|count| *count * 5 > cases(400)), "{verdicts:?} is not balanced");
}

#[test]
fn solver_engines_agree_with_enumeration() {
    let engines: Vec<Box<dyn Engine>> = vec![
        Box::new(BoundedEngine { induction: false, longest: Some(8), solver: SolverOptions::default() }),
        Box::new(BoundedEngine { induction: true, longest: Some(8), solver: SolverOptions::default() }),
        Box::new(CegarEngine::default()),
    ];
    let count = cases(40);
    let first = setting("SYMBOLIC_FIRST", 0);
    let patience = Duration::from_millis(setting("SYMBOLIC_MILLISECONDS", 2000));
    let mut decided = vec![[0, 0]; engines.len()];
    let mut verdicts = [0, 0];
    for seed in first..first + count {
        let text = system_text(&mut Chance::new(seed));
        let system = read("xsts", &text);
        let holds = walk(&system);
        verdicts[usize::from(holds)] += 1;
        for (engine, decided) in engines.iter().zip(&mut decided) {
            let budget = Budget::unlimited().with_timeout(patience);
            match decide(engine.as_ref(), &system, &budget) {
                Verdict::Unknown(UnknownReason::EngineBug(why)) => panic!("{why}\n{text}"),
                Verdict::Unknown(_) => {}
                found => {
                    assert_eq!(found, expected(holds), "{} on seed {seed}\n{text}", engine.name());
                    decided[usize::from(holds)] += 1;
                }
            }
        }
        if (seed + 1) % 250 == 0 {
            println!("{} systems: {verdicts:?} fail and hold, decided {decided:?}", seed + 1 - first);
        }
    }
    for (engine, [fail, hold]) in engines.iter().zip(&decided) {
        let [fails, holds] = verdicts;
        let name = engine.name();
        println!("{name}: {fail} of {fails} that fail, {hold} of {holds} that hold");
        // Each decides many of them, so that agreement is meaningful; the first one only ever finds violations.
        assert!(fail + hold > count / 4, "{name} decides {decided:?} of {count}");
    }
    assert!(verdicts.iter().all(|verdict| *verdict * 5 > count), "{verdicts:?} is not balanced");
}

fn domains() -> Vec<Domain> {
    let kinds = [PredicateKind::Cartesian, PredicateKind::Boolean, PredicateKind::Split];
    let mut domains = vec![Domain::Explicit, Domain::CombinedProduct];
    domains.extend(kinds.map(Domain::Predicates));
    domains.extend(kinds.map(Domain::Product));
    domains
}

fn refinements() -> Vec<RefinementStrategy> {
    let mut refinements = vec![RefinementStrategy::SequenceInterpolants, RefinementStrategy::UnsatCore];
    refinements.extend(Newton::ALL.map(RefinementStrategy::Newton));
    refinements
}

/// Returns all supported combinations.
fn configurations() -> Vec<CegarOptions> {
    let mut all = Vec::new();
    for domain in domains() {
        for refinement in refinements() {
            for search in [GraphSearch::BreadthFirst, GraphSearch::DepthFirst, GraphSearch::NearestToError] {
                for pruning in [Pruning::Lazy, Pruning::Full] {
                    let options = CegarOptions {
                        domain,
                        refinement,
                        search,
                        pruning,
                        // They begin with different precisions, so that much must be learnt.
                        initial_precision: InitialPrecision::Empty,
                        split: if pruning == Pruning::Lazy {
                            PredicateSplit::Atoms
                        } else {
                            PredicateSplit::Whole
                        },
                        most_successors: match search {
                            GraphSearch::DepthFirst if domain.has_values() => 1,
                            _ => 0,
                        },
                        automatic_values: match search {
                            GraphSearch::BreadthFirst => AutomaticValues::NewOperands,
                            GraphSearch::DepthFirst => AutomaticValues::NewAtoms,
                            GraphSearch::NearestToError => AutomaticValues::Static,
                        },
                        encoding: BlockEncoding::Large,
                        most_checks: None,
                        verifies_interpolants: true,
                    };
                    if options.contradiction().is_none() {
                        all.push(options);
                    }
                }
            }
        }
    }
    all
}

#[test]
fn every_configuration_agrees_on_small_systems() {
    let mut configurations = configurations();
    assert_eq!(configurations.len(), 438);
    if std::env::var_os("SYMBOLIC_CASES").is_none() {
        // All of the usual refinements, and every other one with each domain, search and pruning at least once: an odd
        // stride covers all combinations.
        let is_usual = |options: &CegarOptions| !matches!(options.refinement, RefinementStrategy::Newton(_));
        let numbered = configurations.into_iter().enumerate();
        let chosen = numbered.filter(|(number, options)| is_usual(options) || number % 7 == 0);
        configurations = chosen.map(|(_, options)| options).collect();
    }
    let mut decided = vec![0; configurations.len()];
    let mut verdicts = [0, 0];
    let count = 6;
    for seed in 1000..1000 + count {
        let text = system_text(&mut Chance::new(seed));
        let system = read("xsts", &text);
        let holds = walk(&system);
        verdicts[usize::from(holds)] += 1;
        for (options, decided) in configurations.iter().zip(&mut decided) {
            let engine = CegarEngine { options: *options, solver: SolverOptions::default(), observer: None };
            let budget = Budget::unlimited().with_timeout(Duration::from_secs(5));
            match decide(&engine, &system, &budget) {
                Verdict::Unknown(UnknownReason::EngineBug(why)) => panic!("{options:?}: {why}\n{text}"),
                Verdict::Unknown(_) => {}
                found => {
                    assert_eq!(found, expected(holds), "{options:?} on seed {seed}\n{text}");
                    *decided += 1;
                }
            }
        }
    }
    assert!(verdicts.iter().all(|count| *count > 0), "{verdicts:?} is not balanced");
    for (options, decided) in configurations.iter().zip(decided) {
        assert!(decided * 2 >= count, "{options:?} decides {decided} of {count}");
    }
}

#[test]
fn large_and_single_blocks_agree_on_automata() {
    let mut verdicts = [0, 0];
    let mut decided = 0;
    let count = cases(400) / 40;
    for seed in 0..count {
        let text = automaton_text(&mut Chance::new(seed));
        let system = read("cfa", &text);
        let holds = walk(&system);
        verdicts[usize::from(holds)] += 1;
        for encoding in [BlockEncoding::Large, BlockEncoding::Single] {
            for domain in [Domain::Explicit, Domain::Predicates(PredicateKind::Cartesian)] {
                for pruning in [Pruning::Lazy, Pruning::Full] {
                    let options = CegarOptions {
                        domain,
                        pruning,
                        encoding,
                        verifies_interpolants: true,
                        ..CegarOptions::default()
                    };
                    let engine = CegarEngine { options, solver: SolverOptions::default(), observer: None };
                    let budget = Budget::unlimited().with_timeout(Duration::from_secs(5));
                    match decide(&engine, &system, &budget) {
                        Verdict::Unknown(UnknownReason::EngineBug(why)) => {
                            panic!("{options:?}: {why}\n{text}")
                        }
                        Verdict::Unknown(_) => {}
                        found => {
                            assert_eq!(found, expected(holds), "{options:?} on seed {seed}\n{text}");
                            decided += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(verdicts.iter().all(|verdict| *verdict * 5 > count), "{verdicts:?} is not balanced");
    // Explicit values do not terminate where a number grows, and Cartesian predicates are too coarse for some, with
    // both kinds of blocks.
    assert!(decided >= count * 6, "{decided} of {}", count * 8);
}
