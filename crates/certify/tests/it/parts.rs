//! Certificates about parts of networks.
//!
//! `CERTIFY_CASES` sets the number of networks; each failure prints the network and its seed.

#![allow(clippy::print_stdout, reason = "the counts are shown with --nocapture")]

use tempora_certify::{Reason, approximated_predicate, verify, weakened};
use tempora_evidence::{Budget, NetworkPart, Progress, Verdict};
use tempora_explore::certificate_on_a_part;
use tempora_model::{Expression, ExpressionKind, Formula, Network, Query, QueryKind};
use tempora_oracle::random_networks::{Knobs, QueryTopic, Random, RandomNetwork, generate};
use tempora_oracle::{RegionGraph, Settings, explore, read_model};

fn cases(default: u64) -> u64 {
    std::env::var("CERTIFY_CASES").map_or(default, |cases| cases.parse().unwrap())
}

fn knobs(seed: u64) -> Knobs {
    Knobs {
        processes: 2..=4,
        clocks: 1..=2,
        greatest_constant: 2,
        has_priorities: false,
        has_vectors: false,
        has_urgent_guards: seed.is_multiple_of(2),
        has_copies: false,
        has_data_invariants: true,
        region_limit: 2000,
        ..Knobs::default()
    }
}

fn about_reachability(random: &RandomNetwork) -> impl Iterator<Item = &Query> {
    QueryTopic::ALL
        .iter()
        .zip(&random.model.queries)
        .filter(|(topic, _)| matches!(topic, QueryTopic::Possibly | QueryTopic::Always))
        .map(|(_, query)| query)
}

/// Returns the predicate of a query, and whether the network reaches the states of the query.
fn reached(graph: &RegionGraph, query: &Query) -> Option<bool> {
    let verdict = graph.answer(query).ok()?;
    match &query.kind {
        QueryKind::Formula(Formula::Always(_)) => Some(verdict == Verdict::Fails),
        _ => Some(verdict == Verdict::Holds),
    }
}

fn predicate(query: &Query) -> &Expression {
    match &query.kind {
        QueryKind::Formula(Formula::Always(predicate) | Formula::Possibly(predicate)) => predicate,
        other => panic!("{other:?}"),
    }
}

/// Counts of networks and parts that reach the states of a query.
#[derive(Default)]
struct Tally {
    reached_by_both: u64,
    by_part_alone: u64,
    by_none: u64,
}

impl Tally {
    fn add(&mut self, before: bool, after: bool) {
        match (before, after) {
            (true, _) => self.reached_by_both += 1,
            (false, true) => self.by_part_alone += 1,
            (false, false) => self.by_none += 1,
        }
    }
}

/// Returns a random part; with `has_all`, it contains everything in the predicate.
fn random_part(network: &Network, predicate: &Expression, random: &mut Random, has_all: bool) -> NetworkPart {
    let mut part = NetworkPart::default();
    predicate.for_each(&mut |node| match &node.kind {
        ExpressionKind::At { process, .. } | ExpressionKind::LocationOf(process) => {
            part.processes.insert(*process);
        }
        ExpressionKind::Variable(variable) => part.variables.extend([*variable]),
        _ => {}
    });
    part.processes.extend(network.processes.ids().filter(|_| random.below(2) == 0));
    part.variables.extend(network.variables.ids().filter(|_| has_all || random.below(2) == 0));
    part
}

/// States that the network reaches are reachable with an arbitrary rest, but not always conversely.
#[test]
fn weakened_network_reaches_states_of_network() {
    let (mut tally, mut too_large) = (Tally::default(), 0u64);
    for seed in 0..cases(600) {
        let random = generate(7_000_000 + seed, &knobs(seed)).unwrap();
        let network = &random.model.network;
        let mut choice = Random::new(seed);
        for query in about_reachability(&random) {
            let has_all = choice.below(2) == 0;
            let part = random_part(network, predicate(query), &mut choice, has_all);
            if part.processes.len() == network.processes.len() {
                continue;
            }
            // An update that depends on the outside does not define a part.
            let Ok(weaker) = weakened(network, &part, predicate(query)) else { continue };
            let Ok(graph) = explore(&weaker, &random.model.queries, &Settings::default()) else {
                too_large += 1;
                continue;
            };
            let (Some(before), Some(after)) = (reached(&random.graph, query), reached(&graph, query)) else {
                too_large += 1;
                continue;
            };
            assert!(after || !before, "{}\n{part:?}\n{}", query.text, random.text);
            tally.add(before, after);
        }
    }
    let Tally { reached_by_both, by_part_alone, by_none } = tally;
    println!(
        "{reached_by_both} reached by both, {by_part_alone} by the part alone, {by_none} by none, {too_large} too large"
    );
    let all = reached_by_both + by_part_alone + by_none;
    assert!(reached_by_both * 4 >= all && by_none * 20 >= all && all >= cases(600) / 2, "{all}");
}

