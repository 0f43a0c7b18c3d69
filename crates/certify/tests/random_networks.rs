//! Certificates of random networks are accepted, and wrong ones are refused.
//!
//! `CERTIFY_CASES` sets the number of networks; each failure prints the network, with its seed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use tempora_certify::{Reason, verify};
use tempora_evidence::{Budget, Certificate, Progress, UnknownReason, Verdict};
use tempora_explore::certificate;
use tempora_model::{Formula, Network, Query, QueryKind, Value, VariableKind};
use tempora_oracle::random_networks::{Knobs, QueryTopic, Random, RandomNetwork, generate};

fn cases(default: u64) -> u64 {
    std::env::var("CERTIFY_CASES").map_or(default, |cases| cases.parse().unwrap())
}

/// The queries of a network about what can be reached, each with whether nothing bad can.
fn queries(random: &RandomNetwork) -> impl Iterator<Item = (&Query, bool)> {
    let about_reachability =
        |topic: &QueryTopic| matches!(topic, QueryTopic::Possibly | QueryTopic::Always);
    QueryTopic::ALL.iter().zip(&random.model.queries).filter(move |(topic, _)| about_reachability(topic)).map(
        |(_, query)| {
            let shown = match &query.kind {
                QueryKind::Formula(Formula::Always(_)) => Verdict::Holds,
                _ => Verdict::Fails,
            };
            (query, random.graph.answer(query).unwrap() == shown)
        },
    )
}

/// How many certificates were made, and what was not certified.
#[derive(Default)]
struct Tally {
    accepted: u64,
    nodes: usize,
    declined: u64,
}

fn accept(random: &RandomNetwork, tally: &mut Tally) {
    let network = &random.model.network;
    for (query, is_safe) in queries(random) {
        let (budget, progress) = (Budget::unlimited(), Progress::new());
        let made = certificate(network, query, &budget, &progress);
        if !is_safe {
            assert!(made.is_err(), "{}\n{}", query.text, random.text);
            continue;
        }
        match made {
            Ok(certificate) => {
                let accepted = verify(network, query, &certificate, &budget).unwrap_or_else(|refusal| {
                    panic!("{}: {refusal}\n{certificate:#?}\n{}", query.text, random.text)
                });
                assert_eq!(accepted.nodes, certificate.states.len());
                tally.accepted += 1;
                tally.nodes += accepted.nodes;
            }
            Err(UnknownReason::EngineBug(why)) => panic!("{}: {why}\n{}", query.text, random.text),
            Err(why) => {
                println!("seed {}: {}: {why:?}", random.seed, query.text);
                tally.declined += 1;
            }
        }
    }
}

#[test]
fn certificates_of_random_networks_are_accepted() {
    let knobs = Knobs { region_limit: 4000, ..Knobs::default() };
    let mut tally = Tally::default();
    for seed in 0..cases(500) {
        accept(&generate(4_000_000 + seed, &knobs).unwrap(), &mut tally);
    }
    let Tally { accepted, nodes, declined } = tally;
    println!("{accepted} accepted with {nodes} nodes, {declined} declined");
    assert!(accepted * 2 >= cases(500), "only {accepted}");
    assert_eq!(declined, 0);
}

/// With differences of clocks, or urgency that depends on clocks, not every certificate is found.
#[test]
fn certificates_of_networks_with_differences_and_urgent_guards_are_accepted() {
    let knobs =
        Knobs { has_differences: true, has_urgent_guards: true, region_limit: 4000, ..Knobs::default() };
    let mut tally = Tally::default();
    for seed in 0..cases(200) {
        accept(&generate(5_000_000 + seed, &knobs).unwrap(), &mut tally);
    }
    let Tally { accepted, nodes, declined } = tally;
    println!("{accepted} accepted with {nodes} nodes, {declined} declined");
    assert!(accepted * 3 >= cases(200), "only {accepted}");
    assert!(declined * 3 <= accepted, "{declined} of {accepted}");
}
