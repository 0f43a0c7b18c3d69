//! Models written by hand in the text form: they are printed, read back and checked, and their runs are replayed.
//!
//! Invariant: a comment at the top of each model explains its verdicts.

use std::sync::Arc;
use std::time::Duration;

use tempora_evidence::{Budget, Engine, Progress, Task, Verdict};
use tempora_replay::replay_symbolic;
use tempora_symbolic::{BoundedEngine, CegarEngine, ExplicitEngine, SolverOptions};
use tempora_symbolic::{LoweredClaim, lower_network};
use tempora_transition::{EdgeKind, SymbolicSystem, print_system, validate_system};

use crate::support::{decide, read};

const ALTERNATION: &str = include_str!("../data/alternation.sym");
const HANDSHAKE: &str = include_str!("../data/handshake.sym");
const STAYS: &str = include_str!("../data/stays.sym");
const FLOW: &str = include_str!("../data/flow.sym");

/// Reads a model and checks that printing and reading it again gives the same model.
fn read_back(text: &str) -> SymbolicSystem {
    let system = read("sym", text);
    assert_eq!(validate_system(&system), Vec::new());
    let printed = print_system(&system);
    let again = read("sym", &printed);
    assert_eq!(print_system(&again), printed);
    again
}

/// Returns the verdict of an engine on each property; runs are replayed.
fn verdicts(engine: &dyn Engine, system: &SymbolicSystem) -> Vec<Verdict> {
    let properties = system.properties.iter();
    properties
        .map(|property| {
            let mut one = system.clone();
            one.properties = vec![property.clone()];
            decide(engine, &one, &Budget::unlimited().with_timeout(Duration::from_secs(10)))
        })
        .collect()
}

fn bounded() -> BoundedEngine {
    BoundedEngine { induction: true, longest: None, solver: SolverOptions::default() }
}

use Verdict::{Fails, Holds};

#[test]
fn environment_and_system_alternate() {
    let system = read_back(ALTERNATION);
    let expected = [Holds, Fails, Holds];
    assert_eq!(verdicts(&ExplicitEngine::default(), &system), expected);
    assert_eq!(verdicts(&CegarEngine::default(), &system), expected);
    // The input is chosen in each step, and each choice is in the run.
    let mut one = system.clone();
    one.properties = vec![system.properties[1].clone()];
    let one = Arc::new(one);
    let task = Task::about_properties(Arc::clone(&one));
    let answer = ExplicitEngine::default().run(&task, &Budget::unlimited(), &Progress::new()).remove(0);
    let trace = answer.symbolic_trace().unwrap();
    assert!(trace.steps.iter().all(|step| step.havocs.len() == 1), "{trace:?}");
    assert_eq!(replay_symbolic(&one, trace).unwrap().steps.len(), trace.steps.len());
}

#[test]
fn two_components_share_an_event() {
    let system = read_back(HANDSHAKE);
    // Each component has two locations, and all four pairs are reachable.
    assert_eq!(system.locations.len(), 4);
    // Without the event: making, twice; resting, twice. With the event: one.
    assert_eq!(system.edges.len(), 5);
    assert_eq!(verdicts(&CegarEngine::default(), &system), [Holds, Holds, Fails, Fails]);
    assert_eq!(verdicts(&bounded(), &system)[1..], [Holds, Fails, Fails]);
}

#[test]
fn clocks_and_positive_delays() {
    let system = read_back(STAYS);
    let kinds: Vec<EdgeKind> = system.edges.values().map(|edge| edge.kind).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == EdgeKind::Delay).count(), 2);
    assert_eq!(verdicts(&CegarEngine::default(), &system), [Holds, Fails]);
    // A delay of zero does not count as positive.
    let mut one = system.clone();
    one.properties = vec![system.properties[1].clone()];
    let one = Arc::new(one);
    let task = Task::about_properties(Arc::clone(&one));
    let answer = bounded().run(&task, &Budget::unlimited(), &Progress::new()).remove(0);
    let mut trace = answer.symbolic_trace().unwrap().clone();
    let delay = trace.steps.iter().position(|step| one.edges[step.edge].kind == EdgeKind::Delay).unwrap();
    trace.steps[delay].havocs = vec![tempora_smt::Value::Real(Box::default())];
    assert!(replay_symbolic(&one, &trace).is_err());
}

