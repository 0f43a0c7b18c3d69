//! Certificates of random networks are accepted, and wrong ones are refused.
//!
//! `CERTIFY_CASES` sets the number of networks; each failure prints the network and its seed.

#![allow(clippy::print_stdout, reason = "the counts are shown with --nocapture")]

use std::sync::Arc;

use tempora_certify::{Reason, verify};
use tempora_evidence::{Budget, Certificate, Engine, Progress, Task, UnknownReason, Verdict};
use tempora_explore::{ZoneEngine, certificate};
use tempora_model::{
    Expression, ExpressionKind, Formula, Network, Query, QueryKind, Type, Value, VariableKind,
};
use tempora_oracle::random_networks::{Knobs, QueryTopic, Random, RandomNetwork, generate};

fn cases(default: u64) -> u64 {
    std::env::var("CERTIFY_CASES").map_or(default, |cases| cases.parse().unwrap())
}

/// Returns the reachability queries of a network, each with whether no bad state is reachable. Queries about deadlocks
/// are slow with diagonal constraints.
fn queries(random: &RandomNetwork, has_deadlocks: bool) -> impl Iterator<Item = (&Query, bool)> {
    let about_reachability = move |topic: &QueryTopic| match topic {
        QueryTopic::Possibly | QueryTopic::Always => true,
        QueryTopic::Deadlock => has_deadlocks,
        _ => false,
    };
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

/// Counts of accepted and declined certificates.
#[derive(Default)]
struct Tally {
    accepted: u64,
    nodes: usize,
    declined: u64,
}

fn accept(random: &RandomNetwork, has_deadlocks: bool, tally: &mut Tally) {
    let network = &random.model.network;
    for (query, is_safe) in queries(random, has_deadlocks) {
        let (budget, progress) = (Budget::unlimited(), Progress::new());
        let made = certificate(network, query, 0, &budget, &progress);
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
            // The engine does not decide the query either.
            Err(why) => {
                let task = Task::about_network(Arc::new(network.clone()), vec![query.clone()]);
                let answers = ZoneEngine::default().run(&task, &budget, &progress);
                assert_eq!(answers[0].verdict, Verdict::Unknown(why), "{}\n{}", query.text, random.text);
                tally.declined += 1;
            }
        }
    }
}

#[test]
fn accepts_certificates_of_random_networks() {
    let knobs = Knobs { region_limit: 4000, ..Knobs::default() };
    let mut tally = Tally::default();
    for seed in 0..cases(500) {
        accept(&generate(4_000_000 + seed, &knobs).unwrap(), true, &mut tally);
    }
    let Tally { accepted, nodes, declined } = tally;
    println!("{accepted} accepted with {nodes} nodes, {declined} that the engine does not decide");
    assert!(accepted * 2 >= cases(500), "only {accepted}");
    assert!(declined * 20 <= accepted, "{declined} of {accepted}");
}

/// With diagonal constraints, or urgency that depends on clocks, not every certificate is found.
#[test]
fn accepts_diagonals_and_urgent_guards() {
    let knobs =
        Knobs { has_differences: true, has_urgent_guards: true, region_limit: 4000, ..Knobs::default() };
    let mut tally = Tally::default();
    for seed in 0..cases(200) {
        accept(&generate(5_000_000 + seed, &knobs).unwrap(), false, &mut tally);
    }
    let Tally { accepted, nodes, declined } = tally;
    println!("{accepted} accepted with {nodes} nodes, {declined} that the engine does not decide");
    assert!(accepted * 3 >= cases(200), "only {accepted}");
    assert!(declined * 3 <= accepted, "{declined} of {accepted}");
}

/// Returns a query without bad states, whose certificate has all reachable states.
fn anything_goes(like: &Query) -> Query {
    let kind = ExpressionKind::Integer(1);
    let predicate = Expression { kind, value_type: Type::Boolean, origin: like.origin };
    let kind = QueryKind::Formula(Formula::Always(predicate));
    Query { text: "A[] true".to_owned(), kind, origin: like.origin }
}

