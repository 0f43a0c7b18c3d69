//! The engines and the region oracle agree on random networks, and every trace can be replayed.
//!
//! `AGREEMENT_CASES` sets the number of networks; each failure prints the network, with its seed.

use std::collections::BTreeMap;
use std::sync::Arc;

use tempora_certify::Assurance;
use tempora_evidence::{Budget, Limit, MeasuredValue, Progress, Support, Task, UnknownReason, Verdict};
use tempora_model::{Formula, Query, QueryKind};
use tempora_oracle::random_networks::{Knobs, QueryTopic, RandomNetwork, generate, generate_text};
use tempora_oracle::read_model;
use tempora_workbench::{CheckOptions, ENGINES, EngineSettings, ZenoRuns, check, engine_named};

use crate::support::certified::certify_answers;

/// Counts of answers.
#[derive(Default, Debug)]
struct Tally {
    compared: u64,
    held: u64,
    declined: u64,
    /// The number of verdicts that a run can confirm, and of those whose run has no delays.
    shown: u64,
    without_times: u64,
    /// The number of queries that the oracle did not answer.
    too_large: u64,
}

fn cases(default: u64) -> u64 {
    std::env::var("AGREEMENT_CASES").map_or(default, |cases| cases.parse().unwrap())
}

/// Returns the reachability queries of a random network.
fn about_reachability(queries: &[Query]) -> Vec<Query> {
    let topics = QueryTopic::ALL.iter().zip(queries);
    topics
        .filter(|(topic, _)| matches!(topic, QueryTopic::Possibly | QueryTopic::Always))
        .map(|(_, query)| query.clone())
        .collect()
}

/// Compares the answers of an engine and the oracle to reachability queries.
fn compare(engine: &str, random: &RandomNetwork, tally: &mut Tally) {
    let queries = about_reachability(&random.model.queries);
    let task = Task::about_network(Arc::new(random.model.network.clone()), queries);
    let descriptor = ENGINES.iter().find(|other| other.name == engine).unwrap();
    let supports = (descriptor.build)(&EngineSettings::default()).prepare(&task).support().to_vec();
    let options = CheckOptions::with_engine(engine_named(engine).unwrap());
    let answers = check(&task, &options, &Budget::unlimited(), &Progress::new());
    certify_answers(&task, &answers).unwrap_or_else(|why| panic!("{why}\n{}", random.text));
    for ((query, answer), support) in task.queries.iter().zip(&answers).zip(supports) {
        let expected = random.graph.answer(query).unwrap();
        let verdict = &answer.answer().verdict;
        match verdict {
            Verdict::Unknown(UnknownReason::Unsupported(_)) => {
                tally.declined += 1;
                continue;
            }
            _ => assert_eq!(verdict, &expected, "{engine}: {}\n{}", query.text, random.text),
        }
        assert!(!matches!(support, Support::Declines(_)), "{engine}: {support:?}\n{}", random.text);
        // Every verdict that a run can confirm has a run.
        let needs_run = matches!(
            (&query.kind, verdict),
            (QueryKind::Formula(Formula::Possibly(_)), Verdict::Holds)
                | (QueryKind::Formula(Formula::Always(_)), Verdict::Fails)
        );
        let expected_assurance = if needs_run { Assurance::Replayed } else { Assurance::Unchecked };
        assert_eq!(answer.assurance(), expected_assurance, "{engine}: {}\n{}", query.text, random.text);
        tally.compared += 1;
        tally.held += u64::from(*verdict == Verdict::Holds);
    }
}

impl Tally {
    /// Checks that both verdicts occur often, and that the engine rarely declines.
    fn expect_fair(&self) {
        let Tally { compared, held, declined, .. } = self;
        assert!(held * 5 >= *compared && (compared - held) * 5 >= *compared, "{held} of {compared} hold");
        assert!(declined * 10 <= *compared, "{declined} declined, {compared} compared");
    }
}

#[test]
fn engines_agree_with_oracle() {
    // Networks with features that the simple engine declines would only make the others rarer.
    let knobs = Knobs { has_priorities: false, has_copies: false, region_limit: 4000, ..Knobs::default() };
    let (mut zones, mut simple) = (Tally::default(), Tally::default());
    for seed in 0..cases(2000) {
        let random = generate(seed, &knobs).unwrap();
        compare("zones", &random, &mut zones);
        compare("simple", &random, &mut simple);
    }
    zones.expect_fair();
    simple.expect_fair();
    assert!(zones.declined <= simple.declined);
}

