//! Refusals of the checker, and their reasons: small networks with handwritten certificates.

use tempora_certify::{Assurance, Reason, Refusal, certify, check_answer, verify};
use tempora_evidence::{
    Answer, Budget, Certificate, CertifiedStates, ClockBound, Progress, Statistics, Task, Verdict,
};
use tempora_explore::certificate;
use tempora_model::{LocationId, Value};
use tempora_oracle::{Model, read_model};

fn model(text: &str) -> Model {
    read_model(text).unwrap()
}

/// Returns the engine's certificate for the first query.
fn made(model: &Model) -> Certificate {
    certificate(&model.network, &model.queries[0], 0, &Budget::unlimited(), &Progress::new()).unwrap()
}

fn verified(model: &Model, certificate: &Certificate) -> Result<usize, Refusal> {
    let accepted = verify(&model.network, &model.queries[0], certificate, &Budget::unlimited())?;
    Ok(accepted.nodes)
}

/// `x` is at most 5 in `B`, because of the guard into it and the invariant.
const DOOR: &str = "clock x; int[0,3] n;
    process P { init location A; location B { invariant x <= 5; }
                A -> B { guard x >= 2; do x = 0, n = 1; } B -> A { guard n == 1; do n = 0; } }
    query A[] P.B imply x <= 5;";

fn bound(left: Option<u32>, right: Option<u32>, constant: i64) -> ClockBound {
    ClockBound { left, right, constant, is_strict: false }
}

fn node(location: u32, values: &[Value], bounds: &[ClockBound]) -> CertifiedStates {
    CertifiedStates {
        locations: vec![LocationId(location)],
        values: values.to_vec(),
        bounds: bounds.to_vec(),
    }
}

fn door_certificate() -> Certificate {
    let outside = node(0, &[Value::None, Value::Integer(0)], &[]);
    let inside = node(1, &[Value::None, Value::Integer(1)], &[bound(Some(0), None, 5)]);
    Certificate { part: None, states: vec![outside, inside] }
}

#[test]
fn accepts_handwritten_certificate() {
    let model = model(DOOR);
    assert_eq!(verified(&model, &door_certificate()), Ok(2));
    assert_eq!(verified(&model, &made(&model)).map(|nodes| nodes >= 2), Ok(true));
}

#[test]
fn refusals_name_node_and_reason() {
    let model = model(DOOR);
    let refused = |change: &dyn Fn(&mut Certificate)| {
        let mut certificate = door_certificate();
        change(&mut certificate);
        verified(&model, &certificate).unwrap_err()
    };
    let dropped = refused(&|certificate| certificate.states.truncate(1));
    assert_eq!(dropped.node, Some(0));
    assert_eq!(dropped.to_string(), "node 0: the step (P: A -> B) leads to a state outside all nodes");
    let without_start = refused(&|certificate| drop(certificate.states.remove(0)));
    assert_eq!(without_start.to_string(), "the initial state (P.A) is in no node");
    let widened = refused(&|certificate| certificate.states[1].bounds[0].constant = 6);
    assert_eq!((widened.node, widened.reason), (Some(1), Reason::Bad));
    let shrunk = refused(&|certificate| certificate.states[1].bounds[0].constant = 4);
    assert_eq!(shrunk.to_string(), "node 0: the step (P: A -> B) leads to a state outside all nodes");
    let strict = refused(&|certificate| certificate.states[1].bounds[0].is_strict = true);
    assert_eq!(strict, shrunk);
    let moved = refused(&|certificate| certificate.states[1].values[1] = Value::Integer(2));
    assert_eq!(moved, shrunk);
    let late = refused(&|certificate| certificate.states[0].bounds.push(bound(None, Some(0), -1)));
    assert_eq!(late.to_string(), "the initial state (P.A) is in no node");
    let early = refused(&|certificate| certificate.states[0].bounds.push(bound(Some(0), None, 100)));
    assert_eq!(early.to_string(), "the initial state (P.A) is in no node");
    assert!(matches!(
        refused(&|certificate| certificate.states.clear()).reason,
        Reason::StartIsNotCovered(_)
    ));
}

