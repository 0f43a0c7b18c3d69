//! Engines for symbolic systems agree with the region oracle about random networks.
//!
//! `AGREEMENT_CASES` sets the number of networks; each failure prints the network, with its seed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and tells what it saw"
)]

use std::sync::Arc;
use std::time::Duration;

use tempora_evidence::{Budget, Progress, Task, UnknownReason, Verdict};
use tempora_model::{LoweredClaim, QueryKind, lower_network, print_system, read_system, validate_system};
use tempora_oracle::random_networks::{Knobs, QueryTopic, generate};
use tempora_replay::Assurance;
use tempora_source::{Files, Origins};
use tempora_workbench::{CheckOptions, check, engine_named};

fn cases(default: u64) -> u64 {
    std::env::var("AGREEMENT_CASES").map_or(default, |cases| cases.parse().unwrap())
}

fn knobs() -> Knobs {
    Knobs { has_priorities: false, has_vectors: false, processes: 1..=2, ..Knobs::default() }
}

/// Compares what an engine says with what the oracle says; how many questions it decided, of how many.
fn compare(engine: &str, count: u64, seconds: u64) -> (u64, u64) {
    let (mut decided, mut asked) = (0, 0);
    for seed in 0..count {
        let random = generate(seed, &knobs()).unwrap();
        let topics = QueryTopic::ALL.iter().zip(&random.model.queries);
        let queries: Vec<_> = topics
            .filter(|(topic, _)| matches!(topic, QueryTopic::Possibly | QueryTopic::Always))
            .map(|(_, query)| query.clone())
            .collect();
        for query in queries {
            let expected = random.graph.answer(&query).unwrap();
            let task = Task { network: Arc::new(random.model.network.clone()), queries: vec![query.clone()] };
            let options = CheckOptions { engine: engine_named(engine).unwrap(), ..CheckOptions::default() };
            let budget = Budget::unlimited().with_timeout(Duration::from_secs(seconds));
            let answer = check(&task, options, &budget, &Progress::new()).remove(0);
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
    println!("{engine}: {decided} of {asked} decided");
    (decided, asked)
}

#[test]
fn refined_abstractions_agree_with_the_oracle() {
    let (decided, asked) = compare("cegar", cases(20), 10);
    assert!(decided * 10 >= asked * 6, "{decided} of {asked} decided");
}

#[test]
fn runs_of_growing_length_agree_with_the_oracle() {
    compare("bmc", cases(15), 1);
}

#[test]
fn lowered_networks_are_valid_and_are_read_back() {
    let count = cases(50);
    let mut declined = 0;
    for seed in 0..count {
        let random = generate(seed, &knobs()).unwrap();
        let claims: Vec<LoweredClaim<'_>> = Vec::new();
        let Ok(lowered) = lower_network(&random.model.network, &claims) else {
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