#[test]
fn zones_agree_with_oracle_on_reachability() {
    let knobs = Knobs { has_differences: true, region_limit: 4000, ..Knobs::default() };
    let mut zones = Tally::default();
    for seed in 0..cases(1000) {
        let random = generate(1_000_000 + seed, &knobs).unwrap();
        compare("zones", &random, &mut zones);
    }
    zones.expect_fair();
}

#[test]
fn zones_agree_with_oracle_on_urgent_guards() {
    let knobs = Knobs { has_urgent_guards: true, region_limit: 4000, ..Knobs::default() };
    let mut zones = Tally::default();
    for seed in 0..cases(500) {
        let random = generate(2_000_000 + seed, &knobs).unwrap();
        compare("zones", &random, &mut zones);
    }
    // The engine may give up if urgency depends on clocks, but not always.
    assert!(zones.declined * 2 <= zones.compared, "{} of {}", zones.declined, zones.compared);
}

/// The oracle does not support networks that fail, so the engines are compared with each other and with the
/// interpreter.
#[test]
fn model_errors_have_runs() {
    let knobs =
        Knobs { has_runtime_errors: true, has_priorities: false, has_copies: false, ..Knobs::default() };
    let mut failed = 0u64;
    for seed in 0..cases(1000) {
        let text = generate_text(3_000_000 + seed, 0, &knobs);
        let model = read_model(&text).unwrap();
        let queries = about_reachability(&model.queries);
        let task = Task::about_network(Arc::new(model.network), queries);
        let budget = || Budget::unlimited().with_max_states(3000);
        let verdicts = ["zones", "simple"].map(|engine| {
            let options = CheckOptions::with_engine(engine_named(engine).unwrap());
            check(&task, &options, &budget(), &Progress::new())
        });
        for ((query, zones), simple) in task.queries.iter().zip(&verdicts[0]).zip(&verdicts[1]) {
            let (found, expected) = (&zones.answer().verdict, &simple.answer().verdict);
            match found {
                Verdict::Unknown(UnknownReason::EngineBug(why)) => panic!("{why}: {}\n{text}", query.text),
                Verdict::Unknown(UnknownReason::ModelError(_)) => {
                    failed += 1;
                    assert_eq!(zones.assurance(), Assurance::Replayed, "{}\n{text}", query.text);
                    // An invariant of all states cannot be proved if the model can fail.
                    let is_decided_by_all = matches!(
                        (&query.kind, expected),
                        (QueryKind::Formula(Formula::Possibly(_)), Verdict::Fails)
                            | (QueryKind::Formula(Formula::Always(_)), Verdict::Holds)
                    );
                    assert!(!is_decided_by_all, "{}\n{text}", query.text);
                }
                Verdict::Holds | Verdict::Fails if matches!(expected, Verdict::Holds | Verdict::Fails) => {
                    assert_eq!(found, expected, "{}\n{text}", query.text);
                }
                _ => {}
            }
        }
    }
    assert!(failed * 20 >= cases(1000), "only {failed} fail");
}

/// Returns the verdicts of the local engine, after comparing them with the oracle.
fn local_verdicts(task: &Task, random: &RandomNetwork) -> Vec<Verdict> {
    let options = CheckOptions::with_engine(engine_named("local").unwrap());
    let answers = check(task, &options, &Budget::unlimited(), &Progress::new());
    let mut shown = Vec::new();
    for (query, answer) in task.queries.iter().zip(&answers) {
        let verdict = &answer.answer().verdict;
        if matches!(verdict, Verdict::Holds | Verdict::Fails) {
            assert_eq!(verdict, &random.graph.answer(query).unwrap(), "{}\n{}", query.text, random.text);
            shown.push(verdict.clone());
        }
    }
    shown
}

