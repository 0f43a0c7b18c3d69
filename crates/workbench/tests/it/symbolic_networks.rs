//! Engines for symbolic systems agree with the region oracle on random networks.
//!
//! `AGREEMENT_CASES` sets the number of networks; each failure prints the network, with its seed.

#![allow(clippy::print_stdout, reason = "the test reports its counts")]

use std::sync::Arc;
use std::time::Duration;

use tempora_certify::Assurance;
use tempora_evidence::{Budget, Progress, Task, UnknownReason, Verdict};
use tempora_model::{Network, Query, QueryKind};
use tempora_oracle::random_networks::{Knobs, QueryTopic, generate};
use tempora_oracle::read_model;
use tempora_source::{Files, Origins};
use tempora_symbolic::{LoweredClaim, lower_network};
use tempora_transition::{print_system, read_system, validate_system};
use tempora_workbench::{CheckOptions, check, engine_named};

fn cases(default: u64) -> u64 {
    std::env::var("AGREEMENT_CASES").map_or(default, |cases| cases.parse().unwrap())
}

fn knobs() -> Knobs {
    Knobs { has_priorities: false, has_vectors: false, processes: 1..=2, ..Knobs::default() }
}

/// Returns the verdict of the zone engine.
fn zones(network: &Network, query: &Query) -> Verdict {
    let task = Task::about_network(Arc::new(network.clone()), vec![query.clone()]);
    let options = CheckOptions::with_engine(engine_named("zones").unwrap());
    check(&task, &options, &Budget::unlimited(), &Progress::new())[0].answer().verdict.clone()
}

/// Compares an engine with the oracle and the zone engine; returns the numbers of decided and of all queries.
fn compare(engine: &str, count: u64, seconds: u64) -> (u64, u64) {
    let (mut decided, mut asked, mut without_zones) = (0, 0, 0u64);
    for seed in 0..count {
        let random = generate(seed, &knobs()).unwrap();
        let topics = QueryTopic::ALL.iter().zip(&random.model.queries);
        let queries: Vec<_> = topics
            .filter(|(topic, _)| matches!(topic, QueryTopic::Possibly | QueryTopic::Always))
            .map(|(_, query)| query.clone())
            .collect();
        for query in queries {
            let expected = random.graph.answer(&query).unwrap();
            // The zone engine may have no verdict if a synchronisation is urgent only for some clock values.
            match zones(&random.model.network, &query) {
                Verdict::Unknown(UnknownReason::Unsupported(_)) => without_zones += 1,
                found => assert_eq!(found, expected, "zones: {}\n{}", query.text, random.text),
            }
            let task = Task::about_network(Arc::new(random.model.network.clone()), vec![query.clone()]);
            let options = CheckOptions::with_engine(engine_named(engine).unwrap());
            let budget = Budget::unlimited().with_timeout(Duration::from_secs(seconds));
            let answer = check(&task, &options, &budget, &Progress::new()).remove(0);
            asked += 1;
            match &answer.answer().verdict {
                Verdict::Unknown(UnknownReason::EngineBug(why)) => {
                    panic!("{engine}: {}: {why}\n{}", query.text, random.text)
                }
                Verdict::Unknown(why) => println!("{engine}: seed {seed}: {}: {why:?}", query.text),
                verdict => {
                    decided += 1;
                    assert_eq!(verdict, &expected, "{engine}: {}\n{}", query.text, random.text);
                    let is_run = matches!(
                        (&query.kind, verdict),
                        (QueryKind::Formula(tempora_model::Formula::Possibly(_)), Verdict::Holds)
                            | (QueryKind::Formula(tempora_model::Formula::Always(_)), Verdict::Fails)
                    );
                    let assurance = if is_run { Assurance::Replayed } else { Assurance::Unchecked };
                    assert_eq!(answer.assurance(), assurance, "{engine}: {}\n{}", query.text, random.text);
                }
            }
        }
    }
    println!("{engine}: {decided} of {asked} decided, {without_zones} without zones");
    assert!(without_zones * 10 <= asked, "zones have no answer to {without_zones} of {asked}");
    (decided, asked)
}