/// The strongest forgery drops all nodes with a bad state. Then some transition leaves the nodes.
#[test]
fn rejects_certificates_when_bad_state_is_reachable() {
    let knobs = Knobs { region_limit: 4000, ..Knobs::default() };
    let (mut refused, mut dropped, mut too_large) = (0u64, 0u64, 0u64);
    for seed in 0..cases(500) {
        let random = generate(6_000_000 + seed, &knobs).unwrap();
        let network = &random.model.network;
        for (query, is_safe) in queries(&random, true) {
            let budget = Budget::unlimited();
            let Ok(mut whole) = certificate(network, &anything_goes(query), 0, &budget, &Progress::new())
            else {
                continue;
            };
            if is_safe {
                continue;
            }
            let refusal = loop {
                let refusal = verify(network, query, &whole, &budget).expect_err(&random.text);
                match (&refusal.reason, refusal.node) {
                    (Reason::Bad, Some(node)) => {
                        whole.states.remove(node);
                        dropped += 1;
                    }
                    _ => break refusal,
                }
            };
            // The checker may give up, which is a refusal too.
            if matches!(refusal.reason, Reason::TooLarge(_)) {
                too_large += 1;
                continue;
            }
            let is_open =
                matches!(refusal.reason, Reason::StartIsNotCovered(_) | Reason::SuccessorIsNotCovered(_));
            assert!(is_open, "{}: {refusal}\n{}", query.text, random.text);
            refused += 1;
        }
    }
    println!("{refused} refused, {dropped} nodes dropped, {too_large} too large");
    assert!(refused * 2 >= cases(500), "only {refused}");
    assert!(too_large * 100 <= refused, "{too_large} of {refused}");
}

/// A change of a right certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tampering {
    DropNode,
    Shrink,
    ChangeValue,
    ChangeLocation,
}

fn tamper(
    network: &Network,
    certificate: &Certificate,
    how: Tampering,
    random: &mut Random,
) -> Option<Certificate> {
    let mut wrong = certificate.clone();
    let node = random.below(wrong.states.len());
    match how {
        Tampering::DropNode => {
            wrong.states.remove(node);
        }
        Tampering::Shrink => {
            let bounds = &mut wrong.states[node].bounds;
            let bound = random.below(bounds.len());
            bounds.get_mut(bound)?.constant -= 1;
        }
        Tampering::ChangeValue => {
            let values = network.variables.values().zip(&mut wrong.states[node].values);
            let numbers = values.filter(|(variable, _)| variable.kind == VariableKind::State);
            let mut numbers: Vec<&mut i32> = numbers
                .filter_map(|(_, value)| if let Value::Integer(number) = value { Some(number) } else { None })
                .collect();
            let position = random.below(numbers.len());
            let number = numbers.get_mut(position)?;
            **number = if **number == 0 { 1 } else { 0 };
        }
        Tampering::ChangeLocation => {
            let states = &mut wrong.states[node].locations;
            let process = random.below(states.len());
            let count = network.processes.values().nth(process)?.locations.len() as u32;
            states[process].0 = (states[process].0 + 1) % count;
        }
    }
    Some(wrong)
}

/// A certificate without a node, or with a smaller or moved node, is refused, unless the node is unreachable or covered
/// by others.
#[test]
fn rejects_tampered_certificates() {
    let knobs = Knobs { region_limit: 4000, ..Knobs::default() };
    for how in [Tampering::DropNode, Tampering::Shrink, Tampering::ChangeValue, Tampering::ChangeLocation] {
        let (mut refused, mut accepted) = (0u64, 0u64);
        for seed in 0..cases(300) {
            let random = generate(4_000_000 + seed, &knobs).unwrap();
            let network = &random.model.network;
            let mut choice = Random::new(seed);
            for (query, is_safe) in queries(&random, true) {
                let budget = Budget::unlimited();
                let made = certificate(network, query, 0, &budget, &Progress::new());
                let (true, Ok(right)) = (is_safe, made) else { continue };
                let Some(wrong) = tamper(network, &right, how, &mut choice) else { continue };
                match verify(network, query, &wrong, &budget) {
                    Ok(_) => accepted += 1,
                    Err(_) => refused += 1,
                }
            }
        }
        println!("{how:?}: {refused} refused, {accepted} accepted");
        assert!(refused >= accepted * 10 && refused > 50, "{how:?}: {refused} refused, {accepted} accepted");
    }
}