/// Proofs on parts of a network are valid for the whole network.
#[test]
fn proofs_on_parts_are_sound() {
    let (mut asked, mut shown) = (0u64, [0u64; 2]);
    for seed in 0..cases(3000) {
        let (has_urgent_guards, has_data_invariants) = (seed % 2 == 0, seed % 3 == 0);
        let knobs = Knobs { has_urgent_guards, has_data_invariants, region_limit: 4000, ..Knobs::default() };
        let random = generate(4_000_000 + seed, &knobs).unwrap();
        let queries = about_reachability(&random.model.queries);
        let task = Task::about_network(Arc::new(random.model.network.clone()), queries);
        asked += task.queries.len() as u64;
        for verdict in local_verdicts(&task, &random) {
            shown[usize::from(verdict == Verdict::Holds)] += 1;
        }
    }
    println!("{asked} asked, {} shown to fail, {} to hold", shown[0], shown[1]);
    // Most networks are small, so few unreachable goals have a proof on a proper part.
    assert!(shown.iter().all(|&shown| shown * 20 >= asked), "{shown:?} of {asked}");
}

/// Proofs from arbitrary clock values are valid for the reachable ones.
#[test]
fn proofs_from_any_clock_values_are_sound() {
    let (mut asked, mut shown) = (0u64, 0u64);
    for seed in 0..cases(2000) {
        let knobs = Knobs { region_limit: 4000, has_copies: seed % 4 == 0, ..Knobs::default() };
        let random = generate(8_000_000 + seed, &knobs).unwrap();
        let topics = QueryTopic::ALL.iter().zip(&random.model.queries);
        let follows = |topic| matches!(topic, QueryTopic::LeadsTo | QueryTopic::Response);
        let queries: Vec<Query> =
            topics.filter(|(topic, _)| follows(**topic)).map(|(_, query)| query.clone()).collect();
        let task = Task::about_network(Arc::new(random.model.network.clone()), queries);
        asked += task.queries.len() as u64;
        shown += local_verdicts(&task, &random).len() as u64;
    }
    println!("{asked} asked, {shown} shown to hold");
    assert!(shown * 10 >= asked, "{shown} of {asked}");
}

/// Compares the answers of the zone engine and the oracle about whole runs, deadlocks and values.
fn compare_topics(
    topics: &[QueryTopic],
    options: &CheckOptions,
    random: &RandomNetwork,
    tallies: &mut BTreeMap<QueryTopic, Tally>,
) {
    let (topics, queries): (Vec<QueryTopic>, Vec<Query>) = QueryTopic::ALL
        .iter()
        .zip(&random.model.queries)
        .filter(|(topic, _)| topics.contains(topic))
        .map(|(&topic, query)| (topic, query.clone()))
        .unzip();
    let task = Task::about_network(Arc::new(random.model.network.clone()), queries);
    let answers = check(&task, options, &Budget::unlimited(), &Progress::new());
    certify_answers(&task, &answers).unwrap_or_else(|why| panic!("{why}\n{}", random.text));
    for ((query, answer), topic) in task.queries.iter().zip(&answers).zip(topics) {
        let tally = tallies.entry(topic).or_default();
        let expected = match (&query.kind, options.settings.zeno) {
            (QueryKind::Formula(formula), ZenoRuns::Exclude) => random
                .graph
                .holds_where_time_diverges(formula)
                .map(|holds| if holds { Verdict::Holds } else { Verdict::Fails }),
            _ => random.graph.answer(query),
        };
        // Some products are too large for the oracle.
        let Ok(expected) = expected else {
            tally.too_large += 1;
            continue;
        };
        let verdict = &answer.answer().verdict;
        if let Verdict::Unknown(UnknownReason::Unsupported(_)) = verdict {
            tally.declined += 1;
            continue;
        }
        assert_eq!(verdict, &expected, "{}\n{}", query.text, random.text);
        tally.compared += 1;
        tally.held += u64::from(*verdict == Verdict::Holds);
        if is_confirmed_by_run(topic, verdict) {
            tally.shown += 1;
            // The delays of a lasso may be too hard to find, but then no run is claimed.
            tally.without_times += u64::from(answer.answer().trace().is_none());
            // A run cannot show that its last state has no continuation.
            let is_illustration = matches!(
                topic,
                QueryTopic::AlwaysPossibly
                    | QueryTopic::AlwaysPossiblyDeadlock
                    | QueryTopic::AnyAlwaysPossibly
            );
            let is_replayed = answer.assurance() == Assurance::Replayed;
            assert!(
                is_illustration || is_replayed == answer.answer().trace().is_some(),
                "{}\n{}",
                query.text,
                random.text
            );
        }
        if let Verdict::Value(values) = verdict
            && let Some(end) = values.iter().find_map(greatest_end)
        {
            tally.shown += 1;
            let is_replayed = answer.assurance() == Assurance::Replayed;
            // An unbounded value may only be approached along infinite runs.
            tally.without_times += u64::from(!is_replayed && end != Limit::Unbounded);
        }
    }
}