#[test]
fn cegar_agrees_with_oracle() {
    let (decided, asked) = compare("cegar", cases(20), 10);
    assert!(decided * 10 >= asked * 6, "{decided} of {asked} decided");
}

#[test]
fn bounded_engines_agree_with_oracle() {
    compare("bmc", cases(15), 1);
}

#[test]
fn lowered_networks_round_trip() {
    let count = cases(50);
    let mut declined = 0;
    for seed in 0..count {
        let random = generate(seed, &knobs()).unwrap();
        let claims: Vec<LoweredClaim<'_>> = Vec::new();
        let Ok(lowered) = lower_network(&random.model.network, &claims, &mut || false) else {
            declined += 1;
            continue;
        };
        let faults = validate_system(&lowered.system);
        assert!(faults.is_empty(), "{faults:?}\n{}", random.text);
        let text = print_system(&lowered.system);
        let mut files = Files::new();
        let file = files.add("lowered.sym", text.as_str()).unwrap();
        let read = read_system(file, &text, &mut Origins::new());
        let again = print_system(&read.unwrap_or_else(|error| panic!("{error:?}\n{text}")));
        assert_eq!(again, text);
    }
    assert!(declined * 5 < count, "{declined} of {count} declined");
}

/// Returns the verdicts of the CEGAR engine for the queries of a model.
fn verdicts(text: &str, budget: &Budget) -> Vec<(String, Verdict)> {
    let model = read_model(text).unwrap();
    let task = Task::about_network(Arc::new(model.network), model.queries);
    let options = CheckOptions::with_engine(engine_named("cegar").unwrap());
    let answers = check(&task, &options, budget, &Progress::new());
    let queries = task.queries.iter().map(|query| query.text.clone());
    queries.zip(answers.iter().map(|answer| answer.answer().verdict.clone())).collect()
}

#[test]
fn assignment_and_call_have_stored_value() {
    // The value five becomes one as a Boolean, in assignments and results.
    let text = "bool b; int x; int y;
        bool five() { return 5; }
        process P() { init location A; location B; A -> B { do x = (b = 5), y = five(); } }
        system P;
        query E<> P.B && x == 1 && y == 1;
        query E<> P.B && (x == 5 || y == 5);";
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
    let verdicts: Vec<Verdict> = verdicts(text, &budget).into_iter().map(|(_, verdict)| verdict).collect();
    assert_eq!(verdicts, [Verdict::Holds, Verdict::Fails]);
}

#[test]
fn result_out_of_range_is_failure() {
    let text = "int x;
        int[0,3] seven() { return x + 7; }
        process P() { init location A; location B; A -> B { do x = seven(); } }
        system P;
        query A[] x == 0;";
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
    for (what, verdict) in verdicts(text, &budget) {
        assert!(matches!(verdict, Verdict::Unknown(_)), "{what}: {verdict:?}, but the model fails");
    }
}

#[test]
fn lowering_keeps_timeout() {
    // The condition quantifies over a thousand million values.
    let text = "int x;
        process P() { init location A; location B;
            A -> B { guard forall (i : int[0,999]) forall (j : int[0,999]) forall (k : int[0,999]) x + i >= j - k; } }
        system P;
        query E<> P.B;";
    for (what, verdict) in verdicts(text, &Budget::unlimited().with_timeout(Duration::from_millis(200))) {
        assert_eq!(verdict, Verdict::Unknown(UnknownReason::Timeout), "{what}");
    }
}

#[test]
fn all_enabled_receivers_take_broadcast() {
    let text = "broadcast chan c; int[0,1] n;
        process P { init location A; location B; A -> B { sync c!; } }
        process Q { init location A; location B; A -> B { guard n == 0; sync c?; } }
        process R { init location A; location B; A -> B { guard n == 1; sync c?; } }
        system P, Q, R;
        query A[] not (P.B and Q.A);
        query A[] R.A;
        query E<> P.B and Q.B;";
    let found = verdicts(text, &Budget::unlimited());
    let expected = [Verdict::Holds, Verdict::Holds, Verdict::Holds];
    let found: Vec<Verdict> = found.into_iter().map(|(_, verdict)| verdict).collect();
    assert_eq!(found, expected);
}