/// States of a predicate about the outside remain reachable under its approximation.
#[test]
fn undecided_predicates_are_over_approximated() {
    let mut tally = Tally::default();
    for seed in 0..cases(600) {
        let random = generate(9_000_000 + seed, &knobs(seed)).unwrap();
        let network = &random.model.network;
        let mut choice = Random::new(seed);
        for query in about_reachability(&random) {
            let mut part = random_part(network, predicate(query), &mut choice, true);
            part.processes.retain(|_| choice.below(2) == 0);
            part.variables.retain(|_| choice.below(4) != 0);
            let bad = matches!(query.kind, QueryKind::Formula(Formula::Possibly(_)));
            let known = approximated_predicate(network, &part, predicate(query), bad);
            if known == *predicate(query) || matches!(known.kind, ExpressionKind::Integer(_)) {
                continue;
            }
            let Ok(weaker) = weakened(network, &part, &known) else { continue };
            let formula = if bad { Formula::Possibly(known) } else { Formula::Always(known) };
            let asked = Query { kind: QueryKind::Formula(formula), ..query.clone() };
            let Ok(graph) = explore(&weaker, std::slice::from_ref(&asked), &Settings::default()) else {
                continue;
            };
            let (Some(before), Some(after)) = (reached(&random.graph, query), reached(&graph, &asked)) else {
                continue;
            };
            assert!(after || !before, "{}\n{part:?}\n{}", query.text, random.text);
            tally.add(before, after);
        }
    }
    let Tally { reached_by_both, by_part_alone, by_none } = tally;
    println!("{reached_by_both} reached by both, {by_part_alone} by the part alone, {by_none} by none");
    assert!(
        reached_by_both >= cases(600) / 20 && by_none >= cases(600) / 100,
        "{reached_by_both}, {by_none}"
    );
}

#[test]
fn predicate_may_exceed_the_part() {
    let text = "clock x; int n;
        process P { init location A; location B; A -> B { do x = 0; } }
        process Q { init location C; C -> C { guard n < 9; do n = n + 1; } }
        query A[] (x < 0 imply n == 3);
        query A[] (x < 1 imply n == 3);
        query A[] (x < 0 && n == 1 imply n == 3);
        query E<> not (x >= 0 or n == 3);
        query A[] (n == 3 imply x < 0);
        query E<> not (n == 3 imply x < 0);";
    let model = read_model(text).unwrap();
    let budget = Budget::unlimited();
    let clock_alone = certificate_on_a_part(&model.network, &model.queries[0], &budget, &Progress::new());
    for query in &model.queries[4..] {
        let refusal = verify(&model.network, query, clock_alone.as_ref().unwrap(), &budget).unwrap_err();
        assert_eq!(refusal.reason, Reason::Bad, "{}", query.text);
    }
    for (query, is_shown) in model.queries.iter().zip([true, false, true, true]) {
        let found = certificate_on_a_part(&model.network, query, &budget, &Progress::new());
        assert_eq!(found.is_some(), is_shown, "{}", query.text);
        let Some(found) = found else { continue };
        let names: Vec<_> = found.part.iter().flat_map(|part| &part.variables).collect();
        assert_eq!(names.len(), 1, "only the clock is needed: {}", query.text);
        verify(&model.network, query, &found, &budget)
            .unwrap_or_else(|refusal| panic!("{}: {refusal}", query.text));
    }
}

/// Certificates that an engine finds on a part are accepted.
#[test]
fn accepts_certificates_on_parts() {
    let (mut accepted, mut refused) = (0u64, 0u64);
    for seed in 0..cases(400) {
        let random = generate(8_000_000 + seed, &knobs(seed)).unwrap();
        let network = &random.model.network;
        for query in about_reachability(&random) {
            let (budget, progress) = (Budget::unlimited(), Progress::new());
            let Some(found) = certificate_on_a_part(network, query, &budget, &progress) else { continue };
            let part = found.part.as_ref().unwrap();
            assert!(part.processes.len() < network.processes.len() || !part.variables.is_empty());
            verify(network, query, &found, &budget)
                .unwrap_or_else(|refusal| panic!("{}: {refusal}\n{found:#?}\n{}", query.text, random.text));
            accepted += 1;
            for node in 0..found.states.len() {
                let mut less = found.clone();
                less.states.remove(node);
                refused += u64::from(verify(network, query, &less, &budget).is_err());
            }
        }
    }
    println!("{accepted} accepted, {refused} with a node less refused");
    assert!(accepted >= cases(400) / 10 && refused >= accepted, "{accepted}, {refused}");
}