/// Returns the upper end of measured values, if there is one.
fn greatest_end(value: &MeasuredValue) -> Option<Limit> {
    match value {
        MeasuredValue::NoState => None,
        MeasuredValue::Supremum(limit) | MeasuredValue::Infimum(limit) => Some(*limit),
        MeasuredValue::Intervals(intervals) => intervals.last().map(|last| last.1),
    }
}

fn is_confirmed_by_run(topic: QueryTopic, verdict: &Verdict) -> bool {
    match topic {
        QueryTopic::Possibly
        | QueryTopic::PossiblyOrDeadlock
        | QueryTopic::DeadlockInside
        | QueryTopic::AnyPossibly
        | QueryTopic::AnyPotentiallyAlways
        | QueryTopic::PotentiallyAlways
        | QueryTopic::AlwaysMoving
        | QueryTopic::Recurrence => *verdict == Verdict::Holds,
        QueryTopic::Always
        | QueryTopic::AlwaysAndMoving
        | QueryTopic::AnyAlways
        | QueryTopic::AnyEventually
        | QueryTopic::AnyLeadsTo
        | QueryTopic::AnyAlwaysPossibly
        | QueryTopic::Eventually
        | QueryTopic::LeadsTo
        | QueryTopic::Response
        | QueryTopic::AlwaysPossibly
        | QueryTopic::EventuallyDeadlock
        | QueryTopic::LeadsToDeadlock
        | QueryTopic::AlwaysPossiblyDeadlock
        | QueryTopic::Deadlock => *verdict == Verdict::Fails,
        _ => false,
    }
}

/// Compares all queries of some topics on random networks with consecutive seeds.
fn compare_many(first_seed: u64, count: u64, knobs: &Knobs, topics: &[QueryTopic], zeno: ZenoRuns) {
    let mut tallies = BTreeMap::new();
    let settings = EngineSettings { zeno, ..EngineSettings::default() };
    let options = CheckOptions { engine: engine_named("zones").unwrap(), settings };
    for seed in 0..count {
        let random = generate(first_seed + seed, knobs).unwrap();
        compare_topics(topics, &options, &random, &mut tallies);
    }
    for (topic, tally) in &tallies {
        if topic.is_formula() {
            tally.expect_fair();
        }
        assert!(tally.compared > 0 && tally.declined * 10 <= tally.compared, "{topic:?}: {tally:?}");
        assert!(tally.too_large * 10 <= tally.compared, "{topic:?}: {tally:?}");
        // Nearly every verdict that a run can confirm has one.
        assert!(tally.without_times * 20 <= tally.shown, "{topic:?}: {tally:?}");
    }
}

#[test]
fn zones_agree_on_whole_runs() {
    let knobs = Knobs { region_limit: 4000, ..Knobs::default() };
    let topics = [
        QueryTopic::Eventually,
        QueryTopic::PotentiallyAlways,
        QueryTopic::LeadsTo,
        QueryTopic::Response,
        QueryTopic::AlwaysPossibly,
        QueryTopic::Deadlock,
        QueryTopic::Recurrence,
    ];
    compare_many(4_000_000, cases(1200), &knobs, &topics, ZenoRuns::Count);
}

#[test]
fn zones_agree_on_deadlocks() {
    let topics = [
        QueryTopic::EventuallyDeadlock,
        QueryTopic::AlwaysMoving,
        QueryTopic::LeadsToDeadlock,
        QueryTopic::AlwaysPossiblyDeadlock,
        QueryTopic::PossiblyOrDeadlock,
        QueryTopic::AlwaysAndMoving,
        QueryTopic::DeadlockInside,
    ];
    let knobs = Knobs { region_limit: 4000, ..Knobs::default() };
    compare_many(9_000_000, cases(400), &knobs, &topics, ZenoRuns::Count);
    // A goal that is not monotonic in deadlocks makes the engine use a bisimulation for all goals of the task.
    let monotonic = [QueryTopic::PossiblyOrDeadlock, QueryTopic::AlwaysAndMoving];
    compare_many(9_200_000, cases(400), &knobs, &monotonic, ZenoRuns::Count);
    let knobs = Knobs { has_differences: true, region_limit: 2000, ..Knobs::default() };
    compare_many(9_500_000, cases(200), &knobs, &topics, ZenoRuns::Count);
}