#[test]
fn rejects_ill_formed_nodes() {
    let model = model(DOOR);
    type Change<'change> = &'change dyn Fn(&mut CertifiedStates);
    let cases: [(Change<'_>, &str); 8] = [
        (&|node| node.locations[0].0 = 2, "`P` has no location number 2"),
        (&|node| node.locations.push(LocationId(0)), "it has 2 locations for 1 processes"),
        (&|node| node.values.truncate(1), "it has 1 values for 2 variables"),
        (&|node| node.values[1] = Value::Integer(4), "`n` cannot have the value 4"),
        (
            &|node| node.values[1] = Value::Parts(vec![Value::Integer(0); 3]),
            "`n` cannot have the value { 0, 0, 0 }",
        ),
        (&|node| node.values[1] = Value::None, "`n` cannot have the value -"),
        (&|node| node.bounds.push(bound(Some(1), None, 0)), "it bounds a clock that is not one of 1"),
        (&|node| node.bounds.push(bound(None, Some(0), i64::MIN)), "which is too large"),
    ];
    for (change, message) in cases {
        let mut certificate = door_certificate();
        change(&mut certificate.states[0]);
        let refusal = verified(&model, &certificate).unwrap_err();
        assert!(matches!(refusal.reason, Reason::IllFormed(_)), "{refusal}");
        assert!(
            refusal.to_string().starts_with("node 0: ") && refusal.to_string().contains(message),
            "{refusal}"
        );
    }
}

/// An empty node is harmless.
#[test]
fn empty_node_covers_nothing() {
    let model = model(DOOR);
    let mut certificate = door_certificate();
    certificate.states[1].bounds.push(bound(None, Some(0), -6));
    assert!(matches!(verified(&model, &certificate).unwrap_err().reason, Reason::SuccessorIsNotCovered(_)));
    certificate.states.push(door_certificate().states.remove(1));
    assert_eq!(verified(&model, &certificate), Ok(3));
}

#[test]
fn unsupported_constructs_are_refused_by_name() {
    let cases = [
        ("meta int m; process P { init location A; } query A[] true;", "meta variables, such as `m`"),
        (
            "double d; process P { init location A; } query A[] true;",
            "floating point numbers in states, such as `d`",
        ),
        (
            "clock x; process P { init location A { invariant x' == 2; } } query A[] true;",
            "clock rates other than one",
        ),
    ];
    for (text, what) in cases {
        let model = model(text);
        let values =
            model.network.variables.values().map(|variable| variable.initial.clone()).collect::<Vec<_>>();
        let certificate = Certificate { part: None, states: vec![node(0, &values, &[])] };
        let refusal = verified(&model, &certificate).unwrap_err();
        assert!(refusal.to_string().contains(what), "{refusal}");
    }
}

/// All clock values up to three are in one node; the guard decides whether they are deadlocked.
#[test]
fn deadlock_includes_all_later_times() {
    for (guard, is_stuck) in
        [("x >= 2", false), ("x == 3", false), ("x > 3", true), ("x <= 2", true), ("x <= 3", false)]
    {
        let text = format!(
            "clock x; process P {{ init location A {{ invariant x <= 3; }} A -> A {{ guard {guard}; do x = 0; }} }}
            query A[] not deadlock;"
        );
        let model = model(&text);
        let values: Vec<Value> =
            model.network.variables.values().map(|variable| variable.initial.clone()).collect();
        let certificate =
            Certificate { part: None, states: vec![node(0, &values, &[bound(Some(0), None, 3)])] };
        match verified(&model, &certificate) {
            Ok(_) => assert!(!is_stuck, "{guard}"),
            Err(refusal) => assert!(is_stuck && refusal.reason == Reason::Bad, "{guard}: {refusal}"),
        }
    }
}

#[test]
fn other_questions_have_no_certificates() {
    for query in ["A<> P.A", "E[] P.A", "P.A --> P.A", "sup: 1"] {
        let model = model(&format!("process P {{ init location A; }} query {query};"));
        let refusal =
            verified(&model, &Certificate { part: None, states: vec![node(0, &[], &[])] }).unwrap_err();
        assert!(matches!(refusal.reason, Reason::OtherQuestion(_)), "{query}: {refusal}");
    }
}

#[test]
fn model_with_runtime_error_is_not_certified() {
    let text = "int[0,1] n; process P { init location A; location B; A -> B { do n = n + 2; } } query A[] P.A || P.B;";
    let model = model(text);
    let certificate = Certificate { part: None, states: vec![node(0, &[Value::Integer(0)], &[])] };
    assert!(matches!(verified(&model, &certificate).unwrap_err().reason, Reason::ModelError(_)));
}

/// Each network reaches `Bad` by another kind of step; the certificate omits it.
#[test]
fn follows_every_kind_of_step() {
    let cases = [
        "process P { init location A; location Bad; A -> Bad; }",
        "process P { init location A; location Bad; A -> Bad { select i : int[0,2]; guard i == 2; } }",
        "chan c; process P { init location A; location Bad; A -> Bad { sync c?; } }
         process Q { init location D; D -> D { sync c!; } }",
        "broadcast chan c; process P { init location A; location Bad; A -> Bad { sync c!; } }",
        "broadcast chan c; process P { init location A; location Bad; A -> Bad { sync c?; } }
         process Q { init location D; D -> D { sync c!; } }",
        "clock x; broadcast chan c;
         process P { init location A; location Bad; A -> Bad { guard x > 7; sync c?; } }
         process Q { init location D; D -> D { sync c!; } }",
        "process P { init location A; location Bad; A -> Bad { event a; } }
         process Q { init location D; D -> D { event b; } } vector P@a, Q@b;",
        "process P { init committed location A; location Bad; A -> Bad; }",
        "process P { init urgent location A; location Bad; A -> Bad; }",
        "clock x; process P { init location A { invariant x <= 3; } location Bad; A -> Bad { guard x == 3; } }",
        "clock x; broadcast chan c;
         process P { init location A; location Bad { invariant x > 4; } A -> Bad { sync c!; } }
         process Q { init location D; location E; D -> E { guard x == 3; sync c?; } }",
        "broadcast chan c; process P { init location A; location Bad; A -> A { sync c?; } A -> Bad { sync c?; } }
         process Q { init location D; D -> D { sync c!; } }",
        "chan priority default; process P { init location A; location Bad; A -> Bad; }",
    ];
    for text in cases {
        let system = if text.contains("process Q") { "system P, Q;" } else { "system P;" };
        let model = model(&format!("{text} {system} query A[] not P.Bad;"));
        let values =
            model.network.variables.values().map(|variable| variable.initial.clone()).collect::<Vec<_>>();
        let locations = vec![LocationId(0); model.network.processes.len()];
        let certificate = Certificate {
            part: None,
            states: vec![CertifiedStates { locations, values, bounds: Vec::new() }],
        };
        let refusal = verified(&model, &certificate).expect_err(text);
        assert!(matches!(refusal.reason, Reason::SuccessorIsNotCovered(_)), "{text}: {refusal}");
    }
}

/// An urgent synchronisation that is possible for some clock values only does not stop delays of the others.
#[test]
fn time_passes_where_urgent_channel_is_disabled() {
    let model = model(
        "clock x, y; urgent chan c;
         process P { init location A; location W; location Bad;
                     A -> W { do y = 0; } W -> W { guard x >= 3; sync c!; } W -> Bad { guard y > 0; } }
         process Q { init location D; D -> D { sync c?; } }
         system P, Q; query A[] not P.Bad;",
    );
    let values: Vec<Value> =
        model.network.variables.values().map(|variable| variable.initial.clone()).collect();
    let node = |location, bounds: &[ClockBound]| CertifiedStates {
        locations: vec![LocationId(location), LocationId(0)],
        values: values.clone(),
        bounds: bounds.to_vec(),
    };
    let certificate =
        Certificate { part: None, states: vec![node(0, &[]), node(1, &[bound(Some(1), None, 0)])] };
    let refusal = verified(&model, &certificate).unwrap_err();
    assert_eq!(refusal.to_string(), "node 0: the step (P: A -> W) leads to a state outside all nodes");
}

/// A certificate may omit committed states: they are left at once, and their successors are checked.
#[test]
fn passes_committed_states() {
    let chain = |second: &str, query: &str| {
        model(&format!(
            "clock x; int[0,9] n;
             process P {{ init location A {{ invariant x <= 3; }} committed location B; committed location C; location D;
                         A -> B {{ guard x >= 2; do n = n + 1; }} B -> C {{ guard n < 9; do x = 0; }} {second} C -> A {{ do n = 0; }} }}
             query {query};"
        ))
    };
    let not_committed =
        |certificate: &Certificate| certificate.states.iter().all(|state| state.locations == [LocationId(0)]);
    for query in ["A[] not P.D", "A[] P.C imply x == 0", "A[] P.B imply x >= 2", "A[] not deadlock"] {
        let model = chain("", query);
        let certificate = made(&model);
        assert!(not_committed(&certificate), "{query}");
        let accepted = verify(&model.network, &model.queries[0], &certificate, &Budget::unlimited()).unwrap();
        assert_eq!((accepted.nodes, accepted.passed, accepted.transitions), (1, 2, 3), "{query}");
    }
    let certificate = made(&chain("", "A[] true"));
    for (second, query) in [
        ("C -> D;", "A[] not P.D"),
        ("", "A[] P.C imply x > 0"),
        ("", "A[] P.B imply x > 2"),
        ("B -> C { guard n == 9; }", "A[] n < 1"),
    ] {
        let refusal = verified(&chain(second, query), &certificate).expect_err(query);
        assert_eq!(refusal.node, Some(0), "{query}: {refusal}");
    }
    // Between the two committed locations `x` is reset, so the guard of the next edge does not hold.
    let stuck = model(
        "clock x; process P { init location A; committed location B; committed location C;
                              A -> B { guard x >= 2; } B -> C { do x = 0; } C -> A { guard x >= 2; } }
         query A[] not deadlock;",
    );
    let anything = Certificate { part: None, states: vec![node(0, &[Value::None], &[])] };
    assert!(matches!(verified(&stuck, &anything).unwrap_err().reason, Reason::Bad));
}

