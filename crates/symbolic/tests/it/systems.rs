//! Systems with known verdicts, some of them with infinitely many states.
//!
//! Invariant: a comment beside each system explains its verdict.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tempora_evidence::{Budget, Engine, UnknownReason, Verdict};
use tempora_symbolic::{
    AutomaticValues, BlockEncoding, BoundedEngine, CegarEngine, CegarOptions, Domain, ExplicitEngine,
    GraphObserver, GraphSearch, InitialPrecision, PredicateKind, Pruning, RefinementStrategy, SolverOptions,
};

use crate::support::{decide, read};

/// Two counters that never differ by more than one: both grow without bound.
const COUNTERS: &str = "var x : integer = 0 var y : integer = 0
    trans { assume x == y; x := x + 1; } or { assume x > y; y := y + 1; }
    init {} env {} prop { x >= y }";

/// The same, with a property that the second state violates.
const COUNTERS_WRONG: &str = "var x : integer = 0 var y : integer = 0
    trans { assume x == y; x := x + 1; } or { assume x > y; y := y + 1; }
    init {} env {} prop { x == y }";

/// The environment may choose any integer; only one of them continues.
const NEEDLE: &str = "var x : integer var found : boolean = false
    trans { assume x * x == 1764 && x < 0; found := true; } init {} env { havoc x; } prop { !found }";

/// An automaton that adds up to an odd bound and never reaches an even one.
const ODD: &str = "main process p { var x : int init loc A loc B error loc E
    A -> B { x := 1 } B -> B { assume x < 11 x := x + 2 } B -> E { assume x = 10 } }";

/// Two paths to the same location, with the same value there: without predicates the second is covered by the first.
const DIAMOND: &str = "main process p { var y : int init loc A loc P loc Q loc L error loc E
    A -> P { } A -> Q { } P -> L { y := 5 } Q -> L { y := 5 } L -> E { assume y /= 5 } }";

fn cegar(domain: Domain) -> CegarEngine {
    CegarEngine {
        options: CegarOptions { domain, ..CegarOptions::default() },
        solver: SolverOptions::default(),
        observer: None,
    }
}

fn bounded(induction: bool) -> BoundedEngine {
    BoundedEngine { induction, longest: None, solver: SolverOptions::default() }
}

/// When the first path is spurious, the nodes that it covered are processed again.
#[test]
fn nodes_covered_by_pruned_node_are_processed_again() {
    let system = read("cfa", DIAMOND);
    for search in [GraphSearch::BreadthFirst, GraphSearch::DepthFirst, GraphSearch::NearestToError] {
        let mut engine = cegar(Domain::Predicates(PredicateKind::Cartesian));
        engine.options.pruning = Pruning::Lazy;
        engine.options.refinement = RefinementStrategy::SequenceInterpolants;
        engine.options.encoding = BlockEncoding::Single;
        engine.options.search = search;
        assert_eq!(decide(&engine, &system, &Budget::unlimited()), Verdict::Holds, "{search:?}");
    }
}

#[test]
fn predicates_prove_infinite_system() {
    let system = read("xsts", COUNTERS);
    assert_eq!(
        decide(&cegar(Domain::Predicates(PredicateKind::Cartesian)), &system, &Budget::unlimited()),
        Verdict::Holds
    );
    let budget = Budget::unlimited().with_max_states(200);
    assert_eq!(
        decide(&ExplicitEngine::default(), &system, &budget),
        Verdict::Unknown(UnknownReason::StateLimit)
    );
}

#[test]
fn every_engine_finds_short_counterexample() {
    let system = read("xsts", COUNTERS_WRONG);
    let engines: [&dyn Engine; 5] = [
        &ExplicitEngine::default(),
        &bounded(false),
        &bounded(true),
        &cegar(Domain::Predicates(PredicateKind::Cartesian)),
        &cegar(Domain::Explicit),
    ];
    for engine in engines {
        assert_eq!(decide(engine, &system, &Budget::unlimited()), Verdict::Fails, "{}", engine.name());
    }
}

#[test]
fn solver_decides_values_that_cannot_be_enumerated() {
    let system = read("xsts", NEEDLE);
    let found = decide(&ExplicitEngine::default(), &system, &Budget::unlimited());
    assert!(matches!(found, Verdict::Unknown(UnknownReason::Unsupported(_))), "{found:?}");
    assert_eq!(decide(&bounded(false), &system, &Budget::unlimited()), Verdict::Fails);
}

#[test]
fn product_domain_combines_values_and_predicates() {
    // The mode alternates, and both counters grow in only one of two modes: values for the mode, predicates for the
    // rest.
    let text = "type Mode : { Left, Right } ctrl var mode : Mode = Left var x : integer = 0 var y : integer = 0
        trans { assume mode == Left; x := x + 1; mode := Right; } or { assume mode == Right; y := y + 1; mode := Left; }
        init {} env {} prop { mode != Left || x == y }";
    let kinds = [PredicateKind::Cartesian, PredicateKind::Boolean, PredicateKind::Split];
    for domain in kinds.map(Domain::Product).into_iter().chain([Domain::CombinedProduct]) {
        let mut engine = cegar(domain);
        engine.options.automatic_values = AutomaticValues::Static;
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
        assert_eq!(decide(&engine, &read("xsts", text), &budget), Verdict::Holds, "{domain:?}");
        let wrong = text.replace("mode != Left ||", "");
        assert_eq!(decide(&engine, &read("xsts", &wrong), &budget), Verdict::Fails, "{domain:?}");
    }
}