#[test]
fn zones_agree_on_whole_runs_with_differences() {
    let knobs = Knobs { has_differences: true, region_limit: 2000, ..Knobs::default() };
    let topics = [
        QueryTopic::Eventually,
        QueryTopic::PotentiallyAlways,
        QueryTopic::LeadsTo,
        QueryTopic::Response,
        QueryTopic::AlwaysPossibly,
        QueryTopic::Deadlock,
    ];
    compare_many(6_000_000, cases(300), &knobs, &topics, ZenoRuns::Count);
}

#[test]
fn zones_agree_without_zeno_runs() {
    let knobs = Knobs { region_limit: 1500, ..Knobs::default() };
    let topics =
        [QueryTopic::Eventually, QueryTopic::PotentiallyAlways, QueryTopic::LeadsTo, QueryTopic::Recurrence];
    compare_many(5_000_000, cases(600), &knobs, &topics, ZenoRuns::Exclude);
}

#[test]
fn zones_agree_on_values() {
    // The oracle is slow for values copied from other clocks.
    let knobs = Knobs { region_limit: 600, has_copies: false, ..Knobs::default() };
    let topics = [
        QueryTopic::GreatestClock,
        QueryTopic::LeastClock,
        QueryTopic::GreatestData,
        QueryTopic::EarliestTime,
        QueryTopic::LatestTime,
        QueryTopic::GreatestDeadlocked,
        QueryTopic::AllOfClock,
        QueryTopic::AllOfData,
    ];
    compare_many(7_000_000, cases(200), &knobs, &topics, ZenoRuns::Count);
}

/// Arbitrary Boolean combinations of locations, clocks, data and `deadlock`, under all path quantifiers.
#[test]
fn zones_agree_on_any_formula() {
    let topics = QueryTopic::ANY_FORMULA;
    let knobs = Knobs { region_limit: 3000, ..Knobs::default() };
    compare_many(10_000_000, cases(300), &knobs, &topics, ZenoRuns::Count);
    let knobs = Knobs { has_templates: true, ..knobs };
    compare_many(10_200_000, cases(200), &knobs, &topics, ZenoRuns::Count);
    let knobs = Knobs { has_differences: true, region_limit: 1500, ..knobs };
    compare_many(10_400_000, cases(100), &knobs, &topics, ZenoRuns::Count);
}

#[test]
fn zones_agree_on_several_values() {
    let topics = [QueryTopic::SeveralGreatest, QueryTopic::SeveralLeast, QueryTopic::SeveralBounds];
    let knobs = Knobs { region_limit: 600, has_copies: false, ..Knobs::default() };
    compare_many(10_600_000, cases(100), &knobs, &topics, ZenoRuns::Count);
}

/// The answer to a query does not depend on the other queries of the call.
#[test]
fn queries_together_are_answered_as_alone() {
    let knobs = Knobs { region_limit: 600, has_copies: false, has_templates: true, ..Knobs::default() };
    let budget = || Budget::unlimited().with_max_states(20_000);
    let options = CheckOptions::with_engine(engine_named("zones").unwrap());
    let mut compared = 0u64;
    for seed in 0..cases(60) {
        let random = generate(10_800_000 + seed, &knobs).unwrap();
        let network = Arc::new(random.model.network.clone());
        let task = Task::about_network(Arc::clone(&network), random.model.queries.clone());
        let together = check(&task, &options, &budget(), &Progress::new());
        for (query, answer) in task.queries.iter().zip(&together) {
            let alone = Task::about_network(Arc::clone(&network), vec![query.clone()]);
            let alone = &check(&alone, &options, &budget(), &Progress::new())[0];
            let (one, other) = (&answer.answer().verdict, &alone.answer().verdict);
            if !matches!((one, other), (Verdict::Unknown(_), _) | (_, Verdict::Unknown(_))) {
                assert_eq!(one, other, "{}\n{}", query.text, random.text);
                compared += 1;
            }
        }
    }
    assert!(compared >= cases(60) * 25, "{compared}");
}