/// A checked committed state is checked again with other values.
#[test]
fn passes_committed_states_with_all_values() {
    let text = "clock x; process P {
        init location A { invariant x <= 2; } location B; committed location C; location Bad;
        A -> C; C -> B { guard x <= 2; } C -> Bad { guard x > 4; } B -> C { guard x COMPARED 3; } }
        query A[] not P.Bad;";
    let at_most = [bound(Some(0), None, 2)];
    let nodes = vec![node(0, &[Value::None], &at_most), node(1, &[Value::None], &[])];
    let certificate = Certificate { part: None, states: nodes };
    assert_eq!(verified(&model(&text.replace("COMPARED", "<=")), &certificate), Ok(2));
    let refusal = verified(&model(&text.replace("COMPARED", ">=")), &certificate).unwrap_err();
    assert_eq!(refusal.to_string(), "node 1: the step (P: C -> Bad) leads to a state outside all nodes");
}

/// Invariants hold on entry, even without a delay.
#[test]
fn invariants_hold_on_entry() {
    let model = model(
        "clock x; process P { init location A; urgent location W { invariant x >= 5; } location Bad;
                              A -> W; W -> Bad { guard x < 5; } }
         query A[] not P.Bad;",
    );
    assert_eq!(verified(&model, &made(&model)), Ok(2));
}