#[test]
fn rejects_insufficient_parts() {
    let text = "int n; int m; chan c;
        process P { init location A; location B; A -> B { guard n == 1; } B -> B { sync c?; do m = n; } }
        process Q { init location C; C -> C { sync c!; do n = 2; } }
        query A[] not P.B;";
    let model = read_model(text).unwrap();
    let query = &model.queries[0];
    let budget = Budget::unlimited();
    let right = certificate_on_a_part(&model.network, query, &budget, &Progress::new()).unwrap();
    assert!(verify(&model.network, query, &right, &budget).is_ok());
    let named = |name: &str| {
        let mut ids = model.network.variables.ids();
        ids.find(|id| model.network.variables[*id].name == name).unwrap()
    };
    // Without `n`, `P` may go to `B`.
    let mut blind = right.clone();
    blind.part.as_mut().unwrap().variables.remove(&named("n"));
    let refusal = verify(&model.network, query, &blind, &budget).unwrap_err();
    assert!(matches!(refusal.reason, Reason::SuccessorIsNotCovered(_)), "{refusal}");
    // `m` is computed from `n`.
    let mut torn = blind.clone();
    torn.part.as_mut().unwrap().variables.insert(named("m"));
    let refusal = verify(&model.network, query, &torn, &budget).unwrap_err();
    assert_eq!(refusal.to_string(), "an update of the part needs `n`, which is not in the part");
    let mut elsewhere = right.clone();
    elsewhere.part.as_mut().unwrap().processes.clear();
    let refusal = verify(&model.network, query, &elsewhere, &budget).unwrap_err();
    assert_eq!(refusal.to_string(), "the query needs `P`, which is not in the part");
}

/// Returns whether the states of the first query are reachable when all but some processes and variables are arbitrary.
fn is_reached_without(text: &str, processes: &[&str], variables: &[&str]) -> bool {
    let model = read_model(text).unwrap();
    let (network, query) = (&model.network, &model.queries[0]);
    let inside = |name: &str, outside: &[&str]| !outside.contains(&name);
    let part = NetworkPart {
        processes: network
            .processes
            .ids()
            .filter(|id| inside(&network.processes[*id].name, processes))
            .collect(),
        variables: network
            .variables
            .ids()
            .filter(|id| inside(&network.variables[*id].name, variables))
            .collect(),
    };
    let weaker = weakened(network, &part, predicate(query)).unwrap();
    reached(&explore(&weaker, &model.queries, &Settings::default()).unwrap(), query).unwrap()
}

/// `P` and `Q` never synchronise, since `R` does not allow the value of `v` afterwards; so time passes, although the
/// channel is urgent.
#[test]
fn forbidden_synchronisation_outside_lets_time_pass() {
    let text = "urgent chan c; clock x; int v;
        process P { init location A; location B; A -> B { sync c!; do v = 5; } }
        process Q { init location C; location D; C -> D { sync c?; } }
        process R { init location E { invariant v <= 3; } }
        process W { init location F; location G; F -> G { guard x >= 1; } }
        query E<> W.G && P.A && Q.C && v == 0;";
    assert!(is_reached_without(text, &["R"], &[]));
}

/// `Q` never receives, since `n` stays zero; so time passes, although the channel is urgent.
#[test]
fn weakened_urgent_channel_lets_time_pass() {
    let text = "urgent chan c; clock x; int n;
        process P { init location A; location B; A -> B { sync c!; } }
        process Q { init location C; C -> C { guard n == 1; sync c?; } }
        query E<> P.A && x >= 3;";
    assert!(is_reached_without(text, &[], &["n"]));
    assert!(is_reached_without(text, &["Q"], &[]));
}

/// `R` stays in `C` when `Q` sends, since `n` is zero.
#[test]
fn blocked_receiver_may_ignore_broadcast() {
    let text = "broadcast chan b; int n;
        process Q { init location A; location B; A -> B { sync b!; } }
        process R { init location C; location D; C -> D { guard n == 1; sync b?; } }
        query E<> Q.B && R.C;";
    assert!(is_reached_without(text, &[], &["n"]));
}

/// `Q` is committed too, and may move first.
#[test]
fn committed_process_outside_may_move_first() {
    let text = "int n;
        process P { init committed location A; location B; A -> B { } }
        process Q { init committed location C; location D; C -> D { do n = 1; } }
        query E<> P.A && n == 1;";
    assert!(is_reached_without(text, &["Q"], &[]));
}