#[test]
fn control_flow_automaton_is_decided() {
    let system = read_back(FLOW);
    assert_eq!(verdicts(&ExplicitEngine::default(), &system), [Holds, Fails]);
    assert_eq!(verdicts(&CegarEngine::default(), &system), [Holds, Fails]);
}

#[test]
fn lowered_network_is_decided() {
    let text = "clock x; int[0,3] n;
        process P() { init location A { invariant x <= 3; } location B;
            A -> A { guard x >= 1 && n < 3; do x = 0, n = n + 1; } A -> B { guard n == 2; } }
        system P;
        query E<> P.B;
        query A[] n <= 2;";
    let (mut files, mut origins) = (tempora_source::Files::new(), tempora_source::Origins::new());
    let file = files.add("model.net", text).unwrap();
    let language = tempora_frontends::language_named("net").unwrap();
    let model = tempora_frontends::read_model(language, &mut files, &mut origins, file, None);
    let network = model.network.unwrap();
    let claims: Vec<LoweredClaim<'_>> = model
        .queries
        .iter()
        .map(|query| match &query.kind {
            tempora_model::QueryKind::Formula(tempora_model::Formula::Possibly(predicate)) => {
                LoweredClaim { text: &query.text, predicate, value: false, origin: query.origin }
            }
            tempora_model::QueryKind::Formula(tempora_model::Formula::Always(predicate)) => {
                LoweredClaim { text: &query.text, predicate, value: true, origin: query.origin }
            }
            other => panic!("{other:?}"),
        })
        .collect();
    let lowered = lower_network(&network, &claims, &mut || false).unwrap();
    let system = read_back(&print_system(&lowered.system));
    assert_eq!(
        system.variables.values().filter(|one| one.role == tempora_transition::VariableRole::Clock).count(),
        1
    );
    // B is reachable, n can be three, and nothing fails.
    assert_eq!(verdicts(&CegarEngine::default(), &system), [Fails, Fails, Holds]);
}

#[test]
fn refuses_malformed_models_with_place() {
    let refused = [
        (STAYS.replace("(<= x 5.0))", "(or (<= x 5.0) (>= y 1.0)))"), "conjunction of comparisons"),
        (
            HANDSHAKE.replace("(set sum (+ sum item))", "(set item (+ sum item))"),
            "another component changes `item`",
        ),
        (HANDSHAKE.replace("(on give)", "(on take)"), "unknown event `take`"),
        (HANDSHAKE.replace("(initial Waiting)", ""), "needs an (initial LOCATION)"),
        (ALTERNATION.replace("(< count 3)", "(< total 3)"), "depends on the ghost"),
        (ALTERNATION.replace("(set asked request)", "(set request asked)"), "an input cannot be assigned"),
        (STAYS.replace("stutter (do)", "stutter (set x 1.0)"), "cannot change `x`"),
        (STAYS.replace("(delay Off positive true)", "(delay Off always true)"), "positive INVARIANT"),
        (FLOW.replace("(location body)", "(location head)"), "duplicate location"),
        (HANDSHAKE.replace("(item) (and", "(item item) (and"), "listed twice"),
    ];
    for (text, message) in refused {
        let (mut files, mut origins) = (tempora_source::Files::new(), tempora_source::Origins::new());
        let file = files.add("model.sym", text.as_str()).unwrap();
        let language = tempora_frontends::language_named("sym").unwrap();
        let model = tempora_frontends::read_model(language, &mut files, &mut origins, file, None);
        let messages: Vec<String> =
            model.diagnostics.as_slice().iter().map(|one| one.message.clone()).collect();
        assert!(messages.iter().any(|known| known.contains(message)), "{message}: {messages:?}\n{text}");
    }
}