/// The certificates are right, for reasons that the checker has to know.
#[test]
fn impossible_steps_are_not_followed() {
    let cases = [
        "chan c; process P { init location A; location Bad; A -> Bad { sync c?; } }",
        "chan c, d; process P { init location A; location Bad; A -> Bad { sync c?; } }
         process Q { init location D; D -> D { sync d!; } }",
        "process P { init location A; location Bad; A -> Bad; } process Q { init committed location D; }",
        "clock x; process P { init urgent location A; location Bad; A -> Bad { guard x > 0; } }",
        "clock x; process P { init location A { invariant x <= 3; } location Bad; A -> Bad { guard x > 3; } }",
        "clock x; process P { init location A; location Bad { invariant x < 0; } A -> Bad; }",
        "clock x; process P { init location A; urgent location Bad { invariant x < 0; } A -> Bad; }",
        "clock x; urgent chan c; process P { init location A; location Bad; A -> Bad { guard x > 0; }  A -> A { sync c?; } }
         process Q { init location D; D -> D { sync c!; } }",
        "process P { init location A; location Bad; A -> Bad { event a; } }
         process Q { init location D; } vector P@a, Q@b;",
    ];
    for text in cases {
        let text = if text.contains("Q@b") {
            text.replace("location D; }", "location D; location E; E -> D { event b; } }")
        } else {
            text.to_owned()
        };
        let system = if text.contains("process Q") { "system P, Q;" } else { "system P;" };
        let model = model(&format!("{text} {system} query A[] not P.Bad;"));
        let certificate = made(&model);
        let accepted = verify(&model.network, &model.queries[0], &certificate, &Budget::unlimited());
        // The only state is a node, or is committed and not in a node.
        assert_eq!(accepted.map(|accepted| accepted.nodes + accepted.passed), Ok(1), "{text}");
    }
}