/// Time does not change the difference of two clocks: if it is compared, the initial precision contains it.
#[test]
fn initial_precision_contains_clock_differences() {
    let text = "(var x Real clock) (var y Real clock) (location a) (location b) (initial a (and (= x 0.0) (= y 0.0)))
        (delay a (<= x 5.0)) (delay b true) (edge a a step (do (assume (<= 2.0 y)) (set y 0.0)))
        (edge a b step (assume (<= x (+ y 1.0)))) (property \"p\" (at b) (<= x 6.0))";
    for (initial_precision, is_there) in
        [(InitialPrecision::Property, true), (InitialPrecision::Empty, false)]
    {
        let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
        let kept = Arc::clone(&seen);
        let observer = GraphObserver::new(move |graph| kept.lock().unwrap().push(graph.precision.clone()));
        let mut engine = cegar(Domain::default());
        engine.options.initial_precision = initial_precision;
        engine.observer = Some(observer);
        // At b, x is unbounded.
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
        assert_eq!(decide(&engine, &read("sym", text), &budget), Verdict::Fails);
        let first = seen.lock().unwrap()[0].clone();
        let speaks_of_both = |fact: &String| fact.contains('x') && fact.contains('y');
        assert_eq!(first.iter().any(speaks_of_both), is_there, "{initial_precision:?}: {first:?}");
    }
}

/// Solvers reject Horn clauses about floating point numbers. The equality of both is an invariant that must be learnt.
#[test]
fn newton_replaces_unsupported_horn_clauses() {
    let text = "(var x (_ FloatingPoint 3 4)) (var y (_ FloatingPoint 3 4)) (location a) (initial a (= x y))
        (edge a a step (do (havoc x) (set y x))) (property \"p\" everywhere (= x y))";
    let mut engine = cegar(Domain::default());
    engine.options.initial_precision = InitialPrecision::Empty;
    engine.options.verifies_interpolants = true;
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
    assert_eq!(decide(&engine, &read("sym", text), &budget), Verdict::Holds);
}

#[test]
fn refuses_contradictory_options() {
    let options = CegarOptions { refinement: RefinementStrategy::UnsatCore, ..CegarOptions::default() };
    assert!(options.contradiction().is_some_and(|why| why.contains("UNSAT_CORE")));
    let options = CegarOptions { initial_precision: InitialPrecision::Control, ..CegarOptions::default() };
    assert!(options.contradiction().is_some_and(|why| why.contains("EXPL")));
    let options = CegarOptions { most_successors: 3, ..CegarOptions::default() };
    assert!(options.contradiction().is_some_and(|why| why.contains("--maxenum")));
    let product = CegarOptions { domain: Domain::CombinedProduct, ..options };
    assert_eq!(product.contradiction(), None);
}

#[test]
fn property_is_observed_only_at_error_location() {
    let system = read("cfa", ODD);
    assert_eq!(decide(&ExplicitEngine::default(), &system, &Budget::unlimited()), Verdict::Holds);
    assert_eq!(
        decide(&cegar(Domain::Predicates(PredicateKind::Cartesian)), &system, &Budget::unlimited()),
        Verdict::Holds
    );
    let reached = read("cfa", &ODD.replace("x = 10", "x = 9"));
    assert_eq!(decide(&ExplicitEngine::default(), &reached, &Budget::unlimited()), Verdict::Fails);
}

#[test]
fn property_is_observed_before_initialisation() {
    let text = "var x : integer = 0 trans {} init { x := 1; } env {} prop { x == 1 }";
    assert_eq!(decide(&ExplicitEngine::default(), &read("xsts", text), &Budget::unlimited()), Verdict::Fails);
    assert_eq!(decide(&bounded(false), &read("xsts", text), &Budget::unlimited()), Verdict::Fails);
}

#[test]
fn every_engine_respects_budget() {
    // The searches never terminate without a limit.
    let text = "var x : integer = 0 var y : integer = 0 trans { x := x + y + 1; y := y + 3; } init {} env {}
        prop { x * x * x + 7 != y * y + 11 || x < 50 }";
    let system = read("xsts", text);
    let engines: [&dyn Engine; 4] = [
        &ExplicitEngine::default(),
        &bounded(false),
        &bounded(true),
        &cegar(Domain::Predicates(PredicateKind::Cartesian)),
    ];
    for engine in engines {
        let budget = Budget::unlimited().with_timeout(Duration::from_millis(300));
        let found = decide(engine, &system, &budget);
        assert!(matches!(found, Verdict::Unknown(_)), "{} says {found:?}", engine.name());
        let cancelled = Budget::unlimited().with_cancellation(Arc::new(AtomicBool::new(true)));
        let found = decide(engine, &system, &cancelled);
        assert_eq!(found, Verdict::Unknown(UnknownReason::Cancelled), "{}", engine.name());
    }
}

#[test]
fn missing_solver_is_reported_with_hint() {
    let solver = SolverOptions { program: Some("no-such-solver".into()), ..SolverOptions::default() };
    let engine = CegarEngine { options: CegarOptions::default(), solver, observer: None };
    let found = decide(&engine, &read("xsts", COUNTERS), &Budget::unlimited());
    let Verdict::Unknown(UnknownReason::Unsupported(why)) = found else { panic!("{found:?}") };
    assert!(why.contains("no-such-solver") && why.contains("cargo xtask setup"), "{why}");
}