#[test]
fn only_accepted_certificate_certifies_answer() {
    let model = model(DOOR);
    let task = Task::about_network(model.network.clone().into(), model.queries.clone());
    let budget = Budget::unlimited();
    let answer = |verdict| {
        let statistics = Statistics::default();
        let answer = Answer {
            verdict,
            evidence: Vec::new(),
            caveats: Vec::new(),
            statistics,
            engine: "test".to_owned(),
        };
        check_answer(&task, 0, answer, &budget)
    };
    let (network, query) = (&model.network, &model.queries[0]);
    let (certified, _) =
        certify(network, query, answer(Verdict::Holds), door_certificate(), &budget).unwrap();
    assert_eq!(certified.assurance(), Assurance::Certified);
    let refused =
        certify(network, query, answer(Verdict::Holds), Certificate::default(), &budget).unwrap_err();
    assert_eq!(refused.0.assurance(), Assurance::Unchecked);
    let other = certify(network, query, answer(Verdict::Fails), door_certificate(), &budget).unwrap_err();
    assert!(matches!(other.1.reason, Reason::OtherQuestion(_)));
}

#[test]
fn obeys_the_budget() {
    let model = model(DOOR);
    let budget = Budget::unlimited().with_timeout(std::time::Duration::ZERO);
    let refusal = verify(&model.network, &model.queries[0], &door_certificate(), &budget).unwrap_err();
    assert!(matches!(refusal.reason, Reason::Exhausted(_)), "{refusal}");
}

/// Nodes cover together a zone that none of them covers alone.
#[test]
fn nodes_may_cover_jointly() {
    let model = model(
        "clock x; process P { init location A { invariant x <= 4; } location B; A -> B { } }
        query A[] P.A imply x <= 4;",
    );
    let elsewhere = node(1, &[Value::None], &[]);
    let early = node(0, &[Value::None], &[bound(Some(0), None, 2)]);
    let mut late = node(0, &[Value::None], &[bound(None, Some(0), -2), bound(Some(0), None, 4)]);
    let together = |nodes: &[&CertifiedStates]| {
        let states = nodes.iter().map(|&node| node.clone()).collect();
        verified(&model, &Certificate { part: None, states })
    };
    assert_eq!(together(&[&elsewhere, &early, &late]), Ok(3));
    let refusal = together(&[&elsewhere, &early]).unwrap_err();
    assert_eq!(refusal.to_string(), "the initial state (P.A) is in no node");
    // Now no node has the time two and a half.
    late.bounds[0].constant = -3;
    assert!(together(&[&elsewhere, &early, &late]).is_err());
    // Now no node has the time two.
    let mut strict = early.clone();
    strict.bounds[0].is_strict = true;
    late.bounds[0] = ClockBound { is_strict: true, ..bound(None, Some(0), -2) };
    assert!(together(&[&elsewhere, &strict, &late]).is_err());
    assert_eq!(together(&[&elsewhere, &early, &late]), Ok(3));
}
